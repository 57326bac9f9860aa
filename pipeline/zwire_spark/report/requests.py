"""The section on requests: how they ended, how long they took, over time and by service."""

from __future__ import annotations

from typing import Any

import numpy
from pyarrow import compute

from zwire_spark.report import latency
from zwire_spark.report.asked import Asked, longs
from zwire_spark.report.blocks import Bar, bars, folded, sentence, table, tried
from zwire_spark.report.folder import equal, summed
from zwire_spark.report.markup import Html, el
from zwire_spark.report.sources import Section, Sources
from zwire_spark.report.telling import count, duration, many, moment, octets

_SLOWEST = 10
# Who got an answer, who waits, and all others: in the order in which they are shown.
_OUTCOMES = {
    "answered": "good",
    "open": "c0",
    "gone": "warn",
    "refused": "warn",
    "expired": "bad",
    "failed": "bad",
    "lost": "bad",
}
_TROUBLE = {
    "redeliveries": "given to another worker",
    "retries": "asked again while open",
    "duplicate_replies": "answered twice",
    "late_replies": "replies that came too late",
}


def section(sources: Sources) -> Section:
    """All about requests."""
    asked = sources.asked
    found = Section("requests", "Requests and latency")
    if not asked.number:
        found.blocks.append(sentence("No request was recorded."))
        return found
    found.badge = sum(asked.outcomes.get(one, 0) for one in ("expired", "failed", "lost"))
    found.alarm = f"{many(found.badge, 'request')} lost, expired or failed"
    found.blocks += [
        _ends(sources, asked),
        *latency.blocks(sources, asked),
        _slowest(sources, asked),
        _across(sources, asked),
        tried(lambda: _streams(sources)),
    ]
    return found


def _ends(sources: Sources, asked: Asked) -> Html:
    known = sorted(asked.outcomes, key=lambda one: ([*_OUTCOMES, one].index(one), one))
    shown = bars(
        [
            Bar(one, asked.outcomes[one], count(asked.outcomes[one]), _OUTCOMES.get(one, "c0"))
            for one in known
        ],
        "Requests by outcome",
    )
    sums = sources.folder.read("requests", [*_TROUBLE], equal("seen_at", asked.view))
    told = [
        f"{count(number)} {words}"
        for name, words in _TROUBLE.items()
        if (number := compute.sum(sums.column(name)).as_py() or 0)
    ]
    return el(
        "figure",
        el("figcaption", f"How {many(asked.number, 'request')} ended, {asked.words}"),
        shown,
        sentence("; ".join(told) + "." if told else "None was redelivered, repeated or late."),
        class_="chart",
    )


def _slowest(sources: Sources, asked: Asked) -> Html | None:
    if asked.all is None:
        return None
    latencies = longs(asked.answered, "latency_ns")
    least = int(numpy.sort(latencies)[-_SLOWEST:][0])
    columns = [
        "recording",
        "seq",
        "service",
        "client_peer",
        "worker_peer",
        "received_ns",
        "assigned_ns",
        "latency_ns",
        "queued_ns",
        "request_key",
    ]
    wanted = equal("seen_at", asked.view) & (compute.field("latency_ns") >= least)
    rows = sources.folder.read("requests", columns, wanted)
    rows = rows.sort_by(
        [("latency_ns", "descending"), ("recording", "ascending"), ("seq", "ascending")]
    )
    return folded(
        f"The {min(_SLOWEST, asked.all.count)} slowest",
        table(
            ["Request", "Service", "Worker", "Asked at (UTC)", "Took", "of it waiting"],
            [_slow(row) for row in rows.slice(0, _SLOWEST).to_pylist()],
            "The slowest requests",
            texts=4,
        ),
    )


def _slow(row: dict[str, Any]) -> list[str]:
    asked_at = row["received_ns"] or row["assigned_ns"]
    return [
        row["request_key"],
        row["service"],
        row["worker_peer"] or "",
        moment(asked_at, digits=3) if asked_at is not None else "",
        duration(row["latency_ns"]),
        "" if row["queued_ns"] is None else duration(row["queued_ns"]),
    ]


def _across(sources: Sources, asked: Asked) -> Html | None:
    """Who served whom, where client and worker may speak differently."""
    columns = ["client_protocol", "worker_protocol", "latency_ns"]
    rows = sources.folder.read("requests", columns, equal("seen_at", asked.view))
    both = rows.filter(
        (compute.field("client_protocol") != "") & (compute.field("worker_protocol") != "")
    )
    found = summed(both, columns[:2], [("latency_ns", "count")]).to_pylist()
    if not found:
        return None
    cells = {
        (one["client_protocol"], one["worker_protocol"]): one["latency_ns_count"] for one in found
    }
    clients, workers = (sorted({pair[side] for pair in cells}) for side in (0, 1))
    return folded(
        "Who served whom",
        table(
            ["Client \\ worker", *workers],
            [
                [client, *(count(cells.get((client, worker), 0)) for worker in workers)]
                for client in clients
            ],
            "Answered requests by the protocols of client and worker",
        ),
    )


def _streams(sources: Sources) -> Html | None:
    """Replies in pieces, in a sentence and the longest waits."""
    columns = ["service", "request_key", "pieces", "max_gap_ns", "octets", "complete"]
    rows = sources.folder.read("streams", columns)
    if not rows.num_rows:
        return None
    broken = rows.num_rows - (compute.sum(rows.column("complete")).as_py() or 0)
    longest = rows.sort_by([("max_gap_ns", "descending"), ("request_key", "ascending")])
    return folded(
        f"{many(rows.num_rows, 'reply', 'replies')} in pieces"
        + (f", {count(broken)} without an end" if broken else ""),
        table(
            ["Request", "Service", "Pieces", "Longest wait", "Size"],
            [
                [
                    row["request_key"],
                    row["service"],
                    count(row["pieces"]),
                    "" if row["max_gap_ns"] is None else duration(row["max_gap_ns"]),
                    octets(row["octets"]),
                ]
                for row in longest.slice(0, _SLOWEST).to_pylist()
            ],
            "Replies in pieces with the longest waits",
            texts=2,
        ),
    )
