"""The columns that a part's messages decode to: their names and their types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias, assert_never

from zwire_codegen.backends.spark.lists import list_type
from zwire_codegen.backends.spark.sql import number_type
from zwire_codegen.model.types import (
    Constant,
    Dictionary,
    Enumeration,
    Field,
    Frames,
    Integer,
    Listing,
    Octets,
    Part,
    Stack,
    Text,
    Type,
    Uuid,
)
from zwire_codegen.reference.shape import field_name, fields

Columns: TypeAlias = dict[str, dict[str, str]]

# What rows of a capture have already, and what decoding adds to them: a field of that name would
# stand in the way, and has `_field` behind its name.
RESERVED = frozenset(
    {
        *("kind", "ts_ns", "recorder", "seq", "direction", "endpoint", "protocol", "role", "peer"),
        *("job", "frames", "lengths", "octets", "file", "date", "minute", "part", "recording"),
        *("command", "code", "wrong_message", "wrong_field", "wrong_frame", "wrong_offset"),
    }
)


def columns(part: Part) -> tuple[dict[str, str], Columns]:
    """The types of all columns by name; and for each message, the column of each of its fields.

    Fields of one name share a column when they are of one type. Where two differ, each has its
    message's name behind its own.
    """
    types: dict[str, set[str]] = {}
    for _, name, kind in _all(part):
        types.setdefault(name, set()).add(kind)
    found: dict[str, str] = {}
    places: Columns = {message.name: {} for message in part.messages}
    for message, name, kind in _all(part):
        column = f"{name}_field" if name in RESERVED else name
        if len(types[name]) > 1:
            column = f"{name}_{field_name(message)}"
        while found.get(column, kind) != kind:
            column += "_"
        found[column] = kind
        places[message][name] = column
    return found, places


def _all(part: Part) -> Iterator[tuple[str, str, str]]:
    for message in part.messages:
        for name, held, _ in fields(message):
            yield message.name, name, column_type(held)


def column_type(held: Field | Stack | Frames) -> str:
    """The type of a field's column."""
    if isinstance(held, Stack | Frames):
        return "ARRAY<BINARY>"
    return _type(held.type)


def _type(kind: Type) -> str:
    match kind:
        case Integer(width):
            return number_type(width)
        case Text() | Enumeration():
            return "STRING"
        case Octets() | Uuid():
            return "BINARY"
        case Listing() | Dictionary():
            return list_type(kind)
        case Constant():
            raise AssertionError("a constant has no column")
        case _:
            assert_never(kind)
