"""What marks the blocks of Markdown: fences, headings, tables of pipes, indented code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zwire_codegen.notation.document import Cell
from zwire_codegen.source import Line

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})([^`]*)$")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t](.*)$")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_ITEM = re.compile(r"[ \t]*(?:[*+-]|\d{1,9}[.)])[ \t]")


def fence(text: str) -> tuple[str, str] | None:
    """The fence that a line opens and its label: ("```", "abnf")."""
    found = _FENCE.match(text)
    if found is None:
        return None
    words = found[2].split()
    return found[1], words[0].lower() if words else ""


def closes(text: str, mark: str) -> bool:
    """Whether a line closes the block that this fence opened."""
    stripped = text.strip()
    return len(stripped) >= len(mark) and stripped == mark[0] * len(stripped)


def opens_comment(text: str) -> bool:
    """Whether a line begins a comment that readers of the page do not see: `<!-- … -->`."""
    return text.startswith("<!--")


def heading(text: str) -> str | None:
    """The text of a heading `## …`."""
    found = _HEADING.match(text)
    return found[2].strip().rstrip("#").rstrip() if found is not None else None


def is_item(text: str) -> bool:
    """Whether a line begins an item of a list."""
    return _ITEM.match(text) is not None


def is_indented(text: str) -> bool:
    """Whether a line is indented as code is."""
    return text.startswith(("    ", "\t")) and not text.isspace()


def is_dashes(text: str) -> bool:
    """Whether a line is the one of dashes between a table's header and its rows."""
    return "|" in text and "-" in text and not text.strip(" \t|-:")


def cells(line: Line) -> list[Cell]:
    """The cells of a table's line: unescaped, out of their code marks, with their places."""
    start, end = 0, len(line.text)
    stripped = line.text.strip()
    if stripped.startswith("|"):
        start = line.text.index("|") + 1
    found: list[Cell] = []
    for position in (*_bars(line.text, start), end):
        found.append(_cell(line, start, position))
        start = position + 1
    if len(found) > 1 and found[-1].text == "" and stripped.endswith("|"):
        found.pop()
    return found


def unescaped(text: str) -> str:
    """The text without the backslashes that Markdown wants before its own marks."""
    return _ESCAPED.sub(r"\1", text)


def plain(text: str) -> str:
    """Running text without the marks of emphasis and code."""
    return unescaped(text.replace("**", "").replace("`", "")).strip()


def _bars(text: str, start: int) -> Sequence[int]:
    return [at for at in range(start, len(text)) if text[at] == "|" and text[at - 1 : at] != "\\"]


def _cell(line: Line, start: int, end: int) -> Cell:
    raw = line.text[start:end]
    start += len(raw) - len(raw.lstrip())
    raw = raw.strip()
    if len(raw) > 1 and raw[0] == raw[-1] == "`":
        marks = len(raw) - len(raw.lstrip("`"))
        inner = raw[marks:-marks].strip()
        start += raw.index(inner) if inner else 0
        # Inside code only the bar is escaped: a table could not hold it otherwise.
        return Cell(inner.replace("\\|", "|"), line.place(start, start + len(inner)))
    return Cell(unescaped(raw), line.place(start, start + len(raw)))
