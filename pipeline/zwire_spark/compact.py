"""Captures as Parquet: the same rows, in a folder for each protocol and day."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from zwire_spark.rows import LOSS, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Collection

    from pyspark.sql import Column, DataFrame, SparkSession

NONE = "-"
"""The folder of what names no protocol that we know, and of what has no time."""

# A message can claim any protocol: only those that we know get a folder of their own.
_CLAIMED = "claimed"
_STORED = f"{SCHEMA}, {_CLAIMED} string, date string"


def compacted(rows: DataFrame, known: Collection[str]) -> DataFrame:
    """The rows with the columns that their folders are named by."""
    ours = F.col("protocol").isin(*known)
    return rows.withColumns(
        {
            _CLAIMED: F.when(~ours, F.col("protocol")),
            "protocol": F.when(ours, F.col("protocol")).otherwise(NONE),
            "date": F.coalesce(day_of("ts_ns"), F.lit(NONE)),
        }
    )


def write_compacted(rows: DataFrame, known: Collection[str], folder: Path) -> None:
    """Write rows, losses among them, without moving any between Spark's tasks."""
    (
        compacted(rows, known)
        .write.mode("error")
        .partitionBy("protocol", "date")
        .parquet(str(folder))
    )


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


def day_of(nanoseconds: str) -> Column:
    """The day in UTC, as text."""
    return F.expr(f"date_format(timestamp_micros({nanoseconds} DIV 1000), 'yyyy-MM-dd')")


def _as_read(stored: DataFrame) -> DataFrame:
    return stored.withColumn("protocol", F.coalesce(_CLAIMED, "protocol")).drop(_CLAIMED)
