"""How long answered requests took: over time, and by service."""

from __future__ import annotations

from dataclasses import dataclass

import numpy
from pyarrow import compute

from zwire_spark.report.asked import Asked, longs
from zwire_spark.report.blocks import Bar, bars, folded, left_out, sentence, table
from zwire_spark.report.charts import Series, lines
from zwire_spark.report.markup import Html, el
from zwire_spark.report.ranks import Longs, Ranked, ranked
from zwire_spark.report.scale import fitting
from zwire_spark.report.sources import COLOURS, Sources
from zwire_spark.report.telling import count, duration

SERVICES = 20
_LINES = 6


def blocks(sources: Sources, asked: Asked) -> list[Html | None]:
    """All charts of latency, or a sentence."""
    if asked.all is None:
        return [sentence("No request was answered, so there is no latency.")]
    services = _services(asked)
    return [
        _over_time(sources, asked),
        _of_services(services),
        _of_services_over_time(sources, asked, services) if len(services.order) > 1 else None,
    ]


@dataclass(frozen=True, slots=True)
class _Services:
    """The services of all answers, numbered."""

    names: list[str]
    numbers: Longs
    """Of each answer, the number of its service."""
    found: dict[int, Ranked]
    order: list[int]
    """Those with the most answers come first."""


def _services(asked: Asked) -> _Services:
    coded = asked.answered.column("service").combine_chunks().dictionary_encode()
    names = [name or "(no service)" for name in coded.dictionary.to_pylist()]
    numbers = numpy.asarray(coded.indices.to_numpy(zero_copy_only=False), numpy.int64)
    found = ranked(numbers, longs(asked.answered, "latency_ns"))
    order = sorted(found, key=lambda number: (-found[number].count, names[number]))
    return _Services(names, numbers, found, order)


def _over_time(sources: Sources, asked: Asked) -> Html:
    timeline = sources.timeline
    answered = timeline.steps_of(longs(asked.answered, "when"))
    steps = ranked(answered, longs(asked.answered, "latency_ns"))
    waiting = asked.answered.filter(compute.field("queued_ns").is_valid())
    queued = ranked(timeline.steps_of(longs(waiting, "when")), longs(waiting, "queued_ns"))

    def series(name: str, colour: str, part: str, of: dict[int, Ranked]) -> Series:
        values = [getattr(of[step], part) if step in of else None for step in range(timeline.steps)]
        return Series(name, colour, values)

    shown = [
        series("median", "q0", "p50", steps),
        series("90 %", "q1", "p90", steps),
        series("99 %", "q2", "p99", steps),
    ]
    if queued:
        shown.append(series("99 % of the waiting for a worker", "q3", "p99", queued))
    return lines(
        f"Latency of answered requests over time, {asked.words}",
        timeline,
        shown,
        duration,
        spread=True,
        note=f"Each value is of {duration(timeline.step)}.",
    )


def _of_services(services: _Services) -> Html:
    names, found = services.names, services.found
    shown = services.order[:SERVICES]
    scale = fitting(min(found[one].p50 for one in shown), max(found[one].p99 for one in shown))
    ranges = [
        Bar(
            names[one],
            scale.place(found[one].p99),
            f"{duration(found[one].p50)} – {duration(found[one].p99)}",
            "q1",
            start=scale.place(found[one].p50),
        )
        for one in shown
    ]
    rows = [
        [names[one], count(found[one].count), *(duration(number) for number in _four(found[one]))]
        for one in shown
    ]
    headings = ["Service", "Answered", "Median", "90 %", "99 %", "Slowest"]
    return el(
        "figure",
        el("figcaption", "Latency by service: from the median to the slowest of 99 %"),
        bars(ranges, "Latency by service", longest=1.0),
        sentence(
            f"From {duration(scale.bottom)} to {duration(scale.top)}"
            f"{', on a logarithmic scale' if scale.by_decades else ''}."
        ),
        folded("As a table", table(headings, rows, "Latency by service")),
        left_out(len(services.order), len(shown), "service", "those with the fewest answers"),
        class_="chart",
    )


def _four(one: Ranked) -> tuple[int, int, int, int]:
    return one.p50, one.p90, one.p99, one.most


def _of_services_over_time(sources: Sources, asked: Asked, services: _Services) -> Html:
    timeline = sources.timeline
    steps = timeline.steps_of(longs(asked.answered, "when"))
    both = services.numbers * timeline.steps + steps
    found = ranked(both, longs(asked.answered, "latency_ns"))
    shown = []
    for service, colour in zip(services.order[:_LINES], COLOURS, strict=False):
        own = [found.get(service * timeline.steps + step) for step in range(timeline.steps)]
        values = [None if one is None else one.p99 for one in own]
        shown.append(Series(services.names[service], colour, values))
    note = f"The slowest of 99 % in each {duration(timeline.step)}."
    if len(services.order) > _LINES:
        note += f" The {_LINES} services with the most answers."
    return lines("Latency by service over time", timeline, shown, duration, spread=True, note=note)
