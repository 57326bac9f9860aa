"""A careful second look at frames: which message they are, where each field lies, what is wrong.

Made by `zwire generate`; do not edit.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn
from uuid import UUID

from .choosing import choose, frame_range
from .errors import DecodeError
from .layout import (
    Choice,
    Constant,
    Dictionary,
    Field,
    Frame,
    Integer,
    Layout,
    Listing,
    Octets,
    Stack,
    Text,
    Uuid,
    control_in,
)

# What the quick decoders run into when a message is not as it should be.
MALFORMED = (LookupError, ValueError, TypeError, AttributeError, OverflowError, struct.error)


@dataclass(frozen=True, slots=True)
class Piece:
    """A value and the octets it was read from. `name` is that of its field."""

    name: str
    frame: int
    start: int
    end: int
    value: object


def refusal(layouts: Sequence[Layout], frames: Sequence[bytes], sender: str = "") -> DecodeError:
    """Why frames that a decoder could not read are no message."""
    try:
        for _ in read(choose(layouts, frames, sender), frames):
            pass
    except DecodeError as error:
        return error
    return DecodeError("", "", 0, 0, "a message", "something else", "type")


def read(layout: Layout, frames: Sequence[bytes]) -> Iterator[Piece]:
    """Piece by piece what the frames hold; raises DecodeError where they do not fit."""
    _check_count(layout, 0, 0, frames)
    at = 0
    for index, slot in enumerate(layout.slots):
        if isinstance(slot, Frame):
            if slot.optional and at >= len(frames):
                return
            yield from _Reader(layout.name, at, frames[at]).fields(slot)
            at += 1
        elif isinstance(slot, Stack):
            end = next((i for i in range(at, len(frames)) if not frames[i]), None)
            if end is not None:
                for number in range(at, end + 1):
                    yield Piece(slot.name, number, 0, len(frames[number]), frames[number])
                at = end + 1
            elif slot.required:
                raise DecodeError(
                    layout.name, slot.name, len(frames), 0, "an empty frame", "none", "empty"
                )
            _check_count(layout, index + 1, at, frames)
        else:
            for number in range(at, len(frames)):
                yield Piece(slot.name, number, 0, len(frames[number]), frames[number])


def _check_count(layout: Layout, first: int, at: int, frames: Sequence[bytes]) -> None:
    """Whether the frames from `at` on suit the slots from `first` on."""
    least, most = frame_range(layout.slots[first:])
    count = len(frames)
    if count - at < least:
        raise DecodeError(
            layout.name, "", count, 0, f"at least {at + least} frames", f"{count}", "frame-count"
        )
    if most is not None and count - at > most:
        raise DecodeError(
            layout.name, "", at + most, 0, f"at most {at + most} frames", f"{count}", "frame-count"
        )


class _Reader:
    """Reads the fields of one frame from left to right."""

    def __init__(self, message: str, number: int, frame: bytes) -> None:
        self.message = message
        self.number = number
        self.frame = frame
        self.field = ""
        self.at = 0  # where the next octet is
        self.start = 0  # where the field or item began

    def fields(self, slot: Frame) -> Iterator[Piece]:
        for field in slot.fields:
            self.field = field.name
            begin = self.start = self.at
            value = self._value(field)
            yield Piece(field.name, self.number, begin, self.at, value)
        if self.at < len(self.frame):
            self.field, self.start = "", self.at
            self._refuse("the end of the frame", f"{len(self.frame) - self.at} octets", "trailing")

    def _refuse(self, expected: str, got: str, code: str) -> NoReturn:
        raise DecodeError(
            self.message, self.field, self.number, self.start, expected, got, code
        ) from None

    def _take(self, length: int) -> bytes:
        octets = self.frame[self.at : self.at + length]
        if len(octets) < length:
            self._refuse(f"{length} octets", f"{len(octets)}", "truncated")
        self.at += length
        return octets

    def _number(self, width: int) -> int:
        return int.from_bytes(self._take(width), "big")

    def _value(self, field: Field) -> object:
        self.start = self.at
        match field:
            case Constant():
                octets = self.frame[self.at : self.at + len(field.octets)]
                if octets != field.octets:
                    self._refuse(shown(field.octets), shown(octets), "constant")
                self.at += len(octets)
                return octets
            case Integer():
                number = self._number(field.width)
                if number < field.minimum:
                    self._refuse(f"at least {field.minimum}", f"{number}", "value")
                return number
            case Text():
                return self._text(self._counted(field))
            case Octets():
                return self._take(field.length) if field.length else self._counted(field)
            case Uuid():
                return UUID(bytes=self._take(16))
            case Choice():
                octets = self._take(field.width or len(self.frame) - self.at)
                for member, value in field.octets.items():
                    if value == octets:
                        return member
                self._refuse(" or ".join(field.names.values()), shown(octets), "value")
            case Listing():
                return self._repeat(field.count, lambda: self._value(field.item))
            case Dictionary():
                return self._repeat(field.count, lambda: self._entry(field))

    def _counted(self, field: Text | Octets) -> bytes:
        """Octets behind their size, or to the end of the frame."""
        length = self._number(field.count) if field.count else len(self.frame) - self.at
        octets = self._take(length)
        if length < field.minimum:
            code = "length" if length else "empty"
            self._refuse(f"at least {field.minimum} octets", f"{length}", code)
        if field.maximum is not None and length > field.maximum:
            self._refuse(f"at most {field.maximum} octets", f"{length}", "length")
        return octets

    def _text(self, octets: bytes) -> str:
        try:
            text = octets.decode()
        except UnicodeDecodeError as error:
            self._refuse("UTF-8", f"{error.reason} in {shown(octets)}", "text")
        if control := control_in(text):
            self._refuse("no control character", f"U+{ord(control):04X}", "text")
        return text

    def _repeat(self, width: int, item: Callable[[], object]) -> tuple[object, ...]:
        return tuple([item() for _ in range(self._number(width))])

    def _entry(self, field: Dictionary) -> object:
        key = self._value(field.key)
        return key if field.value is None else (key, self._value(field.value))


def shown(octets: bytes) -> str:
    """Octets in hexadecimal digits, cut where they go on for long."""
    text = octets[:24].hex(" ") or "nothing"
    return text if len(octets) <= 24 else f"{text} ... ({len(octets)} octets)"
