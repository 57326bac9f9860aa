"""Signs of life: when workers and peers showed that they are there, came, and went."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from zwire_spark.tables.columns import Inputs, column_or_null
from zwire_spark.tables.recordings import told
from zwire_spark.words import DISCONNECT, ENTERED, HEARTBEAT, LEFT, MESH, READY, WORKER_EVENTS

SIGNS = """recorder LONG, seq LONG, ts_ns LONG, family STRING, protocol STRING, endpoint STRING,
    peer BINARY, mark STRING, how STRING, name STRING"""

NODES, WORKERS = "nodes", "workers"


def signs(inputs: Inputs) -> DataFrame:
    """What shows that somebody is there (mark 'sign'), comes ('begin', 'hello') or goes ('end')."""
    return _of_workers(inputs).unionByName(_of_peers(inputs)).unionByName(_from_events(inputs))


def beats(inputs: Inputs) -> DataFrame:
    """All heartbeats, PINGs and beacons, with their direction."""
    columns = ("recorder", "seq", "ts_ns", "protocol", "endpoint", "peer", "direction")
    found = inputs["acts"].where(F.col("act") == HEARTBEAT).select(*columns)
    for protocol in MESH:
        if f"messages_{protocol}" in inputs:
            messages = inputs[f"messages_{protocol}"].withColumn("protocol", F.lit(protocol))
            pings = messages.where("part = 'messages' AND command IN ('PING', 'PING-OK')")
            found = found.unionByName(pings.select(*columns))
            found = found.unionByName(_beacons(messages).select(*columns))
    return found


def _of_workers(inputs: Inputs) -> DataFrame:
    said = inputs["acts"].where("side = 'worker'")
    by_worker = F.col("role") == "worker"
    mark = (
        F.when(F.col("act") == DISCONNECT, "end")
        .when(by_worker & (F.col("act") == READY), "begin")
        .when(by_worker, "sign")
    )
    how = F.when(F.col("act") == DISCONNECT, F.when(by_worker, "disconnect").otherwise("sent away"))
    return said.select(
        "recorder",
        "seq",
        "ts_ns",
        F.lit(WORKERS).alias("family"),
        "protocol",
        "endpoint",
        "peer",
        mark.alias("mark"),
        how.alias("how"),
        F.when(F.col("act") == READY, F.col("service")).alias("name"),
    ).where("mark IS NOT NULL")


def _of_peers(inputs: Inputs) -> DataFrame:
    found = inputs["rows"].sparkSession.createDataFrame([], SIGNS)
    for protocol in MESH:
        if f"messages_{protocol}" not in inputs:
            continue
        messages = inputs[f"messages_{protocol}"].withColumn("protocol", F.lit(protocol))
        heard = messages.where("part = 'messages' AND direction = 'in'")
        said = heard.withColumns(
            {
                "mark": F.expr(
                    "CASE command WHEN 'HELLO' THEN 'hello' WHEN 'GOODBYE' THEN 'end' ELSE 'sign' END"
                ),
                "how": F.expr("CASE command WHEN 'GOODBYE' THEN 'goodbye' END"),
                "name": column_or_null(messages, "name", "string"),
            }
        )
        beacons = (
            _beacons(messages)
            .where("direction = 'in'")
            .withColumns(
                {
                    "mark": F.expr("IF(port = 0, 'end', 'sign')"),
                    "how": F.expr("IF(port = 0, 'goodbye', NULL)"),
                    "name": F.lit(None).cast("string"),
                }
            )
        )
        for signs in (said, beacons):
            placed = signs.withColumn("family", F.lit(NODES)).withColumn("endpoint", F.lit(""))
            found = found.unionByName(placed.select(found.columns))
    return found


def _beacons(messages: DataFrame) -> DataFrame:
    """Beacons by whom they announce; they come from no ZeroMQ peer."""
    announced = messages.where("part LIKE 'beacon%'")
    return announced.withColumns(
        {
            "peer": F.coalesce("peer", column_or_null(messages, "uuid", "binary")),
            "port": column_or_null(messages, "port", "long"),
        }
    )


def _from_events(inputs: Inputs) -> DataFrame:
    gone = F.create_map(*(F.lit(text) for pair in WORKER_EVENTS.items() for text in pair))
    of_worker = F.col("event").isin("worker joined", *WORKER_EVENTS)
    ends = F.col("event").isin(LEFT, *WORKER_EVENTS)
    events = told(inputs).where(of_worker | F.col("event").isin(LEFT, ENTERED))
    why = F.coalesce(F.get_json_object("facts", "$.why"), F.lit("left"))
    return events.where("peer IS NOT NULL").select(
        "recorder",
        "seq",
        "ts_ns",
        F.when(of_worker, WORKERS).otherwise(NODES).alias("family"),
        F.lit(None).cast("string").alias("protocol"),
        F.when(of_worker, F.col("endpoint")).otherwise("").alias("endpoint"),
        "peer",
        F.when(ends, "end").otherwise("sign").alias("mark"),
        F.when(ends, F.coalesce(F.try_element_at(gone, "event"), why)).alias("how"),
        F.when(of_worker, F.get_json_object("facts", "$.service"))
        .otherwise(F.get_json_object("facts", "$.name"))
        .alias("name"),
    )
