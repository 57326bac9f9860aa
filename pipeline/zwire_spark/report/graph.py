"""A picture of who is linked with whom: nodes on a circle, links as thick as their traffic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from zwire_spark.report.markup import Html, el
from zwire_spark.report.telling import clipped, short

_SIZE = 420.0
_RADIUS = 140.0
_LABEL = 14


@dataclass(frozen=True, slots=True)
class Dot:
    """A node; `known` is whether it recorded itself."""

    key: str
    name: str
    known: bool


@dataclass(frozen=True, slots=True)
class Link:
    """Between two nodes, with a weight and words."""

    one: str
    other: str
    weight: float
    told: str


def graph(dots: Sequence[Dot], links: Sequence[Link], label: str) -> Html:
    """The picture; dots are in the order in which they are given, links between others left out."""
    middle = _SIZE / 2
    places = {}
    for number, dot in enumerate(dots):
        angle = 2 * math.pi * number / len(dots) - math.pi / 2
        places[dot.key] = (middle + _RADIUS * math.cos(angle), middle + _RADIUS * math.sin(angle))
    heaviest = max((math.log1p(link.weight) for link in links), default=1.0) or 1.0
    drawn = [
        el(
            "path",
            el("title", link.told),
            class_="link",
            d=_between(places[link.one], places[link.other]),
            stroke_width=f"{1.5 + 4.5 * math.log1p(link.weight) / heaviest:.1f}",
        )
        for link in links
        if link.one in places and link.other in places
    ]
    drawn += [_dot(dot, *places[dot.key]) for dot in dots]
    return el(
        "svg",
        *drawn,
        viewBox=f"0 0 {_SIZE:g} {_SIZE:g}",
        class_="graph",
        role="img",
        aria_label=label,
    )


def _between(one: tuple[float, float], other: tuple[float, float]) -> str:
    """A line, bent a little to the middle so that neighbours' lines keep apart."""
    bend = [
        (first + second) / 2 * 0.75 + _SIZE / 2 * 0.25
        for first, second in zip(one, other, strict=True)
    ]
    return f"M{one[0]:.1f},{one[1]:.1f}Q{bend[0]:.1f},{bend[1]:.1f} {other[0]:.1f},{other[1]:.1f}"


def _dot(dot: Dot, x: float, y: float) -> Html:
    middle = _SIZE / 2
    away = (x - middle) / _RADIUS
    anchor = "middle" if abs(away) < 0.3 else "start" if away > 0 else "end"
    dx = 0.0 if anchor == "middle" else 14.0 if away > 0 else -14.0
    dy = (22.0 if y >= middle else -14.0) if anchor == "middle" else 4.0
    return el(
        "g",
        el("title", f"{clipped(dot.name, 80)}\n{dot.key}"),
        el("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=9, class_="known" if dot.known else "heard"),
        el(
            "text",
            short(dot.name, _LABEL),
            x=f"{x + dx:.1f}",
            y=f"{y + dy:.1f}",
            text_anchor=anchor,
        ),
    )
