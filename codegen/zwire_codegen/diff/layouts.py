"""Compare the layout of two messages: slots and their fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from zwire_codegen.diff.changes import Change, Impact, field_renamed, wire
from zwire_codegen.diff.values import compare_types
from zwire_codegen.model.types import Constant, Enumeration, Field, Frame, Frames, Slot, Stack, Type


def shape(slots: Sequence[Slot]) -> object:
    """What a layout is on the wire, whatever its fields are called."""
    return tuple(_slot_shape(slot) for slot in slots)


def _slot_shape(slot: Slot) -> object:
    match slot:
        case Frame(fields, _, optional):
            return ("frame", optional, tuple(_type_shape(field.type) for field in fields))
        case Stack(_, required, _):
            return ("stack", required)
        case Frames(_, minimum, _):
            return ("frames", minimum)


def _type_shape(kind: Type) -> object:
    if isinstance(kind, Enumeration):
        return ("enumeration", tuple(member.octets for member in kind.members))
    return kind


def compare_slots(where: str, old: Sequence[Slot], new: Sequence[Slot]) -> Iterator[Change]:
    """Every change from one layout to the other; frames are paired by the names in them."""
    keys = [tuple(_names([slot])) for slot in old], [tuple(_names([slot])) for slot in new]
    for _, first, last, start, end in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        both = min(last - first, end - start)
        for at in range(both):
            yield from _compare_slot(where, first + at, old[first + at], new[start + at])
        for slot in old[first + both : last]:
            what = f"{_called(slot)} is gone"
            why = "old peers send a frame too many"
            yield Change(Impact.WIRE, "frame-gone", where, what, why)
        for slot in new[start + both : end]:
            behind = None if last == len(old) else old[last]
            yield _added(where, slot, behind)


def _added(where: str, slot: Slot, behind: Slot | None) -> Change:
    """A slot that is new, in front of another or at the end."""
    if behind is not None:
        what = f"{_called(slot)} stands before {_called(behind)} now"
        why = "messages of old peers lack it"
        return Change(Impact.WIRE, "frame-new", where, what, why)
    if (isinstance(slot, Frame) and slot.optional) or (
        isinstance(slot, Frames) and not slot.minimum
    ):
        what = f"{_called(slot)} may follow"
        why = "messages without it are as they were; old peers refuse those with it"
        return Change(Impact.COMPATIBLE, "frame-optional", where, what, why)
    what = f"{_called(slot)} must follow"
    return Change(Impact.WIRE, "frame-new", where, what, "messages of old peers lack it")


def renamed_fields(old: Sequence[Slot], new: Sequence[Slot]) -> dict[str, str]:
    """The names of fields of one layout with those that the other has in the same place."""
    pairs = zip(_names(old), _names(new), strict=False)
    alike = shape(old) == shape(new)
    return {before: after for before, after in pairs if before != after} if alike else {}


def _names(slots: Sequence[Slot]) -> list[str]:
    return [
        name
        for slot in slots
        for name in (
            [field.name for field in slot.fields] if isinstance(slot, Frame) else [slot.name]
        )
    ]


def _called(slot: Slot) -> str:
    match slot:
        case Frame(fields):
            return f"the frame of {', '.join(field.name for field in fields) or 'nothing'}"
        case Stack(name):
            return f"the address stack {name}"
        case Frames(name):
            return f"the frames {name}"


def _compare_slot(where: str, number: int, old: Slot, new: Slot) -> Iterator[Change]:
    match old, new:
        case Frame(), Frame():
            if old.optional and not new.optional:
                yield wire("frame-required", where, f"frame {number} must now be there")
            elif new.optional and not old.optional:
                yield Change(
                    Impact.WIRE,
                    "frame-made-optional",
                    where,
                    f"frame {number} may now be missing",
                    "old peers refuse messages without it",
                )
            yield from _compare_fields(where, number, old.fields, new.fields)
        case Stack(), Stack():
            yield from field_renamed(where, old.name, new.name)
            if old.required != new.required:
                yield wire(
                    "stack",
                    where,
                    f"the address stack {'must' if new.required else 'need not'} be there",
                )
        case Frames(), Frames():
            yield from field_renamed(where, old.name, new.name)
            if new.minimum > old.minimum:
                yield wire("frames-minimum", where, f"{new.name} needs {new.minimum} frames")
            elif new.minimum < old.minimum:
                yield Change(
                    Impact.COMPATIBLE,
                    "frames-minimum",
                    where,
                    f"{new.name} may be as few as {new.minimum} frames",
                    "what was sent before is still understood; old peers refuse fewer",
                )
        case _:
            yield wire("frame-kind", where, f"{_called(old)} became {_called(new)}")


def _compare_fields(
    where: str, number: int, old: Sequence[Field], new: Sequence[Field]
) -> Iterator[Change]:
    names, fresh_names = [field.name for field in old], [field.name for field in new]
    moved = len(old) == len(new) and names != fresh_names and sorted(names) == sorted(fresh_names)
    if len(old) == len(new) and not moved:
        for before, after in zip(old, new, strict=True):
            place = f"{where}.{before.name}"
            if not (isinstance(before.type, Constant) and isinstance(after.type, Constant)):
                yield from field_renamed(place, before.name, after.name)
            yield from compare_types(place, before.type, after.type)
        return
    if moved:
        yield wire("field-order", where, f"the fields of frame {number} stand in another order")
    else:
        gone = list((Counter(names) - Counter(fresh_names)).elements())
        fresh = list((Counter(fresh_names) - Counter(names)).elements())
        told = [f"loses {', '.join(gone)}"] * bool(gone) + [f"gains {', '.join(fresh)}"] * bool(
            fresh
        )
        yield wire("field-count", where, f"frame {number} {' and '.join(told)}")
    for before in old:
        twins = [field for field in new if field.name == before.name]
        if len(twins) == 1 and names.count(before.name) == 1:
            yield from compare_types(f"{where}.{before.name}", before.type, twins[0].type)
