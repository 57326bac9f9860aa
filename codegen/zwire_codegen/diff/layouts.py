"""Compare the layout of two messages: slots, fields and their types."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zwire_codegen.diff.changes import Change, Impact, pair
from zwire_codegen.model.types import (
    Constant,
    Dictionary,
    Enumeration,
    Field,
    Frame,
    Frames,
    Integer,
    Listing,
    Octets,
    Slot,
    Stack,
    Text,
    Type,
    Uuid,
)


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
    """Every change from one layout to the other."""
    for number, (before, after) in enumerate(zip(old, new, strict=False)):
        yield from _compare_slot(where, number, before, after)
    for slot in old[len(new) :]:
        yield Change(
            Impact.WIRE,
            "frame-gone",
            where,
            f"{_called(slot)} is gone",
            "old peers send a frame too many",
        )
    for slot in new[len(old) :]:
        if (isinstance(slot, Frame) and slot.optional) or (
            isinstance(slot, Frames) and not slot.minimum
        ):
            yield Change(
                Impact.COMPATIBLE,
                "frame-optional",
                where,
                f"{_called(slot)} may follow",
                "messages without it are as they were; old peers refuse those with it",
            )
        else:
            yield Change(
                Impact.WIRE,
                "frame-new",
                where,
                f"{_called(slot)} must follow",
                "messages of old peers lack it",
            )


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
                yield _wire("frame-required", where, f"frame {number} must now be there")
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
            yield from _renamed(where, old.name, new.name)
            if old.required != new.required:
                yield _wire(
                    "stack",
                    where,
                    f"the address stack {'must' if new.required else 'need not'} be there",
                )
        case Frames(), Frames():
            yield from _renamed(where, old.name, new.name)
            if new.minimum > old.minimum:
                yield _wire("frames-minimum", where, f"{new.name} needs {new.minimum} frames")
            elif new.minimum < old.minimum:
                yield Change(
                    Impact.COMPATIBLE,
                    "frames-minimum",
                    where,
                    f"{new.name} may be as few as {new.minimum} frames",
                    "what was sent before is still understood; old peers refuse fewer",
                )
        case _:
            yield _wire("frame-kind", where, f"{_called(old)} became {_called(new)}")


def _compare_fields(
    where: str, number: int, old: Sequence[Field], new: Sequence[Field]
) -> Iterator[Change]:
    if len(old) != len(new):
        names = [field.name for field in old], [field.name for field in new]
        gone = [name for name in names[0] if name not in names[1]]
        fresh = [name for name in names[1] if name not in names[0]]
        yield _wire(
            "field-count",
            where,
            f"frame {number} "
            + " and ".join(
                [f"loses {', '.join(gone)}"] * bool(gone)
                + [f"gains {', '.join(fresh)}"] * bool(fresh)
            ),
        )
        return
    if sorted(field.name for field in old) == sorted(field.name for field in new) and [
        field.name for field in old
    ] != [field.name for field in new]:
        yield _wire("field-order", where, f"the fields of frame {number} stand in another order")
        return
    for before, after in zip(old, new, strict=True):
        place = f"{where}.{before.name}"
        if not (isinstance(before.type, Constant) and isinstance(after.type, Constant)):
            yield from _renamed(place, before.name, after.name)
        yield from _compare_types(place, before.type, after.type)


def _renamed(where: str, old: str, new: str) -> Iterator[Change]:
    if old != new:
        yield Change(
            Impact.SOURCE,
            "field-renamed",
            where,
            f"{old} is now {new}",
            "the octets are the same, programs name the field",
        )


def _wire(kind: str, where: str, what: str) -> Change:
    return Change(Impact.WIRE, kind, where, what, "the octets of old and new peers differ")


def _compare_types(where: str, old: Type, new: Type) -> Iterator[Change]:
    match old, new:
        case Constant(), Constant() if old.octets != new.octets:
            yield _wire("renumbered", where, f"was {_hex(old.octets)} and is {_hex(new.octets)}")
        case Integer(), Integer() if old.width != new.width:
            kind = "widened" if new.width > old.width else "narrowed"
            yield _wire(kind, where, f"had {old.width} octets and has {new.width}")
        case Enumeration(), Enumeration():
            yield from _compare_enumerations(where, old, new)
        case (Text() | Octets() | Integer(), Text() | Octets() | Integer()) if type(old) is type(
            new
        ):
            yield from _compare_bounds(where, _bounds(old), _bounds(new))
        case (Listing(), Listing()) | (Dictionary(), Dictionary()) if old != new:
            yield _wire("entries", where, "its count or its entries are laid out differently")
        case _ if type(old) is not type(new):
            impact = Impact.SOURCE if _same_octets(old, new) else Impact.WIRE
            yield Change(
                impact,
                "type",
                where,
                f"was {_named(old)} and is {_named(new)}",
                (
                    "the octets are the same, the value in programs is not"
                    if impact is Impact.SOURCE
                    else "the octets of old and new peers differ"
                ),
            )


@dataclass(frozen=True, slots=True)
class _Bounds:
    layout: tuple[int, ...]
    least: int
    most: float


def _bounds(kind: Text | Octets | Integer) -> _Bounds:
    match kind:
        case Text():
            return _Bounds((kind.count,), kind.minimum, _open(kind.most))
        case Octets():
            return _Bounds((kind.length, kind.count), kind.minimum, _open(kind.maximum))
        case Integer():
            return _Bounds((kind.width,), kind.minimum, float("inf"))


def _open(maximum: int | None) -> float:
    return float("inf") if maximum is None else maximum


def _compare_bounds(where: str, before: _Bounds, after: _Bounds) -> Iterator[Change]:
    if before.layout != after.layout:
        kind = "widened" if after.layout > before.layout else "narrowed"
        yield _wire(kind, where, "its size is written in another number of octets")
    elif after.least > before.least or after.most < before.most:
        yield _wire("bounds-narrowed", where, "values that were legal are refused")
    elif after != before:
        yield Change(
            Impact.COMPATIBLE,
            "bounds-widened",
            where,
            "more values are legal",
            "what was sent before is still understood; old peers refuse the new values",
        )


def _compare_enumerations(where: str, old: Enumeration, new: Enumeration) -> Iterator[Change]:
    if old.width != new.width:
        yield _wire("widened", where, f"its values had {old.width} octets and have {new.width}")
        return
    if old.name != new.name:
        yield from _renamed(where, old.name, new.name)
    members = pair(old.members, new.members, lambda one: one.name, lambda one: one.octets)
    for member in members.gone:
        yield _wire("value-gone", where, f"the value {member.name} is gone")
    for member in members.new:
        yield Change(
            Impact.COMPATIBLE,
            "value-new",
            where,
            f"the value {member.name} ({_hex(member.octets)}) is new",
            "values sent before are still understood; old peers refuse the new one",
        )
    for before, after in members.renamed:
        yield from _renamed(where, before.name, after.name)
    for before, after in members.same:
        if before.octets != after.octets:
            yield _wire(
                "renumbered",
                where,
                f"{before.name} was {_hex(before.octets)} and is {_hex(after.octets)}",
            )


def _same_octets(old: Type, new: Type) -> bool:
    """Whether two types of different kinds always have the same octets' layout."""
    return _layout(old) is not None and _layout(old) == _layout(new)


def _layout(kind: Type) -> tuple[int, int] | None:
    match kind:
        case Uuid():
            return (16, 0)
        case Octets():
            return (kind.length, kind.count)
        case Text():
            return (0, kind.count)
        case Integer() | Enumeration():
            return (kind.width, 0)
        case _:
            return None


def _named(kind: Type) -> str:
    return type(kind).__name__.lower()


def _hex(octets: bytes) -> str:
    return f"%x{octets.hex('.').upper()}" if octets else "empty"
