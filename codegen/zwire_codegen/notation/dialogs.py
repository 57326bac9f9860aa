"""Dialogs drawn as lines `C: REQUEST` below `Repeat:`, in one column or several.

Such a drawing has the shape of a conversation: steps said once come first (the opening), each
`Repeat:` is a dialog that begins again and again, and steps behind the last one close it. Each
becomes a rule of its own; a drawing of another shape becomes one rule as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zwire_codegen.catalogue import problem
from zwire_codegen.notation.markdown import is_dashes, unescaped
from zwire_codegen.notation.rst import is_run
from zwire_codegen.notation.tree import Element, Grammar, Name, Repeat, Rule
from zwire_codegen.notation.tree import Sequence as InOrder
from zwire_codegen.notation.values import name_of
from zwire_codegen.problems import Problem
from zwire_codegen.source import Line, Place

_STEP = re.compile(
    r"[ \t]*([A-Za-z][A-Za-z0-9]{0,15})[ \t]*:[ \t]*(\d{0,6}\*\d{0,6})?[ \t]*"
    r"(\[)?([A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)*)(\])?[ \t]*$"
)
_REPEAT = re.compile(r"[ \t]*repeat[ \t]*:[ \t]*$", re.IGNORECASE)
_RUN = re.compile(r"-+")
_DEEPEST = 50
_MOST_COLUMNS = 8


@dataclass(frozen=True, slots=True)
class _Step:
    """A step of a drawing; `again` for all that stands below one `Repeat:`."""

    element: Element
    again: bool = False


@dataclass(frozen=True, slots=True)
class Drawn:
    """What drawings say: rules, and which of them open (or which messages close) it all."""

    grammar: Grammar
    opens: tuple[str, ...]
    closes: tuple[str, ...]


def read_drawing(lines: Sequence[Line], file: str) -> tuple[Drawn, list[Problem]] | None:
    """The dialogs that a block draws, or None when it draws none."""
    columns = [column for column in _columns(lines) if any(line.text.strip() for line in column)]
    if not columns or not all(_is_drawing(column) for column in columns):
        return None
    rules: list[Rule] = []
    opens: list[str] = []
    closes: list[str] = []
    problems: list[Problem] = []
    for column in columns:
        title, steps = _titled(column)
        reader = _Steps(steps, file)
        body = reader.block()
        problems += reader.problems
        drawn = _rules(title, body, column[0].place(0))
        rules += drawn.grammar.rules
        opens += drawn.opens
        closes += drawn.closes
    return Drawn(Grammar(tuple(rules)), tuple(opens), tuple(closes)), problems


def out_of_table(lines: Sequence[Line]) -> list[Line]:
    """The lines of a table with one column, as they were before Markdown wanted bars."""
    found: list[Line] = []
    for line in lines:
        if is_dashes(line.text):
            continue
        text = line.text.rstrip().removesuffix("|")
        cut = len(text) - len(text.lstrip("|"))
        found.append(Line(unescaped(text[cut:]).rstrip(), line.line, line.column + cut))
    return found


def _columns(lines: Sequence[Line]) -> list[list[Line]]:
    """The block cut where a line of several runs of dashes says that columns begin."""
    for line in lines:
        runs = list(_RUN.finditer(line.text))
        if 1 < len(runs) <= _MOST_COLUMNS and not line.text.strip(" \t-"):
            starts = [run.start() for run in runs]
            ends = [*starts[1:], None]
            return [
                [_cut(line, start, end) for line in lines]
                for start, end in zip(starts, ends, strict=True)
            ]
    return [list(lines)]


def _cut(line: Line, start: int, end: int | None) -> Line:
    return Line(line.text[start:end].rstrip(), line.line, line.column + start)


def _is_drawing(lines: Sequence[Line]) -> bool:
    """Whether the lines, but for a title, are steps; some may be spoilt where `Repeat:` is."""
    _, rest = _titled(lines)
    steps = sum(_STEP.match(line.text) is not None for line in rest)
    repeats = sum(_REPEAT.match(line.text) is not None for line in rest)
    return steps > 0 and (repeats > 0 or steps == len(rest))


def _titled(lines: Sequence[Line]) -> tuple[str, list[Line]]:
    """The title that the lines begin with, and the others that say something."""
    rest = [line for line in lines if line.text.strip()]
    title = ""
    if rest and _STEP.match(rest[0].text) is None and _REPEAT.match(rest[0].text) is None:
        first = rest[0].text.strip()
        underlined = len(rest) > 1 and is_run(rest[1].text.strip())
        if first.endswith(":") or underlined:
            title = first.rstrip(": \t")
            rest = rest[1:]
    return title, [line for line in rest if not is_run(line.text.strip())]


class _Steps:
    """Reads steps by their indentation."""

    def __init__(self, lines: Sequence[Line], file: str) -> None:
        self.lines = lines
        self.file = file
        self.at = 0
        self.problems: list[Problem] = []

    def block(self, deeper_than: int = -1, depth: int = 0) -> list[_Step]:
        """The steps that are indented deeper than this, up to the first that is not."""
        found: list[_Step] = []
        while self.at < len(self.lines):
            line = self.lines[self.at]
            indent = len(line.text) - len(line.text.lstrip())
            if indent <= deeper_than:
                break
            self.at += 1
            step = _STEP.match(line.text)
            if step is not None:
                found.append(_Step(_said(step, line)))
            elif _REPEAT.match(line.text) is not None and depth < _DEEPEST:
                place = line.place(indent)
                inside = self.block(indent, depth + 1)
                if inside:
                    repeated = Repeat(_in_order(inside, place), 0, None, place)
                    found.append(_Step(repeated, again=True))
                else:
                    self._tell(line, "nothing is repeated here", "indent what is, below Repeat:")
            else:
                hint = "write C: REQUEST for what a role says, or Repeat:"
                self._tell(line, f'"{line.text.strip()[:60]}" is no step of a dialog', hint)
        return found

    def _tell(self, line: Line, text: str, hint: str) -> None:
        place = line.place(len(line.text) - len(line.text.lstrip()))
        self.problems.append(problem(self.file, place, "ZW315", text, hint))


def _said(step: re.Match[str], line: Line) -> Element:
    place = line.place(step.start(1), step.end(5) if step[5] else step.end(4))
    name = Name(step[4], line.place(*step.span(4)), role=step[1])
    if step[3] and step[5]:
        return Repeat(name, 0, 1, place, optional=True)
    if step[2]:
        low, _, high = step[2].partition("*")
        return Repeat(name, int(low or 0), int(high) if high else None, place)
    return name


def _in_order(steps: Sequence[_Step], place: Place) -> Element:
    items = tuple(step.element for step in steps)
    return items[0] if len(items) == 1 else InOrder(items, place)


def _rules(title: str, steps: Sequence[_Step], place: Place) -> Drawn:
    name = _dialog_name(title)
    again = [at for at, step in enumerate(steps) if step.again]
    if not steps:
        return Drawn(Grammar(()), (), ())
    if not again or again[-1] - again[0] != len(again) - 1:
        return Drawn(Grammar((_rule(name, _in_order(steps, place)),)), (), ())
    first, last = again[0], again[-1] + 1
    opening, closing = steps[:first], steps[last:]
    rules: list[Rule] = []
    if opening:
        rules.append(_rule(f"{name}-opening", _in_order(opening, place)))
    for number, step in enumerate(steps[first:last], start=1):
        called = name if len(again) == 1 else f"{name}-{number}"
        body = step.element
        rules.append(_rule(called, body.item if isinstance(body, Repeat) else body))
    if closing:
        rules.append(_rule(f"{name}-closing", _in_order(closing, place)))
    said = [word.text for step in closing for word in _names(step.element)]
    opens = (f"{name}-opening",) if opening else ()
    return Drawn(Grammar(tuple(rules)), opens, tuple(said[-1:]))


def _names(item: Element) -> Iterator[Name]:
    if isinstance(item, Name):
        yield item
    elif isinstance(item, Repeat):
        yield from _names(item.item)
    elif isinstance(item, InOrder):
        for inner in item.items:
            yield from _names(inner)


def _rule(name: str, body: Element) -> Rule:
    return Rule(Name(name, body.place), body, body.place)


def _dialog_name(title: str) -> str:
    words = [word for word in name_of(title).split("-") if word not in ("dialog", "dialogs")]
    return "-".join(words) if title and words else "dialog"
