"""Good values of every type: typical, least, greatest, empty, not ASCII."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, assert_never

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

LONG = 300  # where a size has four octets, its greatest value would help nobody
MANY = 300

_WORDS = ("Größe", "naïve café", "Ελληνικά", "東京", "𝄞 ☃", "a=b=c", "  ")


@dataclass(frozen=True, slots=True)
class Sample:
    """A value as JSON has it and what is special about it."""

    label: str
    value: Any


def typical(held: Field | Stack | Frames) -> Any:
    """An everyday value, so that a case differs from it in one field only."""
    match held:
        case Field():
            return _typical(held.type, held.name)
        case Stack():
            return [b"client-1".hex()]
        case Frames():
            return [b"hello".hex(), b"world".hex()]


def samples(held: Field | Stack | Frames, may_miss: bool) -> Iterator[Sample]:
    """Values worth a case of their own."""
    if may_miss:
        yield Sample("absent", None)
    match held:
        case Field():
            yield from _samples(held.type)
        case Stack():
            yield Sample("empty stack", [])
            yield Sample("two addresses", ["01", "0002"])
            yield Sample("long address", ["61" * 255])
        case Frames():
            for number in (held.minimum, held.minimum + 1, 20):
                yield Sample(f"{number} frames", ["6d"] * number)
            yield Sample("empty frame", [""] * max(held.minimum, 1))
            yield Sample("empty frame behind another", ["6d", ""])
            yield Sample("octets of every kind", [bytes(range(256)).hex()] * max(held.minimum, 1))


def _typical(kind: Type, name: str) -> Any:
    match kind:
        case Constant():
            return None
        case Integer():
            return max(kind.minimum, int.from_bytes(bytes(range(1, kind.width + 1)), "big"))
        case Text():
            return _fitted(name, kind.minimum, kind.most)
        case Octets():
            if kind.length:
                return bytes(range(1, kind.length + 1)).hex()
            return _fitted("octets", kind.minimum, _most_octets(kind)).encode().hex()
        case Uuid():
            return "12345678-9abc-def0-1234-56789abcdef0"
        case Enumeration():
            return kind.members[0].name
        case Listing():
            return [_typical(kind.item, word) for word in ("one", "two")]
        case Dictionary():
            if kind.value is None:
                return ["color=red", "size=9"]
            return [["color", "red"], ["size", "9"]]
        case _:
            assert_never(kind)


def _fitted(word: str, minimum: int, maximum: int | None) -> str:
    if len(word) < minimum:
        word += "x" * (minimum - len(word))
    return word if maximum is None else word[:maximum]


def _samples(kind: Type) -> Iterator[Sample]:
    match kind:
        case Constant():
            return
        case Integer():
            yield Sample("least", kind.minimum)
            yield Sample("greatest", 256**kind.width - 1)
            yield Sample("top bit", 1 << (8 * kind.width - 1))
        case Text():
            yield from _texts(kind)
        case Octets():
            yield from _octets(kind)
        case Uuid():
            yield Sample("all zero", "00000000-0000-0000-0000-000000000000")
            yield Sample("all ones", "ffffffff-ffff-ffff-ffff-ffffffffffff")
        case Enumeration():
            for member in kind.members:
                yield Sample(member.name, member.name)
        case Listing():
            yield from _lists(kind)
        case Dictionary():
            yield from _dictionaries(kind)
        case _:
            assert_never(kind)


def _texts(kind: Text) -> Iterator[Sample]:
    least, most = kind.minimum, LONG if kind.most is None or kind.count == 4 else kind.most
    yield Sample("empty" if least == 0 else "shortest", "s" * least)
    yield Sample("longest" if most == kind.most else "long", "a" * most)
    wide = "é" * (most // 2) + "a" * (most % 2)
    yield Sample("longest, not ASCII" if most == kind.most else "long, not ASCII", wide)
    for word in _WORDS:
        if least <= len(word.encode()) <= most:
            yield Sample(f"text {word}", word)


def _most_octets(kind: Octets) -> int | None:
    if kind.maximum is not None or kind.count == 0:
        return kind.maximum
    return int(256**kind.count) - 1


def _octets(kind: Octets) -> Iterator[Sample]:
    if kind.length:
        yield Sample("all zero", "00" * kind.length)
        yield Sample("all ones", "ff" * kind.length)
        return
    known = _most_octets(kind)
    most = LONG if known is None or kind.count == 4 else known
    yield Sample("empty" if kind.minimum == 0 else "shortest", "00" * kind.minimum)
    yield Sample("longest" if most == known else "long", "61" * most)
    if most >= 256:
        yield Sample("octets of every kind", bytes(range(256)).hex())


def _lists(kind: Listing) -> Iterator[Sample]:
    yield Sample("empty", [])
    item = _typical(kind.item, "i")
    yield Sample("the same twice", [item, item])
    most = 256**kind.count - 1
    if kind.count == 1:
        yield Sample("most items", [item] * most)
    else:
        yield Sample("many items", [item] * MANY)
    for sample in _samples(kind.item):
        yield Sample(f"item: {sample.label}", [sample.value])


def _dictionaries(kind: Dictionary) -> Iterator[Sample]:
    most = 255 if kind.count == 1 else MANY
    label = "most entries" if kind.count == 1 else "many entries"
    yield Sample("empty", [])
    if kind.value is None:
        yield Sample("no equals sign", ["bare"])
        yield Sample("equals sign in the value", ["k=v=w"])
        yield Sample("the same name twice", ["k=1", "k=2"])
        yield Sample(label, ["k=v"] * most)
        for sample in _texts(kind.key):
            yield Sample(f"entry: {sample.label}", [sample.value])
        return
    yield Sample("the same key twice", [["k", "1"], ["k", "2"]])
    yield Sample(label, [["k", "v"]] * most)
    for sample in _texts(kind.key):
        yield Sample(f"key: {sample.label}", [[sample.value, "v"]])
    for sample in _texts(kind.value):
        yield Sample(f"value: {sample.label}", [["k", sample.value]])
