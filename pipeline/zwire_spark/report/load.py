"""The section on load: messages and answers a second, and how many requests waited."""

from __future__ import annotations

from collections import Counter

import numpy
from numpy.typing import NDArray
from pyarrow import compute

from zwire_spark.report.asked import longs
from zwire_spark.report.blocks import sentence, tried
from zwire_spark.report.charts import Series, columns, lines
from zwire_spark.report.folder import equal
from zwire_spark.report.markup import Html
from zwire_spark.report.ranks import Longs
from zwire_spark.report.sources import COLOURS, OTHERS, Section, Sources
from zwire_spark.report.telling import brief, count, duration
from zwire_spark.report.timeline import Timeline

MESSAGES = "messages_"
_QUEUES = 6


def section(sources: Sources) -> Section:
    """All about load."""
    return Section(
        "load",
        "Throughput and queues",
        [
            _messages(sources),
            tried(lambda: _answers(sources)),
            tried(lambda: _depth(sources)),
        ],
    )


def _messages(sources: Sources) -> Html:
    timeline = sources.timeline
    counts: dict[str, Longs] = {}
    for name in sorted(sources.folder.tables):
        if name.startswith(MESSAGES) and sources.folder.tables[name]:
            number = numpy.zeros(timeline.steps, numpy.int64)
            for times in sources.folder.batches(name, "ts_ns"):
                number += numpy.bincount(timeline.steps_of(times), minlength=timeline.steps)
            counts[name.removeprefix(MESSAGES)] = number
    if not counts:
        return sentence("No message was recorded that could be decoded.")
    largest = sorted(counts, key=lambda name: (-int(counts[name].sum()), name))
    shown = [
        Series(name, colour, _per_second(counts[name], timeline))
        for name, colour in zip(largest, COLOURS, strict=False)
    ]
    if rest := largest[len(COLOURS) :]:
        together = numpy.sum([counts[name] for name in rest], axis=0)
        shown.append(Series(", ".join(rest), OTHERS, _per_second(together, timeline)))
    return columns(
        "Messages a second, by protocol",
        timeline,
        shown,
        brief,
        note=f"Each column is {duration(timeline.step)}.",
    )


def _per_second(counts: Longs, timeline: Timeline) -> list[float | None]:
    return [number / timeline.seconds for number in counts.tolist()]


def _answers(sources: Sources) -> Html:
    asked, timeline = sources.asked, sources.timeline
    if asked.all is None:
        return sentence("No request was answered.")
    steps = timeline.steps_of(longs(asked.answered, "when"))
    counts = numpy.bincount(steps, minlength=timeline.steps)
    return columns(
        f"Answered requests a second, {asked.words}",
        timeline,
        [Series("answered", "c0", _per_second(counts, timeline))],
        brief,
    )


def _depth(sources: Sources) -> Html:
    """The most that waited in each step; a second that is not in the table is as the one before."""
    timeline = sources.timeline
    rows = sources.folder.read(
        "queue_depth",
        ["recording", "second", "depth", "max_depth", "in_flight"],
        equal("service", ""),
    ).sort_by([("recording", "ascending"), ("second", "ascending")])
    if not rows.num_rows:
        return sentence("No broker's queue was recorded.")
    most = Counter[str]()
    for row in rows.group_by("recording").aggregate([("max_depth", "max")]).to_pylist():
        most[row["recording"]] = row["max_depth_max"]
    chosen = sorted(most, key=lambda one: (-most[one], one))[:_QUEUES]
    shown = []
    for recording, colour in zip(chosen, COLOURS, strict=False):
        of = rows.filter(compute.field("recording") == recording)
        seconds = of.column("second").cast("timestamp[ns]").cast("int64").to_numpy()
        steps = timeline.steps_of(numpy.asarray(seconds, numpy.int64))
        span = _recorded(sources, recording, steps)
        waiting = _held(steps, longs(of, "max_depth"), longs(of, "depth"), span, timeline.steps)
        name = sources.label(recording) if len(chosen) > 1 else "waiting"
        shown.append(Series(name, colour, waiting))
        if len(chosen) == 1:
            flying = longs(of, "in_flight")
            held = _held(steps, flying, flying, span, timeline.steps)
            shown.append(Series("at workers", "c1", held))
    note = f"The most in each {duration(timeline.step)}."
    if len(most) > len(chosen):
        note += f" {count(len(most) - len(chosen))} more recordings had shorter queues."
    return lines("Requests waiting for a worker", timeline, shown, brief, note=note, whole=True)


def _held(
    steps: Longs, most: Longs, last: Longs, between: tuple[int, int], number: int
) -> list[float | None]:
    """In each step the most of its seconds; without any, what the second before it ended with."""
    highest: NDArray[numpy.int64] = numpy.full(number, -1, numpy.int64)
    numpy.maximum.at(highest, steps, most)
    ends = dict(zip(steps.tolist(), last.tolist(), strict=True))
    begin, end = min(between[0], int(steps.min())), max(between[1], int(steps.max()))
    values: list[float | None] = [None] * number
    level = 0
    for step in range(begin, end + 1):
        # What the second before it ended with is in the maximum of a second.
        values[step] = float(max(int(highest[step]), 0) if step in ends else level)
        level = ends.get(step, level)
    return values


def _recorded(sources: Sources, recording: str, otherwise: Longs) -> tuple[int, int]:
    """The steps in which a recording begins and ends."""
    known = sources.recordings.get(recording)
    if known is None:
        return int(otherwise.min()), int(otherwise.max())
    times = numpy.array([known.first_ns, known.last_ns], numpy.int64)
    first, last = sources.timeline.steps_of(times).tolist()
    return first, last
