"""ZRE: who met whom, who was in which group when, and which messages are missing on a link."""

from __future__ import annotations

from functools import reduce

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from zwire_spark.tables.columns import Inputs, column_or_null, recording, time_of
from zwire_spark.tables.recordings import told
from zwire_spark.words import ENTERED, LEFT, MESH

SAID = """recording STRING, seq LONG, ts_ns LONG, direction STRING, protocol STRING, peer STRING,
    octets LONG, command STRING, sequence LONG, groups ARRAY<STRING>, `group` STRING, name STRING,
    node STRING"""

WRAP = 65536


def said(inputs: Inputs) -> DataFrame:
    """The messages of both ZRE dialects, with the UUID of the node that recorded them."""
    each = [_of(inputs[f"messages_{one}"], one) for one in MESH if f"messages_{one}" in inputs]
    spark = inputs["rows"].sparkSession
    nodes = inputs["recordings"].select("recording", F.expr(_plain("node")).alias("node"))
    if not each:
        return spark.createDataFrame([], SAID)
    return reduce(DataFrame.unionByName, each).join(F.broadcast(nodes), "recording", "left")


def zre_peers(inputs: Inputs) -> DataFrame:
    """The edges of the peer graph: what each node had to do with each other one."""
    mesh = said(inputs).where("peer != ''")
    edges = mesh.groupBy("recording", "node", "peer").agg(
        F.max_by("protocol", "seq").alias("protocol"),
        F.expr("max_by(name, seq) FILTER (WHERE direction = 'in' AND command = 'HELLO')").alias(
            "hello_name"
        ),
        F.min("ts_ns").alias("first_ns"),
        F.max("ts_ns").alias("last_ns"),
        F.expr("count_if(direction = 'in' AND command = 'HELLO')").alias("hellos"),
        F.expr("count_if(direction = 'in')").alias("messages_in"),
        F.expr("count_if(direction = 'out')").alias("messages_out"),
        F.expr("sum(IF(direction = 'in', octets, 0))").alias("octets_in"),
        F.expr("sum(IF(direction = 'out', octets, 0))").alias("octets_out"),
    )
    entered = (
        told(inputs)
        .where(F.col("event") == ENTERED)
        .groupBy(F.expr(recording()).alias("recording"), F.expr(_uuid("peer")).alias("peer"))
        .agg(F.max_by(F.get_json_object("facts", "$.name"), "seq").alias("told_name"))
    )
    return edges.join(entered, ["recording", "peer"], "left").select(
        "recording",
        "node",
        "peer",
        F.expr("coalesce(nullif(hello_name, ''), told_name, '')").alias("name"),
        "protocol",
        "first_ns",
        "last_ns",
        "hellos",
        "messages_in",
        "messages_out",
        "octets_in",
        "octets_out",
    )


def zre_groups(inputs: Inputs) -> DataFrame:
    """From when to when each peer was in a group, as the recording node was told.

    A greeting tells all groups anew, and a departure ends them all.
    """
    heard = said(inputs).where("direction = 'in'")
    who = ("recording", "node", "peer")
    at = (*who, "seq", "ts_ns")
    hellos = heard.where("command = 'HELLO'").select(*at, F.explode("groups").alias("group"))
    joins = heard.where("command IN ('JOIN', 'LEAVE')").select(
        *at, "group", F.expr("IF(command = 'JOIN', 'open', 'close')").alias("mark")
    )
    opened = hellos.withColumn("mark", F.lit("open")).unionByName(joins)
    groups = opened.select(*who, "group").distinct()
    nodes = inputs["recordings"].select("recording", F.expr(_plain("node")).alias("node"))
    left = (
        told(inputs)
        .where(F.col("event") == LEFT)
        .select(
            F.expr(recording()).alias("recording"),
            F.expr(_uuid("peer")).alias("peer"),
            "seq",
            "ts_ns",
        )
        .join(F.broadcast(nodes), "recording", "left")
    )
    anew = heard.where("command IN ('HELLO', 'GOODBYE')").select(*at).unionByName(left.select(*at))
    closed = anew.join(groups, list(who)).withColumn("mark", F.lit("close"))
    each = Window.partitionBy(*who, "group").orderBy("seq", "mark")  # 'close' before 'open'
    changes = (
        opened.unionByName(closed.select(opened.columns))
        .withColumn("_before", F.coalesce(F.lag("mark").over(each), F.lit("close")))
        .where("mark != _before")
        .withColumn("to_ns", F.lead("ts_ns").over(each))
        .where("mark = 'open'")
    )
    return changes.select(*who, "group", "seq", F.col("ts_ns").alias("from_ns"), "to_ns")


def zre_gaps(inputs: Inputs) -> DataFrame:
    """Where the numbers of a link do not go on by one."""
    link = Window.partitionBy("recording", "peer", "direction", "protocol").orderBy("seq")
    counted = (
        said(inputs)
        .withColumn("_before", F.lag("sequence").over(link))
        .withColumn(
            "expected",
            # some nodes of 36/ZRE leave out the 0
            F.expr(f"""CASE WHEN command = 'HELLO' THEN 1
                WHEN protocol = 'zre36' AND _before = {WRAP - 1} AND sequence = 1 THEN 1
                ELSE (_before + 1) % {WRAP} END"""),
        )
        .where("expected != sequence")
        .withColumn("_ahead", F.expr(f"pmod(sequence - expected, {WRAP})"))
    )
    incoming = F.col("direction") == "in"
    return counted.select(
        "recording",
        F.when(incoming, F.col("peer")).otherwise(F.col("node")).alias("sender"),
        F.when(incoming, F.col("node")).otherwise(F.col("peer")).alias("receiver"),
        "protocol",
        "seq",
        "ts_ns",
        F.expr(time_of("ts_ns")).alias("time"),
        "command",
        "expected",
        F.col("sequence").alias("got"),
        # a number from behind is a repetition, and nothing is missing
        F.expr(f"IF(_ahead < {WRAP // 2}, _ahead, 0)").alias("missing"),
    )


def zre_logs(inputs: Inputs) -> DataFrame:
    """What nodes reported of themselves."""
    if "messages_zrelog" not in inputs:
        return inputs["rows"].sparkSession.createDataFrame([], LOGGED)
    logs = inputs["messages_zrelog"].where("command = 'LOG'")
    latest = 253_402_300_799_999  # the last millisecond that a timestamp can hold
    return logs.select(
        F.expr(recording()).alias("recording"),
        "seq",
        "ts_ns",
        "direction",
        "level",
        "event",
        _short("node").alias("node"),
        _short("peer_log").alias("peer"),
        F.expr(f"IF(time_log <= {latest}, timestamp_millis(CAST(time_log AS LONG)), NULL)").alias(
            "logged"
        ),
        F.col("data").alias("text"),
    )


LOGGED = """recording STRING, seq LONG, ts_ns LONG, direction STRING, level STRING, event STRING,
    node STRING, peer STRING, logged TIMESTAMP, text STRING"""


def _of(messages: DataFrame, protocol: str) -> DataFrame:
    return messages.where("part = 'messages'").select(
        F.expr(recording()).alias("recording"),
        "seq",
        "ts_ns",
        "direction",
        F.lit(protocol).alias("protocol"),
        F.expr(_uuid("peer")).alias("peer"),
        "octets",
        "command",
        F.col("sequence").cast("long").alias("sequence"),
        "groups",
        "group",
        column_or_null(messages, "name", "string"),
    )


def _uuid(octets: str) -> str:
    return f"coalesce(lower(hex({octets})), '')"


def _plain(uuid: str) -> str:
    return f"lower(replace({uuid}, '-', ''))"


def _short(number: str) -> Column:
    """The 16 bits by which ZRE/LOG knows a node, in hex; empty for none."""
    return F.expr(f"IF({number} = 0, '', lower(lpad(hex(CAST({number} AS LONG)), 4, '0')))")
