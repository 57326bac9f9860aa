"""Charts over time, as SVG that stretches with the page, each with its table behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TypeAlias

from zwire_spark.report.blocks import table
from zwire_spark.report.markup import Html, el, join
from zwire_spark.report.scale import Scale, fitting, plain
from zwire_spark.report.telling import clipped
from zwire_spark.report.timeline import Timeline

Tell: TypeAlias = Callable[[float], str]

_WIDE = 10.0  # of a step, in the units of the picture
_HIGH = 100.0
_LATE = 0.85  # from here on a label would hang over the end
_FEW = 40  # so many values have a dot each


@dataclass(frozen=True, slots=True)
class Series:
    """One value for each step of time, or None; `colour` is a class of the style sheet."""

    name: str
    colour: str
    values: Sequence[float | None]


def lines(
    caption: str,
    timeline: Timeline,
    series: Sequence[Series],
    tell: Tell,
    *,
    note: str = "",
    whole: bool = False,
    spread: bool = False,
) -> Html:
    """A line for each series; `spread` shows widely different values by decades."""
    there = [value for one in series for value in one.values if value is not None]
    scale = (
        fitting(min(there), max(there))
        if spread and there
        else plain(max(there, default=0.0), whole=whole)
    )
    drawn = [_line(one, timeline, scale) for one in series]
    if scale.by_decades:
        note = f"{note} The scale is logarithmic.".strip()
    return _figure(caption, timeline, series, tell, scale, drawn, note)


def columns(
    caption: str,
    timeline: Timeline,
    series: Sequence[Series],
    tell: Tell,
    *,
    note: str = "",
    whole: bool = False,
) -> Html:
    """The series upon each other, a column for each step."""
    heights = [0.0] * timeline.steps
    below: list[list[float]] = []
    for one in series:
        below.append(list(heights))
        heights = [low + (value or 0.0) for low, value in zip(heights, one.values, strict=True)]
    scale = plain(max(heights, default=0.0), whole=whole)
    drawn = [_stack(one, low, scale) for one, low in zip(series, below, strict=True)]
    return _figure(caption, timeline, series, tell, scale, drawn, note)


def _line(one: Series, timeline: Timeline, scale: Scale) -> Html:
    """One path; it does not go over time that was left out."""
    points = [
        (timeline.episode_of(step), (step + 0.5) * _WIDE, _HIGH * (1 - scale.place(value)))
        for step, value in enumerate(one.values)
        if value is not None
    ]
    paths = []
    for _, group in groupby(points, key=lambda point: point[0]):
        told = " ".join(f"{x:g},{y:.1f}" for _, x, y in group)
        paths.append(f"M{told}")
    drawn = [el("path", class_=f"line {one.colour}", d="".join(paths))] if paths else []
    if 0 < len(points) <= _FEW:
        dots = "".join(f"M{x:g},{y:.1f}h0" for _, x, y in points)
        drawn.append(el("path", class_=f"dots {one.colour}", d=dots))
    return join(drawn)


def _stack(one: Series, below: Sequence[float], scale: Scale) -> Html:
    parts = []
    for step, (low, value) in enumerate(zip(below, one.values, strict=True)):
        if value:
            bottom, top = scale.place(low) * _HIGH, scale.place(low + value) * _HIGH
            left, wide = step * _WIDE + 1, _WIDE - 2
            parts.append(
                f"M{left:g},{_HIGH - bottom:.1f}v{bottom - top:.1f}h{wide:g}v{top - bottom:.1f}z"
            )
    return el("path", class_=f"fill {one.colour}", d="".join(parts))


def _figure(
    caption: str,
    timeline: Timeline,
    series: Sequence[Series],
    tell: Tell,
    scale: Scale,
    drawn: Sequence[Html],
    note: str,
) -> Html:
    wide = timeline.steps * _WIDE
    grid = [
        el("path", class_="grid", d=f"M0,{_HIGH * (1 - scale.place(mark)):.1f}H{wide:g}")
        for mark in scale.marks
    ]
    cuts = [
        el("path", class_="cut", d=f"M{place * wide:g},0V{_HIGH:g}") for place in timeline.breaks
    ]
    picture = el(
        "svg",
        *(*grid, *cuts, *drawn, *_hits(timeline, series, tell)),
        viewBox=f"0 0 {wide:g} {_HIGH:g}",
        preserveAspectRatio="none",
        role="img",
        aria_label=f"{caption}. {note} The table below it has the values.",
    )
    return el(
        "figure",
        el("figcaption", caption),
        legend([(one.name, one.colour) for one in series]) if len(series) > 1 else None,
        el(
            "div",
            el(
                "div",
                *(
                    el("span", tell(mark), style=f"bottom:{scale.place(mark) * 100:.2f}%")
                    for mark in scale.marks
                ),
                class_="ys",
                aria_hidden="true",
            ),
            picture,
            times_below(timeline),
            class_="plot",
        ),
        el("p", note, class_="note") if note else None,
        _table(timeline, series, tell, caption),
        class_="chart",
    )


def times_below(timeline: Timeline) -> Html:
    """The marks of time under a picture."""
    ticks = timeline.ticks()
    # A label that would hang over its neighbour is left out; one at the end stands before its mark.
    kept = [one for one, after in pairwise(ticks) if after.place - one.place > 0.12]
    kept += ticks[-1:]
    return el(
        "div",
        *(
            el(
                "span",
                tick.label,
                style=f"left:{tick.place * 100:.2f}%",
                class_="end" if tick.place > _LATE else None,
            )
            for tick in kept
        ),
        class_="xs",
        aria_hidden="true",
    )


def legend(entries: Sequence[tuple[str, str]]) -> Html:
    """Which colour is what."""
    return el(
        "ul",
        *(el("li", el("i", class_=colour), clipped(name, 60)) for name, colour in entries),
        class_="legend",
    )


def _told(timeline: Timeline, series: Sequence[Series], tell: Tell) -> list[tuple[int, list[str]]]:
    """Each step that has values, with what is told of each series."""
    found = []
    for step in range(timeline.steps):
        values = [one.values[step] for one in series]
        if any(value for value in values):
            found.append((step, ["–" if value is None else tell(value) for value in values]))
    return found


def _hits(timeline: Timeline, series: Sequence[Series], tell: Tell) -> list[Html]:
    """Invisible columns that tell their values to whoever points at them."""
    found = []
    for step, told in _told(timeline, series, tell):
        when = timeline.label(step)
        words = [f"{clipped(one.name, 60)}: {text}" for one, text in zip(series, told, strict=True)]
        title = el("title", "\n".join([when, *words]))
        found.append(
            el(
                "rect",
                title,
                class_="hit",
                x=f"{step * _WIDE:g}",
                width=f"{_WIDE:g}",
                height=f"{_HIGH:g}",
            )
        )
    return found


def _table(timeline: Timeline, series: Sequence[Series], tell: Tell, caption: str) -> Html:
    rows = [[timeline.label(step), *told] for step, told in _told(timeline, series, tell)]
    shown = table(["Time (UTC)", *(clipped(one.name, 60) for one in series)], rows, caption)
    return el("details", el("summary", "As a table"), shown)
