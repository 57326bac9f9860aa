"""The peer of the generated SQL: the same messages through the Python codecs, row by row, in Spark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame

from zwire.captured import understand
from zwire_protocols.errors import DecodeError

_OCTETS = pa.binary()
_FIELDS = {
    "service": pa.string(),
    "client_address": _OCTETS,
    "request_id": _OCTETS,
    "body": pa.list_(_OCTETS),
    "sequence": pa.int64(),
    "group": pa.string(),
    "content": _OCTETS,
}
_SCHEMA = pa.schema([("seq", pa.int64()), ("command", pa.string()), *_FIELDS.items()])
_COLUMNS = (
    "seq long, command string, service string, client_address binary, request_id binary, "
    "body array<binary>, sequence long, `group` string, content binary"
)


def decode_rows(rows: DataFrame) -> DataFrame:
    """The command and all fields of each message."""
    # The workers have to find this module too.
    rows.sparkSession.sparkContext.addPyFile(str(Path(__file__)))
    return rows.select("seq", "protocol", "role", "frames").mapInArrow(_understood, _COLUMNS)


def _understood(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        commands: list[str | None] = []
        fields: dict[str, list[object]] = {name: [] for name in _FIELDS}
        columns = (batch.column(name).to_pylist() for name in ("protocol", "role", "frames"))
        for protocol, role, frames in zip(*columns, strict=True):
            try:
                found = understand(protocol, role, frames)
            except DecodeError:
                commands.append(None)
                message = None
            else:
                commands.append(found.name)
                message = found.message
            for name, values in fields.items():
                values.append(getattr(message, name, None))
        arrays = [pa.array(fields[name], kind) for name, kind in _FIELDS.items()]
        yield pa.RecordBatch.from_arrays(
            [batch.column("seq"), pa.array(commands, pa.string()), *arrays], schema=_SCHEMA
        )
