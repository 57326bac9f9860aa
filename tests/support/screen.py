"""A screen for tests: it understands what our terminal writes, and tells what somebody would see."""

from __future__ import annotations

import io
import re

_PIECE = re.compile(r"\x1b\[(\d*)([A-Za-z])|[\r\n]|[^\x1b\r\n]+")


class Screen(io.StringIO):
    """What is written is drawn; rows that scrolled away are still there."""

    def __init__(self) -> None:
        super().__init__()
        self._rows = [""]
        self._row = self._column = 0

    def write(self, text: str) -> int:
        for piece in _PIECE.finditer(text):
            number, letter = piece.groups()
            if letter is None:
                self._put(piece.group())
            elif letter == "A":
                self._row -= int(number or 1)
            elif letter == "D":
                self._column -= int(number or 1)
            elif letter == "J":
                self._rows[self._row] = self._rows[self._row][: self._column]
                del self._rows[self._row + 1 :]
            else:
                assert letter == "m", f"unknown: {piece.group()!r}"
        return len(text)

    def _put(self, text: str) -> None:
        if text == "\r":
            self._column = 0
        elif text == "\n":
            self._row, self._column = self._row + 1, 0
            if self._row == len(self._rows):
                self._rows.append("")
        else:
            row = self._rows[self._row].ljust(self._column)
            end = self._column + len(text)
            self._rows[self._row] = row[: self._column] + text + row[end:]
            self._column = end

    @property
    def rows(self) -> list[str]:
        """What can be seen."""
        return [row.rstrip() for row in self._rows]

    @property
    def cursor(self) -> tuple[int, int]:
        """Row and column, from 0."""
        return self._row, self._column
