"""All messages of the request-reply dialects in one vocabulary, one row each."""

from __future__ import annotations

from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from zwire_spark.tables.columns import Inputs, column_or_null
from zwire_spark.tables.pairing import with_threads
from zwire_spark.words import STACKS, WORDS, Words

ACTS = """recorder LONG, seq LONG, ts_ns LONG, direction STRING, endpoint STRING, protocol STRING,
    part STRING, role STRING, peer BINARY, job LONG, octets LONG, side STRING, act STRING,
    service STRING, id BINARY, key ARRAY<BINARY>, thread STRING"""


def acts(inputs: Inputs) -> DataFrame:
    """What was asked, answered and signalled, by the names of `zwire_spark.words`."""
    spoken = [
        _in_common_words(inputs[f"messages_{words.protocol}"], words)
        for words in WORDS
        if f"messages_{words.protocol}" in inputs
    ]
    if not spoken:
        return inputs["rows"].sparkSession.createDataFrame([], ACTS)
    return with_threads(reduce(DataFrame.unionByName, spoken))


def _in_common_words(messages: DataFrame, words: Words) -> DataFrame:
    act = F.create_map(
        *(
            F.lit(text)
            for (role, command), act in words.acts.items()
            for text in (f"{role} {command}", act)
        )
    )
    named = messages.where(F.col("part") == words.part).select(
        "recorder",
        "seq",
        "ts_ns",
        "direction",
        "endpoint",
        F.lit(words.protocol).alias("protocol"),
        "part",
        "role",
        "peer",
        "job",
        "octets",
        F.lit(words.side).alias("side"),
        F.try_element_at(act, F.concat_ws(" ", "role", "command")).alias("act"),
        _text(messages, words.service).alias("service"),
        _octets(messages, words.id).alias("id"),
        key_of(messages, words.key).alias("key"),
    )
    return named.where(F.col("act").isNotNull())


def key_of(messages: DataFrame, fields: tuple[str, ...]) -> Column:
    """The fields by which a reply finds its request, as one array; empty where there are none."""
    none = F.array().cast("array<binary>")
    if not fields:
        return none
    if fields[0] in STACKS:
        return F.coalesce(column_or_null(messages, fields[0], "array<binary>"), none)
    return F.array(*(column_or_null(messages, name, "binary") for name in fields))


def _text(messages: DataFrame, name: str) -> Column:
    return column_or_null(messages, name, "string") if name else F.lit(None).cast("string")


def _octets(messages: DataFrame, name: str) -> Column:
    if name in STACKS:
        return F.get(column_or_null(messages, name, "array<binary>"), F.lit(0))
    return column_or_null(messages, name, "binary") if name else F.lit(None).cast("binary")
