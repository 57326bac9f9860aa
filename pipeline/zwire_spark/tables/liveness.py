"""Who was there from when to when, and how regularly hearts beat."""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from zwire_spark.tables.columns import (
    SECOND,
    Inputs,
    name_of,
    quantiles,
    recording,
    time_of,
)
from zwire_spark.tables.recordings import told
from zwire_spark.tables.signs import NODES, beats, signs
from zwire_spark.words import ENTERED

SILENCE = {"workers": 10 * SECOND, NODES: 30 * SECOND}
"""So long may somebody be silent where no broker and no node tells when it gave up on him."""


def liveness(inputs: Inputs) -> DataFrame:
    """Intervals in which a worker or peer was there.

    One begins with a registration or greeting, or with the first that is heard of somebody who
    was there before the recording. A goodbye ends it, the word of the broker or node, or silence;
    what comes after that is late and opens nothing, unless it is a registration or greeting.
    """
    who = Window.partitionBy("recorder", "family", "endpoint", "peer").orderBy("seq")
    passed = who.rowsBetween(Window.unboundedPreceding, -1)
    so_far = who.rowsBetween(Window.unboundedPreceding, 0)
    recordings = inputs["recordings"].select(F.col("recording").alias("_in"), "last_ns")
    heard = (
        signs(inputs)
        .join(F.broadcast(_told_by(inputs)), "recorder", "left")
        .withColumn("_last_mark", F.last(F.expr("nullif(mark, 'sign')"), True).over(passed))
        .withColumn("_gap", F.col("ts_ns") - F.lag("ts_ns").over(who))
        .withColumn(
            "_silent",
            F.expr(
                f"coalesce(telling, false) = false AND _gap > IF(family = '{NODES}', "
                f"{SILENCE[NODES]}, {SILENCE['workers']})"
            ),
        )
        .withColumn(
            "_starts",
            F.expr("""CASE
                WHEN mark = 'end' THEN false
                WHEN _gap IS NULL THEN true
                WHEN _last_mark = 'end' THEN mark IN ('begin', 'hello')
                ELSE _silent OR (mark = 'hello' AND _last_mark = 'hello') END"""),
        )
        .withColumn("_number", F.sum(F.expr("int(_starts)")).over(so_far))
        .where("_number > 0 AND (_starts OR _last_mark IS NULL OR _last_mark != 'end')")
    )
    keys = ("recorder", "family", "endpoint", "peer", "_number")
    intervals = heard.groupBy(*keys).agg(
        F.max_by("protocol", F.expr("IF(protocol IS NULL, -1, seq)")).alias("protocol"),
        F.max_by("name", F.expr("IF(name IS NULL OR name = '', -1, seq)")).alias("name"),
        F.min("ts_ns").alias("from_ns"),
        F.max("ts_ns").alias("heard_ns"),
        F.count("*").alias("signs"),
        F.max("how").alias("how"),
        F.max(F.expr("IF(mark = 'end', ts_ns, NULL)")).alias("end_ns"),
        F.min_by("_silent", "seq").alias("_after_silence"),
        F.max(F.coalesce("telling", F.lit(False))).alias("telling"),
    )
    following = Window.partitionBy("recorder", "family", "endpoint", "peer").orderBy("_number")
    known = (
        intervals.withColumn("_next_silent", F.lead("_after_silence").over(following))
        .withColumn("_next", F.lead("_number").over(following))
        .withColumn("recording", F.expr(recording()))
        .join(F.broadcast(recordings), F.col("recording") == F.col("_in"), "left")
        .withColumn(
            "ended_by",
            F.expr(f"""CASE
                WHEN end_ns IS NOT NULL THEN how
                WHEN _next IS NOT NULL THEN IF(_next_silent, 'silence', 'restarted')
                WHEN NOT telling AND last_ns - heard_ns > IF(family = '{NODES}',
                    {SILENCE[NODES]}, {SILENCE['workers']}) THEN 'silence'
                ELSE 'recording ended' END"""),
        )
    )
    return known.select(
        "recording",
        F.expr("coalesce(protocol, '')").alias("protocol"),
        "endpoint",
        F.expr(name_of("peer")).alias("peer"),
        F.expr("coalesce(name, '')").alias("name"),
        F.expr(time_of("from_ns")).alias("time"),
        "from_ns",
        F.expr("IF(ended_by = 'recording ended', last_ns, heard_ns)").alias("to_ns"),
        "ended_by",
        "signs",
    )


def heartbeats(inputs: Inputs) -> DataFrame:
    """How often each peer's heart beats: usual and longest gap, and how many were late."""
    keys = ("recorder", "protocol", "endpoint", "peer", "direction")
    each = Window.partitionBy(*keys).orderBy("seq")
    beating = beats(inputs).withColumn("peer", F.coalesce("peer", F.lit(b"")))
    gaps = beating.withColumn("gap", F.col("ts_ns") - F.lag("ts_ns").over(each))
    usual = quantiles(gaps.where("gap IS NOT NULL"), keys, "gap", {"usual_ns": 50})
    return (
        gaps.join(usual.select(*keys, "usual_ns"), list(keys), "left")
        .groupBy(*keys)
        .agg(
            F.count("*").alias("beats"),
            F.min("ts_ns").alias("first_ns"),
            F.max("ts_ns").alias("last_ns"),
            F.max("usual_ns").alias("usual_ns"),
            F.max("gap").alias("max_gap_ns"),
            F.expr("count_if(gap > 2 * usual_ns)").alias("late"),
        )
        .select(
            F.expr(recording()).alias("recording"),
            "protocol",
            "endpoint",
            F.expr(name_of("nullif(peer, X'')")).alias("peer"),
            "direction",
            "beats",
            "first_ns",
            "last_ns",
            "usual_ns",
            "max_gap_ns",
            "late",
        )
    )


def _told_by(inputs: Inputs) -> DataFrame:
    """The recordings whose broker or node tells itself who comes and goes."""
    tells = F.col("event").isin("worker joined", ENTERED)
    return told(inputs).groupBy("recorder").agg(F.bool_or(tells).alias("telling"))
