"""Decoding in Spark by the generated SQL: messages as columns, and why the others are none."""

from __future__ import annotations

from functools import cache, reduce
from itertools import count
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from zwire.errors import ZwireError
from zwire_spark.rows import ARROW
from zwire_sql import PARTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

REFUSED = {
    "code": "string",
    "wrong_message": "string",
    "wrong_field": "string",
    "wrong_frame": "int",
    "wrong_offset": "int",
}
"""Why a message is none; all null where it is one."""

UNKNOWN = "protocol"
CUT = "cut"
"""Codes of our own: no such protocol is known; what was not recorded may be what is missing."""

_TAKEN = frozenset({*ARROW.names, *REFUSED, "time", "part", "command", "date"})
_TOLD = ("recorder", "seq", "ts_ns", "role", "peer", "job", "lengths", "octets", "file", "command")
_views = count()


class RowsAstray(ZwireError):
    """Not every message was either decoded or put into quarantine: a fault of ours."""


def check_sum(what: str, messages: int, decoded: int, quarantined: int) -> None:
    """Raise RowsAstray unless each message came out on one side."""
    if messages != decoded + quarantined:
        raise RowsAstray(
            f"{what}: {messages} messages were read, {decoded} decoded and {quarantined} put into "
            "quarantine; the captures are untouched, and the result was not published: "
            "please report this"
        )


def parts_of(protocol: str) -> tuple[str, ...]:
    """The parts of a protocol that can be decoded, in their order."""
    return tuple(name for name, part in PARTS.items() if part.protocol == protocol)


def decode(rows: DataFrame, part: str) -> DataFrame:
    """All rows with `command` and the part's fields, or with the reasons of REFUSED.

    The rows need `frames`, `octets` and `role`; all their columns stay.
    """
    spec = PARTS[part]
    # Set aside under other names: a message may have fields called like them.
    aside = {name: f"row_{name}" for name in rows.columns if name not in ("frames", "role")}
    view = f"zwire_rows_{next(_views)}"
    rows.withColumnsRenamed(aside).createOrReplaceTempView(view)
    decoded = rows.sparkSession.sql(spec.over(view))
    names = column_names(part)
    cut = "aggregate(frames, 0L, (sum, frame) -> sum + octet_length(frame)) < row_octets"
    return decoded.select(
        *(F.col(hidden).alias(name) for name, hidden in aside.items()),
        "frames",
        "role",
        "command",
        F.expr(f"IF(code IS NOT NULL AND {cut}, '{CUT}', code)").alias("code"),
        *(name for name in REFUSED if name != "code"),
        *(F.col(field).alias(names[field]) for field, _ in spec.fields),
    )


def messages_of(protocol: str, rows: Mapping[str, DataFrame]) -> DataFrame:
    """One table of a protocol's messages, from the rows of its parts, as far as there are any.

    Its columns are always the same: the fields of all parts.
    """
    fields = _fields_of(protocol)
    tables = []
    for part, frame in rows.items():
        own = {column: name for (of, name), (column, _) in fields.items() if of == part}
        kinds = dict(fields.values())
        good = decode(frame, part).where("code IS NULL")
        tables.append(
            good.select(
                *_TOLD[:3],
                F.expr("timestamp_micros(ts_ns DIV 1000)").alias("time"),
                "direction",
                "endpoint",
                F.lit(protocol).alias("protocol"),
                F.lit(part.partition(".")[2]).alias("part"),
                *_TOLD[3:],
                *(
                    (F.col(own[column]) if column in own else F.lit(None).cast(kind)).alias(column)
                    for column, kind in kinds.items()
                ),
            )
        )
    return _all_of(tables)


def refused_of(rows: Mapping[str, DataFrame]) -> DataFrame:
    """What does not decode, from the rows of each protocol; those of unknown ones are refused."""
    tables = []
    for part, frame in rows.items():
        if part in PARTS:
            wrong = decode(frame, part).where("code IS NOT NULL")
        else:
            wrong = frame.withColumns(
                {name: F.lit(None).cast(kind) for name, kind in REFUSED.items()}
            ).withColumn("code", F.lit(UNKNOWN))
        tables.append(wrong.select(*ARROW.names, *REFUSED))
    return _all_of(tables)


@cache
def column_names(part: str) -> dict[str, str]:
    """How the columns of a part's fields are called here: with the message where a name is taken."""
    names: dict[str, str] = {}
    for message, columns in PARTS[part].columns.items():
        for field, column in columns.items():
            told = f"{field}_{message.lower().replace('-', '_')}" if field in _TAKEN else column
            names.setdefault(column, told)
    return names


@cache
def _fields_of(protocol: str) -> dict[tuple[str, str], tuple[str, str]]:
    """For each part and column of its own, the column of the protocol's table and its type.

    Where two parts have a name in common and not a type, the second goes by its part's name too.
    """
    found: dict[tuple[str, str], tuple[str, str]] = {}
    kinds: dict[str, str] = {}
    for part in parts_of(protocol):
        names = column_names(part)
        for field, kind in PARTS[part].fields:
            name = names[field]
            if kinds.setdefault(name, kind) != kind:
                name = f"{name}_{part.partition('.')[2]}"
            found[part, names[field]] = (name, kind)
    return found


def _all_of(tables: Sequence[DataFrame]) -> DataFrame:
    return reduce(DataFrame.unionByName, tables)
