"""reStructuredText: underlined headings and simple tables, aligned or with lost line breaks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zwire_codegen.notation.document import Cell
from zwire_codegen.source import Line

_MARKS = frozenset("=-~^*+#\"'`:._")
_WORD = re.compile(r"\S+")


def is_run(text: str) -> bool:
    """Whether the text is one mark again and again, as headings are underlined with."""
    return len(text) >= 3 and text[0] in _MARKS and text == text[0] * len(text)


def underlines(text: str, title: str) -> bool:
    """Whether a line makes the line above it a heading."""
    run = text.rstrip()
    return is_run(run) and title.strip() != "" and len(run) >= len(title.strip())


def is_rule(text: str) -> bool:
    """Whether a line is the rule `=====  =====` of a simple table."""
    words = text.split()
    return len(words) >= 2 and all(len(word) >= 2 and not word.strip("=") for word in words)


def table_cells(lines: Sequence[Line]) -> list[list[Cell]]:
    """The rows of a simple table, its header first; `lines` begin with its first rule.

    When all of it stands in one physical line, nothing is aligned any more: then every column
    but the last is one word.
    """
    rule = lines[0]
    starts = [found.start() for found in _WORD.finditer(rule.text)]
    lost = len(lines) > 1 and lines[1].line == rule.line
    rows: list[list[list[Cell]]] = []  # a cell may stand in several lines
    for line in lines[1:]:
        if not line.text.strip() or is_rule(line.text):
            continue
        row = _by_words(line, len(starts)) if lost else _by_columns(line, starts)
        if rows and not lost and not row[0].text:
            # An empty first column continues the row above.
            for cells, cell in zip(rows[-1], row, strict=True):
                cells.append(cell)
        else:
            rows.append([[cell] for cell in row])
    return [[_joined(cells) for cells in row] for row in rows]


def _by_words(line: Line, columns: int) -> list[Cell]:
    words = list(_WORD.finditer(line.text))
    found = [Cell(word[0], line.place(*word.span())) for word in words[: columns - 1]]
    rest = words[columns - 1 :]
    if rest:
        start, end = rest[0].start(), rest[-1].end()
        found.append(Cell(line.text[start:end], line.place(start, end)))
    missing = Cell("", line.place(len(line.text)))
    return found + [missing] * (columns - len(found))


def _by_columns(line: Line, starts: Sequence[int]) -> list[Cell]:
    found: list[Cell] = []
    for start, end in zip(starts, [*starts[1:], len(line.text)], strict=True):
        raw = line.text[start : max(start, end)]
        begin = start + len(raw) - len(raw.lstrip())
        text = raw.strip()
        found.append(Cell(text, line.place(begin, begin + len(text))))
    return found


def _joined(cells: Sequence[Cell]) -> Cell:
    return Cell(" ".join(cell.text for cell in cells if cell.text), cells[0].place)
