"""The picture of a dialog: its states in a row, what is said as arrows between them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from zwire_codegen.backends.templating import render
from zwire_codegen.model.automaton import Automaton
from zwire_codegen.model.types import Part

_RADIUS = 17
_LETTER = 7.0
_LINE = 15  # height of a line of a label


@dataclass(frozen=True, slots=True)
class Arrow:
    """What leads from one state to another: a path, and its labels stacked at a point."""

    path: str
    x: float
    y: float
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spot:
    """A state: where it stands, and whether the dialog may end there."""

    x: float
    number: int
    final: bool


def picture(name: str, automaton: Automaton, part: Part) -> str:
    """The SVG of a dialog's automaton."""
    letters = {role.name: role.letter or role.name for role in part.roles}
    edges: dict[tuple[int, int], list[str]] = defaultdict(list)
    for state, moves in enumerate(automaton.transitions):
        for (role, message), target in moves.items():
            edges[state, target].append(f"{letters.get(role, role)}:{message}")
    widest = max((len(label) for labels in edges.values() for label in labels), default=4)
    step = max(120.0, widest * _LETTER + 2 * _RADIUS + 30)
    up = max(
        (_reach(*edge) + len(labels) * _LINE for edge, labels in edges.items() if _above(*edge)),
        default=20,
    )
    down = max(
        (
            _reach(*edge) + len(labels) * _LINE
            for edge, labels in edges.items()
            if not _above(*edge)
        ),
        default=20,
    )
    left = 50 + widest * _LETTER / 2
    axis = up + 20
    xs = {state: left + step * number for number, state in enumerate(automaton.states)}
    arrows = [
        _arrow(xs[source], xs[target], target - source, axis, tuple(labels))
        for (source, target), labels in edges.items()
    ]
    spots = [Spot(xs[state], state, state in automaton.accepting) for state in automaton.states]
    width = max(xs.values()) + left
    return render(
        "pages",
        "dialog.svg.jinja",
        name=name,
        spots=spots,
        arrows=arrows,
        start=xs[automaton.start],
        axis=axis,
        radius=_RADIUS,
        line=_LINE,
        width=round(width),
        height=round(axis + down + 20),
    )


def _above(source: int, target: int) -> bool:
    return target >= source


def _reach(source: int, target: int) -> float:
    """How far an arrow departs from the row of states."""
    distance = target - source
    if distance == 0:
        return 58
    if distance == 1:
        return 12
    return 26 + 17 * abs(distance)


def _arrow(x1: float, x2: float, distance: int, axis: float, labels: tuple[str, ...]) -> Arrow:
    if distance == 0:
        top = axis - 50
        path = f"M {x1 - 9:.1f} {axis - 14:.1f} C {x1 - 34:.1f} {top:.1f}, {x1 + 34:.1f} {top:.1f}, {x1 + 10:.1f} {axis - 16:.1f}"
        return Arrow(path, x1, axis - 46, labels)
    if distance == 1:
        path = f"M {x1 + _RADIUS:.1f} {axis:.1f} L {x2 - _RADIUS - 3:.1f} {axis:.1f}"
        return Arrow(path, (x1 + x2) / 2, axis - 8, labels)
    side = -1 if distance > 0 else 1
    bend = axis + side * (26 + 17 * abs(distance)) * 1.35
    edge = axis + side * (_RADIUS - 2)
    path = (
        f"M {x1 - side * 6:.1f} {edge:.1f} C {x1 - side * 20:.1f} {bend:.1f}, "
        f"{x2 + side * 20:.1f} {bend:.1f}, {x2 + side * 7:.1f} {edge + side * 3:.1f}"
    )
    y = axis + side * (26 + 17 * abs(distance)) * 1.02
    return Arrow(path, (x1 + x2) / 2, y - 5 if side < 0 else y + 12, labels)
