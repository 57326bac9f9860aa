"""Which messages belong to one request: by the recorder's job number, else by what dialects offer.

Rows with a job are together by it, on both sides of a broker and whatever dialects are bridged.
Others (a proxy recorded them, or they were refused) are followed on their side alone: by id or
address stack where the dialect has one, else by their order.
"""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from zwire_spark.tables.columns import Inputs
from zwire_spark.tables.recordings import told
from zwire_spark.words import FINAL, PARTIAL, REQUEST, REQUEST_EVENTS

THREAD = ("recorder", "thread")
"""What all rows of one request, and no others, have in common."""

_JOB = "coalesce(CAST(job AS STRING), '')"
_ALIKE = ("recorder", "endpoint", "protocol", "part", "peer", "key", "_service")


def with_threads(acts: DataFrame) -> DataFrame:
    """The acts with the thread that they belong to: the job's number where there is one."""
    exchanged = F.col("act").isin(REQUEST, PARTIAL, FINAL) & F.col("job").isNull()
    others = acts.where(~exchanged).withColumn("thread", F.expr(_JOB))
    return others.unionByName(_followed(acts.where(exchanged)))


def paired(inputs: Inputs) -> DataFrame:
    """The acts that belong to requests, and what the broker told of them (side '')."""
    exchanged = inputs["acts"].where(F.col("act").isin(REQUEST, PARTIAL, FINAL))
    return exchanged.unionByName(_told_of_requests(inputs, exchanged))


def _followed(acts: DataFrame) -> DataFrame:
    """Rows in threads: the same key from one request to the last before it is asked again.

    A final reply is counted; a request begins a new thread when there were finals since the last
    one, and is a retry otherwise. Where nothing but the order tells (REQ clients, MDP), the nth
    reply of a service belongs to the nth request for it.
    """
    ordered = F.expr("size(key) = 0")
    is_request = F.col("act") == REQUEST
    each = Window.partitionBy(*_ALIKE).orderBy("seq")
    before = each.rowsBetween(Window.unboundedPreceding, -1)
    upto = each.rowsBetween(Window.unboundedPreceding, 0)
    nth = F.count(F.when(is_request, 1)).over(upto) - 1
    number = F.when(ordered, F.when(is_request, nth).otherwise(F.col("_finals"))).otherwise(
        F.max(F.when(is_request, F.col("_finals"))).over(upto)
    )
    thread = F.concat_ws(
        "/",
        "endpoint",
        "protocol",
        "part",
        F.hex("peer"),
        F.expr("array_join(transform(key, octets -> hex(octets)), '.')"),
        "_service",
        number.cast("string"),
    )
    return (
        acts.withColumn("_service", F.when(ordered, F.coalesce("service", F.lit(""))).otherwise(""))
        .withColumn("_finals", F.count(F.when(F.col("act") == FINAL, 1)).over(before))
        .withColumn("thread", thread)
        .drop("_service", "_finals")
    )


def _told_of_requests(inputs: Inputs, like: DataFrame) -> DataFrame:
    names = F.create_map(*(F.lit(text) for pair in REQUEST_EVENTS.items() for text in pair))
    events = told(inputs).where(F.col("event").isin(*REQUEST_EVENTS) & F.col("job").isNotNull())
    known = {
        "recorder": F.col("recorder"),
        "seq": F.col("seq"),
        "ts_ns": F.col("ts_ns"),
        "job": F.col("job"),
        "side": F.lit(""),
        "act": F.element_at(names, F.col("event")),
        "service": F.get_json_object("facts", "$.service"),
        "thread": F.expr(_JOB),
    }
    return events.select(
        *(
            known.get(one.name, F.lit(None)).cast(one.dataType).alias(one.name)
            for one in like.schema.fields
        )
    )
