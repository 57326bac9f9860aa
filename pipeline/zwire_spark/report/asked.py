"""Requests seen from one side: which of them count, and those that were answered, as columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy
import pyarrow as pa
from pyarrow import compute

from zwire_spark.report.folder import Folder, equal, summed
from zwire_spark.report.ranks import Longs, Ranked, ranked

_VIEWS = {
    "broker": "as brokers saw them",
    "client": "as clients saw them",
    "worker": "as workers saw them",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """The requests of one point of view: each is counted once, though three may have recorded it."""

    view: str
    outcomes: dict[str, int]
    answered: pa.Table
    """`when`, `latency_ns`, `queued_ns` and `service` of those that were answered."""
    all: Ranked | None

    @property
    def number(self) -> int:
        return sum(self.outcomes.values())

    @property
    def words(self) -> str:
        return _VIEWS.get(self.view, "")


def read_asked(folder: Folder) -> Asked:
    """Those at brokers where there are any; else those of clients, else those of workers."""
    seen = summed(
        folder.read("requests", ["seen_at", "outcome"]),
        ["seen_at", "outcome"],
        [("outcome", "count")],
    )
    told = seen.to_pylist()
    view = next((one for one in _VIEWS if any(row["seen_at"] == one for row in told)), "")
    outcomes = {row["outcome"]: row["outcome_count"] for row in told if row["seen_at"] == view}
    wanted = equal("seen_at", view) & compute.field("latency_ns").is_valid()
    columns = ["service", "answered_ns", "finished_ns", "latency_ns", "queued_ns"]
    answered = folder.read("requests", columns, wanted)
    when = compute.coalesce(answered.column("answered_ns"), answered.column("finished_ns"))
    answered = answered.drop(["answered_ns", "finished_ns"]).append_column("when", when)
    latencies = longs(answered, "latency_ns")
    everything = ranked(numpy.zeros(len(latencies), numpy.int64), latencies).get(0)
    return Asked(view, outcomes, answered, everything)


def longs(rows: pa.Table, column: str) -> Longs:
    """A column without nulls as numbers."""
    return numpy.asarray(rows.column(column).to_numpy(), numpy.int64)
