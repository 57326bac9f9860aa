"""From values as JSON has them to octets, one type at a time."""

from __future__ import annotations

import uuid
from typing import Any

from zwire_codegen.model.types import (
    Constant,
    Dictionary,
    Enumeration,
    Integer,
    Listing,
    Octets,
    Text,
    Type,
    Uuid,
)
from zwire_codegen.reference.reading import Value, check_length, check_plain
from zwire_codegen.reference.refusal import Mismatch


def write(kind: Type, value: Value) -> bytes:
    """The octets of a value; of a constant whatever the value."""
    match kind:
        case Constant():
            return kind.octets
        case Integer():
            return _integer(kind, value)
        case Text():
            text = _typed(str, value)
            try:
                octets = text.encode("utf-8")
            except UnicodeEncodeError:
                raise Mismatch("text", "characters that UTF-8 has", repr(text)) from None
            check_length(len(octets), kind.minimum, kind.most)
            check_plain(text)
            return _counted(kind.count, octets)
        case Octets():
            return _octets(kind, value)
        case Uuid():
            try:
                return uuid.UUID(_typed(str, value)).bytes
            except ValueError:
                raise Mismatch("value", "a UUID", repr(value)) from None
        case Enumeration():
            for member in kind.members:
                if member.name == _typed(str, value):
                    return member.octets
            raise Mismatch("value", " or ".join(m.name for m in kind.members), repr(value))
        case Listing():
            items = _bounded(kind.count, value)
            return _number(kind.count, len(items)) + b"".join(write(kind.item, i) for i in items)
        case Dictionary():
            entries = _bounded(kind.count, value)
            octets = b"".join(_entry(kind, entry) for entry in entries)
            return _number(kind.count, len(entries)) + octets


def hexadecimal(value: Value) -> bytes:
    """Octets written as hexadecimal digits."""
    try:
        return bytes.fromhex(_typed(str, value))
    except ValueError:
        raise Mismatch("value", "octets in hexadecimal", repr(value)) from None


def _typed(kind: type, value: Value) -> Any:
    if type(value) is not kind:  # a bool is no number here
        raise Mismatch("type", kind.__name__, type(value).__name__)
    return value


def _integer(kind: Integer, value: Value) -> bytes:
    number: int = _typed(int, value)
    most = 256**kind.width - 1
    if not kind.minimum <= number <= most:
        raise Mismatch("value", f"{kind.minimum} to {most}", f"{number}")
    return _number(kind.width, number)


def _octets(kind: Octets, value: Value) -> bytes:
    octets = hexadecimal(value)
    if kind.length:
        check_length(len(octets), kind.length, kind.length)
        return octets
    most = kind.maximum
    if most is None and kind.count:
        most = 256**kind.count - 1
    check_length(len(octets), kind.minimum, most)
    return _counted(kind.count, octets)


def _counted(count: int, octets: bytes) -> bytes:
    return _number(count, len(octets)) + octets if count else octets


def _number(width: int, number: int) -> bytes:
    return number.to_bytes(width, "big")


def _bounded(count: int, value: Value) -> list[Value]:
    items: list[Value] = _typed(list, value)
    most = 256**count - 1
    if len(items) > most:
        raise Mismatch("length", f"at most {most} items", f"{len(items)}")
    return items


def _entry(kind: Dictionary, entry: Value) -> bytes:
    if kind.value is None:
        return write(kind.key, entry)
    pair = _typed(list, entry)
    if len(pair) != 2:
        raise Mismatch("type", "a key and a value", f"{len(pair)} items")
    return write(kind.key, pair[0]) + write(kind.value, pair[1])
