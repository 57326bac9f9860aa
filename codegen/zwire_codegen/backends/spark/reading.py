"""How one message is read, as SQL: the columns it needs, what is checked in which order, its values."""

from __future__ import annotations

from typing import assert_never

from zwire_codegen.backends.spark.board import COUNT, Board
from zwire_codegen.backends.spark.lists import FAULTS, listed, possible_faults
from zwire_codegen.backends.spark.reasons import Reason, Reasons
from zwire_codegen.backends.spark.sql import (
    cases,
    equal,
    minus,
    no_text,
    number,
    octets,
    piece,
    plus,
    quoted,
    rest,
    text,
)
from zwire_codegen.model.types import (
    Constant,
    Dictionary,
    Enumeration,
    Field,
    Frame,
    Frames,
    Integer,
    Listing,
    Message,
    Octets,
    Slot,
    Stack,
    Text,
    Uuid,
)
from zwire_codegen.reference.shape import Mark, field_name, fixed_size, frame_range, marks


class Reading:
    """Walks through a message and writes down what it finds.

    `checks` are conditions with the numbers of their reasons, the first that holds counts; `values`
    is the SQL of each field. Neither is asked for in rows of other messages.
    """

    def __init__(self, message: Message, index: int, board: Board, reasons: Reasons) -> None:
        self.message = message
        self.checks: list[tuple[str, str]] = []
        self.values: dict[str, str] = {}
        self._index = index
        self._board = board
        self._reasons = reasons
        self._marks = {mark.place: mark for mark in marks(message)}
        self._base = "0"  # the frame behind the last stack
        self._passed = 0  # frames since then
        self._count_frames(message.slots)
        for place, slot in enumerate(message.slots):
            match slot:
                case Frame():
                    self._frame(slot)
                case Stack():
                    self._stack(slot)
                    self._count_frames(message.slots[place + 1 :])
                case Frames():
                    at = self._at
                    self.values[field_name(slot.name)] = self._frames(at, minus(COUNT, at))

    @property
    def _at(self) -> str:
        """The number of the next frame."""
        return plus(self._base, self._passed)

    @property
    def _fixed(self) -> bool:
        """Whether no stack came before, so that frames have known numbers."""
        return self._base == "0"

    def marks_in(self, at: str) -> list[Mark]:
        """The constants in a frame that were compared when the message was chosen."""
        known = self._marks.values() if self._fixed else ()
        return [mark for mark in known if str(mark.frame) == at]

    def share(self, name: str, sql: str, *, apart: bool = False) -> str:
        """An intermediate column; its name."""
        return self._board.share(name, sql, self._index, apart=apart)

    def check(self, condition: str, code: str, field: str, frame: str, offset: str) -> None:
        """Refuse the message when the condition holds."""
        reason = Reason(code, field, frame, offset, chosen=True)
        self.checks.append((condition, self._reasons.number(reason)))

    def _frames(self, at: str, length: str) -> str:
        return f"slice(frames, {plus(at, 1)}, greatest({length}, 0))"

    def _count_frames(self, slots: tuple[Slot, ...]) -> None:
        least, most = frame_range(slots)
        at = self._at
        if least:
            self.check(f"{COUNT} < {plus(at, least)}", "frame-count", "", COUNT, "0")
        if most is not None:
            end = plus(at, most)
            self.check(f"{COUNT} > {end}", "frame-count", "", end, "0")

    def _stack(self, slot: Stack) -> None:
        name, at = field_name(slot.name), self._at
        frames = "frames" if at == "0" else self._frames(at, minus(COUNT, at))
        size = self.share(f"_{name}_size", f"coalesce(array_position({frames}, X''), 0)")
        if slot.required:
            self.check(f"{size} = 0", "empty", name, COUNT, "0")
        above = self._frames(at, f"CAST({size} AS INT) - 1")
        self.values[name] = cases([(f"{size} > 0", above)])
        self._base = self.share(f"_{name}_stop", f"CAST({plus(size, at)} AS INT)")
        self._passed = 0

    def _frame(self, slot: Frame) -> None:
        at = self._at
        first = self._marks.get((self._passed, 0)) if self._fixed else None
        self._passed += 1
        if first is not None and first.whole:
            return  # it was compared when the message was chosen
        if self._fixed:
            frame = self._board.frame(int(at))
        else:
            frame = self.share(f"_frame_{self._passed}", f"get(frames, {at})")
        before = len(self.checks)
        _Fields(self, slot, frame, at).read()
        if slot.optional:
            self.checks[before:] = [
                (f"{frame} IS NOT NULL AND ({condition})", reason)
                for condition, reason in self.checks[before:]
            ]


class _Fields:
    """Reads the fields of one frame from left to right."""

    def __init__(self, reading: Reading, slot: Frame, frame: str, at: str) -> None:
        self._reading = reading
        self._slot = slot
        self._frame = frame
        self._at = at
        self._offset = "0"
        here = reading.marks_in(at)
        self._compared = {mark.offset for mark in here}  # constants that need no second look
        self._safe = max((mark.offset + len(mark.octets) for mark in here), default=0)

    def read(self) -> None:
        ends = False
        for field in self._slot.fields:
            ends = self._field(field)
        if not ends:
            self._check("", f"length({self._frame}) > {self._offset}", "trailing")

    def _check(self, field: str, condition: str, code: str, offset: str = "") -> None:
        self._reading.check(condition, code, field, self._at, offset or self._offset)

    def _value(self, field: Field, sql: str) -> None:
        self._reading.values[field_name(field.name)] = sql

    def _field(self, field: Field) -> bool:
        """Whether the field goes to the end of its frame."""
        kind = field.type
        match kind:
            case Constant():
                self._constant(field, kind)
            case Integer():
                self._room(field, kind.width)
                value = number(self._frame, self._offset, kind.width)
                if kind.minimum:
                    self._check(field_name(field.name), f"{value} < {kind.minimum}", "value")
                self._value(field, value)
            case Text() | Octets():
                return self._octets(field, kind)
            case Uuid():
                self._room(field, 16)
                self._value(field, piece(self._frame, self._offset, 16))
            case Enumeration():
                return self._enumeration(field, kind)
            case Listing() | Dictionary():
                self._list(field, kind)
                return False
            case _:
                assert_never(kind)
        self._offset = plus(self._offset, fixed_size(kind) or 0)
        return False

    def _room(self, field: Field, size: int) -> None:
        """Check that as many octets are there."""
        end = plus(self._offset, size)
        if end.isdigit() and int(end) <= self._safe:
            return
        self._check(field_name(field.name), f"length({self._frame}) < {end}", "truncated")

    def _constant(self, field: Field, kind: Constant) -> None:
        if self._offset.isdigit() and int(self._offset) in self._compared:
            return
        if kind.octets:
            there = piece(self._frame, self._offset, len(kind.octets))
            wrong = f"NOT ({equal(there, octets(kind.octets))})"
            self._check(field_name(field.name), wrong, "constant")

    def _octets(self, field: Field, kind: Text | Octets) -> bool:
        """Text or octets: of a fixed length, behind their size, or to the end of the frame."""
        name = field_name(field.name)
        share, frame, offset = self._reading.share, self._frame, self._offset
        if isinstance(kind, Octets) and kind.length:
            self._room(field, kind.length)
            self._value(field, piece(frame, offset, kind.length))
            self._offset = plus(offset, kind.length)
            return False
        if kind.count == 0:
            raw = frame if offset == "0" else share(f"_{name}_octets", rest(frame, offset))
        else:
            size = number(frame, offset, kind.count)
            inner = plus(offset, kind.count)
            stop = share(
                f"_{name}_stop", f"CAST(least({plus(inner, size)}, length({frame}) + 1) AS INT)"
            )
            self._check(name, f"{stop} > length({frame})", "truncated")
            raw = share(f"_{name}_octets", piece(frame, inner, minus(stop, inner)))
            self._offset = stop
        self._lengths(name, kind, raw, offset)
        if isinstance(kind, Text):
            self._check(name, no_text(raw), "text", offset)
        self._value(field, text(raw) if isinstance(kind, Text) else raw)
        return kind.count == 0

    def _lengths(self, name: str, kind: Text | Octets, raw: str, offset: str) -> None:
        if kind.minimum:
            self._check(name, f"length({raw}) = 0", "empty", offset)
        if kind.minimum > 1:
            self._check(name, f"length({raw}) < {kind.minimum}", "length", offset)
        if kind.maximum is not None:
            self._check(name, f"length({raw}) > {kind.maximum}", "length", offset)

    def _enumeration(self, field: Field, kind: Enumeration) -> bool:
        if kind.width:
            self._room(field, kind.width)
            raw = piece(self._frame, self._offset, kind.width)
        else:
            raw = rest(self._frame, self._offset)
        named = [(equal(raw, octets(m.octets)), quoted(m.name)) for m in kind.members]
        member = self._reading.share(f"_{field_name(field.name)}_member", cases(named))
        self._check(field_name(field.name), f"{member} IS NULL", "value")
        self._value(field, member)
        self._offset = plus(self._offset, kind.width)
        return kind.width == 0

    def _list(self, field: Field, kind: Listing | Dictionary) -> None:
        name = field_name(field.name)
        self._room(field, kind.count)
        listing = listed(kind, self._frame, self._offset)
        column = self._reading.share(f"_{name}_list", listing, apart=True)
        for fault in possible_faults(kind):
            wrong = f"{column}.wrong.fault = {fault}"
            self._check(name, wrong, FAULTS[fault], f"{column}.wrong.at")
        self._value(field, f"{column}.values")
        self._offset = f"{column}.stop"
