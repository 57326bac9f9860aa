"""Violations: what peers said at the wrong time or in no known form, with the message dumped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from zwire.captured import NoCodec, understand
from zwire.codecs import find_codecs
from zwire_protocols.errors import DecodeError
from zwire_spark.judging import place_of
from zwire_spark.tables.columns import Inputs, name_of, recording, time_of
from zwire_spark.tables.recordings import told
from zwire_spark.tables.signs import signs
from zwire_spark.words import MESH

DUMPED = 100
"""So many messages of one kind and peer are dumped; of the rest, only the fault is told."""

LONGEST = 4000
"""Characters of a dump."""

MACHINE, DECODE, BROKER = "machine", "decode", "broker event"

TOLD = ("violation", "invalid message", "stranger spoke")
"""Events by which a broker says that somebody broke the rules."""

_FOUND = (
    "recorder LONG, seq LONG, ts_ns LONG, endpoint STRING, peer BINARY, direction STRING, "
    "part STRING, role STRING, command STRING, source STRING, reason STRING, rule STRING, "
    "expected STRING, place STRING"
)
_COLUMNS = tuple(column.split()[0] for column in _FOUND.split(", "))
_SHOWN = f"{_FOUND}, dump STRING"


def violations(inputs: Inputs) -> DataFrame:
    """All violations: found by the machines, refused by the codecs, told by a broker."""
    found = _by_machines(inputs).unionByName(_refused(inputs))
    alike = Window.partitionBy("recorder", "endpoint", "peer", "part", "command", "reason")
    numbered = found.withColumn("_dumped", F.row_number().over(alike.orderBy("seq")) <= DUMPED)
    shown = numbered.select(*_COLUMNS, "frames", "_dumped").mapInArrow(show, _SHOWN)
    named = shown.unionByName(_told(inputs)).join(_names(inputs), _same_peer(), "left")
    return named.select(
        F.expr(recording()).alias("recording"),
        "seq",
        "ts_ns",
        F.expr(time_of("ts_ns")).alias("time"),
        F.expr("substring_index(part, '.', 1)").alias("protocol"),
        F.expr("IF(part LIKE '%.%', substring_index(part, '.', -1), '')").alias("part"),
        "endpoint",
        F.expr(name_of("peer")).alias("peer"),
        F.coalesce("name", F.lit("")).alias("name"),
        "direction",
        "role",
        "command",
        "source",
        "reason",
        "rule",
        "expected",
        "place",
        "dump",
    )


def _names(inputs: Inputs) -> DataFrame:
    """What peers last called themselves: a node its name, a worker its service."""
    told_names = signs(inputs).where("name != '' AND peer IS NOT NULL")
    return told_names.groupBy(
        F.col("recorder").alias("_recorder"),
        F.col("endpoint").alias("_endpoint"),
        F.col("peer").alias("_peer"),
    ).agg(F.max_by("name", "seq").alias("name"))


def _same_peer() -> Column:
    # Nodes go by their identity alone: both directions have endpoints of their own.
    protocol = F.expr("substring_index(part, '.', 1)")
    place = F.when(protocol.isin(*MESH), "").otherwise(F.col("endpoint"))
    return (
        (F.col("recorder") == F.col("_recorder"))
        & (place == F.col("_endpoint"))
        & (F.col("peer") == F.col("_peer"))
    )


def _by_machines(inputs: Inputs) -> DataFrame:
    judged = inputs["faults"].select(
        "recorder", "seq", "command", "reason", "rule", "expected", "place"
    )
    rows = inputs["rows"].where("kind = 'message'").withColumnRenamed("protocol", "part")
    said = judged.join(rows.drop("kind"), ["recorder", "seq"])
    return said.withColumn("source", F.lit(MACHINE)).select(*_COLUMNS, "frames")


def _refused(inputs: Inputs) -> DataFrame:
    """What could not be decoded; `show` adds what its codec says."""
    refused = inputs["quarantine"].withColumnRenamed("protocol", "part")
    return refused.withColumns(
        {
            "command": F.coalesce("wrong_message", F.lit("")),
            "source": F.lit(DECODE),
            "reason": F.col("code"),
            "rule": F.lit(""),
            "expected": F.lit(""),
            "place": F.lit(""),
        }
    ).select(*_COLUMNS, "frames")


def _told(inputs: Inputs) -> DataFrame:
    events = told(inputs).where(F.col("event").isin(*TOLD))
    texts = ("direction", "part", "role", "command", "expected", "place", "dump")
    return events.withColumns(
        {
            **{name: F.lit("") for name in texts},
            "source": F.lit(BROKER),
            "reason": F.col("event"),
            "rule": F.expr("coalesce(get_json_object(facts, '$.detail'), '')"),
        }
    ).select(*_COLUMNS, "dump")


def show(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Add the dump, and where a codec refused the message, why."""
    for batch in batches:
        dumps = []
        rows = batch.to_pylist()
        for row in rows:
            frames = row.pop("frames") or []
            if row["source"] == DECODE:
                row.update(_refusal(row["part"], row["role"], frames, row["reason"]))
            dumps.append(_dump(row["part"], row["role"], frames) if row.pop("_dumped") else "")
        columns = [pa.array([row[name] for row in rows], _KINDS[name]) for name in _COLUMNS]
        columns.append(pa.array(dumps, pa.string()))
        yield pa.RecordBatch.from_arrays(columns, names=[*_COLUMNS, "dump"])


_NUMBERS = ("recorder", "seq", "ts_ns")
_KINDS = {
    name: pa.int64() if name in _NUMBERS else pa.binary() if name == "peer" else pa.string()
    for name in _COLUMNS
}


def _refusal(part: str, role: str, frames: Sequence[bytes], code: str) -> dict[str, str]:
    """Which rule of which place the message breaks, in the codec's words."""
    try:
        understand(part, role, frames)
    except NoCodec as error:
        return {"rule": str(error), "expected": "a protocol and a role that are known"}
    except DecodeError as error:
        return {"rule": str(error), "expected": error.expected, "place": _place(part)}
    return {"rule": f"refused: {code}"}


def _place(part: str) -> str:
    try:
        return place_of(part)
    except ModuleNotFoundError:
        return ""


def _dump(part: str, role: str, frames: Sequence[bytes]) -> str:
    for codec in find_codecs(part):
        known = codec.spoken_by(role) if role in codec.roles else codec
        text = known.dump(frames)
        return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return "\n".join(frame[:64].hex(" ") for frame in frames)[:LONGEST]
