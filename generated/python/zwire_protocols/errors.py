"""What the codecs raise: octets that are no message, values that no message can carry.

Made by `zwire generate`; do not edit.
"""

from __future__ import annotations


class ProtocolError(ValueError):
    """Whatever is wrong with a message."""


class DecodeError(ProtocolError):
    """Octets that are no message of the protocol.

    `message` and `field` are empty where none is to blame; `frame` counts from 0 and `offset` in
    octets of that frame. `code` is one of frame-count, constant, command, truncated, trailing,
    text, length, value, empty, type.
    """

    def __init__(
        self,
        message: str,
        field: str,
        frame: int,
        offset: int,
        expected: str,
        got: str,
        code: str,
    ) -> None:
        super().__init__(message, field, frame, offset, expected, got, code)
        self.message = message
        self.field = field
        self.frame = frame
        self.offset = offset
        self.expected = expected
        self.got = got
        self.code = code

    def __str__(self) -> str:
        who = " ".join(part for part in (self.message or "message", self.field) if part)
        return (
            f"{who}: frame {self.frame}, offset {self.offset}: "
            f"expected {self.expected}, got {self.got} ({self.code})"
        )


class EncodeError(ProtocolError):
    """A value that its message cannot carry; `limit` says what it can."""

    def __init__(self, message: str, field: str, limit: str, value: object) -> None:
        super().__init__(message, field, limit, value)
        self.message = message
        self.field = field
        self.limit = limit
        self.value = value

    def __str__(self) -> str:
        who = " ".join(part for part in (self.message, self.field) if part)
        return f"{who}: expected {self.limit}, got {shown(self.value)}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


def shown(value: object) -> str:
    """A value for people, cut where it goes on for long; of one that cannot be shown, its type."""
    try:
        text = repr(value[:80] if isinstance(value, str | bytes) else value)
    except Exception:  # whatever somebody's class does; also a number of too many digits
        return f"a value of type {type(value).__name__}"
    return text if len(text) < 80 else text[:76] + "..."
