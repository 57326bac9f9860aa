"""The peers of the generated SQL: the same messages through the Python codecs, row by row, in Spark.

One is a function of a row, as most people would write it; one takes whole Arrow batches, so that
nothing is turned into objects but the messages. Both give the same columns as the SQL.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from zwire.captured import understand
from zwire_protocols.errors import DecodeError

_TEXT, _LONG, _OCTETS = pa.string(), pa.int64(), pa.binary()
FIELDS = {
    "service": (_TEXT, "string"),
    "client_address": (_OCTETS, "binary"),
    "request_id": (_OCTETS, "binary"),
    "body": (pa.list_(_OCTETS), "array<binary>"),
    "sequence": (_LONG, "long"),
    "ipaddress": (_TEXT, "string"),
    "mailbox": (_LONG, "long"),
    "groups": (pa.list_(_TEXT), "array<string>"),
    "status": (_LONG, "long"),
    "headers": (pa.list_(_TEXT), "array<string>"),
    "content": (_OCTETS, "binary"),
    "group": (_TEXT, "string"),
}
"""Of all messages of the three parts that are spoken in the capture."""

_FOUND = "command string, code string, " + ", ".join(
    f"`{name}` {kind}" for name, (_, kind) in FIELDS.items()
)


def decode_rows(rows: DataFrame) -> DataFrame:
    """The command and all fields of each message, or the code of why it is none; batch by batch."""
    _send_along(rows)
    said = rows.select("seq", "protocol", "role", "frames")
    return said.mapInArrow(_understood, f"seq long, {_FOUND}")


def decode_by_udf(rows: DataFrame) -> DataFrame:
    """The same, by a function that is called with one row's values."""
    _send_along(rows)
    found = F.udf(_one_understood, f"struct<{_FOUND}>")
    return rows.select("seq", found("protocol", "role", "frames").alias("found")).select(
        "seq", "found.*"
    )


def _send_along(rows: DataFrame) -> None:
    """The workers have to find this module too."""
    rows.sparkSession.sparkContext.addPyFile(str(Path(__file__)))


def _one_understood(protocol: str, role: str, frames: Sequence[bytes]) -> tuple[Any, ...]:
    try:
        found = understand(protocol, role, frames)
    except DecodeError as error:
        return (None, error.code, *(None for _ in FIELDS))
    values = (getattr(found.message, name, None) for name in FIELDS)
    listed = (list(value) if isinstance(value, tuple) else value for value in values)
    return (found.name, None, *listed)


def _understood(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        commands: list[str | None] = []
        codes: list[str | None] = []
        fields: dict[str, list[object]] = {name: [] for name in FIELDS}
        columns = (batch.column(name).to_pylist() for name in ("protocol", "role", "frames"))
        for protocol, role, frames in zip(*columns, strict=True):
            try:
                found = understand(protocol, role, frames)
            except DecodeError as error:
                commands.append(None)
                codes.append(error.code)
                message = None
            else:
                commands.append(found.name)
                codes.append(None)
                message = found.message
            for name, values in fields.items():
                values.append(getattr(message, name, None))
        yield pa.RecordBatch.from_arrays(
            [
                batch.column("seq"),
                pa.array(commands, _TEXT),
                pa.array(codes, _TEXT),
                *(pa.array(fields[name], kind) for name, (kind, _) in FIELDS.items()),
            ],
            names=["seq", "command", "code", *FIELDS],
        )
