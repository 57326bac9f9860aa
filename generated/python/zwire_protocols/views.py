"""Messages for people and for JSON: as plain dictionaries, in one line, and octet by octet.

Made by `zwire generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from .checking import flaw
from .choosing import choose
from .errors import DecodeError, EncodeError
from .layout import (
    Choice,
    Dictionary,
    Field,
    Frames,
    Layout,
    Listing,
    Octets,
    Stack,
    Uuid,
    attribute,
)
from .reading import read

_ROW = 16  # octets in a row of a dump


def as_dict(layouts: Mapping[type[Any], Layout], message: Any) -> dict[str, Any]:
    """A message as JSON has it: octets in hexadecimal, a member of an enumeration by name.

    Raises EncodeError where a value is none that its field takes.
    """
    layout = layouts.get(type(message))
    if layout is None:
        raise EncodeError(type(message).__name__, "", "a message of this protocol", message)
    wrong = flaw(layout, message)
    if wrong is not None:
        raise wrong
    fields = {
        name: _plain(place, getattr(message, attribute(name)))
        for name, (place, _) in layout.values().items()
    }
    return {"message": layout.name, "fields": fields}


def from_mapping(layouts: Mapping[type[Any], Layout], mapping: Mapping[str, Any]) -> Any:
    """The message that `as_dict` would show so; raises EncodeError for anything else."""
    name = mapping.get("message") if isinstance(mapping, Mapping) else None
    layout = next((layout for layout in layouts.values() if layout.name == name), None)
    if layout is None:
        names = ", ".join(layout.name for layout in layouts.values())
        told = name if isinstance(name, str) else ""
        raise EncodeError(told, "", f"a message: {names}", mapping)
    fields = mapping.get("fields", {})
    if not isinstance(fields, Mapping):
        raise EncodeError(layout.name, "fields", "a mapping from names to values", fields)
    places = layout.values()
    for stranger in fields:
        if stranger not in places:
            limit = f"no field but {', '.join(places)}" if places else "no fields"
            raise EncodeError(layout.name, str(stranger), limit, fields[stranger])
    values = {}
    for field, (place, optional) in places.items():
        if field not in fields and not optional:
            raise EncodeError(layout.name, field, "a value", None)
        value = fields.get(field)
        try:
            values[attribute(field)] = None if value is None else _rich(place, value)
        except (ValueError, TypeError, LookupError, AttributeError):  # UUID(7) asks 7 for replace
            raise EncodeError(layout.name, field, _wanted(place), value) from None
    message = layout.type(**values)
    wrong = flaw(layout, message)
    if wrong is not None:
        raise wrong
    return message


def in_one_line(layouts: Mapping[type[Any], Layout], message: Any) -> str:
    """A message in one line: its name and its fields."""
    told = as_dict(layouts, message)
    places = layouts[type(message)].values()
    words = [f"{name}={_short(places[name][0], value)}" for name, value in told["fields"].items()]
    return " ".join([told["message"], *words])


def dumped(layouts: Sequence[Layout], frames: Sequence[bytes], sender: str = "") -> str:
    """Frames octet by octet with what each stands for; what is wrong is told in the last line."""
    lines: list[str] = []
    number = -1
    try:
        layout = choose(layouts, frames, sender)
        lines.append(layout.name)
        for piece in read(layout, frames):
            if piece.frame != number:
                number = piece.frame
                lines.append(f"frame {number}: {_octets(len(frames[number]))}")
            octets = frames[number][piece.start : piece.end]
            value = "" if isinstance(piece.value, bytes) else f" = {_told(piece.value)}"
            lines += _rows(piece.start, octets, piece.name + value)
    except DecodeError as error:
        readable = range(max(number, 0), len(frames)) if error.code != "type" else ()
        for rest in readable:
            lines.append(f"frame {rest}, not read to its end: {_octets(len(frames[rest]))}")
            lines += _rows(0, frames[rest], "")
        lines.append(f"malformed: {error}")
    return "\n".join(lines)


def _rows(start: int, octets: bytes, told: str) -> list[str]:
    rows = []
    for at in range(0, max(len(octets), 1), _ROW):
        row = octets[at : at + _ROW]
        letters = "".join(chr(octet) if 32 <= octet < 127 else "." for octet in row)
        line = f"  {start + at:04x}  {row.hex(' '):<{_ROW * 3 - 1}}  {letters:<{_ROW}}  {told}"
        rows.append(line.rstrip())
        told = ""
    return rows


def _octets(count: int) -> str:
    return "empty" if count == 0 else "1 octet" if count == 1 else f"{count} octets"


def _told(value: object) -> str:
    text = repr(value) if isinstance(value, str | tuple) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _plain(place: Field | Stack | Frames, value: Any) -> Any:
    if value is None:
        return None
    match place:
        case Octets():
            return value.hex()
        case Uuid():
            return str(value)
        case Choice():
            return place.names[value]
        case Listing():
            return [_plain(place.item, item) for item in value]
        case Dictionary():
            return [entry if place.value is None else list(entry) for entry in value]
        case Stack() | Frames():
            return [frame.hex() for frame in value]
        case _:
            return value


def _rich(place: Field | Stack | Frames, value: Any) -> Any:
    match place:
        case Octets():
            return bytes.fromhex(value)
        case Uuid():
            return UUID(value)
        case Choice():
            return {name: member for member, name in place.names.items()}[value]
        case Listing():
            return tuple(_rich(place.item, item) for item in _list(value))
        case Dictionary():
            if place.value is None:
                return tuple(_list(value))
            return tuple(tuple(_list(entry)) for entry in _list(value))
        case Stack() | Frames():
            return tuple(bytes.fromhex(frame) for frame in _list(value))
        case _:
            return value


def _list(value: Any) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise TypeError("not a list")
    return value


def _wanted(place: Field | Stack | Frames) -> str:
    match place:
        case Octets():
            return "octets in hexadecimal"
        case Uuid():
            return "a UUID"
        case Choice():
            return " or ".join(place.names.values())
        case Stack() | Frames():
            return "a list of frames in hexadecimal"
        case _:
            return "a list"


def _short(place: Field | Stack | Frames, value: Any) -> str:
    match place:
        case Octets() if isinstance(value, str):
            cut = f"{value[:32]}... ({_octets(len(value) // 2)})"
            return cut if len(value) > 48 else value or "''"
        case Stack() | Frames() if value is not None:
            return "[" + ", ".join(_octets(len(frame) // 2) for frame in value) + "]"
        case Uuid() | Choice():
            return str(value)
        case _:
            return _told(value)
