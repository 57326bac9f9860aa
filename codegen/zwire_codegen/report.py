"""Problems shown to people, with the line they stand in and a caret, and to programs as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

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
    lines = [f"{where}: {kind}{problem.text} [{problem.code}]"]
    text = source.line(place.line) if source else ""
    if text.strip():
        shown, before, marked = _window(text, place.column - 1, place.length)
        number = f"{place.line:>5}"
        lines.append(f"{number} | {shown}")
        pointer = f"{' ' * len(number)} | {' ' * before}{'^' * marked}"
        lines.append(f"{pointer} {problem.hint}".rstrip())
    elif problem.hint:
        lines.append(f"      | {problem.hint}")
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
    """The part of a line that is shown, where the caret begins in it, and how long it is."""
    start = min(max(start, 0), len(text))
    text = text.replace("\t", " ")
    first = 0
    if len(text) > _WIDEST:
        first = max(0, min(start - 20, len(text) - _WIDEST))
    shown = text[first : first + _WIDEST]
    before = start - first
    marked = max(1, min(length, len(shown) - before))
    left = "…" if first else ""
    right = "…" if first + _WIDEST < len(text) else ""
    return f"{left}{shown}{right}", before + len(left), marked
