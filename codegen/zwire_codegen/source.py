"""A document's text with the places in it, and the lines a block was cut from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where something stands: line and column count from 1, length in characters."""

    line: int
    column: int
    length: int = 1


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a block, with the place of its first character in the document."""

    text: str
    line: int
    column: int = 1

    def place(self, start: int, end: int | None = None) -> Place:
        """The place of `text[start:end]` in the document."""
        stop = len(self.text) if end is None else end
        return Place(self.line, self.column + start, max(1, stop - start))


@dataclass(frozen=True)
class Source:
    """A document: the name people know it by, and its text with newlines made `\\n`."""

    name: str
    text: str

    @cached_property
    def lines(self) -> tuple[str, ...]:
        return tuple(self.text.split("\n"))

    def line(self, number: int) -> str:
        """The text of a line counted from 1; empty where there is none."""
        return self.lines[number - 1] if 1 <= number <= len(self.lines) else ""
