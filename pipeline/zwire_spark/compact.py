"""Captures as Parquet: the same rows, in a folder for each protocol and day.

Spark's tasks read the captures and write the files themselves, as Arrow has them: no row passes
through Java. What a task writes has the same name whenever it is done again, and the same content.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from uuid import uuid4

import pyarrow as pa
from pyarrow import compute, parquet
from pyspark.sql import functions as F

from zwire_spark.pieces import Piece, Wanted, read_pieces, shared_out
from zwire_spark.rows import LOSS, SCHEMA

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

NONE = "-"
"""The folder of what names no protocol that we know, and of what has no time."""

Counts: TypeAlias = Counter[tuple[str, str]]
"""Rows by the protocol's folder and their kind."""

# A message can claim any protocol: only those that we know get a folder of their own.
_CLAIMED = "claimed"
_STORED = f"{SCHEMA}, {_CLAIMED} string, date string"
_COUNTED = "protocol string, kind string, rows long"
_ROOM = 64 * 1024 * 1024  # octets of memory that are gathered for one file of each folder, about
_DAY = 86_400 * 10**9
_EPOCH = date(1970, 1, 1)


def write_compacted(
    spark: SparkSession,
    files: Sequence[Path],
    wanted: Wanted,
    known: Collection[str],
    folder: Path,
) -> Counts:
    """Write the rows of captures, losses among them; how many there are."""
    folder.mkdir()
    tasks = shared_out(files)
    if not tasks:
        return Counter()
    numbers = spark.range(0, len(tasks), 1, len(tasks))
    written = numbers.mapInArrow(
        task_that_writes(tasks, wanted, frozenset(known), folder), _COUNTED
    )
    counts: Counts = Counter()
    for protocol, kind, rows in written.collect():
        counts[protocol, kind] += rows
    return counts


def task_that_writes(
    tasks: Sequence[tuple[Piece, ...]], wanted: Wanted, known: frozenset[str], folder: Path
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What reads the numbers of tasks, does them, and gives the counts of each."""

    def write(numbers: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for number in (one for batch in numbers for one in batch.column(0).to_pylist()):
            counts: Counts = Counter()
            for chunk, rows in enumerate(_tables(read_pieces(tasks[number], wanted))):
                for protocol, day, table in _by_folder(rows, known):
                    path = folder / f"protocol={protocol}" / f"date={day}"
                    _write(table, path / f"part-{number:05}-{chunk:03}.parquet")
                    for kind in table.column("kind").value_counts():
                        counts[protocol, kind["values"].as_py()] += kind["counts"].as_py()
            yield pa.RecordBatch.from_pylist(
                [
                    {"protocol": protocol, "kind": kind, "rows": rows}
                    for (protocol, kind), rows in counts.items()
                ],
                pa.schema([("protocol", pa.string()), ("kind", pa.string()), ("rows", pa.int64())]),
            )

    return write


def _tables(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """The same rows, as many at a time as there is room for."""
    gathered: list[pa.RecordBatch] = []
    octets = 0
    for batch in batches:
        gathered.append(batch)
        octets += batch.nbytes
        if octets >= _ROOM:
            yield pa.Table.from_batches(gathered)
            gathered, octets = [], 0
    if gathered:
        yield pa.Table.from_batches(gathered)


def _by_folder(rows: pa.Table, known: frozenset[str]) -> Iterator[tuple[str, str, pa.Table]]:
    """Rows by protocol and day, in their order, with the columns that are stored."""
    claims, days = rows.column("protocol"), compute.divide(rows.column("ts_ns"), _DAY)
    ours = compute.is_in(claims, value_set=pa.array(sorted(known)))
    protocols = compute.if_else(ours, claims, NONE)
    claimed = compute.if_else(ours, pa.scalar(None, pa.string()), claims)
    stored = rows.drop_columns(["protocol"]).append_column(_CLAIMED, claimed)
    keys = pa.table({"protocol": protocols, "day": days}).group_by(["protocol", "day"])
    for key in keys.aggregate([]).to_pylist():
        protocol, day = key["protocol"], key["day"]
        of_day = compute.is_null(days) if day is None else compute.equal(days, day)
        chosen = compute.and_(compute.equal(protocols, protocol), of_day)
        told = NONE if day is None else str(_EPOCH + timedelta(days=day))
        yield protocol, told, stored.filter(chosen)


def _write(table: pa.Table, path: Path) -> None:
    """A file that is there as a whole or not at all; whoever was quicker has written the same."""
    for folder in (path.parent.parent, path.parent):
        folder.mkdir(exist_ok=True)  # not those above: a run that was given up has taken them away
    scratch = path.with_name(f".{path.name}-{uuid4().hex}")
    parquet.write_table(table, scratch, row_group_size=len(table), store_schema=False)
    os.replace(scratch, path)


def read_compacted(spark: SparkSession, folder: Path) -> DataFrame:
    """Messages, events and losses as they were written."""
    stored = spark.read.schema(_STORED).parquet(str(folder))
    return _as_read(stored)


def read_protocol(spark: SparkSession, folder: Path, protocol: str) -> DataFrame:
    """The messages of one protocol, or of all unknown ones (NONE), from their folder alone."""
    stored = spark.read.schema(_STORED).parquet(str(folder))
    return _as_read(stored.where(F.col("protocol") == protocol)).where("kind = 'message'")


def read_losses(spark: SparkSession, folder: Path) -> DataFrame:
    """What the captures' reader could not read, from its folder alone."""
    stored = spark.read.schema(_STORED).parquet(str(folder))
    return losses_in(stored.where(F.col("protocol") == NONE))


def losses_in(rows: DataFrame) -> DataFrame:
    """What could not be read: file, offset, octets, rows, why."""
    facts = F.from_json(
        F.expr("CAST(get(frames, 1) AS STRING)"), "offset long, octets long, rows long, why string"
    )
    lost = rows.where(F.col("kind") == LOSS)
    return lost.select("file", facts.alias("facts")).select("file", "facts.*")


def _as_read(stored: DataFrame) -> DataFrame:
    return stored.withColumn("protocol", F.coalesce(_CLAIMED, "protocol")).drop(_CLAIMED)
