"""Requests: one row each, from the client's question to the reply that it got."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from zwire_spark.tables.columns import SECOND, Inputs, name_of, recording, time_of
from zwire_spark.tables.pairing import THREAD, paired
from zwire_spark.tables.recordings import told
from zwire_spark.words import READY

PATIENCE = 60 * SECOND
"""Without an answer for this long before the recording ended, a request counts as lost."""

_WORKER = ("recorder", "worker_endpoint", "worker_octets")
_ASKED = "side = 'client' AND act = 'request'"
_GIVEN = "side = 'worker' AND act = 'request'"
_PIECE = "side = 'worker' AND act = 'partial'"
_FINISHED = "side = 'worker' AND act = 'final'"
_PASSED = "side = 'client' AND act = 'partial'"
_ANSWERED = "side = 'client' AND act = 'final'"


def requests(inputs: Inputs) -> DataFrame:
    """All requests that anybody recorded, each once for each recording."""
    summed = (
        paired(inputs)
        .groupBy(*THREAD)
        .agg(
            F.max("job").alias("job"),
            _row("min", _ASKED, "asked"),
            _row("min", _GIVEN, "given"),
            _row("max", _GIVEN, "given_last"),
            _row("min", _FINISHED, "finished"),
            _first("id", "id IS NOT NULL", "id"),
            _first("service", "service IS NOT NULL", "told_service"),
            _first(
                "act",
                "side = '' AND act IN ('expired', 'failed', 'refused', 'gone', 'lost')",
                "ended",
            ),
            _first("ts_ns", f"{_PASSED} OR {_ANSWERED}", "passed_ns"),
            _first("ts_ns", f"{_PIECE} OR {_FINISHED}", "piece_ns"),
            _first("ts_ns", _ANSWERED, "answered_ns"),
            F.max("ts_ns").alias("touched_ns"),
            _count(_PIECE, "pieces"),
            _count(_PASSED, "passed"),
            _count(_GIVEN, "deliveries"),
            _count(_ASKED, "times_asked"),
            _count(_FINISHED, "finals"),
            _count(_ANSWERED, "answers"),
            _count("side = '' AND act = 'late'", "told_late"),
            _count("side = '' AND act = 'repeated'", "repeated"),
            _sum("octets", f"{_PASSED} OR {_ANSWERED}", "passed_octets"),
            _sum("octets", f"{_PIECE} OR {_FINISHED}", "piece_octets"),
        )
    )
    summed = _taken_apart(summed).where("first_seq IS NOT NULL")
    known = summed.join(_refusals(inputs), _same_refusal(), "left")
    known = known.join(_services(inputs), list(_WORKER), "left")
    last = inputs["recordings"].select(F.col("recording").alias("_recording"), "last_ns")
    known = known.withColumn("recording", F.expr(recording())).join(
        F.broadcast(last), F.col("recording") == F.col("_recording"), "left"
    )
    return _told(known)


def _taken_apart(summed: DataFrame) -> DataFrame:
    """The rows that matter as columns: who asked, and who finished it, or else got it last."""
    return summed.withColumn("worker", F.expr("coalesce(finished, given_last)")).withColumns(
        {
            "first_seq": F.expr("least(asked.seq, given.seq)"),
            "client_protocol": F.expr("asked.protocol"),
            "client_octets": F.expr("asked.peer"),
            "client_endpoint": F.expr("asked.endpoint"),
            "worker_protocol": F.expr("worker.protocol"),
            "worker_octets": F.expr("coalesce(worker.peer, X'')"),
            "worker_endpoint": F.expr("worker.endpoint"),
            "received_ns": F.expr("asked.ts_ns"),
            "assigned_ns": F.expr("given.ts_ns"),
            "finished_ns": F.expr("finished.ts_ns"),
        }
    )


def _told(known: DataFrame) -> DataFrame:
    return known.select(
        "recording",
        F.col("first_seq").alias("seq"),
        "job",
        F.expr(
            f"coalesce(nullif({name_of('id')}, ''), concat('job:', job), concat('row:', first_seq))"
        ).alias("request_key"),
        F.expr("coalesce(told_service, worker_service, '')").alias("service"),
        _vantage().alias("seen_at"),
        F.expr("coalesce(client_protocol, '')").alias("client_protocol"),
        F.expr(name_of("client_octets")).alias("client_peer"),
        F.expr("coalesce(client_endpoint, '')").alias("client_endpoint"),
        F.expr("coalesce(worker_protocol, '')").alias("worker_protocol"),
        F.expr(name_of("nullif(worker_octets, X'')")).alias("worker_peer"),
        F.expr("coalesce(worker_endpoint, '')").alias("worker_endpoint"),
        F.expr(time_of("coalesce(received_ns, assigned_ns)")).alias("time"),
        "received_ns",
        "assigned_ns",
        F.expr("coalesce(passed_ns, piece_ns)").alias("first_reply_ns"),
        "finished_ns",
        "answered_ns",
        F.expr(
            "CASE WHEN received_ns IS NULL THEN finished_ns - assigned_ns "
            "ELSE answered_ns - received_ns END"
        ).alias("latency_ns"),
        F.expr("assigned_ns - received_ns").alias("queued_ns"),
        F.expr(
            "finished_ns - IF(given_last.ts_ns <= finished_ns, given_last.ts_ns, assigned_ns)"
        ).alias("work_ns"),
        F.expr("IF(deliveries > 0, pieces, passed)").alias("partials"),
        "deliveries",
        F.expr("greatest(deliveries - 1, 0)").alias("redeliveries"),
        F.expr("greatest(times_asked - 1, 0)").alias("retries"),
        F.expr("repeated > 0").alias("repeated"),
        F.expr("greatest(answers - 1, 0)").alias("duplicate_replies"),
        F.expr("greatest(told_late, finals - 1, 0)").alias("late_replies"),
        F.expr("coalesce(asked.octets, given.octets)").alias("request_octets"),
        F.expr("IF(answers + passed > 0, passed_octets, piece_octets)").alias("reply_octets"),
        _outcome().alias("outcome"),
    )


def _vantage() -> Column:
    """Whose recording it is: a PPP client may speak to its workers without a queue."""
    return F.expr(
        "CASE WHEN asked.direction = 'out' THEN 'client' WHEN asked IS NOT NULL THEN 'broker' "
        "WHEN given.direction = 'in' THEN 'worker' "
        "WHEN worker_protocol = 'ppp' THEN 'client' ELSE 'broker' END"
    )


def _outcome() -> Column:
    return F.expr(f"""CASE
        WHEN answered_ns IS NOT NULL THEN 'answered'
        WHEN ended IS NOT NULL THEN ended
        WHEN refusal IS NOT NULL AND job IS NULL THEN 'refused'
        WHEN finished_ns IS NOT NULL AND received_ns IS NULL THEN 'answered'
        WHEN finished_ns IS NOT NULL OR last_ns - touched_ns >= {PATIENCE} THEN 'lost'
        ELSE 'open' END""")


def _refusals(inputs: Inputs) -> DataFrame:
    """Requests that the broker refused before they had a job: who asked, under which id."""
    refused = told(inputs).where("event = 'request refused' AND job IS NULL")
    return refused.select(
        F.col("recorder").alias("_recorder"),
        F.col("endpoint").alias("_endpoint"),
        F.col("peer").alias("_peer"),
        F.expr("coalesce(get_json_object(facts, '$.request_id'), '')").alias("_id"),
        F.lit(True).alias("refusal"),
    ).distinct()


def _same_refusal() -> Column:
    return (
        (F.col("recorder") == F.col("_recorder"))
        & (F.col("client_endpoint") == F.col("_endpoint"))
        & F.col("client_octets").eqNullSafe(F.col("_peer"))
        # 28/REQREP has no ids, though a client may have put one among its addresses
        & F.col("_id").isin("", F.expr(name_of("id")))
    )


def _services(inputs: Inputs) -> DataFrame:
    """What workers registered for, by their own word or the broker's, where requests do not say."""
    registered = inputs["acts"].where(F.col("act") == READY)
    events = told(inputs).where("event IN ('worker joined', 'ready')")
    told_service = (
        "coalesce(get_json_object(facts, '$.service'), get_json_object(facts, '$.services[0]'))"
    )
    joined = events.withColumn("service", F.expr(told_service))
    columns = ("recorder", "endpoint", "peer", "seq", "service")
    both = registered.select(*columns).unionByName(joined.select(*columns))
    return (
        both.where("service IS NOT NULL")
        .groupBy(
            "recorder",
            F.col("endpoint").alias("worker_endpoint"),
            F.coalesce("peer", F.lit(b"")).alias("worker_octets"),
        )
        .agg(F.max_by("service", "seq").alias("worker_service"))
    )


def _row(which: str, condition: str, name: str) -> Column:
    """The first (`min`) or last (`max`) row of a kind."""
    row = "struct(seq, ts_ns, protocol, endpoint, peer, direction, octets)"
    return F.expr(f"{which}({row}) FILTER (WHERE {condition})").alias(name)


def _first(column: str, condition: str, name: str) -> Column:
    return F.expr(f"min_by({column}, seq) FILTER (WHERE {condition})").alias(name)


def _count(condition: str, name: str) -> Column:
    return F.expr(f"count_if({condition})").alias(name)


def _sum(column: str, condition: str, name: str) -> Column:
    return F.expr(f"coalesce(sum({column}) FILTER (WHERE {condition}), 0)").alias(name)
