"""How a decoder finds its message: one look into a table where the constants allow it, else tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from zwire_codegen.backends.python.names import literal
from zwire_codegen.model.dispatch import Candidate, Mark, candidate
from zwire_codegen.model.types import Message, Part


@dataclass(frozen=True, slots=True)
class Place:
    """Octets of a frame by which messages are told apart: a whole frame, or from `start` on."""

    frame: int
    start: int = 0
    end: int | None = None  # None: the whole frame

    @property
    def is_octet(self) -> bool:
        """Whether it is a single octet inside a frame, which Python reads as a number."""
        return self.end is not None and self.end - self.start == 1

    @property
    def expression(self) -> str:
        """What to look up in the table."""
        if self.end is None:
            return f"frames[{self.frame}]"
        if self.is_octet:
            return f"frames[{self.frame}][{self.start}]"
        return f"frames[{self.frame}][{self.start or ''}:{self.end}]"

    def covers(self, mark: Mark) -> bool:
        if mark.spot.frame != self.frame:
            return False
        if self.end is None:
            return mark.whole
        stop = mark.spot.offset + len(mark.octets)
        return not mark.whole and self.start <= mark.spot.offset and stop <= self.end

    def value(self, marks: Sequence[Mark]) -> str:
        """What the table has for a message with these marks."""
        octets = b"".join(mark.octets for mark in marks if self.covers(mark))
        if self.is_octet:
            return f"0x{octets[0]:02X}"
        return literal(octets)


@dataclass(frozen=True, slots=True)
class Test:
    """A condition on frames and the message they are then; `foreign`: not from this sender."""

    condition: str
    message: Message
    foreign: bool = False


@dataclass(frozen=True, slots=True)
class Choosing:
    """How one direction is decoded: by a table of `places`, or by `tests` in order."""

    messages: tuple[Message, ...]
    places: tuple[Place, ...]
    tests: tuple[Test, ...]

    @property
    def key(self) -> str:
        return ", ".join(place.expression for place in self.places)

    def value(self, message: Message) -> str:
        """The key of a message in the table."""
        marks = candidate(message).marks
        values = [place.value(marks) for place in self.places]
        return values[0] if len(values) == 1 else f"({', '.join(values)})"

    def covered(self, message: Message) -> frozenset[Mark]:
        """The marks of a message that need no second look once it is chosen."""
        marks = candidate(message).marks
        if self.tests and any(test.message is message and test.condition for test in self.tests):
            return frozenset(marks)
        return frozenset(m for m in marks if any(place.covers(m) for place in self.places))


def plan_choosing(part: Part, messages: Sequence[Message], sender: str = "") -> Choosing:
    """How to tell these messages of a part apart; a sender that others must not be taken for."""
    found = [candidate(message) for message in messages]
    if len(found) > 1 and (places := _places(found)):
        return Choosing(tuple(messages), places, ())
    ranked = sorted(found, key=_weight, reverse=True)
    others = [candidate(other) for other in part.messages if sender and sender not in other.senders]
    foreign = [one for one in others if any(rivals(one, own) for own in found)]
    tests = [Test(condition(one), one.message, True) for one in foreign]
    tests += [Test(condition(one), one.message) for one in ranked[:-1]]
    return Choosing(tuple(messages), (), (*tests, Test("", ranked[-1].message)))


def condition(one: Candidate) -> str:
    """An expression that holds when frames have a message's marks and number."""
    if one.most is None:
        count = f"len(frames) >= {one.least}"
    elif one.least == one.most:
        count = f"len(frames) == {one.least}"
    else:
        count = f"{one.least} <= len(frames) <= {one.most}"
    return " and ".join([count, *(_has(mark) for mark in one.marks)])


def rivals(other: Candidate, own: Candidate) -> bool:
    """Whether another message, told apart by more constants, may have the octets of `own`."""
    if _weight(other) <= _weight(own) or other.message is own.message:
        return False
    apart = other.most is not None and other.most < own.least
    if apart or (own.most is not None and own.most < other.least):
        return False
    known = {mark.spot: mark.octets for mark in own.marks}
    return all(known.get(mark.spot, mark.octets) == mark.octets for mark in other.marks)


def rivals_of(part: Part, message: Message) -> list[str]:
    """Conditions under which the frames of a message would be read as another one."""
    own = candidate(message)
    return [
        condition(other)
        for other in (candidate(one) for one in part.messages)
        if rivals(other, own)
    ]


def _has(mark: Mark) -> str:
    frame = f"frames[{mark.spot.frame}]"
    if mark.whole:
        return f"{frame} == {literal(mark.octets)}"
    offset = f", {mark.spot.offset}" if mark.spot.offset else ""
    return f"{frame}.startswith({literal(mark.octets)}{offset})"


def _weight(one: Candidate) -> int:
    return sum(len(mark.octets) for mark in one.marks)


def _places(found: Sequence[Candidate]) -> tuple[Place, ...]:
    """The fewest places that tell all candidates apart; empty where none do."""
    places = _common_places(found)
    for number in range(1, len(places) + 1):
        for chosen in combinations(places, number):
            keys = {tuple(place.value(one.marks) for place in chosen) for one in found}
            if len(keys) == len(found):
                return chosen
    return ()


def _common_places(found: Sequence[Candidate]) -> list[Place]:
    """Where all candidates have constants of the same extent, single octets first: a number is
    looked up faster than octets are."""
    shapes = [
        {(mark.spot, None if mark.whole else len(mark.octets)) for mark in one.marks}
        for one in found
    ]
    places = [
        Place(spot.frame, spot.offset, None if length is None else spot.offset + length)
        for spot, length in set.intersection(*shapes)
        if length != 0
    ]
    return sorted(places, key=lambda place: (not place.is_octet, place.frame, place.start))
