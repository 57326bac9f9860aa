"""The section on liveness: who was there from when to when, who came and went, whose heart stumbled."""

from __future__ import annotations

from typing import Any

import numpy
from pyarrow import compute

from zwire_spark.report.asked import longs
from zwire_spark.report.blocks import Lane, Stay, folded, lanes, left_out, sentence, table, tried
from zwire_spark.report.charts import Series, columns, legend, times_below
from zwire_spark.report.markup import Html, el
from zwire_spark.report.sources import Section, Sources
from zwire_spark.report.telling import brief, clipped, count, duration, many, moment, short

LANES = 200
_SEEN = 24  # without unfolding the rest
_BARS = 40  # in one lane
_STUMBLES = 20
_RESTLESS = 10
_STAYED = "recording ended"
# A broker that stops sends its workers away; whom it dismisses for a fault, it says so.
_WELL = frozenset({"disconnect", "goodbye", "left", "sent away"})
_MEANINGS = [
    ("was there", "c0"),
    ("got lost, silent, or was dismissed", "bad"),
]
_KEYS = ["recording", "protocol", "endpoint", "peer"]


def section(sources: Sources) -> Section:
    """All about who was there."""
    found = Section("liveness", "Who was there")
    rows = sources.folder.read(
        "liveness", [*_KEYS, "name", "from_ns", "to_ns", "ended_by", "signs"]
    )
    if not rows.num_rows:
        found.blocks.append(sentence("No worker and no peer was seen."))
        return found
    lost = rows.filter(~compute.field("ended_by").isin([*_WELL, _STAYED]))
    found.badge = lost.num_rows
    found.alarm = f"{many(lost.num_rows, 'time')} somebody got lost, silent, or was dismissed"
    found.blocks += [
        _timelines(sources, rows),
        _churn(sources, rows),
        tried(lambda: _restless(sources)),
        tried(lambda: _heartbeats(sources)),
    ]
    return found


def _timelines(sources: Sources, rows: Any) -> Html:
    """A line for each worker and peer: first those that got lost, then in order of appearance."""
    bad = compute.invert(
        compute.is_in(rows["ended_by"], value_set=compute.cast([*_WELL, _STAYED], "string"))
    )
    judged = rows.append_column("bad", compute.cast(bad, "int64"))
    peers = judged.group_by(_KEYS).aggregate([("bad", "sum"), ("from_ns", "min")])
    order = [
        ("bad_sum", "descending"),
        ("from_ns_min", "ascending"),
        *((k, "ascending") for k in _KEYS),
    ]
    chosen = peers.sort_by(order).slice(0, LANES)
    rank = {tuple(row[key] for key in _KEYS): n for n, row in enumerate(chosen.to_pylist())}
    lines: dict[tuple[str, ...], Lane] = {}
    cut = 0
    of_chosen = rows.filter(compute.is_in(rows["peer"], value_set=chosen["peer"].combine_chunks()))
    for row in of_chosen.sort_by([("from_ns", "ascending")]).to_pylist():
        key = tuple(row[name] for name in _KEYS)
        if key not in rank:
            continue
        lane = lines.setdefault(key, _lane(sources, row))
        if len(lane.stays) < _BARS:
            lane.stays.append(_stay(row))
        else:
            cut += 1

    def drawn(keys: list[tuple[str, ...]]) -> Html:
        keys.sort(key=lambda key: (key[0], lines[key].stays[0].begin_ns, key))
        axis = times_below(sources.timeline)
        return lanes(sources.timeline, [lines[key] for key in keys], "Who was there", axis)

    ranked = sorted(lines, key=rank.__getitem__)
    rest = ranked[_SEEN:]
    return el(
        "figure",
        el("figcaption", f"Workers and peers over time: {count(peers.num_rows)} in all"),
        legend(_MEANINGS),
        drawn(ranked[:_SEEN]),
        folded(f"{count(len(rest))} more", drawn(rest)) if rest else None,
        left_out(peers.num_rows, len(lines), "peer", "those that were lost come first"),
        left_out(cut, 0, "bar", "of those that came and went most often"),
        class_="chart",
    )


def _lane(sources: Sources, row: dict[str, Any]) -> Lane:
    return Lane(_named(row), f"{row['protocol']} at {sources.label(row['recording'])}")


def _named(row: dict[str, Any]) -> str:
    who = f"{row['name']} {short(row['peer'], 11)}" if row["name"] else short(row["peer"])
    return who.strip()


def _stay(row: dict[str, Any]) -> Stay:
    ended = row["ended_by"]
    until = (
        "there when the recording ended" if ended == _STAYED else f"ended by: {clipped(ended, 80)}"
    )
    tip = (
        f"{clipped(row['peer'], 80)}\n{moment(row['from_ns'], digits=3)} "
        f"for {duration(row['to_ns'] - row['from_ns'])}\n{until}; {many(row['signs'], 'sign')} of life"
    )
    return Stay(row["from_ns"], row["to_ns"], "c0", tip, broken=ended not in {*_WELL, _STAYED})


def _churn(sources: Sources, rows: Any) -> Html:
    timeline = sources.timeline

    def counted(column: str, of: Any) -> list[float | None]:
        steps = timeline.steps_of(longs(of, column))
        return [float(n) for n in numpy.bincount(steps, minlength=timeline.steps).tolist()]

    gone = rows.filter(compute.field("ended_by") != _STAYED)
    return columns(
        "Comings and goings",
        timeline,
        [
            Series("came", "c2", counted("from_ns", rows)),
            Series("went", "c1", counted("to_ns", gone)),
        ],
        brief,
        whole=True,
        note=f"In each {duration(timeline.step)}.",
    )


def _restless(sources: Sources) -> Html:
    """The workers and peers that came and went most often."""
    keys = ["recording", "endpoint", "peer"]
    counts = ["arrivals", "departures", "returns", "restarts"]
    times = ["present_ns", "longest_absence_ns"]
    rows = sources.folder.read(
        "peer_churn", [*keys, "protocol", "name", *counts, *times], compute.field("arrivals") > 1
    )
    if not rows.num_rows:
        return sentence("Nobody came back under the same identity.")
    most = rows.sort_by(
        [
            ("arrivals", "descending"),
            ("departures", "descending"),
            ("longest_absence_ns", "descending"),
            *((key, "ascending") for key in keys),
        ]
    )
    return el(
        "figure",
        el("figcaption", "Who came and went most often"),
        table(
            ["Peer", "At", "Came", "Went", "Came back", "Restarted", "Was there", "Longest away"],
            [
                [
                    _named(row),
                    f"{row['protocol']} at {sources.label(row['recording'])}",
                    *(count(row[number]) for number in counts),
                    *(duration(row[time]) for time in times),
                ]
                for row in most.slice(0, _RESTLESS).to_pylist()
            ],
            "Who came and went most often",
            texts=2,
        ),
        left_out(rows.num_rows, _RESTLESS, "peer", "those that came no more often"),
        class_="chart",
    )


def _heartbeats(sources: Sources) -> Html:
    columns_ = [
        "recording",
        "protocol",
        "peer",
        "direction",
        "beats",
        "usual_ns",
        "max_gap_ns",
        "late",
    ]
    rows = sources.folder.read("heartbeats", columns_)
    if not rows.num_rows:
        return sentence("No heartbeat was recorded.")
    worst = rows.sort_by(
        [
            ("late", "descending"),
            ("max_gap_ns", "descending"),
            ("recording", "ascending"),
            ("peer", "ascending"),
        ]
    )
    late = compute.sum(rows["late"]).as_py() or 0
    return folded(
        f"Heartbeats: {count(compute.sum(rows['beats']).as_py())}, of which {count(late)} came late",
        table(
            ["Peer", "At", "Protocol", "Beats", "Usual gap", "Longest gap", "Late"],
            [
                [
                    f"{'from' if row['direction'] == 'in' else 'to'} {short(row['peer'])}",
                    sources.label(row["recording"]),
                    row["protocol"],
                    count(row["beats"]),
                    *(
                        "" if row[gap] is None else duration(row[gap])
                        for gap in ("usual_ns", "max_gap_ns")
                    ),
                    count(row["late"]),
                ]
                for row in worst.slice(0, _STUMBLES).to_pylist()
            ],
            "Heartbeats, those with the most late ones first",
            texts=3,
        ),
        left_out(rows.num_rows, _STUMBLES, "line", "those with fewer late beats"),
    )
