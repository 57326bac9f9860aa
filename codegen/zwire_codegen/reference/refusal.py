"""Why octets or values are refused: one exception with a stable code and a place."""

from __future__ import annotations


class Refusal(ValueError):
    """Frames that are no message, or values that make none.

    `code` is one of: frame-count, constant, command, truncated, trailing, text, length, value,
    empty, type. `message` and `field` are empty where none is to blame.
    """

    def __init__(
        self,
        code: str,
        *,
        message: str = "",
        field: str = "",
        frame: int = 0,
        offset: int = 0,
        expected: str = "",
        got: str = "",
    ) -> None:
        self.code = code
        self.message = message
        self.field = field
        self.frame = frame
        self.offset = offset
        self.expected = expected
        self.got = got
        super().__init__(
            f"{message or 'message'}: {field or 'frames'} in frame {frame} at octet {offset}: "
            f"{code}: expected {expected}, got {got}"
        )

    @property
    def verdict(self) -> tuple[str, str, str, int, int]:
        """What all implementations agree on."""
        return (self.code, self.message, self.field, self.frame, self.offset)


class Mismatch(ValueError):
    """A value alone is wrong; whoever knows message, frame and offset makes it a refusal."""

    def __init__(self, code: str, expected: str, got: str, offset: int = 0) -> None:
        super().__init__(code)
        self.code = code
        self.expected = expected
        self.got = got
        self.offset = offset
