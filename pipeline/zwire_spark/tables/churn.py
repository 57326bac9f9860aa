"""Who came and went: by minute, and by worker and peer."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from zwire_spark.tables.columns import Inputs, minute_of


def churn(inputs: Inputs) -> DataFrame:
    """How many workers and peers came and went in each minute."""
    intervals = inputs["liveness"]
    came = intervals.select("recording", "protocol", F.expr(minute_of("from_ns")).alias("minute"))
    went = intervals.where("ended_by != 'recording ended'").select(
        "recording", "protocol", F.expr(minute_of("to_ns")).alias("minute")
    )
    both = came.withColumn("joined", F.lit(1)).unionByName(
        went.withColumn("left", F.lit(1)), allowMissingColumns=True
    )
    return both.groupBy("recording", "protocol", "minute").agg(
        F.count("joined").alias("joined"), F.count("left").alias("left")
    )


def peer_churn(inputs: Inputs) -> DataFrame:
    """How often each worker and peer came, went and came back, and how long it was away.

    Whoever comes back in another version of its protocol is still the same one.
    """
    keys = ("recording", "endpoint", "peer")
    in_order = Window.partitionBy(*keys).orderBy("from_ns", "to_ns")
    # Two threads may note in another order than they looked at the clock: never below 0.
    away = F.greatest(F.col("from_ns") - F.lag("to_ns").over(in_order), F.lit(0))
    intervals = inputs["liveness"].withColumn(
        "_away", F.when(F.lag("to_ns").over(in_order).isNotNull(), away)
    )
    return (
        intervals.groupBy(*keys)
        .agg(
            _last_known("protocol"),
            _last_known("name"),
            F.min("from_ns").alias("first_ns"),
            F.max("to_ns").alias("last_ns"),
            F.count("*").alias("arrivals"),
            F.expr("count_if(ended_by != 'recording ended')").alias("departures"),
            F.expr("count_if(ended_by = 'restarted')").alias("restarts"),
            F.sum(F.col("to_ns") - F.col("from_ns")).alias("present_ns"),
            F.max("_away").alias("longest_absence_ns"),
            F.expr("max(struct(from_ns, to_ns, ended_by)).ended_by").alias("ended_by"),
        )
        .select(
            *keys,
            "protocol",
            "name",
            "first_ns",
            "last_ns",
            "arrivals",
            "departures",
            F.expr("arrivals - 1 - restarts").alias("returns"),
            "restarts",
            "present_ns",
            "longest_absence_ns",
            "ended_by",
        )
    )


def _last_known(column: str) -> Column:
    """What it was called in the last interval in which that is known; empty where it never is."""
    return F.expr(f"max(struct(IF({column} = '', -1, from_ns), {column})).{column}").alias(column)
