"""Values of ABNF: numbers, quoted texts and ranges become terminals, and get their canonical form."""

from __future__ import annotations

import re

from zwire_codegen.notation.tree import Range, Terminal
from zwire_codegen.source import Place

LARGEST = 0x10FFFF  # of a value: the last character there is

_BASES = {"x": (16, 8), "d": (10, 8), "b": (2, 24)}  # base, and digits that are surely too many
_NUMBER = re.compile(r"%([xdb])([0-9A-F]+(?:(?:\.[0-9A-F]+)+|-[0-9A-F]+)?)", re.IGNORECASE)
_LETTER = re.compile(rb"[A-Za-z]")
_PLAIN = re.compile(rb"[ !#-~]*")


class NotAValue(ValueError):
    """A value that is well formed and still means nothing; `reversed_range` says which way."""

    def __init__(self, text: str, reversed_range: bool = False) -> None:
        super().__init__(text)
        self.reversed_range = reversed_range


def number(written: str, place: Place) -> Terminal | Range:
    """The terminal or range that `%x41`, `%d13.10` or `%b0-1` stands for; `%06` counts as %x06."""
    letter = written[1].lower()
    base, digits = (letter, written[2:]) if letter in _BASES else ("x", written[1:])
    if "-" in digits:
        low, high = (_value(part, base) for part in digits.split("-"))
        if low > high:
            raise NotAValue(f"the range {written[:40]} ends before it begins", reversed_range=True)
        return Range(low, high, place, written)
    octets = b"".join(_octets(_value(part, base)) for part in digits.split("."))
    return Terminal(octets, place, written)


def text(written: str, place: Place) -> Terminal:
    """The terminal that `"ping"`, `%i"ping"` or `%s"PING"` stands for."""
    exact = written[:2] in ("%s", "%S")
    octets = written[written.index('"') + 1 : -1].encode("utf-8", "surrogatepass")
    return Terminal(octets, place, written, not exact and _LETTER.search(octets) is not None)


def quoted_number(written: str, place: Place) -> Terminal:
    """The terminal that `%d'M'` is taken for: the text as it stands."""
    return Terminal(written[3:-1].encode("utf-8", "surrogatepass"), place, written)


def quoted_range(written: str, place: Place) -> Range:
    """The range that `"A"-"Z"` is taken for."""
    low, high = ord(written[1]), ord(written[-2])
    if low > high:
        raise NotAValue(f"the range {written[:40]} ends before it begins", reversed_range=True)
    return Range(low, high, place, written)


def canonical(value: Terminal | Range) -> str:
    """The one way we write it: digits in capitals in the base they came in, `%s` before exact text.

    What was `written` only counts where it still says the same as the value.
    """
    found = _NUMBER.fullmatch(value.written)
    if found is not None and _same(value):
        return f"%{found[1].lower()}{found[2].upper()}"
    if isinstance(value, Range):
        return f"%x{value.low:02X}-{value.high:02X}"
    if _PLAIN.fullmatch(value.octets) is None:
        return "%x" + ".".join(f"{octet:02X}" for octet in value.octets)
    exact = not value.caseless and _LETTER.search(value.octets) is not None
    return f'{"%s" if exact else ""}"{value.octets.decode("ascii")}"'


def _same(value: Terminal | Range) -> bool:
    try:
        read = number(value.written, value.place)
    except ValueError:
        return False
    return read == value


def _value(digits: str, base: str) -> int:
    radix, too_many = _BASES[base]
    significant = digits.lstrip("0")
    value = int(significant or "0", radix) if len(significant) < too_many else LARGEST + 1
    if value > LARGEST:
        shown = digits if len(digits) <= 20 else f"{digits[:20]}…"
        raise NotAValue(f"%{base}{shown} is larger than any character, which is %x10FFFF at most")
    return value


def _octets(value: int) -> bytes:
    """A value below 256 is that octet; above, it is a character and stands for its UTF-8."""
    return bytes((value,)) if value < 256 else chr(value).encode("utf-8", "surrogatepass")
