"""Messages of a part to frames and back, by walking the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from zwire_codegen.model.types import Field, Frame, Frames, Message, Part, Slot, Stack
from zwire_codegen.reference.reading import Value, read
from zwire_codegen.reference.refusal import Mismatch, Refusal
from zwire_codegen.reference.shape import Mark, field_name, fields, frame_range, marks
from zwire_codegen.reference.writing import hexadecimal, write


class Reference:
    """The codec of one part."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self._messages = {message.name: message for message in part.messages}
        self._marks = {message.name: marks(message) for message in part.messages}
        self._sharing = share_wire_form(part)

    def decode(
        self, frames: Sequence[bytes], role: str | None = None
    ) -> tuple[str, dict[str, Value]]:
        """The message's name and its fields, JSON-safe; raises Refusal. Without a role: said by
        anyone."""
        message = self._choose(frames, role)
        return message.name, _Reader(message, frames).fields()

    def encode(
        self, name: str, values: Mapping[str, Value], role: str | None = None
    ) -> list[bytes]:
        """The frames of a message; raises Refusal. What would be read as anything else is
        refused too."""
        message = self._messages.get(name)
        if message is None:
            raise Refusal("command", message=name, expected="a message of the part", got=name)
        frames = _write(message, values)
        for sender in (message.senders or (None,)) if role is None else (role,):
            self._check_reading(message, frames, values, sender)
        return frames

    def _check_reading(
        self,
        message: Message,
        frames: Sequence[bytes],
        values: Mapping[str, Value],
        sender: str | None,
    ) -> None:
        """Refuse what its receiver would take for another message, or cut in another place."""
        loose = [name for name, held, _ in fields(message) if isinstance(held, Stack | Frames)]
        try:
            name, seen = self.decode(frames, sender)
        except Refusal as refusal:
            raise _misread(message, loose, f"{refusal.code} of the receiver") from None
        if name != message.name:
            raise _misread(message, loose, f"frames that read as {name}")
        if not all(_same(seen[field], values.get(field)) for field in loose):
            raise _misread(message, loose, "frames that read as another envelope")

    def _choose(self, frames: Sequence[bytes], role: str | None) -> Message:
        if not frames:
            raise Refusal("frame-count", expected="a frame", got="none")
        candidates = self._candidates(role)
        fitting = self._fitting(frames, candidates)
        if not fitting:
            raise self._unknown(frames, candidates)
        possible = [m for m in fitting if _in_range(len(frames), m.slots)] or fitting
        chosen = max(possible, key=self._weight)
        own = {candidate.name for candidate in candidates}
        others = [m for m in self.part.messages if m.name not in own]
        for other in sorted(self._fitting(frames, others), key=self._weight, reverse=True):
            # What can only be read as a message of the other side is that message.
            stricter = self._weight(other) > self._weight(chosen)
            if stricter and _in_range(len(frames), other.slots):
                raise _missing("command", self._marks[other.name][0], frames)
        return chosen

    def _candidates(self, role: str | None) -> Sequence[Message]:
        """The messages to choose from: all, unless only the sender tells some of them apart."""
        if role is None or not self._sharing:
            return self.part.messages
        return [message for message in self.part.messages if role in message.senders]

    def _fitting(self, frames: Sequence[bytes], among: Sequence[Message]) -> list[Message]:
        return [m for m in among if all(mark.fits(frames) for mark in self._marks[m.name])]

    def _weight(self, message: Message) -> int:
        """How many octets of a message are constants at fixed places."""
        return sum(len(mark.octets) for mark in self._marks[message.name])

    def _unknown(self, frames: Sequence[bytes], candidates: Sequence[Message]) -> Refusal:
        every = [self._marks[message.name] for message in candidates]
        if not every:
            return Refusal("command", expected="a role that speaks", got="one that is silent")
        shared = [m for m in every[0] if all(m.wire in {o.wire for o in own} for own in every)]
        for mark in shared:
            if not mark.fits(frames):
                return _missing("constant", mark, frames)
        known = {mark.wire for mark in shared}
        alive = every
        for place in sorted({m.place for own in every for m in own if m.wire not in known}):
            here = [mark for own in alive for mark in own if mark.place == place]
            alive = [own for own in alive if all(m.fits(frames) for m in own if m.place == place)]
            if not alive:
                return _missing("command", here[0], frames)
        raise AssertionError("some message fits after all")


def share_wire_form(part: Part) -> bool:
    """Whether some messages of a part have the same marks and may have the same frame count."""
    alike: dict[frozenset[tuple[int, int, bytes, bool]], list[Message]] = {}
    for message in part.messages:
        alike.setdefault(frozenset(mark.wire for mark in marks(message)), []).append(message)
    return any(
        _ranges_overlap(one, other)
        for messages in alike.values()
        for one, other in combinations(messages, 2)
    )


def _ranges_overlap(one: Message, other: Message) -> bool:
    (least, most), (others_least, others_most) = frame_range(one.slots), frame_range(other.slots)
    below = most is not None and most < others_least
    above = others_most is not None and others_most < least
    return not (below or above)


def _misread(message: Message, loose: Sequence[str], got: str) -> Refusal:
    return Refusal(
        "value",
        message=message.name,
        field=loose[-1] if loose else "",
        expected=f"frames that read as {message.name}",
        got=got,
    )


def _missing(code: str, mark: Mark, frames: Sequence[bytes]) -> Refusal:
    if mark.frame >= len(frames):
        return _count(len(frames), f"more than {len(frames)} frames", len(frames))
    got = frames[mark.frame][mark.offset : mark.offset + max(len(mark.octets), 1)]
    expected = mark.octets.hex() if code == "constant" else "a known command"
    return Refusal(
        code,
        field=field_name(mark.field),
        frame=mark.frame,
        offset=mark.offset,
        expected=expected or "nothing",
        got=got.hex() or "nothing",
    )


def _count(frame: int, expected: str, got: int, message: str = "") -> Refusal:
    return Refusal("frame-count", message=message, frame=frame, expected=expected, got=f"{got}")


def _same(seen: Value, meant: Value) -> bool:
    """Whether two stacks or runs of frames are alike, however their digits are written."""
    if seen is None or meant is None:
        return seen is meant
    return [bytes.fromhex(frame) for frame in seen] == [bytes.fromhex(frame) for frame in meant]


def _in_range(count: int, slots: Sequence[Slot]) -> bool:
    least, most = frame_range(slots)
    return least <= count and (most is None or count <= most)


class _Reader:
    """Walks through the slots of one message."""

    def __init__(self, message: Message, frames: Sequence[bytes]) -> None:
        self.message = message
        self.frames = frames
        self.at = 0
        self.values: dict[str, Value] = {}

    def fields(self) -> dict[str, Value]:
        self._check_count(self.message.slots)
        for index, slot in enumerate(self.message.slots):
            match slot:
                case Frame():
                    self._frame(slot)
                case Stack():
                    self._stack(slot)
                    self._check_count(self.message.slots[index + 1 :])
                case Frames():
                    rest = self.frames[self.at :]
                    self.values[field_name(slot.name)] = [frame.hex() for frame in rest]
                    self.at = len(self.frames)
        return self.values

    def _check_count(self, slots: Sequence[Slot]) -> None:
        """Whether what is left suits these slots."""
        least, most = frame_range(slots)
        count = len(self.frames)
        if count - self.at < least:
            raise _count(count, f"at least {self.at + least}", count, self.message.name)
        if most is not None and count - self.at > most:
            raise _count(self.at + most, f"at most {self.at + most}", count, self.message.name)

    def _frame(self, slot: Frame) -> None:
        if slot.optional and self.at >= len(self.frames):
            self.values.update((field_name(field.name), None) for field in slot.fields)
            return
        frame, offset = self.frames[self.at], 0
        for field in slot.fields:
            value, offset = self._field(field, frame, offset)
            if value is not None:
                self.values[field_name(field.name)] = value
        if offset < len(frame):
            raise Refusal(
                "trailing",
                message=self.message.name,
                frame=self.at,
                offset=offset,
                expected="the end of the frame",
                got=f"{len(frame) - offset} octets",
            )
        self.at += 1

    def _field(self, field: Field, frame: bytes, offset: int) -> tuple[Value, int]:
        try:
            return read(field.type, frame, offset)
        except Mismatch as error:
            raise Refusal(
                error.code,
                message=self.message.name,
                field=field_name(field.name),
                frame=self.at,
                offset=error.offset,
                expected=error.expected,
                got=error.got,
            ) from None

    def _stack(self, slot: Stack) -> None:
        name = field_name(slot.name)
        for index in range(self.at, len(self.frames)):
            if not self.frames[index]:
                self.values[name] = [frame.hex() for frame in self.frames[self.at : index]]
                self.at = index + 1
                return
        if slot.required:
            raise Refusal(
                "empty",
                message=self.message.name,
                field=name,
                frame=len(self.frames),
                expected="an empty frame",
                got="none",
            )
        self.values[name] = None


def _write(message: Message, values: Mapping[str, Value]) -> list[bytes]:
    wanted = {name: may_miss for name, _, may_miss in fields(message)}
    for name in sorted(wanted.keys() ^ values.keys()):
        if wanted.get(name):
            continue  # left out is as good as None
        expected, got = ("a value", "none") if name in wanted else ("no such field", name)
        raise Refusal("type", message=message.name, field=name, expected=expected, got=got)
    frames: list[bytes] = []
    for slot in message.slots:
        match slot:
            case Frame():
                if slot.optional and values.get(field_name(slot.fields[0].name)) is None:
                    break
                frames.append(b"".join(_write_field(message, f, values) for f in slot.fields))
            case Stack() | Frames():
                frames += _write_frames(message, slot, values.get(field_name(slot.name)))
    return frames


def _write_field(message: Message, field: Field, values: Mapping[str, Value]) -> bytes:
    name = field_name(field.name)
    try:
        return write(field.type, values.get(name))
    except Mismatch as error:
        raise _refused(message, name, error) from None


def _write_frames(message: Message, slot: Stack | Frames, value: Value) -> list[bytes]:
    if value is None and isinstance(slot, Stack) and not slot.required:
        return []
    try:
        if type(value) is not list:
            raise Mismatch("type", "list", type(value).__name__)
        frames = [hexadecimal(frame) for frame in value]
        if isinstance(slot, Stack):
            if b"" in frames:
                raise Mismatch("empty", "addresses with octets", "an empty one")
            frames.append(b"")
        elif len(frames) < slot.minimum:
            raise Mismatch("frame-count", f"at least {slot.minimum} frames", f"{len(frames)}")
    except Mismatch as error:
        raise _refused(message, field_name(slot.name), error) from None
    return frames


def _refused(message: Message, field: str, error: Mismatch) -> Refusal:
    return Refusal(
        error.code, message=message.name, field=field, expected=error.expected, got=error.got
    )
