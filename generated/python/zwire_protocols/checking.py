"""A careful second look at a message: which of its values cannot be sent, and why.

Made by `zwire generate`; do not edit.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from .errors import EncodeError
from .layout import (
    Choice,
    Constant,
    Dictionary,
    Field,
    Frames,
    Integer,
    Layout,
    Listing,
    Octets,
    Stack,
    Text,
    Uuid,
    attribute,
    control_in,
)

# What the quick encoders run into when a value cannot be sent.
UNSUITABLE = (LookupError, ValueError, TypeError, AttributeError, OverflowError, struct.error)


class _Refused(Exception):
    """A value is not what its field takes."""

    def __init__(self, limit: str, value: object) -> None:
        super().__init__(limit)
        self.limit = limit
        self.value = value


def objection(layouts: Mapping[type[Any], Layout], message: object) -> EncodeError:
    """Why a message could not be encoded."""
    layout = layouts.get(type(message))
    if layout is None:
        names = ", ".join(known.__name__ for known in layouts)
        return EncodeError(type(message).__name__, "", f"one of {names}", message)
    found = flaw(layout, message)
    if found is not None:
        return found
    last = next(reversed(layout.values()), "")
    value = getattr(message, attribute(last), None)
    return EncodeError(layout.name, last, f"frames that read as this {layout.name} again", value)


def flaw(layout: Layout, message: object) -> EncodeError | None:
    """The first value that its field does not take; None where there is no such value."""
    missing = ""
    for name, (place, optional) in layout.values().items():
        value = getattr(message, attribute(name), None)
        if value is None and optional:
            missing = missing or ("" if isinstance(place, Stack) else name)
            continue
        try:
            _check(place, value)
        except _Refused as refused:
            return EncodeError(layout.name, name, refused.limit, refused.value)
        if missing and value != ():
            return EncodeError(layout.name, missing, f"a value, since {name} has one", None)
    return None


def _check(place: Field | Stack | Frames, value: Any) -> None:
    match place:
        case Constant():
            pass
        case Integer():
            most = 256**place.width - 1
            limit = f"a number from {place.minimum} to {most}"
            if type(value) is not int or not place.minimum <= value <= most:
                raise _Refused(limit, value)
        case Text():
            _check_text(place, value)
        case Octets():
            _check_octets(place, value)
        case Uuid():
            _typed(UUID, "a UUID", value)
        case Choice():
            _typed(place.type, f"a member of {place.type.__name__}", value)
        case Listing():
            for item in _items(place.count, value):
                _check(place.item, item)
        case Dictionary():
            for entry in _items(place.count, value):
                _check_entry(place, entry)
        case Stack():
            for address in _tuple("a tuple of addresses", value):
                _frame(address)
                if not address:
                    raise _Refused("addresses that are not empty", value)
        case Frames():
            for frame in _tuple("a tuple of frames", value):
                _frame(frame)
            if len(value) < place.minimum:
                raise _Refused(f"at least {place.minimum} frames", value)


def _typed(kind: type[Any], limit: str, value: object) -> None:
    if type(value) is not kind:
        raise _Refused(limit, value)


def _tuple(limit: str, value: Any) -> tuple[Any, ...]:
    if type(value) is not tuple:
        raise _Refused(limit, value)
    return value


def _frame(value: object) -> None:
    _typed(bytes, "bytes in each frame", value)


def _items(count: int, value: Any) -> tuple[Any, ...]:
    items = _tuple("a tuple", value)
    most = 256**count - 1
    if len(items) > most:
        raise _Refused(f"at most {most} entries", f"{len(items)} entries")
    return items


def _check_entry(place: Dictionary, entry: Any) -> None:
    if place.value is None:
        _check_text(place.key, entry)
    elif type(entry) is not tuple or len(entry) != 2:
        raise _Refused("pairs of key and value", entry)
    else:
        _check_text(place.key, entry[0])
        _check_text(place.value, entry[1])


def _check_text(place: Text, value: Any) -> None:
    if not isinstance(value, str):
        raise _Refused("text", value)
    try:
        octets = value.encode()
    except UnicodeEncodeError:
        raise _Refused("characters that UTF-8 has", value) from None
    _check_length(place, len(octets), value)
    if control_in(value):
        raise _Refused("text without control characters", value)


def _check_octets(place: Octets, value: Any) -> None:
    _typed(bytes, "bytes", value)
    if place.length and len(value) != place.length:
        raise _Refused(f"{place.length} octets", value)
    if not place.length:
        _check_length(place, len(value), value)


def _check_length(place: Text | Octets, length: int, value: object) -> None:
    most = place.maximum
    if most is None and place.count:
        most = 256**place.count - 1
    if length < place.minimum:
        raise _Refused(f"at least {place.minimum} octets", value)
    if most is not None and length > most:
        raise _Refused(f"at most {most} octets", value)
