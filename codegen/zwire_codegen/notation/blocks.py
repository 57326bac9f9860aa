"""The kinds of block that a document is cut into, whatever its markup."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from zwire_codegen.source import Line, Place


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading's text without its marks."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text, a list's items included."""

    lines: tuple[Line, ...]
    place: Place

    @property
    def text(self) -> str:
        return " ".join(line.text.strip() for line in self.lines)


@dataclass(frozen=True, slots=True)
class Code:
    """A fenced, indented or `[[code]]` block; `label` is what its fence says it holds."""

    lines: tuple[Line, ...]
    place: Place
    label: str = ""


@dataclass(frozen=True, slots=True)
class PipeTable:
    """A Markdown table: its header, the line of dashes, its rows."""

    lines: tuple[Line, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class RuledTable:
    """A reStructuredText simple table: ruled above and below its header and below its rows."""

    lines: tuple[Line, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class FrameList:
    """Lines `* Frame 0: …`, each with the lines that continue it."""

    lines: tuple[Line, ...]
    place: Place


Block: TypeAlias = Heading | Paragraph | Code | PipeTable | RuledTable | FrameList
