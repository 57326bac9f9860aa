"""Traffic: how many messages of which kind and size went which way, by minute."""

from __future__ import annotations

from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from zwire_spark.tables.columns import Inputs, minute_of, quantiles, recording

_KEYS = ("recording", "protocol", "part", "command", "direction", "minute")
_NONE = """recording STRING, protocol STRING, part STRING, command STRING, direction STRING,
    minute TIMESTAMP, octets LONG"""


def traffic(inputs: Inputs) -> DataFrame:
    """Messages and octets by protocol, part, command, direction and minute."""
    each = [
        messages.select(
            F.expr(recording()).alias("recording"),
            F.lit(name.removeprefix("messages_")).alias("protocol"),
            "part",
            "command",
            "direction",
            F.expr(minute_of("ts_ns")).alias("minute"),
            "octets",
        )
        for name, messages in inputs.items()
        if name.startswith("messages_")
    ]
    spark = inputs["rows"].sparkSession
    sizes = reduce(DataFrame.unionByName, each, spark.createDataFrame([], _NONE))
    ranked = quantiles(sizes, _KEYS, "octets", {"p50": 50})
    return ranked.select(
        *_KEYS,
        F.col("count").alias("messages"),
        F.col("sum").alias("octets"),
        F.col("p50").alias("p50_octets"),
        F.col("max").alias("max_octets"),
    )
