"""Frame tables out of Markdown tables, simple tables and lists of frames."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zwire_codegen.catalogue import problem
from zwire_codegen.notation import markdown, prose_tables, rst
from zwire_codegen.notation.blocks import FrameList, PipeTable, RuledTable
from zwire_codegen.notation.document import Cell, Row
from zwire_codegen.notation.values import Reading, read_value
from zwire_codegen.problems import Problem
from zwire_codegen.source import Place

_NUMBER = re.compile(r"([0-9]{1,6})[ \t]*(\+)?")
_FRAME = {"frame", "frames"}
_VALUE = {"value", "values", "content", "contents", "octets"}
_NAME = {"name", "field"}
_MEANING = {"meaning", "description", "comment", "remarks", "notes"}

# What errata say of a value that a document tells in prose; None where they say nothing.
Lookup = Callable[[str], Reading | None]


@dataclass(frozen=True, slots=True)
class _Columns:
    """Which column of a table holds what; -1 where the table has no such column."""

    frame: int
    value: int
    name: int
    meaning: int


def table_rows(
    block: PipeTable | RuledTable, file: str, lookup: Lookup
) -> tuple[list[Row], list[Problem]] | None:
    """The frames that a table lists, or None when it is a table of something else."""
    if isinstance(block, PipeTable):
        if _columns([cell.text.lower() for cell in markdown.cells(block.lines[0])]) is None:
            return None
        found = [markdown.cells(line) for at, line in enumerate(block.lines) if at != 1]
    else:
        found = rst.table_cells(block.lines)
    if not found:
        return None
    columns = _columns([cell.text.lower() for cell in found[0]])
    if columns is None:
        return None
    rows = _Rows(file, lookup)
    for cells in found[1:]:
        missing = Cell("", cells[-1].place)
        frame, value, name, meaning = (
            cells[at] if 0 <= at < len(cells) else missing
            for at in (columns.frame, columns.value, columns.name, columns.meaning)
        )
        if columns.name >= 0:
            rows.add(frame, value, name, meaning)
        else:
            rows.add_prose(frame, value, meaning, literal=True)
    return rows.found, rows.problems


def list_rows(block: FrameList, file: str, lookup: Lookup) -> tuple[list[Row], list[Problem]]:
    """The frames of a list `* Frame 0: …`."""
    rows = _Rows(file, lookup)
    for frame, text in prose_tables.frame_cells(block.lines):
        rows.add_prose(frame, text, text, literal=False)
    return rows.found, rows.problems


class _Rows:
    """Collects rows and what is wrong with them."""

    def __init__(self, file: str, lookup: Lookup) -> None:
        self.file = file
        self.lookup = lookup
        self.found: list[Row] = []
        self.problems: list[Problem] = []

    def add(self, frame: Cell, value: Cell, name: Cell, meaning: Cell) -> None:
        """A row in our own notation."""
        number = _NUMBER.fullmatch(frame.text)
        if number is None:
            text = f'"{_brief(frame.text)}" is not the number of a frame'
            hint = "write 0, 1, …, or 4+ for all further frames"
            self.problems.append(problem(self.file, frame.place, "ZW304", text, hint))
            return
        place = Place(frame.place.line, frame.place.column, max(1, len(frame.text)))
        self.found.append(Row(int(number[1]), number[2] is not None, value, name, meaning, place))

    def add_prose(self, frame: Cell, value: Cell, meaning: Cell, *, literal: bool) -> None:
        """A row that somebody wrote for people."""
        reading = self.lookup(value.text) or read_value(
            markdown.unescaped(value.text), literal=literal
        )
        if not reading.sure:
            text = f'what octets "{_brief(value.text)}" stands for is not told; it is read as any'
            hint = "say it in an errata file: [[cell]] with text, value and name"
            self.problems.append(problem(self.file, value.place, "ZW316", text, hint))
        in_ours = Cell(reading.value, value.place)
        told = Cell(markdown.plain(meaning.text), meaning.place)
        self.add(frame, in_ours, Cell(reading.name, value.place), told)


def _columns(header: Sequence[str]) -> _Columns | None:
    def column(names: set[str]) -> int:
        return next((at for at, text in enumerate(header) if text in names), -1)

    columns = _Columns(column(_FRAME), column(_VALUE), column(_NAME), column(_MEANING))
    return columns if columns.frame >= 0 and columns.value >= 0 else None


def _brief(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"
