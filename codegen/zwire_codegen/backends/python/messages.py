"""What the templates print of a message: its class, and how its frames are read and written."""

from __future__ import annotations

import keyword
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from zwire_codegen.backends.python.fields import (
    FieldPlan,
    out_of_bounds,
    plan_field,
    plan_slot,
)
from zwire_codegen.backends.python.names import class_name, function_name, literal
from zwire_codegen.backends.python.pieces import Writing, plan_writing
from zwire_codegen.backends.python.steps import Reading, plan_reading
from zwire_codegen.backends.python.structures import Structure
from zwire_codegen.model.dispatch import Mark
from zwire_codegen.model.types import (
    Constant,
    Dictionary,
    Field,
    Frame,
    Frames,
    Listing,
    Message,
    Octets,
    Slot,
    Stack,
)

# What modules of strategies call their own things.
_STRATEGY_NAMES = frozenset(
    [
        "codec",
        "messages",
        "st",
        "numbers",
        "texts",
        "octets",
        "tuples_of",
        "stacks",
        "frames",
        "sendable",
        "bytes",
    ]
)


@dataclass(frozen=True)
class FramePlan:
    """One frame: the variable that holds it, its fields, how to read and how to write it."""

    variable: str
    fields: tuple[FieldPlan, ...]
    optional: bool
    index: int  # in its segment
    reading: Reading
    writing: Writing
    parts: str = "parts"  # the variable for its pieces where it is built in loops
    follows: str = ""  # the attribute of an optional frame without which this one cannot be
    hasty: bool = False  # whether it is checked at once, another frame being next to use `at`

    @property
    def values(self) -> tuple[FieldPlan, ...]:
        return tuple(field for field in self.fields if field.kind != "constant")


@dataclass(frozen=True)
class Segment:
    """Frames that are counted from one end of a message, or from its stack: all are in `source`."""

    source: str
    frames: tuple[FramePlan, ...]
    further: FieldPlan | None

    @property
    def least(self) -> int:
        return sum(not frame.optional for frame in self.frames)

    @property
    def optional(self) -> bool:
        return any(frame.optional for frame in self.frames)

    @property
    def wrong_count(self) -> str:
        """The condition under which there are too few or too many frames."""
        count = f"len({self.source})"
        if self.further:
            return f"{count} < {self.least}"
        return f"not {self.least} <= {count} <= {len(self.frames)}"

    @property
    def targets(self) -> str:
        """The variables for frames that are all there, as Python assigns to them."""
        names = [frame.variable for frame in self.frames]
        return f"({names[0]},)" if len(names) == 1 else ", ".join(names)


@dataclass(frozen=True)
class MessagePlan:
    """A message as class, encoder and decoder."""

    message: Message
    before: Segment
    stack: FieldPlan | None
    after: Segment | None
    misread: tuple[str, ...]

    @property
    def spec_name(self) -> str:
        return self.message.name

    @property
    def class_name(self) -> str:
        return class_name(self.message.name)

    @property
    def function(self) -> str:
        return function_name(self.message.name)

    @property
    def strategy(self) -> str:
        """The function that makes such messages for tests."""
        name = function_name(self.message.name)
        return name + "_" if keyword.iskeyword(name) or name in _STRATEGY_NAMES else name

    @property
    def documentation(self) -> str:
        """The specification's comment, who sends the message, and where it is told."""
        first = self.message.origin.comment or f"The {self.message.name} message."
        senders = " or ".join(self.message.senders) or "nobody"
        sent = f"Sent by {senders}" + ", received only" * self.message.received_only
        origin = self.message.origin
        return f"{first}\n\n{sent}; {origin.document}, line {origin.line}."

    @property
    def layout_slots(self) -> list[FramePlan | FieldPlan]:
        """Its frames and what stands for several of them, in order."""
        found: list[FramePlan | FieldPlan] = []
        for segment in self.segments:
            found += [self.stack] if segment is self.after and self.stack else []
            found += segment.frames
            found += [segment.further] if segment.further else []
        return found

    @property
    def segments(self) -> tuple[Segment, ...]:
        return (self.before,) if self.after is None else (self.before, self.after)

    @cached_property
    def fields(self) -> tuple[FieldPlan, ...]:
        """All that has a value, in order."""
        found: list[FieldPlan] = []
        for segment in self.segments:
            if segment is self.after and self.stack:
                found.append(self.stack)
            found += [field for frame in segment.frames for field in frame.values]
            found += [segment.further] if segment.further else []
        return tuple(found)

    def view(self, field: FieldPlan) -> str:
        """The property that shows a dictionary by name."""
        name = f"{field.attribute}_view"
        return name + "_" if any(one.attribute == name for one in self.fields) else name

    @property
    def stored(self) -> list[FieldPlan]:
        """What goes into the message when all has been looked at."""
        return [field for field in self.fields if not field.direct]

    @property
    def malformed(self) -> list[str]:
        """Conditions under which frames are refused once they are read."""
        found = [
            condition
            for segment in self.segments
            for frame in segment.frames
            if not frame.optional and not frame.hasty
            for condition in frame.reading.malformed
        ]
        for segment in self.segments:
            if segment.further and isinstance(segment.further.type, Frames):
                least = segment.further.type.minimum
                found += out_of_bounds(f"len({segment.further.variable})", least, None)
        return found

    @property
    def unsuitable(self) -> list[str]:
        """Conditions under which values are refused before they are packed."""
        return [
            condition
            for field in self.fields
            if not field.optional
            for condition in field.unsuitable
        ]

    @property
    def plain(self) -> bool:
        """Whether its frames are known before it is built: no stack, none optional."""
        return not self.stack and not self.before.optional and not self.misread

    @property
    def structures(self) -> Iterable[Structure]:
        for segment in self.segments:
            for frame in segment.frames:
                yield from frame.reading.structures
                yield from frame.writing.structures


def plan_message(
    message: Message, covered: frozenset[Mark], misread: tuple[str, ...]
) -> MessagePlan:
    """The plan of a message: the marks that whoever chose it has seen, and the conditions under
    which its frames would be read as something else."""
    place = next((i for i, slot in enumerate(message.slots) if isinstance(slot, Stack)), None)
    names = _Names(message)
    if place is None:
        (before,) = _hastened(_segment("frames", message.slots, covered, names))
        return MessagePlan(message, before, None, None, misread)
    slot = message.slots[place]
    assert isinstance(slot, Stack)
    before, after = _hastened(
        _segment("frames", message.slots[:place], covered, names),
        _segment("rest", message.slots[place + 1 :], frozenset(), names),
    )
    return MessagePlan(message, before, plan_slot(slot), after, misread)


def _hastened(*segments: Segment) -> list[Segment]:
    """The segments with their frames checked one by one, where several keep their place."""
    if sum(frame.reading.moving for segment in segments for frame in segment.frames) < 2:
        return list(segments)
    return [
        replace(
            segment,
            frames=tuple(replace(frame, hasty=frame.reading.moving) for frame in segment.frames),
        )
        for segment in segments
    ]


class _Names:
    """Names that are given once in a message: of its constants, and of frames with many fields."""

    def __init__(self, message: Message) -> None:
        self._constants: Counter[str] = Counter()
        self._frames = 0
        frames = [slot for slot in message.slots if isinstance(slot, Frame)]
        self._single = sum(len(frame.fields) != 1 for frame in frames) == 1
        self._single_loop = sum(map(_loops, frames)) == 1
        self._loops = 0

    def number(self, field: Field) -> int:
        """Which of the constants of its name this one is."""
        if isinstance(field.type, Constant):
            self._constants[field.name] += 1
        return self._constants[field.name] or 1

    def frame(self) -> str:
        """The variable of the next frame with many fields."""
        self._frames += 1
        return "frame" if self._single else f"frame_{self._frames}"

    def parts(self, frame: Frame) -> str:
        """The variable for the pieces of a frame."""
        self._loops += _loops(frame)
        return "parts" if self._single_loop else f"parts_{self._loops}"


def _loops(frame: Frame) -> bool:
    return any(isinstance(field.type, Listing | Dictionary) for field in frame.fields)


def _segment(
    source: str, slots: Sequence[Slot], covered: frozenset[Mark], names: _Names
) -> Segment:
    frames: list[FramePlan] = []
    further: FieldPlan | None = None
    for index, slot in enumerate(slots):
        if isinstance(slot, Frames):
            further = plan_slot(slot)
        elif isinstance(slot, Frame):
            plan = _frame(slot, index, covered, names)
            if frames and frames[-1].optional:
                plan = replace(plan, follows=frames[-1].values[0].attribute)
            frames.append(plan)
    return Segment(source, tuple(frames), further)


def _frame(slot: Frame, index: int, covered: frozenset[Mark], names: _Names) -> FramePlan:
    fields = tuple(plan_field(field, slot.optional, names.number(field)) for field in slot.fields)
    seen = frozenset(mark.spot.offset for mark in covered if mark.spot.frame == index)
    writing = plan_writing(fields)
    if len(fields) == 1 and isinstance(fields[0].type, Constant):
        return _constant_frame(fields[0], index, bool(seen), writing)
    variable = _whole(fields[0]) if len(fields) == 1 else names.frame()
    reading = plan_reading(fields, variable, seen)
    parts = names.parts(slot)
    return FramePlan(variable, fields, slot.optional, index, reading, writing, parts)


def _constant_frame(field: FieldPlan, index: int, seen: bool, writing: Writing) -> FramePlan:
    if seen:
        return FramePlan("_", (field,), False, index, Reading((), (), ()), writing)
    assert isinstance(field.type, Constant)
    variable = field.constant_variable
    wrong = f"{variable} != {literal(field.type.octets)}" if field.type.octets else variable
    return FramePlan(variable, (field,), False, index, Reading((), (wrong,), ()), writing)


def _whole(field: FieldPlan) -> str:
    """The variable of a frame that one field fills."""
    if isinstance(field.type, Octets) and not field.type.length and not field.type.count:
        return field.target
    return f"{field.variable}_octets"
