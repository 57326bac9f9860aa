"""The blocks of which sections are made: tables, bars with a value, timelines, sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from zwire_spark.report.folder import NotMade
from zwire_spark.report.markup import Child, Html, el
from zwire_spark.report.telling import clipped, many, short
from zwire_spark.report.timeline import Timeline


def table(
    headings: Sequence[str], rows: Sequence[Sequence[Child]], label: str, *, texts: int = 1
) -> Html:
    """A table that scrolls by itself where the page is narrow; the first columns are texts."""
    head = el("tr", *(el("th", one, scope="col") for one in headings))
    body = (
        el(
            "tr",
            *(
                el("td", clipped(cell) if type(cell) is str else cell, class_=_side(place, texts))
                for place, cell in enumerate(row)
            ),
        )
        for row in rows
    )
    whole = el("table", el("thead", head), el("tbody", *body), class_=f"t{min(texts, 9)}")
    return el("div", whole, class_="wide", role="region", aria_label=label, tabindex=0)


def _side(place: int, texts: int) -> str | None:
    return None if place < texts else "n"


def folded(summary: str, *children: Child) -> Html:
    """What is there on demand."""
    return el("details", el("summary", summary), *children)


def sentence(words: str) -> Html:
    """A sentence instead of a chart, or about one."""
    return el("p", words, class_="note")


def not_made(missing: NotMade) -> Html:
    """Instead of what would be made of a table that nobody asked for."""
    return sentence(
        f"The table {missing.name} was not made: run zwire analyze without --tables, "
        "or name it there too."
    )


def tried(build: Callable[[], Html | None]) -> Html | None:
    """A block, or the sentence that its table was not made."""
    try:
        return build()
    except NotMade as missing:
        return not_made(missing)


def left_out(there: int, shown: int, what: str, why: str, plural: str = "") -> Html | None:
    """What a cap has cut off, if it has."""
    if there <= shown:
        return None
    return sentence(
        f"{many(there - shown, f'more {what}', plural and f'more {plural}')} not shown here: {why}."
    )


_END = 12.0  # thousandths of a lane


@dataclass(frozen=True, slots=True)
class Bar:
    """One line of `bars`: what, how long, and the words behind it."""

    label: str
    value: float
    told: str
    colour: str = "c0"
    start: float = 0.0
    tip: str = ""


def bars(lines: Sequence[Bar], label: str, longest: float = 0.0) -> Html:
    """A bar for each line, the longest as wide as there is room."""
    longest = longest or max((bar.value for bar in lines), default=0.0) or 1.0
    return el(
        "ul",
        *(
            el(
                "li",
                el("b", short(bar.label, 40)),
                el(
                    "svg",
                    el("title", bar.tip or f"{clipped(bar.label)}: {bar.told}"),
                    el(
                        "rect",
                        class_=f"fill {bar.colour}",
                        x=f"{bar.start / longest * 1000:.1f}",
                        width=f"{max(2.0, (bar.value - bar.start) / longest * 1000):.1f}",
                        height=10,
                    ),
                    viewBox="0 0 1000 10",
                    preserveAspectRatio="none",
                    aria_hidden="true",
                ),
                el("span", bar.told),
            )
            for bar in lines
        ),
        class_="bars",
        aria_label=label,
    )


@dataclass(frozen=True, slots=True)
class Stay:
    """From when to when something was so; `colour` is a class of the style sheet."""

    begin_ns: int
    end_ns: int
    colour: str
    tip: str
    broken: bool = False
    """It ended in a way that it should not: its end is marked."""


@dataclass(slots=True)
class Lane:
    """One line of a timeline."""

    label: str
    note: str = ""
    stays: list[Stay] = field(default_factory=list)


def lanes(timeline: Timeline, lines: Sequence[Lane], label: str, below: Html) -> Html:
    """A line of bars for each lane, upon one axis of time."""
    return el(
        "div",
        el("ul", *(_lane(timeline, lane) for lane in lines), aria_label=label),
        below,
        class_="lanes",
    )


def _piece(colour: str, left: float, right: float, title: Html) -> Html:
    wide = f"{right - left:.1f}"
    return el("rect", title, class_=f"fill {colour}", x=f"{left:.1f}", width=wide, height=14)


def _lane(timeline: Timeline, lane: Lane) -> Html:
    drawn = []
    for stay in lane.stays:
        left, right = timeline.place(stay.begin_ns) * 1000, timeline.place(stay.end_ns) * 1000
        left, right = min(left, 996.0), max(right, min(left, 996.0) + 4.0)
        title = el("title", stay.tip)
        drawn.append(_piece(stay.colour, left, right, title))
        if stay.broken:
            drawn.append(_piece("bad", max(left, right - _END), right, title))
    told = "; ".join(stay.tip.replace("\n", ", ") for stay in lane.stays[:8])
    return el(
        "li",
        el("b", short(lane.label, 32) or "(no name)", title=clipped(lane.label)),
        el("small", clipped(lane.note, 60)) if lane.note else None,
        el(
            "svg",
            *drawn,
            viewBox="0 0 1000 14",
            preserveAspectRatio="none",
            role="img",
            aria_label=f"{clipped(lane.label, 80)}: {told}",
        ),
    )
