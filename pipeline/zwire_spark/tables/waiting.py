"""How long requests take and how many wait: latency by minute, partial streams, depth of queues."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from zwire_spark.tables.columns import Inputs, minute_of, quantiles, recording, second_of
from zwire_spark.tables.pairing import THREAD, paired

ALL = ""
"""The service that stands for all services together."""


def latency(inputs: Inputs) -> DataFrame:
    """Percentiles by service and minute, of all requests that were answered in it."""
    answered = inputs["requests"].where("latency_ns IS NOT NULL")
    keys = ("seen_at", "service", "minute")
    measured = answered.select(
        "seen_at",
        F.expr(minute_of("coalesce(answered_ns, finished_ns)")).alias("minute"),
        F.expr("stack(2, 'latency', latency_ns, 'queued', queued_ns)").alias("measure", "value"),
        "service",
    ).where("value IS NOT NULL")
    ranked = quantiles(
        _and_all(measured), (*keys, "measure"), "value", {"p50": 50, "p90": 90, "p99": 99}
    )

    def of(measure: str, column: str) -> Column:
        return F.expr(f"max(`{column}`) FILTER (WHERE measure = '{measure}')")

    return ranked.groupBy(*keys).agg(
        of("latency", "count").alias("requests"),
        of("latency", "p50").alias("p50_ns"),
        of("latency", "p90").alias("p90_ns"),
        of("latency", "p99").alias("p99_ns"),
        of("latency", "max").alias("max_ns"),
        of("queued", "p50").alias("queued_p50_ns"),
        of("queued", "p99").alias("queued_p99_ns"),
        F.expr("max(`count`) FILTER (WHERE measure = 'latency') / 60D").alias("per_second"),
    )


def streams(inputs: Inputs) -> DataFrame:
    """Replies in pieces: how many, how large, and the longest wait between two of them.

    Where both sides were recorded, the worker's pieces count: clients of other dialects get them
    put together.
    """
    request = Window.partitionBy(*THREAD)
    exchanged = paired(inputs).where("side != '' AND act IN ('request', 'partial', 'final')")
    streamed = exchanged.where("act = 'partial'").select(*THREAD).distinct()
    pieces = (
        exchanged.join(streamed, list(THREAD), "left_semi")
        .withColumn("_first", F.min(F.when(F.col("act") == "request", F.col("seq"))).over(request))
        .withColumn("_worker", F.max(F.expr("side = 'worker'")).over(request))
        .where("act != 'request' AND _first IS NOT NULL AND (side = 'worker') = _worker")
    )
    in_order = request.orderBy("seq")
    waits = pieces.withColumn("_gap", F.col("ts_ns") - F.lag("ts_ns").over(in_order))
    found = (
        waits.groupBy(*THREAD, "_first")
        .agg(
            F.expr("count_if(act = 'partial')").alias("pieces"),
            F.expr("min(ts_ns) FILTER (WHERE act = 'partial')").alias("first_ns"),
            F.expr("max(ts_ns) FILTER (WHERE act = 'partial')").alias("last_ns"),
            F.expr("min(ts_ns) FILTER (WHERE act = 'final')").alias("final_ns"),
            F.max("_gap").alias("max_gap_ns"),
            F.sum("octets").alias("octets"),
        )
        .where("pieces > 0")
        .select(
            F.expr(recording()).alias("recording"),
            F.col("_first").alias("seq"),
            "pieces",
            "first_ns",
            "last_ns",
            "final_ns",
            "max_gap_ns",
            "octets",
            F.expr("final_ns IS NOT NULL").alias("complete"),
        )
    )
    named = inputs["requests"].select("recording", "seq", "job", "request_key", "service")
    return named.join(found, ["recording", "seq"])


def queue_depth(inputs: Inputs) -> DataFrame:
    """How many requests waited and were being worked on at a broker, in seconds that saw a change."""
    rows = paired(inputs).withColumn("recording", F.expr(recording()))
    known = inputs["requests"].where("seen_at = 'broker' AND outcome != 'refused'")
    request = Window.partitionBy(*THREAD).orderBy("seq")
    steps = rows.withColumn("_nth", F.row_number().over(request)).withColumn(
        "state",
        F.expr(
            """CASE
            WHEN side = 'client' AND act = 'request' AND _nth = 1 THEN 'waiting'
            WHEN side = 'worker' AND act = 'request' THEN 'working'
            WHEN side = '' AND act = 'redelivered' THEN 'waiting'
            WHEN act = 'final' THEN 'over'
            WHEN side = '' AND act IN ('expired', 'failed', 'refused', 'gone', 'lost') THEN 'over' END"""
        ),
    )
    passed = request.rowsBetween(Window.unboundedPreceding, -1)
    moves = (
        steps.where("state IS NOT NULL")
        .withColumn("_opened", F.first("seq").over(request))
        .withColumn("_before", F.lag("state").over(request))
        .withColumn("_over", F.coalesce(F.max(F.expr("state = 'over'")).over(passed), F.lit(False)))
        .where("NOT _over")
        .select(
            "recording",
            F.col("_opened").alias("opened"),
            "seq",
            "ts_ns",
            _step("waiting"),
            _step("working"),
        )
        .where("waiting != 0 OR working != 0")
    )
    requests = known.select("recording", F.col("seq").alias("opened"), "service")
    placed = _and_all(moves.join(requests, ["recording", "opened"]))
    queue = Window.partitionBy("recording", "service")
    so_far = queue.orderBy("seq").rowsBetween(Window.unboundedPreceding, 0)
    levels = placed.select(
        "recording",
        "service",
        "seq",
        F.expr(second_of("ts_ns")).alias("second"),
        F.sum("waiting").over(so_far).alias("depth"),
        F.sum("working").over(so_far).alias("at_work"),
        F.col("waiting").alias("_waiting"),
    )
    return levels.groupBy("recording", "service", "second").agg(
        F.max_by("depth", "seq").alias("depth"),
        # what the second began with counts too
        F.max(F.expr("greatest(depth, depth - _waiting)")).alias("max_depth"),
        F.max_by("at_work", "seq").alias("in_flight"),
    )


def _step(state: str) -> Column:
    return F.expr(f"int(state = '{state}') - int(coalesce(_before = '{state}', false))").alias(
        state
    )


def _and_all(rows: DataFrame) -> DataFrame:
    """Each row for its service, and once more for all services."""
    both = F.expr(
        f"CASE WHEN service = '{ALL}' THEN array('{ALL}') ELSE array(service, '{ALL}') END"
    )
    return rows.withColumn("service", F.explode(both))
