"""Public keys as text: Z85, the form in which peers under CURVE tell them in a header."""

from __future__ import annotations

KEY_HEADER = "X-PUBLICKEY"
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
_VALUES = {digit: value for value, digit in enumerate(DIGITS)}


def z85_encode(key: bytes) -> str:
    """The 40 characters of a key of 32 octets."""
    text = ""
    for start in range(0, len(key), 4):
        value = int.from_bytes(key[start : start + 4], "big")
        text += "".join(DIGITS[value // 85**power % 85] for power in (4, 3, 2, 1, 0))
    return text


def z85_decode(text: str) -> bytes:
    """The key of 32 octets that is written so; empty where there is none."""
    if len(text) != 40 or any(one not in _VALUES for one in text):
        return b""
    key = b""
    for start in range(0, 40, 5):
        value = 0
        for one in text[start : start + 5]:
            value = value * 85 + _VALUES[one]
        if value > 0xFFFFFFFF:
            return b""
        key += value.to_bytes(4, "big")
    return key
