"""Recordings and events: what recorders, brokers and nodes told beside the messages."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from zwire_spark.tables.columns import Inputs, name_of, recording, time_of


def told(inputs: Inputs) -> DataFrame:
    """All events with their name and their facts as JSON text, before anything is made readable."""
    events = inputs["rows"].where("kind = 'event'")
    return events.select(
        "recorder",
        "seq",
        "ts_ns",
        "endpoint",
        "peer",
        "job",
        F.expr("coalesce(make_valid_utf8(CAST(get(frames, 0) AS STRING)), '')").alias("event"),
        F.expr("coalesce(make_valid_utf8(CAST(get(frames, 1) AS STRING)), '{}')").alias("facts"),
    )


def events(inputs: Inputs) -> DataFrame:
    """What happened: one row an event."""
    return told(inputs).select(
        F.expr(recording()).alias("recording"),
        "ts_ns",
        F.expr(time_of("ts_ns")).alias("time"),
        "seq",
        "event",
        "endpoint",
        F.expr(
            f"coalesce(nullif({name_of('peer')}, ''), get_json_object(facts, '$.peer'), '')"
        ).alias("peer"),
        _fact("service"),
        "job",
        _fact("request_id"),
        _fact("detail"),
        "facts",
    )


def recordings(inputs: Inputs) -> DataFrame:
    """Who recorded, when, and whether to the end."""
    rows = inputs["rows"]
    spans = rows.groupBy("recorder").agg(
        F.min("ts_ns").alias("first_ns"),
        F.max("ts_ns").alias("last_ns"),
        F.min("seq").alias("first_seq"),
        F.max("seq").alias("last_seq"),
        F.count("*").alias("rows"),
        F.expr("count_if(kind = 'event')").alias("events"),
    )
    own = (
        told(inputs)
        .groupBy("recorder")
        .agg(
            _first_fact("name", "recording-began"),
            _first_fact("host", "recording-began"),
            _first_fact("pid", "recording-began"),
            F.expr(
                "coalesce(max(get_json_object(facts, '$.uuid'))"
                " FILTER (WHERE event IN ('node', 'recording-began')), '')"
            ).alias("node"),
            F.expr(
                "coalesce(max_by(get_json_object(facts, '$.name'), seq)"
                " FILTER (WHERE event = 'node'), '')"
            ).alias("node_name"),
            F.expr("bool_or(event = 'recording-ended')").alias("ended"),
        )
    )
    whole = F.expr("coalesce(ended, false) AND rows = last_seq - first_seq + 1 AND first_seq = 1")
    return spans.join(own, "recorder", "left").select(
        F.expr(recording()).alias("recording"),
        F.expr("coalesce(name, '')").alias("name"),
        F.expr("coalesce(host, '')").alias("host"),
        F.expr("try_cast(pid AS LONG)").alias("pid"),
        F.expr("coalesce(node, '')").alias("node"),
        F.expr("coalesce(node_name, '')").alias("node_name"),
        "first_ns",
        "last_ns",
        F.expr(time_of("first_ns")).alias("first_time"),
        F.expr(time_of("last_ns")).alias("last_time"),
        "rows",
        "events",
        "first_seq",
        "last_seq",
        whole.alias("complete"),
    )


def _fact(name: str) -> Column:
    return F.expr(f"coalesce(get_json_object(facts, '$.{name}'), '')").alias(name)


def _first_fact(name: str, event: str) -> Column:
    return F.expr(
        f"min_by(get_json_object(facts, '$.{name}'), seq) FILTER (WHERE event = '{event}')"
    ).alias(name)
