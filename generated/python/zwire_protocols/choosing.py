"""Which message frames are, told from the constants at fixed places and from their number.

Made by `zwire generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .errors import DecodeError, shown
from .layout import Choice, Constant, Field, Frame, Frames, Integer, Layout, Octets, Stack, Uuid


@dataclass(frozen=True, slots=True)
class Mark:
    """A constant at a fixed place; `whole`: it is all that its frame holds."""

    frame: int
    offset: int
    octets: bytes
    whole: bool

    def fits(self, frames: Sequence[bytes]) -> bool:
        """Whether the frames have it."""
        if self.frame >= len(frames):
            return False
        frame = frames[self.frame]
        return frame == self.octets if self.whole else frame.startswith(self.octets, self.offset)


def choose(layouts: Sequence[Layout], frames: Sequence[bytes], sender: str = "") -> Layout:
    """The message that the frames are, or come nearest to; raises DecodeError where none is.

    With a sender only what it may send counts.
    """
    given: object = frames  # whatever the type checker was told
    if not isinstance(given, list | tuple) or any(type(frame) is not bytes for frame in given):
        raise DecodeError("", "", 0, 0, "a list or tuple of bytes", shown(given), "type")
    if not frames:
        raise DecodeError("", "", 0, 0, "a frame", "none", "frame-count")
    own = [layout for layout in layouts if not sender or sender in layout.senders]
    fitting = [layout for layout in own if _fits(layout, frames)]
    if not fitting:
        raise _unknown(own, frames)
    suitable = [layout for layout in fitting if _has_count(layout, len(frames))] or fitting
    chosen = max(suitable, key=_weight)
    for layout in layouts:  # what another sender says in these very octets, nobody else says
        if not sender or sender in layout.senders or _weight(layout) <= _weight(chosen):
            continue
        if _fits(layout, frames) and _has_count(layout, len(frames)):
            name, mark = next(marks(layout))
            raise _refused(name, mark, "command", f"no {layout.name} of {sender}", frames)
    return chosen


def marks(layout: Layout) -> Iterator[tuple[str, Mark]]:
    """The constants of a message at fixed places, in order, with the names of their fields."""
    for index, slot in enumerate(layout.slots):
        if not isinstance(slot, Frame) or slot.optional:
            return
        offset = 0
        for field in slot.fields:
            if isinstance(field, Constant):
                yield field.name, Mark(index, offset, field.octets, len(slot.fields) == 1)
            size = _fixed_size(field)
            if size is None:
                break
            offset += size


def frame_range(slots: Sequence[Frame | Stack | Frames]) -> tuple[int, int | None]:
    """The least and the greatest number of frames; None: no bound."""
    least = most = 0
    bounded = whole = True
    for slot in slots:
        if isinstance(slot, Frame):
            whole = whole and not slot.optional  # behind an optional frame all may be missing
            least += whole
            most += 1
        else:
            bounded = False
            if whole:
                least += slot.required if isinstance(slot, Stack) else slot.minimum
    return least, most if bounded else None


def _fixed_size(field: Field) -> int | None:
    match field:
        case Constant():
            return len(field.octets)
        case Integer():
            return field.width
        case Octets() | Choice():
            return (field.length if isinstance(field, Octets) else field.width) or None
        case Uuid():
            return 16
        case _:
            return None


def _fits(layout: Layout, frames: Sequence[bytes]) -> bool:
    return all(mark.fits(frames) for _, mark in marks(layout))


def _has_count(layout: Layout, count: int) -> bool:
    least, most = frame_range(layout.slots)
    return least <= count and (most is None or count <= most)


def _weight(layout: Layout) -> int:
    return sum(len(mark.octets) for _, mark in marks(layout))


def _unknown(layouts: Sequence[Layout], frames: Sequence[bytes]) -> DecodeError:
    """Frames that have the marks of no message: a shared one is wrong, or the command is."""
    every = {layout.name: {mark: name for name, mark in marks(layout)} for layout in layouts}
    if not every:
        return DecodeError("", "", 0, 0, "a sender that speaks", "one that is silent", "command")
    first, *others = every.values()
    shared = [mark for mark in first if all(mark in other for other in others)]
    for mark in shared:
        if not mark.fits(frames):
            return _refused(first[mark], mark, "constant", "", frames)
    left = [
        {
            (mark.frame, mark.offset): (mark, name)
            for mark, name in own.items()
            if mark not in shared
        }
        for own in every.values()
    ]
    for place in sorted({place for own in left for place in own}):
        there = [own[place] for own in left if place in own]
        left = [own for own in left if place not in own or own[place][0].fits(frames)]
        if not left:
            break
    mark, name = there[0]
    expected = " or ".join(sorted({mark.octets.hex(" ") or "nothing" for mark, _ in there}))
    return _refused(name, mark, "command", expected, frames)


def _refused(
    name: str, mark: Mark, code: str, expected: str, frames: Sequence[bytes]
) -> DecodeError:
    if mark.frame >= len(frames):
        count = len(frames)
        wanted = f"at least {mark.frame + 1} frames"
        return DecodeError("", "", count, 0, wanted, f"{count}", "frame-count")
    frame = frames[mark.frame]
    got = frame if mark.whole else frame[mark.offset : mark.offset + len(mark.octets)]
    return DecodeError(
        "",
        name,
        mark.frame,
        mark.offset,
        expected or mark.octets.hex(" ") or "nothing",
        got[:24].hex(" ") or "nothing",
        code,
    )
