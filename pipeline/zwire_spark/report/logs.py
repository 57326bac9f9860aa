"""The section on logs: what nodes reported, by level over time, and the last that matter."""

from __future__ import annotations

from typing import Any

import numpy
from pyarrow import compute

from zwire_spark.report.asked import longs
from zwire_spark.report.blocks import folded, sentence, table
from zwire_spark.report.charts import Series, columns
from zwire_spark.report.folder import summed
from zwire_spark.report.markup import Html
from zwire_spark.report.sources import Section, Sources
from zwire_spark.report.telling import brief, count, duration, many, moment

_COLOURS = {"ERROR": "bad", "WARNING": "warn", "INFO": "c0"}
_LATEST = 30


def section(sources: Sources) -> Section:
    """All about logs."""
    timeline = sources.timeline
    found = Section("logs", "Logs of nodes")
    rows = sources.folder.read("zre_logs", ["recording", "seq", "ts_ns", "level", "event"])
    if not rows.num_rows:
        found.blocks.append(sentence("No node reported by ZRE/LOG."))
        return found
    levels = summed(rows, ["level"], [("seq", "count")]).to_pylist()
    known = [one["level"] for one in levels]
    found.badge = sum(one["seq_count"] for one in levels if one["level"] == "ERROR")
    found.alarm = f"{many(found.badge, 'error')} reported by nodes"
    ordered = sorted(known, key=lambda level: ([*_COLOURS, level].index(level), level))
    shown = []
    for level in ordered:
        steps = timeline.steps_of(longs(rows.filter(compute.field("level") == level), "ts_ns"))
        counts = numpy.bincount(steps, minlength=timeline.steps).tolist()
        shown.append(Series(level, _COLOURS.get(level, "c8"), [float(one) for one in counts]))
    found.blocks.append(
        columns(
            "Reports by level",
            timeline,
            shown,
            brief,
            whole=True,
            note=f"In each {duration(timeline.step)}.",
        )
    )
    kinds = summed(rows, ["level", "event"], [("seq", "count")]).to_pylist()
    found.blocks.append(
        folded(
            "By level and event",
            table(
                ["Level", "Event", "Reports"],
                [[one["level"], one["event"], count(one["seq_count"])] for one in kinds],
                "Reports by level and event",
                texts=2,
            ),
        )
    )
    found.blocks.append(_latest(sources, rows))
    return found


def _latest(sources: Sources, rows: Any) -> Html:
    """The last reports; where some of them warn, only those."""
    severe = rows.filter(compute.field("level").isin(["ERROR", "WARNING"]))
    chosen = severe if severe.num_rows else rows
    least = int(numpy.sort(longs(chosen, "ts_ns"))[-_LATEST:][0])
    where = (compute.field("ts_ns") >= least) & compute.field("level").isin(
        chosen.column("level").unique()
    )
    wanted = ["recording", "seq", "ts_ns", "level", "event", "node", "peer", "text"]
    latest = sources.folder.read("zre_logs", wanted, where).sort_by(
        [("ts_ns", "descending"), ("recording", "ascending"), ("seq", "descending")]
    )
    return folded(
        "The last warnings and errors" if severe.num_rows else "The last reports",
        table(
            ["Time (UTC)", "Level", "Event", "Node", "Text"],
            [
                [
                    moment(row["ts_ns"], digits=3),
                    row["level"],
                    row["event"],
                    row["node"] + (f" on {row['peer']}" if row["peer"] else ""),
                    row["text"],
                ]
                for row in latest.slice(0, _LATEST).to_pylist()
            ],
            "The last reports",
            texts=5,
        ),
    )
