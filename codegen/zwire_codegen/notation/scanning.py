"""Cuts a document's lines into blocks, whatever mixture of markups it is written in."""

from __future__ import annotations

from collections.abc import Sequence

from zwire_codegen.catalogue import problem
from zwire_codegen.notation import markdown, prose_tables, rst, wikidot
from zwire_codegen.notation.blocks import (
    Block,
    Code,
    FrameList,
    Heading,
    Paragraph,
    PipeTable,
    RuledTable,
)
from zwire_codegen.problems import Problem
from zwire_codegen.source import Line, Place


def blocks_of(lines: Sequence[Line], file: str) -> tuple[list[Block], list[Problem]]:
    """The blocks in their order, and a problem for a code block that has no end."""
    scanner = _Scanner(lines, file)
    return scanner.scan(), scanner.problems


class _Scanner:
    """Walks over the lines once; every method takes the index of a block's first line."""

    def __init__(self, lines: Sequence[Line], file: str) -> None:
        self.lines = lines
        self.file = file
        self.problems: list[Problem] = []
        self.in_list = False

    def scan(self) -> list[Block]:
        blocks: list[Block] = []
        at = 0
        while at < len(self.lines):
            if not self.lines[at].text.strip():
                at += 1
                continue
            if markdown.opens_comment(self.lines[at].text):
                at = self._behind_comment(at)
                continue
            block, at = self._block(at)
            blocks.append(block)
        return blocks

    def _block(self, at: int) -> tuple[Block, int]:
        found = (
            self._fenced(at)
            or self._wikidot(at)
            or self._heading(at)
            or self._pipe_table(at)
            or self._ruled_table(at)
            or self._frame_list(at)
            or self._indented(at)
        )
        if found is not None:
            if not self.lines[at].text.startswith((" ", "\t")):
                self.in_list = False
            return found
        return self._paragraph(at)

    def _text(self, at: int) -> str:
        return self.lines[at].text if at < len(self.lines) else ""

    def _place(self, at: int) -> Place:
        text = self._text(at)
        return self.lines[at].place(len(text) - len(text.lstrip()), len(text.rstrip()))

    def _behind_comment(self, at: int) -> int:
        """The index behind a comment, which hides all that stands in it."""
        while at < len(self.lines) and "-->" not in self._text(at):
            at += 1
        return at + 1

    def _fenced(self, at: int) -> tuple[Block, int] | None:
        opened = markdown.fence(self._text(at))
        if opened is None:
            return None
        mark, label = opened
        end = at + 1
        while end < len(self.lines) and not markdown.closes(self._text(end), mark):
            end += 1
        self._tell_unclosed(at, end, mark)
        indent = len(self._text(at)) - len(self._text(at).lstrip())
        inside = tuple(_dedented(line, indent) for line in self.lines[at + 1 : end])
        return Code(inside, self._place(at), label), end + 1

    def _wikidot(self, at: int) -> tuple[Block, int] | None:
        label = wikidot.opens_code(self._text(at))
        if label is None:
            return None
        end = at + 1
        while end < len(self.lines) and not wikidot.closes_code(self._text(end)):
            end += 1
        self._tell_unclosed(at, end, "[[/code]]")
        return Code(tuple(self.lines[at + 1 : end]), self._place(at), label), end + 1

    def _tell_unclosed(self, at: int, end: int, mark: str) -> None:
        if end >= len(self.lines):
            text = "this code block has no end"
            hint = f"close it with {mark}"
            self.problems.append(problem(self.file, self._place(at), "ZW318", text, hint))

    def _heading(self, at: int) -> tuple[Block, int] | None:
        text = self._text(at)
        title = markdown.heading(text) or wikidot.heading(text)
        if title is not None:
            return Heading(title, self._place(at)), at + 1
        below = self._text(at + 1)
        if rst.is_run(text.rstrip()):
            # A run above the title has to have its like below it.
            if below.strip() and self._text(at + 2).rstrip() == text.rstrip():
                return Heading(below.strip(), self._place(at + 1)), at + 3
            return None
        if rst.underlines(below, text) and "|" not in text and not markdown.is_item(text):
            return Heading(text.strip(), self._place(at)), at + 2
        return None

    def _pipe_table(self, at: int) -> tuple[Block, int] | None:
        if "|" not in self._text(at) or not markdown.is_dashes(self._text(at + 1)):
            return None
        end = at + 2
        while "|" in self._text(end) and not markdown.is_dashes(self._text(end + 1)):
            end += 1
        return PipeTable(tuple(self.lines[at:end]), self._place(at)), end

    def _ruled_table(self, at: int) -> tuple[Block, int] | None:
        if not rst.is_rule(self._text(at)):
            return None
        rules, end = 1, at + 1
        while rules < 3 and self._text(end).strip():
            rules += rst.is_rule(self._text(end))
            end += 1
        if rules < 3:
            return None
        return RuledTable(tuple(self.lines[at:end]), self._place(at)), end

    def _frame_list(self, at: int) -> tuple[Block, int] | None:
        if not prose_tables.is_frame(self._text(at)):
            return None
        end = at + 1
        while self._goes_on(end) or prose_tables.is_frame(self._text(end)):
            end += 1
        return FrameList(tuple(self.lines[at:end]), self._place(at)), end

    def _goes_on(self, at: int) -> bool:
        """Whether a line continues the item of a list above it."""
        return bool(self._text(at).strip()) and not (
            self._begins(at) or markdown.is_item(self._text(at))
        )

    def _indented(self, at: int) -> tuple[Block, int] | None:
        if self.in_list or not markdown.is_indented(self._text(at)):
            return None
        end = last = at
        while end < len(self.lines):
            if markdown.is_indented(self._text(end)):
                last = end
            elif self._text(end).strip():
                break
            end += 1
        return Code(tuple(self.lines[at : last + 1]), self._place(at)), last + 1

    def _paragraph(self, at: int) -> tuple[Block, int]:
        text = self._text(at)
        if markdown.is_item(text):
            self.in_list = True
        elif not text.startswith((" ", "\t")):
            self.in_list = False
        end = at + 1
        while self._text(end).strip() and not self._begins(end):
            end += 1
        lines = tuple(self.lines[at:end])
        if any(markdown.is_item(line.text) for line in lines):
            self.in_list = True
        return Paragraph(lines, self._place(at)), end

    def _begins(self, at: int) -> bool:
        """Whether a line begins a block that ends a paragraph without an empty line between."""
        text = self._text(at)
        if markdown.opens_comment(text):
            return True
        if markdown.fence(text) is not None or wikidot.opens_code(text) is not None:
            return True
        if markdown.heading(text) is not None or wikidot.heading(text) is not None:
            return True
        if prose_tables.is_frame(text):
            return True
        if "|" in text and markdown.is_dashes(self._text(at + 1)):
            return True
        return rst.is_rule(text)


def _dedented(line: Line, indent: int) -> Line:
    """The line without the indentation that its fence has."""
    cut = 0
    while cut < min(indent, len(line.text)) and line.text[cut] in " \t":
        cut += 1
    return Line(line.text[cut:], line.line, line.column + cut)
