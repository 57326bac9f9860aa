"""How the messages of a part are told apart: by constants at fixed places, then by frame count.

Every reader of a protocol decides in the same order, so that all of them refuse the same
octets for the same reason:

1. the leading places of the part, one after the other: a place where every message has a
   constant, up to the place of the command;
2. of the messages still possible, the one with the most constants of which all fit and whose
   number of frames fits (`READY` is exactly one frame 01; any other content is a request);
3. the frame count of that message, then its fields from left to right, then what trails.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    Part,
    Stack,
    Uuid,
)


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


@dataclass(frozen=True, slots=True)
class Refusal:
    """No message begins like this: the reason's code, where, and what could have stood there."""

    code: str
    spot: Spot
    expected: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Dispatch:
    """The candidates of one direction, `leading` places in order, and the command's place."""

    candidates: tuple[Candidate, ...]
    leading: tuple[Spot, ...]
    command: Spot | None

    def choose(self, frames: Sequence[bytes]) -> Candidate | Refusal:
        """The message that these frames claim to be, or why they are none."""
        possible = self.candidates
        for spot in self.leading:
            here = [(candidate, candidate.mark_at(spot)) for candidate in possible]
            fitting = tuple(c for c, mark in here if mark is not None and mark.fits(frames))
            if not fitting:
                return self._refusal(spot, [mark for _, mark in here if mark], frames)
            possible = fitting
        if len(possible) == 1:
            return possible[0]
        ranked = sorted(possible, key=lambda candidate: -len(candidate.marks))
        fitting = tuple(c for c in ranked if all(mark.fits(frames) for mark in c.marks))
        if not fitting:
            marks = [mark for candidate in ranked for mark in candidate.marks]
            spot = min(mark.spot for mark in marks if not mark.fits(frames))
            return self._refusal(spot, [mark for mark in marks if mark.spot == spot], frames)
        counted = [candidate for candidate in fitting if candidate.counts(len(frames))]
        return counted[0] if counted else fitting[0]

    def _refusal(self, spot: Spot, marks: Sequence[Mark], frames: Sequence[bytes]) -> Refusal:
        expected = tuple(dict.fromkeys(mark.octets for mark in marks))
        if spot.frame >= len(frames):
            return Refusal("frame-count", Spot(len(frames), 0), expected)
        got = frames[spot.frame][spot.offset :]
        short = [m for m in marks if not m.whole and len(got) < len(m.octets)]
        if any(mark.octets.startswith(got) for mark in short):
            return Refusal("truncated", spot, expected)
        return Refusal("command" if spot == self.command else "constant", spot, expected)


def dispatch(part: Part, role: str | None = None) -> Dispatch:
    """How to read what a role of the part sends (None: what anybody sends)."""
    everyone = [candidate(message) for message in part.messages]
    command = _command_spot(everyone)
    return Dispatch(
        tuple(c for c in everyone if role is None or role in c.message.senders),
        _leading(everyone, command),
        command,
    )


def command_spot(part: Part) -> Spot | None:
    """The place where a part's messages have their command: the one that differs most."""
    return _command_spot([candidate(message) for message in part.messages])


def clashes(part: Part, role: str | None = None) -> list[tuple[Message, Message]]:
    """Pairs of messages of a direction which nothing tells apart."""
    found = [
        candidate(message) for message in part.messages if role is None or role in message.senders
    ]
    groups: dict[tuple[bytes, ...], list[Candidate]] = {}
    spots = _leading(found, _command_spot(found))
    for one in found:  # messages with different leading constants cannot clash
        key = tuple(mark.octets for spot in spots if (mark := one.mark_at(spot)))
        groups.setdefault(key, []).append(one)
    return [
        (one.message, other.message)
        for group in groups.values()
        for index, one in enumerate(group)
        for other in group[index + 1 :]
        if _clash(one, other)
    ]


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


def _leading(candidates: Sequence[Candidate], command: Spot | None) -> tuple[Spot, ...]:
    common = _common(candidates)
    if command is not None:
        return tuple(spot for spot in common if spot <= command)
    # Without a command: the run of constants with which every message begins.
    leading: list[Spot] = []
    following = Spot(0, 0)
    for spot in common:
        fresh = bool(leading) and spot == Spot(following.frame + 1, 0)
        if spot != following and not fresh:
            break
        if fresh and not all(
            mark.whole for c in candidates for mark in c.marks if mark.spot == leading[-1]
        ):
            break
        leading.append(spot)
        following = Spot(spot.frame, spot.offset + len(next(iter(common[spot]))))
    return tuple(leading)


def _clash(one: Candidate, other: Candidate) -> bool:
    apart = one.most is not None and one.most < other.least
    if apart or (other.most is not None and other.most < one.least):
        return False
    if any(_differ(a, b) for a in one.marks for b in other.marks if a.spot.frame == b.spot.frame):
        return False
    ones, others = set(one.marks), set(other.marks)
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
