"""From octets to values as JSON has them, one type at a time."""

from __future__ import annotations

import unicodedata
import uuid
from typing import Any, TypeAlias

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
from zwire_codegen.reference.refusal import Mismatch

Value: TypeAlias = Any  # what json.loads gives: int, str, list, None


def read(kind: Type, frame: bytes, offset: int) -> tuple[Value, int]:
    """The value at this offset and the offset behind it. A constant has the value None."""
    match kind:
        case Constant():
            return _constant(kind, frame, offset)
        case Integer():
            return _integer(kind, frame, offset)
        case Text():
            octets, end = _counted(kind.count, kind.minimum, kind.maximum, frame, offset)
            return plain_text(octets, offset), end
        case Octets() if kind.length:
            return _take(kind.length, frame, offset, offset).hex(), offset + kind.length
        case Octets():
            octets, end = _counted(kind.count, kind.minimum, kind.maximum, frame, offset)
            return octets.hex(), end
        case Uuid():
            return str(uuid.UUID(bytes=_take(16, frame, offset, offset))), offset + 16
        case Enumeration():
            return _member(kind, frame, offset)
        case Listing():
            return _listing(kind, frame, offset)
        case Dictionary():
            return _dictionary(kind, frame, offset)


def plain_text(octets: bytes, offset: int = 0) -> str:
    """UTF-8 without control characters, as text."""
    try:
        text = octets.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Mismatch("text", "UTF-8", f"{error.reason} in {octets.hex()}", offset) from None
    check_plain(text, offset)
    return text


def check_plain(text: str, offset: int = 0) -> None:
    """Refuse control characters (Unicode's category Cc)."""
    for character in sorted(set(text)):
        if unicodedata.category(character) == "Cc":
            raise Mismatch("text", "no control character", f"U+{ord(character):04X}", offset)


def check_length(length: int, minimum: int, maximum: int | None, offset: int = 0) -> None:
    """Refuse a length below the minimum or above the maximum."""
    if length < minimum:
        code = "empty" if length == 0 else "length"
        raise Mismatch(code, f"at least {minimum} octets", f"{length}", offset)
    if maximum is not None and length > maximum:
        raise Mismatch("length", f"at most {maximum} octets", f"{length}", offset)


def _take(size: int, frame: bytes, at: int, blame: int) -> bytes:
    octets = frame[at : at + size]
    if len(octets) < size:
        raise Mismatch("truncated", f"{size} octets", f"{len(octets)}", blame)
    return octets


def _constant(kind: Constant, frame: bytes, offset: int) -> tuple[None, int]:
    got = frame[offset : offset + len(kind.octets)]
    if got != kind.octets:
        raise Mismatch("constant", kind.octets.hex() or "nothing", got.hex() or "nothing", offset)
    return None, offset + len(kind.octets)


def _integer(kind: Integer, frame: bytes, offset: int) -> tuple[int, int]:
    value = int.from_bytes(_take(kind.width, frame, offset, offset), "big")
    if value < kind.minimum:
        raise Mismatch("value", f"at least {kind.minimum}", f"{value}", offset)
    return value, offset + kind.width


def _counted(
    count: int, minimum: int, maximum: int | None, frame: bytes, offset: int
) -> tuple[bytes, int]:
    if count == 0:
        octets = frame[offset:]
    else:
        size = int.from_bytes(_take(count, frame, offset, offset), "big")
        octets = _take(size, frame, offset + count, offset)
    check_length(len(octets), minimum, maximum, offset)
    return octets, offset + count + len(octets)


def _member(kind: Enumeration, frame: bytes, offset: int) -> tuple[str, int]:
    octets = _take(kind.width, frame, offset, offset) if kind.width else frame[offset:]
    for member in kind.members:
        if member.octets == octets:
            return member.name, offset + len(octets)
    raise Mismatch("value", " or ".join(m.name for m in kind.members), octets.hex(), offset)


def _listing(kind: Listing, frame: bytes, offset: int) -> tuple[list[Value], int]:
    number = int.from_bytes(_take(kind.count, frame, offset, offset), "big")
    at = offset + kind.count
    items: list[Value] = []
    for _ in range(number):
        item, at = read(kind.item, frame, at)
        items.append(item)
    return items, at


def _dictionary(kind: Dictionary, frame: bytes, offset: int) -> tuple[list[Value], int]:
    number = int.from_bytes(_take(kind.count, frame, offset, offset), "big")
    at = offset + kind.count
    entries: list[Value] = []
    for _ in range(number):
        entry, at = read(kind.key, frame, at)
        if kind.value is not None:
            value, at = read(kind.value, frame, at)
            entry = [entry, value]
        entries.append(entry)
    return entries, at
