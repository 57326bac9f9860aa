"""The outer shape of messages: their marks, how many frames they have, their fields' names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zwire_codegen.model.types import (
    Constant,
    Enumeration,
    Field,
    Frame,
    Frames,
    Integer,
    Message,
    Octets,
    Slot,
    Stack,
    Type,
    Uuid,
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A constant at a fixed place. `whole`: it is all that its frame holds."""

    frame: int
    offset: int
    octets: bytes
    whole: bool
    field: str

    @property
    def place(self) -> tuple[int, int]:
        return (self.frame, self.offset)

    @property
    def wire(self) -> tuple[int, int, bytes, bool]:
        """What is compared, whatever the specification calls it."""
        return (self.frame, self.offset, self.octets, self.whole)

    def fits(self, frames: Sequence[bytes]) -> bool:
        """Whether the frames have it."""
        if self.frame >= len(frames):
            return False
        frame = frames[self.frame]
        return frame == self.octets if self.whole else frame.startswith(self.octets, self.offset)


def marks(message: Message) -> tuple[Mark, ...]:
    """The constants of a message that stand at a fixed place, in order."""
    found: list[Mark] = []
    for index, slot in enumerate(message.slots):
        if not isinstance(slot, Frame) or slot.optional:
            break
        found += _marks_of_frame(index, slot)
    return tuple(found)


def _marks_of_frame(index: int, frame: Frame) -> Iterator[Mark]:
    offset = 0
    for field in frame.fields:
        if isinstance(field.type, Constant):
            yield Mark(index, offset, field.type.octets, len(frame.fields) == 1, field.name)
        size = fixed_size(field.type)
        if size is None:
            return
        offset += size


def fixed_size(kind: Type) -> int | None:
    """How many octets a type always takes; None where that depends on the value."""
    match kind:
        case Constant():
            return len(kind.octets)
        case Integer():
            return kind.width
        case Uuid():
            return 16
        case Octets() if kind.length:
            return kind.length
        case Enumeration() if kind.width:
            return kind.width
        case _:
            return None


def frame_range(slots: Sequence[Slot]) -> tuple[int, int | None]:
    """The least and the greatest number of frames; None: no bound."""
    least, most, optional = 0, 0, False
    bounded = True
    for slot in slots:
        match slot:
            case Frame():
                optional = optional or slot.optional
                most += 1
                least += not optional
            case Stack():
                least += slot.required and not optional
                bounded = False
            case Frames():
                least += 0 if optional else slot.minimum
                bounded = False
    return least, most if bounded else None


def field_name(name: str) -> str:
    """The name of a field in JSON: lower snake case of what the specification calls it."""
    return name.replace("-", "_").lower()


def fields(message: Message) -> Iterator[tuple[str, Field | Stack | Frames, bool]]:
    """The values of a message in order: name, what holds it, whether it may be None."""
    for slot in message.slots:
        match slot:
            case Frame():
                for field in slot.fields:
                    if not isinstance(field.type, Constant):
                        yield field_name(field.name), field, slot.optional
            case Stack():
                yield field_name(slot.name), slot, not slot.required
            case Frames():
                yield field_name(slot.name), slot, False
