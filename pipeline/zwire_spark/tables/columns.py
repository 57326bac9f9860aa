"""Columns that many tables have, and exact quantiles: Spark SQL for what names, times and sizes need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

Inputs: TypeAlias = Mapping[str, DataFrame]
"""The tables that are there already, by name."""

SECOND = 1_000_000_000
MINUTE = 60 * SECOND


def name_of(octets: str) -> str:
    """An identity or id as people can read it: text where it is text, else hex; empty without."""
    return (
        f"CASE WHEN {octets} IS NULL THEN '' "
        # not `$`, which would let a line break at the end pass
        f"WHEN CAST({octets} AS STRING) RLIKE '^[!-~]+\\\\z' THEN CAST({octets} AS STRING) "
        f"ELSE lower(hex({octets})) END"
    )


def recording(recorder: str = "recorder") -> str:
    """A recording's number in 16 hex digits."""
    return f"lower(lpad(hex({recorder}), 16, '0'))"


def time_of(nanoseconds: str) -> str:
    """A time as Spark has it: microseconds, whatever the session's time zone."""
    return f"timestamp_micros({nanoseconds} DIV 1000)"


def minute_of(nanoseconds: str) -> str:
    """The minute that a time is in."""
    return f"timestamp_micros(({nanoseconds} DIV {MINUTE}) * {MINUTE // 1000})"


def second_of(nanoseconds: str) -> str:
    """The second that a time is in."""
    return f"timestamp_micros(({nanoseconds} DIV {SECOND}) * {SECOND // 1000})"


def quantiles(
    values: DataFrame, keys: Sequence[str], value: str, wanted: Mapping[str, int]
) -> DataFrame:
    """For each group its `count`, `sum` and `max`, and percentiles by nearest rank, all exact.

    Equal values are counted first and then sorted, so that memory is bounded and no order of
    arrival shows in the result.
    """
    counted = values.groupBy(*keys, value).agg(F.count("*").alias("_n"))
    group = Window.partitionBy(*keys)
    upto = group.orderBy(value).rowsBetween(Window.unboundedPreceding, 0)
    ranked = counted.select(
        *keys,
        F.col(value).alias("_value"),
        "_n",
        F.sum("_n").over(upto).alias("_rank"),
        F.sum("_n").over(group).alias("_all"),
    )
    return ranked.groupBy(*keys).agg(
        F.sum("_n").alias("count"),
        F.sum(F.col("_n") * F.col("_value")).alias("sum"),
        F.max("_value").alias("max"),
        *(_nearest(percent).alias(name) for name, percent in wanted.items()),
    )


def _nearest(percent: int) -> Column:
    return F.expr(f"min(_value) FILTER (WHERE _rank * 100 >= _all * {percent})")


def column_or_null(frame: DataFrame, name: str, kind: str) -> Column:
    """A column that may be missing where none of a protocol's messages has such a field."""
    if name in frame.columns:
        return F.col(name)
    return F.lit(None).cast(kind).alias(name)
