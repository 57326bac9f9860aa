"""Problems shown to people, with the line they stand in and a caret, and to programs as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict
from unicodedata import combining, east_asian_width

from zwire_codegen.problems import Problem, Severity
from zwire_codegen.source import Source

_WIDEST = 120  # characters of a source line that are shown


class Told(TypedDict):
    """One problem as JSON has it."""

    file: str
    line: int
    column: int
    length: int
    code: str
    severity: str
    text: str
    hint: str


def show(problems: Iterable[Problem], sources: Iterable[Source]) -> str:
    """All problems in the order of their places, each with its source line, caret and hint."""
    texts = {source.name: source for source in sources}
    ordered = sorted(problems, key=lambda problem: problem.order)
    return "\n".join(show_one(problem, texts.get(problem.file)) for problem in ordered)


def show_one(problem: Problem, source: Source | None) -> str:
    """One problem: place and text, then the source line with a caret and the hint."""
    place = problem.place
    kind = "" if problem.severity is Severity.ERROR else f"{problem.severity}: "
    where = f"{problem.file}:{place.line}:{place.column}"
    lines = [_harmless(f"{where}: {kind}{problem.text} [{problem.code}]")]
    hint = _harmless(problem.hint)
    text = source.line(place.line) if source else ""
    if text.strip():
        shown, before, marked = _window(text, place.column - 1, place.length)
        number = f"{place.line:>5}"
        lines.append(f"{number} | {shown}")
        pointer = f"{' ' * len(number)} | {' ' * before}{'^' * marked}"
        lines.append(f"{pointer} {hint}".rstrip())
    elif hint:
        lines.append(f"      | {hint}")
    return "\n".join(lines)


def as_json(problems: Iterable[Problem]) -> list[Told]:
    """All problems in the order of their places, as plain values."""
    return [
        Told(
            file=problem.file,
            line=problem.place.line,
            column=problem.place.column,
            length=problem.place.length,
            code=problem.code,
            severity=str(problem.severity),
            text=problem.text,
            hint=problem.hint,
        )
        for problem in sorted(problems, key=lambda problem: problem.order)
    ]


def _window(text: str, start: int, length: int) -> tuple[str, int, int]:
    """The part of a line that is shown, at which column the caret begins, and how wide it is."""
    start = min(max(start, 0), len(text))
    text = _harmless(text.replace("\t", " "))
    first = 0
    if len(text) > _WIDEST:
        first = max(0, min(start - 20, len(text) - _WIDEST))
    shown = text[first : first + _WIDEST]
    before = start - first
    marked = max(1, _width(shown[before : before + length]))
    left = "…" if first else ""
    right = "…" if first + _WIDEST < len(text) else ""
    return f"{left}{shown}{right}", _width(shown[:before]) + len(left), marked


def _harmless(text: str) -> str:
    """The text without characters that would move a terminal's cursor or turn its direction."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else "·" for one in text)


def _width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if combining(one) else 2 if east_asian_width(one) in ("W", "F") else 1 for one in text
    )
