"""The tables that are made of decoded messages and events, in the order in which they are built.

Each is a function from the tables that are there already (`rows`, `quarantine`, `messages_<protocol>`
and those above it) to a DataFrame. docs/tables.md describes every column.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from pyspark.sql import DataFrame

from zwire_spark.tables.acts import acts
from zwire_spark.tables.churn import churn, peer_churn
from zwire_spark.tables.columns import Inputs
from zwire_spark.tables.hearings import faults
from zwire_spark.tables.liveness import heartbeats, liveness
from zwire_spark.tables.mesh import zre_gaps, zre_groups, zre_logs, zre_peers
from zwire_spark.tables.recordings import events, recordings
from zwire_spark.tables.requests import requests
from zwire_spark.tables.traffic import traffic
from zwire_spark.tables.violations import violations
from zwire_spark.tables.waiting import latency, queue_depth, streams

__all__ = ["ORDER", "TABLES", "Build", "Inputs"]

Build: TypeAlias = Callable[[Inputs], DataFrame]

TABLES: dict[str, Build] = {
    "recordings": recordings,
    "events": events,
    "acts": acts,
    "requests": requests,
    "latency": latency,
    "streams": streams,
    "queue_depth": queue_depth,
    "heartbeats": heartbeats,
    "liveness": liveness,
    "churn": churn,
    "peer_churn": peer_churn,
    "faults": faults,
    "violations": violations,
    "traffic": traffic,
    "zre_peers": zre_peers,
    "zre_groups": zre_groups,
    "zre_gaps": zre_gaps,
    "zre_logs": zre_logs,
}

ORDER: dict[str, tuple[str, ...]] = {
    "recordings": ("recording",),
    "events": ("recording", "seq"),
    "acts": ("recorder", "seq"),
    "requests": ("recording", "seq"),
    "latency": ("seen_at", "service", "minute"),
    "streams": ("recording", "seq"),
    "queue_depth": ("recording", "service", "second"),
    "heartbeats": ("recording", "protocol", "endpoint", "peer", "direction"),
    "liveness": ("recording", "protocol", "endpoint", "peer", "from_ns"),
    "churn": ("recording", "protocol", "minute"),
    "peer_churn": ("recording", "endpoint", "peer"),
    "faults": ("recorder", "seq"),
    "violations": ("recording", "seq", "source"),
    "traffic": ("recording", "protocol", "part", "command", "direction", "minute"),
    "zre_peers": ("recording", "peer"),
    "zre_groups": ("recording", "peer", "group", "seq"),
    "zre_gaps": ("recording", "seq"),
    "zre_logs": ("recording", "seq"),
}
"""The columns that tell each table's rows apart: sorted by them, the same capture gives the same."""
