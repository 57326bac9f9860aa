"""Every table against plain loops over the same rows: made up by a seed, and really recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support import (
    brokered,
    meshed,
    oracle,
    oracle_judged,
    oracle_mesh,
    oracle_peers,
    oracle_waiting,
    recorded,
)
from support.nodes import beacon_port
from support.sql_decoding import plain
from support.traffic import write_zcap
from zwire.capture import Losses, Row, read_all

pytest.importorskip("pyspark", reason="the pipeline needs PySpark")

import pyarrow as pa
from pyarrow import parquet
from pyspark.sql import functions as F

from zwire_spark.analysis import analyze
from zwire_spark.rows import SCHEMA
from zwire_spark.tables import ORDER, TABLES

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.process

Told = dict[str, Any]

ORACLES: dict[str, Callable[[Sequence[Row]], list[Told]]] = {
    "recordings": oracle_peers.recordings,
    "events": oracle_peers.events,
    "acts": oracle_peers.acts,
    "requests": oracle.requests,
    "latency": oracle_waiting.latency,
    "streams": oracle_waiting.streams,
    "queue_depth": oracle_waiting.queue_depth,
    "heartbeats": oracle_peers.heartbeats,
    "liveness": oracle_peers.liveness,
    "churn": oracle_peers.churn,
    "peer_churn": oracle_peers.peer_churn,
    "faults": oracle_judged.faults,
    "violations": oracle_judged.violations,
    "traffic": oracle_peers.traffic,
    "zre_peers": oracle_mesh.zre_peers,
    "zre_groups": oracle_mesh.zre_groups,
    "zre_gaps": oracle_mesh.zre_gaps,
    "zre_logs": oracle_mesh.zre_logs,
}

_IN_PART = {"acts", "violations"}
"""Tables with columns that an oracle leaves alone."""

# Tiny tables: what Spark gains by compiling queries and by planning them anew costs more here.
_PLAINLY = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
}


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A broker, clients, workers and nodes that really talked, each with a recording of its own."""
    folder = tmp_path_factory.mktemp("real")
    recorded.record_broker(folder)
    with beacon_port() as port:
        recorded.record_nodes(folder, port)
    return folder


@pytest.fixture(scope="module")
def captures(real: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The same beside two made-up brokers, a proxy and a node, where all goes wrong that can."""
    first, second = brokered.a_broker(0xB1, seed=7), brokered.a_broker(0xB2, seed=8)
    brokered.misbehave(first)
    node = meshed.a_node(0xE1, seed=9)
    meshed.misbehave(node)
    proxy = meshed.a_proxy(0xF1, seed=10)
    folder = tmp_path_factory.mktemp("made-up")
    made_up = [*first.scribe.rows(), *proxy.rows(), *node.rows(ended=False)]
    write_zcap([*made_up, *second.scribe.rows(first=30)], folder)
    return [folder, real]


@pytest.fixture(scope="module")
def rows(captures: list[Path]) -> list[Row]:
    losses = Losses()
    read = list(read_all(captures, losses))
    assert not list(losses)
    return read


@pytest.fixture(scope="module")
def plain_spark(spark: SparkSession) -> Iterator[SparkSession]:
    for name, value in _PLAINLY.items():
        spark.conf.set(name, value)
    yield spark
    for name in _PLAINLY:
        spark.conf.unset(name)


@pytest.fixture(scope="module")
def tables(
    plain_spark: SparkSession, captures: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The folder with all tables that the whole pipeline makes of the captures."""
    into = tmp_path_factory.mktemp("analysis") / "out"
    analyze(captures, into, master="local[2]")
    return into / "tables"


def told(tables: Path, name: str) -> list[Told]:
    """A table as it was written, times as microseconds."""
    table = parquet.read_table(tables / name)
    for place, column in enumerate(table.schema):
        if pa.types.is_timestamp(column.type):
            micros = table.column(place).cast(pa.timestamp("us", tz="UTC")).cast(pa.int64())
            table = table.set_column(place, column.name, micros)
    found: list[Told] = table.to_pylist()
    return found


def in_order(rows: list[Told], name: str) -> list[Told]:
    return sorted(rows, key=lambda row: tuple(row[column] for column in ORDER[name]))


@pytest.mark.parametrize("name", ORACLES)
def test_a_table_says_what_plain_loops_over_the_rows_say(
    tables: Path, rows: list[Row], name: str
) -> None:
    expected = in_order(ORACLES[name](rows), name)
    assert expected, "the capture has nothing for this table"
    got = told(tables, name)
    if name in _IN_PART:
        got = [
            {column: row[column] for column in other}
            for row, other in zip(got, expected, strict=True)
        ]
    for one, other in zip(got, expected, strict=False):
        assert one == other
    assert len(got) == len(expected)
    keys = [tuple(row[column] for column in ORDER[name]) for row in got]
    assert len(set(keys)) == len(keys), "ORDER does not tell the rows apart"


def test_quarantine_says_what_the_codecs_say(tables: Path, rows: list[Row]) -> None:
    expected = sorted(oracle_judged.quarantine(rows), key=lambda row: (row["recorder"], row["seq"]))
    got = told(tables, "quarantine")
    assert [{column: row[column] for column in expected[0]} for row in got] == expected


def test_messages_have_the_fields_that_the_codecs_find(tables: Path, rows: list[Row]) -> None:
    expected = oracle_judged.messages(rows)
    for folder in tables.glob("messages_*"):
        for row in told(tables, folder.name):
            message = expected.pop((row["recorder"], row["seq"])).told
            assert row["command"] == message["message"]
            behind = list(row)[list(row).index("command") + 1 :]
            filled = {column: plain(row[column]) for column in behind if row[column] is not None}
            for name, value in message["fields"].items():
                longer = f"{name}_{row['command'].lower().replace('-', '_')}"
                column = next(
                    one for one in (longer, name, f"{name}_{row['part']}") if one in behind
                )
                found = filled.pop(column, None)
                if isinstance(row[column], bytes) and isinstance(value, str) and len(value) == 36:
                    value = value.replace("-", "")  # a UUID
                assert found == value, (row["command"], name)
            assert not filled
    assert not expected


def test_all_fates_of_requests_are_there(tables: Path) -> None:
    outcomes = {row["outcome"] for row in told(tables, "requests")}
    assert outcomes == {"answered", "expired", "failed", "refused", "gone", "lost", "open"}


def test_who_misbehaves_is_found_by_name(tables: Path) -> None:
    found = told(tables, "violations")
    by_peer = {(row["peer"], row["source"]): row for row in found}
    mallory = by_peer["mallory", "machine"]
    assert (mallory["command"], mallory["reason"]) == ("PING", "unopened")
    assert mallory["expected"].startswith("worker READY")
    assert mallory["place"] == "mdpx.md:139"
    assert "50 49 4e 47" in mallory["dump"]
    eve = by_peer["eve", "machine"]
    assert (eve["command"], eve["reason"], eve["place"]) == ("FINAL", "unexpected", "mdpx.md:140")
    assert by_peer["eve", "broker event"]["rule"] == "nobody asked"
    trudy = by_peer["trudy", "decode"]
    assert (trudy["reason"], trudy["protocol"], trudy["part"]) == ("command", "mdpx", "worker")
    assert trudy["place"] == "mdpx.md:94"
    assert by_peer["peggy", "decode"]["reason"] == "protocol"
    assert by_peer["drone", "machine"]["place"] == "mdp02.md:113"
    rude = by_peer[f"{0xBAD:032x}", "machine"]
    assert (rude["command"], rude["place"]) == ("WHISPER", "zre.md:54")


def test_of_those_who_really_talked_only_the_naughty_and_the_rude_are_blamed(
    tables: Path, real: Path
) -> None:
    recordings = {oracle.recording(row) for row in read_all([real], Losses())}
    found = [row for row in told(tables, "violations") if row["recording"] in recordings]
    by_peer = {(row["peer"], row["source"]): row for row in found}
    naughty, rude = recorded.NAUGHTY.decode(), recorded.RUDE.hex
    assert set(by_peer) == {(naughty, "machine"), (naughty, "broker event"), (rude, "machine")}
    assert by_peer[naughty, "machine"]["name"] == "mischief"
    unasked = by_peer[rude, "machine"]
    assert (unasked["name"], unasked["command"]) == ("rude", "PING-OK")
    assert (unasked["reason"], unasked["place"]) == ("unexpected", "zre36.md:60")
    requests = [row for row in told(tables, "requests") if row["recording"] in recordings]
    assert {row["outcome"] for row in requests} == {"answered"}
    pairs = {(row["client_protocol"], row["worker_protocol"]) for row in requests}
    assert {("mdpx", "emqp"), ("mdp01", "ppp"), ("reqrep", "ppp"), ("mdp02", "mdpx")} <= pairs
    assert {row["seen_at"] for row in requests} == {"client", "broker", "worker"}


def test_nobody_else_is_blamed(tables: Path) -> None:
    machine = [row for row in told(tables, "violations") if row["source"] == "machine"]
    named = {"mallory", "eve", "drone", f"{0xBAD:032x}", recorded.NAUGHTY.decode()}
    named.add(recorded.RUDE.hex)
    others = [row for row in machine if row["peer"] not in named]
    # Only the made-up brokers, which answer twice, or what nobody asked.
    assert {(row["role"], row["reason"]) for row in others} == {("broker", "unexpected")}
    assert {row["command"] for row in others} == {"FINAL", "REPLY"}


def test_every_coming_and_going_by_minute_is_somebodys(tables: Path) -> None:
    minutes, peers = told(tables, "churn"), told(tables, "peer_churn")
    for by_minute, by_peer in (("joined", "arrivals"), ("left", "departures")):
        assert sum(row[by_minute] for row in minutes) == sum(row[by_peer] for row in peers) > 0
    assert any(row["returns"] for row in peers)
    assert any(row["restarts"] for row in peers)


def test_a_peer_that_comes_back_again_and_again_is_one_peer(plain_spark: SparkSession) -> None:
    stays = [
        # protocol, name, from, to, how it ended
        ("zre36", "ann", 100, 130, "restarted"),
        ("zre36", "ann", 135, 150, "goodbye"),
        ("zre", "", 190, 200, "silence"),
        ("", "", 210, 240, "recording ended"),
    ]
    ann = [("01", "", "a1", *stay) for stay in stays]
    others = [
        ("01", "", "b2", "zre", "", 100, 240, "recording ended"),  # never went
        ("02", "", "a1", "zre", "", 150, 150, "left"),  # seen by somebody else
        ("01", "tcp://back", "a1", "mdpx", "echo", 100, 110, "lost"),  # a worker called the same
    ]
    columns = "recording STRING, endpoint STRING, peer STRING, protocol STRING, name STRING"
    columns += ", from_ns LONG, to_ns LONG, ended_by STRING"
    liveness = plain_spark.createDataFrame([*others, *ann[::-1]], columns)
    made = TABLES["peer_churn"]({"liveness": liveness}).orderBy(*ORDER["peer_churn"]).collect()
    assert [tuple(row) for row in made] == [
        ("01", "", "a1", "zre", "ann", 100, 240, 4, 3, 2, 1, 85, 40, "recording ended"),
        ("01", "", "b2", "zre", "", 100, 240, 1, 0, 0, 0, 140, None, "recording ended"),
        ("01", "tcp://back", "a1", "mdpx", "echo", 100, 110, 1, 1, 0, 0, 10, None, "lost"),
        ("02", "", "a1", "zre", "", 150, 150, 1, 1, 0, 0, 0, None, "left"),
    ]


def test_rows_in_any_order_give_the_same_tables(plain_spark: SparkSession, tables: Path) -> None:
    spark, inputs = plain_spark, dict[str, "DataFrame"]()
    for folder in (tables.parent / "rows", *tables.glob("*")):
        shuffled = spark.read.parquet(str(folder)).orderBy(F.rand(7))
        inputs[folder.name] = shuffled
    for name in ("requests", "liveness", "churn", "peer_churn", "zre_groups"):
        again = TABLES[name](inputs).orderBy(*ORDER[name])
        assert again.collect() == spark.read.parquet(str(tables / name)).collect()


def test_without_any_message_the_tables_have_the_same_columns(
    plain_spark: SparkSession, tables: Path
) -> None:
    spark = plain_spark
    written = {name: spark.read.parquet(str(tables / name)) for name in (*TABLES, "quarantine")}
    inputs = {"quarantine": written["quarantine"].limit(0)}
    inputs["rows"] = spark.createDataFrame([], SCHEMA)
    for name, build in TABLES.items():
        made = build(inputs)
        assert made.dtypes == written[name].dtypes, name
        inputs[name] = spark.createDataFrame([], made.schema)


def test_the_page_describes_exactly_the_columns_that_there_are(tables: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "tables.md").read_text(encoding="utf-8")
    sections = {one.split("\n")[0]: unescape(one) for one in page.split("\n## ")[1:]}
    common, fields = _lines(sections["messages_&lt;protocol&gt;"]), "messages_"
    for folder in sorted(tables.iterdir()):
        if folder.name.startswith(fields):
            described = [line[:2] for line in common if not line[0].startswith(fields)]
            described += [line[1:3] for line in common if line[0] == folder.name]
        else:
            described = [line[:2] for line in _lines(sections[folder.name])]
        schema = parquet.read_schema(next(folder.glob("*.parquet")))
        there = [[column.name, _kind(column.type)] for column in schema]
        assert described == there, folder.name
    assert {*TABLES, "quarantine", "losses"} == {*sections} - {"messages_&lt;protocol&gt;"}


def _lines(section: str) -> list[list[str]]:
    """The cells of all tables in a section of the page, without their heads."""
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [line for line in cells if line[0] not in ("Column", "Table") and line[0].strip("-")]


def _kind(kind: pa.DataType) -> str:
    """A type of Parquet's as Spark calls it."""
    if pa.types.is_list(kind):
        return f"array<{_kind(kind.value_type)}>"
    if pa.types.is_struct(kind):
        inner = ",".join(f"{field.name}:{_kind(field.type)}" for field in kind)
        return f"struct<{inner}>"
    if pa.types.is_timestamp(kind):
        return "timestamp"
    if pa.types.is_decimal(kind):
        return f"decimal({kind.precision},{kind.scale})"
    return {"int64": "long", "int32": "int", "bool": "boolean"}.get(str(kind), str(kind))
