"""Every kind of damage to a good message: cut, stretched, miscounted, misspelt.

Some of what comes out is still a message (an opaque body may be cut): the reference sorts it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from zwire_codegen.model.types import (
    Constant,
    Dictionary,
    Enumeration,
    Field,
    Frame,
    Integer,
    Listing,
    Message,
    Octets,
    Text,
    Type,
    Uuid,
)
from zwire_codegen.reference.shape import field_name
from zwire_codegen.reference.writing import write

_NOT_TEXT = {
    "lone continuation octet": "80",
    "sequence cut short": "61c3",
    "overlong form": "c0af",
    "surrogate": "eda080",
    "beyond Unicode": "f4908080",
    "octet FF": "61ff62",
    "zero octet": "610062",
    "line feed": "0a",
    "escape": "1b5b6d",
    "delete": "7f",
    "control character U+0085": "c285",
}


@dataclass(frozen=True, slots=True)
class Damaged:
    """Frames that were a message, and what was done to them."""

    label: str
    frames: list[bytes]


def damaged(message: Message, values: dict[str, Any], frames: Sequence[bytes]) -> Iterator[Damaged]:
    """The damaged forms of a message with these values, whose good form is `frames`."""
    yield from _miscounted_frames(frames)
    for index, slot in enumerate(message.slots):
        if not isinstance(slot, Frame):
            break  # what stands behind has no fixed place
        if index < len(frames):
            yield from _damaged_frame(slot, index, values, frames)
    for index in range(len(frames)):
        yield Damaged(f"frame {index} left out", [*frames[:index], *frames[index + 1 :]])


def _miscounted_frames(frames: Sequence[bytes]) -> Iterator[Damaged]:
    for number in range(len(frames)):
        yield Damaged(f"only {number} frames", list(frames[:number]))
    yield Damaged("an empty frame too many", [*frames, b""])
    yield Damaged("a frame too many", [*frames, b"more"])
    yield Damaged("an empty frame in front", [b"", *frames])
    yield Damaged("no octets at all", [b""])


def _damaged_frame(
    slot: Frame, index: int, values: dict[str, Any], frames: Sequence[bytes]
) -> Iterator[Damaged]:
    def with_frame(octets: bytes) -> list[bytes]:
        return [*frames[:index], octets, *frames[index + 1 :]]

    pieces = [(f, write(f.type, values.get(field_name(f.name)))) for f in slot.fields]
    whole = b"".join(octets for _, octets in pieces)
    yield Damaged(f"frame {index} stretched", with_frame(whole + b"\x00"))
    yield Damaged(f"frame {index} doubled", with_frame(whole + whole))
    start = 0
    for field, octets in pieces:
        name = field.name or "constant"
        for cut in sorted({0, len(octets) // 2, max(len(octets) - 1, 0)}):
            yield Damaged(
                f"frame {index} cut in {name}, octet {start + cut}",
                with_frame(whole[: start + cut]),
            )
        for label, raw in _misspelt(field, octets):
            spelt = whole[:start] + raw + whole[start + len(octets) :]
            yield Damaged(f"{name} in frame {index}: {label}", with_frame(spelt))
        start += len(octets)


def _misspelt(field: Field, octets: bytes) -> Iterator[tuple[str, bytes]]:
    """A field's octets with something wrong in them."""
    kind: Type = field.type
    match kind:
        case Constant():
            yield from _wrong_constants(kind)
        case Integer():
            if kind.minimum:
                yield "below the least", (kind.minimum - 1).to_bytes(kind.width, "big")
        case Text() | Octets():
            yield from _wrong_counted(kind)
            yield from _miscounted(getattr(kind, "count", 0), octets)
        case Enumeration():
            yield from _no_members(kind)
        case Listing():
            yield from _miscounted(kind.count, octets)
            for label, raw in _wrong_counted(kind.item):
                yield f"item: {label}", _number(kind.count, 1) + raw
        case Dictionary():
            yield from _miscounted(kind.count, octets)
            for label, raw in _wrong_counted(kind.key):
                value = b"" if kind.value is None else write(kind.value, "v")
                yield f"key: {label}", _number(kind.count, 1) + raw + value
            if kind.value is not None:
                for label, raw in _wrong_counted(kind.value):
                    key = write(kind.key, "k")
                    yield f"value: {label}", _number(kind.count, 1) + key + raw
        case Uuid():
            return
        case _:
            assert_never(kind)


def _wrong_constants(kind: Constant) -> Iterator[tuple[str, bytes]]:
    if kind.octets:
        yield "one bit wrong", kind.octets[:-1] + bytes([kind.octets[-1] ^ 0x01])
        yield "top bit wrong", bytes([kind.octets[0] ^ 0x80]) + kind.octets[1:]
        yield "FF in its place", b"\xff" * len(kind.octets)
        if kind.octets.swapcase() != kind.octets:
            yield "in the other case", kind.octets.swapcase()
    else:
        yield "not empty", b"\x00"


def _wrong_counted(kind: Text | Octets | Integer) -> Iterator[tuple[str, bytes]]:
    """A text or run of octets with a right size and a wrong content."""
    if isinstance(kind, Integer):
        return
    if isinstance(kind, Text):
        for label, octets in _NOT_TEXT.items():
            yield label, _sized(kind.count, bytes.fromhex(octets))
    if kind.minimum:
        yield "shorter than allowed", _sized(kind.count, b"x" * (kind.minimum - 1))
    if kind.maximum is not None:
        yield "longer than allowed", _sized(kind.count, b"x" * (kind.maximum + 1))


def _miscounted(count: int, octets: bytes) -> Iterator[tuple[str, bytes]]:
    """A size or count in front that is too large or too small."""
    if not count:
        return
    number = int.from_bytes(octets[:count], "big")
    yield "count one too large", _number(count, number + 1) + octets[count:]
    yield "count as large as can be", b"\xff" * count + octets[count:]
    if number:
        yield "count one too small", _number(count, number - 1) + octets[count:]
        yield "count of zero", _number(count, 0) + octets[count:]


def _no_members(kind: Enumeration) -> Iterator[tuple[str, bytes]]:
    known = {member.octets for member in kind.members}
    width = kind.width or 3
    for label, octets in (
        ("no member, all zero", bytes(width)),
        ("no member, all ones", b"\xff" * width),
        ("no member, one above", _one_above(max(known))),
    ):
        if octets not in known:
            yield label, octets


def _one_above(octets: bytes) -> bytes:
    return octets[:-1] + bytes([(octets[-1] + 1) % 256]) if octets else b"\x01"


def _sized(count: int, octets: bytes) -> bytes:
    return _number(count, len(octets)) + octets


def _number(count: int, number: int) -> bytes:
    return number.to_bytes(count, "big") if count else b""
