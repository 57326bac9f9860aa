"""What each block of a document says: rules, dialogs, frame tables, settings, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import assert_never

from zwire_codegen.catalogue import problem
from zwire_codegen.notation import boxes, dialogs, prose_tables, tables
from zwire_codegen.notation.abnf import parse
from zwire_codegen.notation.assembly import Assembly
from zwire_codegen.notation.blocks import (
    Block,
    Code,
    FrameList,
    Heading,
    Paragraph,
    PipeTable,
    RuledTable,
)
from zwire_codegen.notation.document import FrameTable, Row, Settings
from zwire_codegen.notation.errata import CellReading
from zwire_codegen.notation.markdown import plain
from zwire_codegen.notation.mending import Anchored
from zwire_codegen.notation.settings import read_settings
from zwire_codegen.notation.supplements import placed_grammar, placed_problems, table_of
from zwire_codegen.notation.tree import Grammar
from zwire_codegen.notation.values import Reading
from zwire_codegen.problems import Problem, Severity, failed
from zwire_codegen.source import Line, Place

_RULE = re.compile(r"[ \t]*(?:[A-Za-z]\w{0,15}:)?[A-Za-z][\w-]*[ \t]*=/?(?!=)")


class Interpreter:
    """Takes a document's blocks in their order and remembers the words before a table."""

    def __init__(self, file: str, cells: Sequence[CellReading], *, strict: bool) -> None:
        self.file = file
        self.cells = cells
        self.strict = strict
        self.assembly = Assembly()
        self.problems: list[Problem] = []
        self._heading = ""
        self._first = ""  # paragraph below the heading
        self._last = ""  # paragraph before this block

    def add(self, block: Block) -> None:
        """One block more."""
        match block:
            case Heading():
                self._heading, self._first, self._last = block.text, "", ""
            case Paragraph():
                self._first = self._first or block.text
                self._last = block.text
            case Code():
                self._code(block)
            case PipeTable():
                if not self._frames(block, tables.table_rows(block, self.file, self._lookup)):
                    self._drawing(dialogs.out_of_table(block.lines))
            case RuledTable():
                self._frames(block, tables.table_rows(block, self.file, self._lookup))
            case FrameList():
                self._frames(block, tables.list_rows(block, self.file, self._lookup))
            case _:
                assert_never(block)

    def add_supplements(self, anchored: Iterable[Anchored]) -> None:
        """What errata add at this point of the document."""
        for each in anchored:
            supplement, place = each.supplement, each.place
            if supplement.settings:
                self.assembly.add_settings(Settings(supplement.settings, place))
            if supplement.abnf:
                self.assembly.add_wire(self._supplied(supplement.abnf, place, roles=False))
            if supplement.dialog:
                self.assembly.add_dialogs(self._supplied(supplement.dialog, place, roles=True))
            if supplement.table:
                table, told = table_of(supplement, place, self.file)
                self.problems += told
                if table is not None:
                    self.assembly.add_table(table)

    def _supplied(self, text: str, place: Place, *, roles: bool) -> Grammar:
        lines = [Line(line, place.line, place.column) for line in text.strip("\n").split("\n")]
        grammar, told = parse(lines, self.file, strict=True, roles=roles)
        self.problems += placed_problems(told, place)
        return placed_grammar(grammar, place)

    def _code(self, block: Code) -> None:
        match block.label:
            case "zwire":
                settings, told = read_settings(block.lines, self.file, block.place)
                self.problems += told
                if settings is not None:
                    self.assembly.add_settings(settings)
            case "abnf":
                grammar, told = self._grammar(block.lines)
                self.problems += told
                self.assembly.add_wire(grammar)
            case "dialog":
                if not self._drawing(block.lines):
                    grammar, told = parse(block.lines, self.file, strict=self.strict, roles=True)
                    self.problems += told
                    self.assembly.add_dialogs(grammar)
            case "" | "text":
                self._unlabelled(block)
            case _:
                self._leave(block)

    def _grammar(self, lines: Sequence[Line]) -> tuple[Grammar, list[Problem]]:
        """Strict; in documents of others, tolerant where that leaves fewer errors."""
        strict, told = parse(lines, self.file, strict=True)
        if self.strict or not failed(told):
            return strict, told
        tolerant, told_more = parse(lines, self.file, strict=False)
        helped = _errors(told_more) < _errors(told)
        return (tolerant, told_more) if helped else (strict, told)

    def _unlabelled(self, block: Code) -> None:
        if boxes.is_box(block.lines):
            before = plain(self._last)
            name = boxes.box_name(before, plain(self._heading))
            grammar, told = boxes.read_box(block.lines, self.file, name, block.place, before)
            self.problems += told
            self.assembly.add_wire(grammar)
        elif not self._drawing(block.lines) and not self._bare_grammar(block):
            self._leave(block)

    def _drawing(self, lines: Sequence[Line]) -> bool:
        found = dialogs.read_drawing(lines, self.file)
        if found is None:
            return False
        drawn, told = found
        self.problems += told
        self.assembly.add_dialogs(drawn.grammar, drawn.opens, drawn.closes)
        return True

    def _bare_grammar(self, block: Code) -> bool:
        """Reads a block without a label as a grammar, if it is one for the most part."""
        if not any(_RULE.match(line.text) for line in block.lines):
            return False
        grammar, told = self._grammar(block.lines)
        if not grammar.rules or _errors(told) > len(grammar.rules) // 4:
            return False
        self.problems += told
        self.assembly.add_wire(grammar)
        return True

    def _leave(self, block: Code) -> None:
        text = "this code block is no grammar, dialog or box of octets; it is left alone"
        self.problems.append(problem(self.file, block.place, "ZW306", text))

    def _lookup(self, text: str) -> Reading | None:
        part = self.assembly.part_name
        for cell in self.cells:
            if cell.text == text and cell.part in ("", part):
                return Reading(cell.value, cell.name)
        return None

    def _frames(self, block: Block, found: tuple[list[Row], list[Problem]] | None) -> bool:
        """Adds a table of frames under the command that the words before it name."""
        if found is None:
            return False
        rows, told = found
        self.problems += told
        told_by = prose_tables.introduction(self._last)
        command = told_by.command if told_by else prose_tables.command_in(self._heading)
        self._last = ""
        if not command:
            text = "this table of frames has no command"
            hint = "put a heading with the command's name above it"
            self.problems.append(problem(self.file, block.place, "ZW311", text, hint))
            return True
        table = FrameTable(command, tuple(rows), block.place, comment=plain(self._first))
        if told_by is not None:
            table = replace(
                table,
                comment=told_by.comment,
                declared=told_by.declared,
                open_ended=told_by.open_ended,
            )
        self.assembly.add_table(table)
        return True


def _errors(problems: Iterable[Problem]) -> int:
    return sum(each.severity is Severity.ERROR for each in problems)
