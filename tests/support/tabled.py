"""Folders of tables as `zwire analyze` writes them, made without Spark, with any rows one likes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from support import brokered, meshed, oracle, oracle_mesh, oracle_peers, oracle_waiting
from zwire.capture import Kind, Row
from zwire_spark.output import TABLES, write_marker

Told = dict[str, Any]

_PAGE = Path(__file__).parents[2] / "docs" / "tables.md"
_TYPES = {
    "string": pa.string(),
    "long": pa.int64(),
    "int": pa.int32(),
    "double": pa.float64(),
    "boolean": pa.bool_(),
    "binary": pa.binary(),
    "timestamp": pa.timestamp("us", tz="UTC"),
    "array<binary>": pa.list_(pa.binary()),
    "array<long>": pa.list_(pa.int64()),
}
_MESSAGES = "messages_"


def schemas() -> dict[str, pa.Schema]:
    """The columns of every table, from the page that describes them."""
    found = {}
    for section in _PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        name = section.split("\n")[0]
        if not name.startswith(_MESSAGES):
            lines = [line for line in section.splitlines() if line.startswith("| ")]
            cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
            found[name] = pa.schema([(one[0], _TYPES[unescape(one[1])]) for one in cells])
    return found


def write_tables(folder: Path, tables: Mapping[str, Sequence[Told]], /, **told: Any) -> Path:
    """A folder with these rows; tables that are not named are there and empty."""
    counts = {}
    for name, schema in schemas().items():
        rows = list(tables.get(name, ()))
        empty = dict.fromkeys(schema.names)
        filled = [{**empty, **row} for row in rows]
        _write(folder, name, pa.Table.from_pylist(filled, schema))
        counts[name] = len(rows)
    for name in tables:
        if name.startswith(_MESSAGES):
            times = pa.array([row["ts_ns"] for row in tables[name]], pa.int64())
            _write(folder, name, pa.table({"ts_ns": times}))
            counts[name] = len(tables[name])
    write_marker(
        folder,
        {
            "state": "complete",
            "mode": "batch",
            "version": "0.1.0",
            "files": 1,
            "octets": 1000,
            "messages": sum(n for name, n in counts.items() if name.startswith(_MESSAGES)),
            "events": counts["events"],
            "rows_lost": sum(row["rows"] or 0 for row in tables.get("losses", ())),
            "tables": counts,
            **told,
        },
    )
    return folder


def _write(folder: Path, name: str, table: pa.Table) -> None:
    place = folder / TABLES / name
    place.mkdir(parents=True)
    parquet.write_table(table, place / "part-0.parquet")


def made_up() -> dict[str, list[Told]]:
    """Two brokers, a proxy and a node, where all goes wrong that can, and one violation of each kind."""
    first, second = brokered.a_broker(0xB1, seed=7), brokered.a_broker(0xB2, seed=8)
    brokered.misbehave(first)
    node = meshed.a_node(0xE1, seed=9)
    meshed.misbehave(node)
    proxy = meshed.a_proxy(0xF1, seed=10)
    rows = [
        *first.scribe.rows(),
        *proxy.rows(),
        *node.rows(ended=False),
        *second.scribe.rows(first=30),
    ]
    tables = {
        "recordings": oracle_peers.recordings(rows),
        "events": oracle_peers.events(rows),
        "requests": oracle.requests(rows),
        "streams": oracle_waiting.streams(rows),
        "queue_depth": oracle_waiting.queue_depth(rows),
        "heartbeats": oracle_peers.heartbeats(rows),
        "liveness": oracle_peers.liveness(rows),
        "peer_churn": oracle_peers.peer_churn(rows),
        "traffic": oracle_peers.traffic(rows),
        "zre_peers": oracle_mesh.zre_peers(rows),
        "zre_groups": oracle_mesh.zre_groups(rows),
        "zre_gaps": oracle_mesh.zre_gaps(rows),
        "zre_logs": oracle_mesh.zre_logs(rows),
        "violations": [
            a_violation(),
            a_violation(seq=8, peer="eve"),
            a_violation(seq=9, peer="eve"),
        ],
        "quarantine": [a_refusal()],
        "losses": [{"file": "b1.zcap", "offset": 4096, "octets": 300, "rows": 7, "why": "damaged"}],
    }
    return {**tables, **_messages(rows)}


def _messages(rows: Sequence[Row]) -> dict[str, list[Told]]:
    spoken = defaultdict(list)
    for row in rows:
        if row.kind is Kind.MESSAGE:
            spoken[_MESSAGES + row.protocol.partition(".")[0]].append({"ts_ns": row.time})
    return dict(spoken)


def a_violation(**facts: Any) -> Told:
    """What a worker said at the wrong time."""
    return {
        "recording": f"{0xB1:016x}",
        "seq": 7,
        "ts_ns": 1_700_000_047_000_000_000,
        "time": 1_700_000_047_000_000,
        "protocol": "mdpx",
        "part": "worker",
        "endpoint": "tcp://back",
        "peer": "mallory",
        "name": "echo",
        "direction": "in",
        "role": "worker",
        "command": "PING",
        "source": "machine",
        "reason": "unopened",
        "rule": "registration: start",
        "expected": "worker READY",
        "place": "mdpx.md:139",
        "dump": "PING\nframe 0: 6 octets\n  0000  4d 44 58 57 30 31  MDXW01",
        **facts,
    }


def a_refusal(**facts: Any) -> Told:
    """A message with an unknown command."""
    return {
        "kind": "message",
        "ts_ns": 1_700_000_048_000_000_000,
        "recorder": 0xB1,
        "seq": 83,
        "direction": "in",
        "endpoint": "tcp://back",
        "protocol": "mdpx.worker",
        "role": "worker",
        "peer": b"trudy",
        "frames": [b"MDXW01", b"w"],
        "lengths": [6, 1],
        "octets": 7,
        "file": "b1.zcap",
        "code": "command",
        "wrong_message": "",
        "wrong_field": "command",
        "wrong_frame": 1,
        "wrong_offset": 0,
        **facts,
    }
