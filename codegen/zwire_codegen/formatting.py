"""`zwire format`: ABNF blocks and tables of a document in their canonical form, the rest as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zwire_codegen.notation.abnf import parse, write
from zwire_codegen.problems import Problem, failed
from zwire_codegen.source import Line, Source

_FENCE = re.compile(r"^(?P<indent> {0,3})(?P<mark>`{3,}|~{3,})\s*(?P<kind>[\w-]*)[^`]*$")
_RULER = re.compile(r"^\s*\|?(\s*:?-+:?\s*\|)+\s*:?-*:?\s*$")
_FORMATTED = ("abnf", "dialog")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of lines: a fenced block's content of some kind, a table, or anything else."""

    kind: str
    first: int  # line number of its first line
    lines: tuple[str, ...]


def format_document(source: Source) -> tuple[str, list[Problem]]:
    """The document's text in canonical form; where a block does not parse, the problems."""
    if source.name.endswith(".abnf"):
        return _abnf(source.name, _Piece("abnf", 1, source.lines), source.text)
    problems: list[Problem] = []
    written: list[str] = []
    for piece in _pieces(source.lines):
        if piece.kind in _FORMATTED:
            text, found = _abnf(source.name, piece, "\n".join(piece.lines))
            problems += found
            written += text.rstrip("\n").split("\n")
        elif piece.kind == "table":
            written += _aligned(piece.lines)
        else:
            written += piece.lines
    text = "\n".join(written)
    return (source.text if failed(problems) else text), problems


def _abnf(file: str, piece: _Piece, text: str) -> tuple[str, list[Problem]]:
    lines = [Line(line, piece.first + number) for number, line in enumerate(piece.lines)]
    grammar, problems = parse(lines, file, strict=True, roles=piece.kind == "dialog")
    if failed(problems) or not grammar.rules:
        return text, problems
    return write(grammar), problems


def _pieces(lines: Sequence[str]) -> Iterator[_Piece]:
    """The lines of a document cut into fenced contents, tables and the rest, in order."""
    number = 0
    while number < len(lines):
        fence = _FENCE.match(lines[number])
        if fence is not None:
            end = _end_of_fence(lines, number, fence["mark"])
            yield _Piece("", number + 1, (lines[number],))
            content = tuple(lines[number + 1 : end])
            if content:
                kind = fence["kind"] if not fence["indent"] else ""
                yield _Piece(kind or "other", number + 2, content)
            if end < len(lines):
                yield _Piece("", end + 1, (lines[end],))
            number = end + 1
        elif _opens_table(lines, number):
            end = number
            while end < len(lines) and "|" in lines[end] and lines[end].strip():
                end += 1
            yield _Piece("table", number + 1, tuple(lines[number:end]))
            number = end
        else:
            yield _Piece("", number + 1, (lines[number],))
            number += 1


def _end_of_fence(lines: Sequence[str], start: int, mark: str) -> int:
    close = re.compile(rf"^ {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}\s*$")
    return next((n for n in range(start + 1, len(lines)) if close.match(lines[n])), len(lines))


def _opens_table(lines: Sequence[str], number: int) -> bool:
    return (
        lines[number].lstrip().startswith("|")
        and number + 1 < len(lines)
        and _RULER.match(lines[number + 1]) is not None
        and "-" in lines[number + 1]
    )


def _aligned(lines: Sequence[str]) -> list[str]:
    """A Markdown table with its columns padded to one width; the ruler keeps its colons."""
    rows = [_cells(line) for line in lines]
    columns = max(len(row) for row in rows)
    if any(len(row) != columns for row in rows):
        return list(lines)  # ragged: not ours to guess
    widths = [
        max(3, *(len(row[column]) for number, row in enumerate(rows) if number != 1))
        for column in range(columns)
    ]
    ruler = [_ruled(cell, width) for cell, width in zip(rows[1], widths, strict=True)]
    padded = [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    padded[1] = ruler
    return ["| " + " | ".join(row) + " |" for row in padded]


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", inner)]


def _ruled(cell: str, width: int) -> str:
    left, right = cell.startswith(":"), cell.endswith(":") and len(cell) > 1
    return ":" * left + "-" * (width - left - right) + ":" * right
