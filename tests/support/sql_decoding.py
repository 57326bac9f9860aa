"""Frames through the generated SQL, and what it says in the words of the Python codec."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from zwire_codegen.model.types import Field, Part, Uuid
from zwire_codegen.reference.shape import fields

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from zwire_sql import Part as Decoder

# A message's name and its fields as JSON has them; or code, message, field, frame, offset.
Verdict: TypeAlias = tuple[Any, ...]
Row: TypeAlias = tuple[str, Sequence[bytes]]  # who sent it, and the frames

_SCHEMA = pa.schema([("seq", pa.int64()), ("role", pa.string()), ("frames", pa.list_(pa.binary()))])
_WRONG = ("code", "wrong_message", "wrong_field", "wrong_frame", "wrong_offset")


def verdicts(
    spark: SparkSession, folder: Path, part: Part, decoder: Decoder, rows: Sequence[Row]
) -> list[Verdict]:
    """What the SQL of a part says of each of these rows, which go through a Parquet file."""
    table = pa.table(
        {
            "seq": range(len(rows)),
            "role": [role for role, _ in rows],
            "frames": [list(frames) for _, frames in rows],
        },
        _SCHEMA,
    )
    path = folder / f"{decoder.name}-{uuid.uuid4().hex}.parquet"
    pq.write_table(table, path)
    query = decoder.over(f"parquet.`{path}`")
    found = {row["seq"]: row for row in spark.sql(query).toArrow().to_pylist()}
    path.unlink()
    assert len(found) == len(rows)
    return [verdict(part, decoder, found[number]) for number in range(len(rows))]


def verdict(part: Part, decoder: Decoder, row: dict[str, Any]) -> Verdict:
    """What a decoded row says; all that it says of fields that its message has not must be nothing."""
    wrong = tuple(row[name] for name in _WRONG)
    command = row["command"]
    if command is None:
        assert all(row[name] is None for name, _ in decoder.fields), row
        return wrong
    assert wrong == (None,) * len(wrong), row
    places = decoder.columns[command]
    others = {name for name, _ in decoder.fields} - set(places.values())
    assert all(row[name] is None for name in others), row
    message = next(message for message in part.messages if message.name == command)
    return command, {name: _as_json(held, row[places[name]]) for name, held, _ in fields(message)}


def _as_json(held: object, value: Any) -> Any:
    if isinstance(held, Field) and isinstance(held.type, Uuid):
        return str(uuid.UUID(bytes=value))
    return plain(value)


def plain(value: Any) -> Any:
    """A value of a column as JSON has it."""
    match value:
        case bytes():
            return value.hex()
        case Decimal():
            return int(value)
        case {"key": key, "value": other}:
            return [key, other]
        case list():
            return [plain(item) for item in value]
        case _:
            return value


def differences(
    rows: Iterable[Row], found: Sequence[Verdict], expected: Sequence[Verdict]
) -> list[str]:
    """Where the two do not agree, a line each."""
    return [
        f"{role} {[frame.hex() for frame in frames]}: SQL {seen}, expected {meant}"
        for (role, frames), seen, meant in zip(rows, found, expected, strict=True)
        if seen != meant
    ]
