"""Values that no encoder may accept: of a wrong type, too large, too long, misplaced."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_never

from zwire_codegen.backends.vectors.samples import Sample
from zwire_codegen.model.types import (
    Constant,
    Dictionary,
    Enumeration,
    Field,
    Frames,
    Integer,
    Listing,
    Octets,
    Stack,
    Text,
    Type,
    Uuid,
)

_LARGEST = 2  # octets of a size whose overflow is still worth trying


def misused(held: Field | Stack | Frames, may_miss: bool) -> Iterator[Sample]:
    """Values that this field cannot have. An empty iterator where it can have any."""
    if not may_miss:
        yield Sample("missing value", None)
    match held:
        case Field():
            yield from _misused(held.type)
        case Stack():
            yield Sample("an empty address", ["61", ""])
            yield Sample("not a list", "61")
            yield Sample("not octets", ["zz"])
        case Frames():
            if held.minimum:
                yield Sample("too few frames", ["6d"] * (held.minimum - 1))
            yield Sample("not a list", "6d")
            yield Sample("not octets", ["6"])


def _misused(kind: Type) -> Iterator[Sample]:
    match kind:
        case Constant():
            return
        case Integer():
            yield Sample("one too large", 256**kind.width)
            yield Sample("one too small", kind.minimum - 1)
            yield Sample("a text", "1")
            yield Sample("a truth", True)
            yield Sample("a fraction", 1.5)
        case Text():
            yield Sample("a number", 7)
            yield from _texts(kind)
        case Octets():
            yield Sample("not octets", "xy")
            yield Sample("a number", 7)
            yield from _octets(kind)
        case Uuid():
            yield Sample("no UUID", "12345678")
            yield Sample("a number", 7)
        case Enumeration():
            yield Sample("no member", "no-such-member")
            yield Sample("a list", [])
        case Listing():
            yield Sample("not a list", "one")
            yield from _too_many(kind.count, typical_item(kind.item))
            for sample in _misused(kind.item):
                yield Sample(f"item: {sample.label}", [sample.value])
        case Dictionary():
            yield Sample("not a list", "k=v")
            yield from _entries(kind)
        case _:
            assert_never(kind)


def typical_item(kind: Text | Octets | Integer) -> Any:
    """The smallest item that a list may have."""
    match kind:
        case Text():
            return "i" * max(kind.minimum, 1)
        case Octets():
            return "69" * (kind.length or max(kind.minimum, 1))
        case Integer():
            return kind.minimum


def _texts(kind: Text) -> Iterator[Sample]:
    if kind.minimum:
        yield Sample("too short", "s" * (kind.minimum - 1))
    if kind.most is not None and kind.count <= _LARGEST:
        yield Sample("too long", "a" * (kind.most + 1))
        yield Sample("too long in octets", "é" * (kind.most // 2 + 1))
    yield Sample("a line feed", "a\nb")
    yield Sample("a zero octet", "a\0b")
    yield Sample("a control character", "a\u0085")


def _octets(kind: Octets) -> Iterator[Sample]:
    if kind.length:
        yield Sample("too short", "00" * (kind.length - 1))
        yield Sample("too long", "00" * (kind.length + 1))
        return
    if kind.minimum:
        yield Sample("too short", "00" * (kind.minimum - 1))
    if kind.maximum is not None:
        yield Sample("too long", "00" * (kind.maximum + 1))
    elif 0 < kind.count <= _LARGEST:
        yield Sample("too long", "00" * 256**kind.count)


def _too_many(count: int, item: Any) -> Iterator[Sample]:
    if count <= _LARGEST:
        yield Sample("too many", [item] * 256**count)


def _entries(kind: Dictionary) -> Iterator[Sample]:
    if kind.value is None:
        yield from _too_many(kind.count, "k=v")
        for sample in _texts(kind.key):
            yield Sample(f"entry: {sample.label}", [sample.value])
        return
    yield from _too_many(kind.count, ["k", "v"])
    yield Sample("an entry without value", [["k"]])
    for sample in _texts(kind.key):
        yield Sample(f"key: {sample.label}", [[sample.value, "v"]])
    for sample in _texts(kind.value):
        yield Sample(f"value: {sample.label}", [["k", sample.value]])
