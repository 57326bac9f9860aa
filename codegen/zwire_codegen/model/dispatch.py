"""How the messages of a part are told apart: by constants at fixed places, then by frame count.

Where the constants of two messages both fit, the stricter form is asked first: `READY` is exactly
one frame 01, and any other content is a request.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from zwire_codegen.model.types import (
    Constant,
    Enumeration,
    Field,
    Frame,
    Frames,
    Integer,
    Message,
    Octets,
    Part,
    Stack,
    Uuid,
)

# A part with thousands of messages that all look alike is not compared to the end.
_MOST_COMPARISONS = 100_000


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """A fixed place in a message: frame number and offset in it."""

    frame: int
    offset: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A constant at a fixed place; `whole`: it is all that the frame holds."""

    spot: Spot
    octets: bytes
    whole: bool

    def fits(self, frames: Sequence[bytes]) -> bool:
        """Whether these frames have the constant."""
        if self.spot.frame >= len(frames):
            return False
        frame = frames[self.spot.frame]
        return (
            frame == self.octets if self.whole else frame.startswith(self.octets, self.spot.offset)
        )


@dataclass(frozen=True, slots=True)
class Candidate:
    """A message with its constants at fixed places and how many frames it may have."""

    message: Message
    marks: tuple[Mark, ...]
    least: int
    most: int | None

    def counts(self, number: int) -> bool:
        """Whether a message of this kind may have this number of frames."""
        return self.least <= number and (self.most is None or number <= self.most)

    def mark_at(self, spot: Spot) -> Mark | None:
        return next((mark for mark in self.marks if mark.spot == spot), None)


# The constants of a message, and its least and greatest number of frames.
_Form: TypeAlias = tuple[frozenset[Mark], int, int | None]


def candidates(part: Part, role: str | None = None) -> list[Candidate]:
    """The messages that a role of the part may send (None: that anybody may)."""
    return [
        candidate(message) for message in part.messages if role is None or role in message.senders
    ]


def command_spot(part: Part) -> Spot | None:
    """The place where a part's messages have their command: the one that differs most."""
    return _command_spot(candidates(part))


def clashes(part: Part, role: str | None = None) -> list[tuple[Message, Message]]:
    """Pairs of messages of a direction which nothing tells apart; each message comes second at
    most once."""
    found = candidates(part, role)
    spots = list(_common(found))
    groups: dict[tuple[bytes, ...], dict[_Form, Message]] = {}
    pairs: list[tuple[Message, Message]] = []
    comparisons = 0
    for one in found:  # messages with different constants at a common place cannot clash
        key = tuple(mark.octets for spot in spots if (mark := one.mark_at(spot)))
        forms = groups.setdefault(key, {})
        form = (frozenset(one.marks), one.least, one.most)
        if form in forms:
            pairs.append((forms[form], one.message))
            continue
        comparisons += len(forms)
        if comparisons > _MOST_COMPARISONS:
            break
        other = next((forms[known] for known in forms if _clash(form, known)), None)
        if other is not None:
            pairs.append((other, one.message))
        forms[form] = one.message
    return pairs


def candidate(message: Message) -> Candidate:
    """A message's constants at fixed places, and its frame counts."""
    marks: list[Mark] = []
    fixed = True
    least, most = 0, 0
    open_ended = False
    for slot in message.slots:
        match slot:
            case Frame():
                if fixed and not slot.optional:
                    marks.extend(_marks(most, slot.fields))
                least += not slot.optional
                most += 1
                fixed = fixed and not slot.optional
            case Stack():
                least += slot.required
                open_ended, fixed = True, False
            case Frames():
                least += slot.minimum
                open_ended, fixed = True, False
    return Candidate(message, tuple(marks), least, None if open_ended else most)


def width(field: Field) -> int | None:
    """How many octets a field always has; None where that varies."""
    match field.type:
        case Constant(octets):
            return len(octets)
        case Integer(size):
            return size
        case Uuid():
            return 16
        case Octets(length=size) if size:
            return size
        case Enumeration(width=size) if size:
            return size
        case _:
            return None


def _marks(frame: int, fields: tuple[Field, ...]) -> list[Mark]:
    marks = []
    offset = 0
    for field in fields:
        if isinstance(field.type, Constant):
            marks.append(Mark(Spot(frame, offset), field.type.octets, len(fields) == 1))
        size = width(field)
        if size is None:
            break
        offset += size
    return marks


def _common(candidates: Sequence[Candidate]) -> dict[Spot, set[bytes]]:
    """The places where all have a constant, with the constants found there."""
    values: dict[Spot, list[bytes]] = {}
    for one in candidates:
        for mark in one.marks:
            values.setdefault(mark.spot, []).append(mark.octets)
    return {
        spot: set(values[spot]) for spot in sorted(values) if len(values[spot]) == len(candidates)
    }


def _command_spot(candidates: Sequence[Candidate]) -> Spot | None:
    common = _common(candidates)
    most = max((len(found) for found in common.values()), default=0)
    if most < 2:
        return None
    return max(spot for spot, found in common.items() if len(found) == most)


def _clash(one: _Form, other: _Form) -> bool:
    (ones, least, most), (others, other_least, other_most) = one, other
    if (most is not None and most < other_least) or (other_most is not None and other_most < least):
        return False
    if any(_differ(a, b) for a in ones for b in others if a.spot.frame == b.spot.frame):
        return False
    # A stricter form is asked first and takes what fits it.
    return not (ones < others or others < ones)


def _differ(one: Mark, other: Mark) -> bool:
    """Whether no frame can have both constants."""
    if one.whole and other.whole:
        return one.octets != other.octets
    if one.whole or other.whole:
        whole, inner = (one, other) if one.whole else (other, one)
        return not whole.octets.startswith(inner.octets, inner.spot.offset)
    start = max(one.spot.offset, other.spot.offset)
    stop = min(one.spot.offset + len(one.octets), other.spot.offset + len(other.octets))
    here = one.octets[start - one.spot.offset : max(start, stop) - one.spot.offset]
    there = other.octets[start - other.spot.offset : max(start, stop) - other.spot.offset]
    return here != there
