"""Judging a whole capture: rows sorted by peer and order, then judged batch by batch."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import reduce

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from zwire_protocols.conversation import Violation
from zwire_spark.judging import ENDING, FORGETTING, Judge, Said
from zwire_spark.tables.acts import key_of
from zwire_spark.tables.columns import Inputs, recording
from zwire_spark.tables.recordings import told
from zwire_spark.words import CONNECTED, LEFT, MESH, WORDS

HEARD = """recorder LONG, conversation STRING, seq LONG, part STRING, direction STRING, role STRING,
    command STRING, key ARRAY<BINARY>, midway BOOLEAN"""

FAULTS = """recorder LONG, seq LONG, part STRING, role STRING, command STRING, reason STRING,
    rule STRING, expected STRING, place STRING"""

# The parts that have a dialog in which one can go wrong, and the fields that tell requests apart.
JUDGED = {
    **{words.name: words.key for words in WORDS},
    **{f"{protocol}.messages": () for protocol in (*MESH, "zgossip")},
}


def heard(inputs: Inputs, spoken: Collection[str] = tuple(JUDGED)) -> DataFrame:
    """What judges hear (columns HEARD): group by recorder and conversation, order by seq.

    `spoken` are the parts that can occur, where it is known.
    """
    each = [
        _messages(inputs, part, key)
        for part, key in JUDGED.items()
        if part in spoken and f"messages_{part.partition('.')[0]}" in inputs
    ]
    columns = [column.strip().split()[0] for column in HEARD.split(",")][:-1]
    said = reduce(DataFrame.unionByName, [*each, _events(inputs)])
    began = inputs["recordings"].select(
        F.col("recording").alias("_recording"), F.expr("first_seq > 1").alias("midway")
    )
    return (
        said.withColumn("_in", F.expr(recording()))
        .join(F.broadcast(began), F.col("_in") == F.col("_recording"), "left")
        .select(*columns, F.coalesce("midway", F.lit(False)).alias("midway"))
    )


def faults(inputs: Inputs) -> DataFrame:
    """All violations that the machines find (columns FAULTS)."""
    by_peer = (
        heard(inputs)
        .repartition("recorder", "conversation")
        .sortWithinPartitions("recorder", "conversation", "seq")
    )
    return by_peer.mapInArrow(judge_sorted, FAULTS)


def judge_sorted(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Judge rows that come peer by peer, each peer's in their order."""
    judge, at = Judge(), None
    for batch in batches:
        found: dict[str, list[object]] = {name: [] for name in _SCHEMA.names}
        columns = (batch.column(name).to_pylist() for name in _HEARD)
        for recorder, conversation, seq, part, direction, role, command, key, midway in zip(
            *columns, strict=True
        ):
            if (recorder, conversation) != at:
                judge, at = Judge(midway), (recorder, conversation)
            said = Said(part, direction, role, command, tuple(key))
            fault = judge.hear(said)
            if fault is not None:
                row = fault_row(recorder, seq, said, fault)
                for name, value in zip(_SCHEMA.names, row, strict=True):
                    found[name].append(value)
        yield pa.RecordBatch.from_pydict(found, schema=_SCHEMA)


def fault_row(recorder: int, seq: int, said: Said, fault: Violation) -> tuple[object, ...]:
    """A fault as the columns FAULTS have it."""
    legal = ", ".join(f"{who} {what}" for who, what in fault.legal) or "nothing"
    rule = f"{fault.dialog}: {fault.state}" if fault.dialog else fault.state
    told = (fault.reason, rule, legal, fault.line)
    return (recorder, seq, said.part, said.role, said.command, *told)


_HEARD = (
    "recorder",
    "conversation",
    "seq",
    "part",
    "direction",
    "role",
    "command",
    "key",
    "midway",
)
_TEXTS = ("part", "role", "command", "reason", "rule", "expected", "place")
_SCHEMA = pa.schema(
    [("recorder", pa.int64()), ("seq", pa.int64()), *((name, pa.string()) for name in _TEXTS)]
)


def _messages(inputs: Inputs, part: str, key: tuple[str, ...]) -> DataFrame:
    protocol, _, name = part.partition(".")
    messages = inputs[f"messages_{protocol}"]
    # In ZRE both directions have endpoints of their own.
    endpoint = F.lit("") if protocol in MESH else F.col("endpoint")
    return messages.where(F.col("part") == name).select(
        "recorder",
        F.concat_ws(" ", endpoint, F.hex("peer")).alias("conversation"),
        "seq",
        F.lit(part).alias("part"),
        "direction",
        "role",
        "command",
        key_of(messages, key).alias("key"),
    )


def _events(inputs: Inputs) -> DataFrame:
    bearing = told(inputs).where(F.col("event").isin(*FORGETTING, *ENDING, CONNECTED))
    # Without a peer, a worker tells it of itself.
    of_node = (F.col("event") == LEFT) & F.col("peer").isNotNull()
    id_told = "get_json_object(facts, '$.request_id')"
    return bearing.select(
        "recorder",
        F.concat_ws(" ", F.when(of_node, "").otherwise(F.col("endpoint")), F.hex("peer")).alias(
            "conversation"
        ),
        "seq",
        F.lit("").alias("part"),
        F.lit("").alias("direction"),
        F.lit("").alias("role"),
        F.col("event").alias("command"),
        # told as text or as hex: a judge looks for both
        F.expr(
            f"array_compact(array(to_binary({id_told}, 'utf-8'), try_to_binary({id_told}, 'hex')))"
        ).alias("key"),
    )
