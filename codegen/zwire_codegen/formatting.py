"""`zwire format`: ABNF blocks and tables of a document in their canonical form, the rest as it is."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from zwire_codegen.notation import markdown, wikidot
from zwire_codegen.notation.abnf import parse, without_places, write
from zwire_codegen.notation.tree import Grammar
from zwire_codegen.problems import Problem, failed
from zwire_codegen.source import Line, Source

_RULER = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_ENDS = re.compile(r"\r\n|\r|\n")
_INDENTED_CODE = 4  # columns from which on a line is code, and no table
_FORMATTED = ("abnf", "dialog")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of lines: a fenced block's content of some kind, a table, or anything else."""

    kind: str
    first: int  # line number of its first line
    lines: tuple[str, ...]


def format_document(source: Source) -> tuple[str, list[Problem]]:
    """The document's text in canonical form; where a block does not parse, the problems."""
    if source.name.lower().endswith(".abnf"):
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


def as_it_was(text: str, octets: bytes) -> bytes:
    """The text as octets of a file: with the byte order mark and the line ends that it had."""
    ends = Counter(_ENDS.findall(octets.decode("utf-8", "replace")))
    most = max(ends, key=lambda end: ends[end], default="\n")
    mark = codecs.BOM_UTF8 if octets.startswith(codecs.BOM_UTF8) else b""
    return mark + text.replace("\n", most).encode("utf-8")


def _abnf(file: str, piece: _Piece, text: str) -> tuple[str, list[Problem]]:
    grammar, problems = _parsed(file, piece)
    if failed(problems) or not grammar.rules:
        return text, problems
    written = write(grammar)
    again, _ = _parsed(file, replace(piece, lines=tuple(written.split("\n"))))
    # Canonical or not: a form that says something else is not written.
    same = without_places(again) == without_places(grammar)
    return (written if same else text), problems


def _parsed(file: str, piece: _Piece) -> tuple[Grammar, list[Problem]]:
    lines = [Line(line, piece.first + number) for number, line in enumerate(piece.lines)]
    return parse(lines, file, strict=True, roles=piece.kind == "dialog")


def _pieces(lines: Sequence[str]) -> Iterator[_Piece]:
    """The lines of a document cut into fenced contents, tables and the rest, in order."""
    number = 0
    while number < len(lines):
        kind, end = _opened(lines, number)
        if kind == "table":
            yield _Piece(kind, number + 1, tuple(lines[number:end]))
            number = end
            continue
        yield _Piece("", number + 1, (lines[number],))
        if number + 1 < end:
            yield _Piece(kind, number + 2, tuple(lines[number + 1 : end]))
        if number < end < len(lines):
            yield _Piece("", end + 1, (lines[end],))
        number = max(number, end) + 1


def _opened(lines: Sequence[str], number: int) -> tuple[str, int]:
    """What begins in this line, and the index of the line that closes it (a table: behind it)."""
    line = lines[number]
    fence = markdown.fence(line)
    if fence is not None:
        mark, label = fence
        end = _first(lines, number + 1, lambda text: markdown.closes(text, mark))
        ours = end < len(lines) and not line.startswith((" ", "\t"))
        return (label if ours else "other"), end
    if wikidot.opens_code(line) is not None:
        return "other", _first(lines, number + 1, wikidot.closes_code)
    if markdown.opens_comment(line):
        return "other", _first(lines, number, lambda text: "-->" in text)
    if _opens_table(lines, number):
        return "table", _first(lines, number, lambda text: "|" not in text)
    return "", number


def _first(lines: Sequence[str], start: int, wanted: Callable[[str], bool]) -> int:
    """The index of the first line from here on that is wanted, or the end."""
    return next((at for at in range(start, len(lines)) if wanted(lines[at])), len(lines))


def _opens_table(lines: Sequence[str], number: int) -> bool:
    return (
        lines[number].lstrip(" ").startswith("|")
        and len(_indentation(lines[number])) < _INDENTED_CODE
        and number + 1 < len(lines)
        and "|" in lines[number + 1]
        and _RULER.fullmatch(lines[number + 1].strip()) is not None
    )


def _indentation(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" "))]


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
    indentation = _indentation(lines[0])
    return [f"{indentation}| {' | '.join(row)} |" for row in padded]


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", inner)]


def _ruled(cell: str, width: int) -> str:
    left, right = cell.startswith(":"), cell.endswith(":") and len(cell) > 1
    return ":" * left + "-" * (width - left - right) + ":" * right
