"""Compare the types of two fields: kinds, widths, bounds and values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zwire_codegen.diff.changes import Change, Impact, field_renamed, pair, wire
from zwire_codegen.model.types import (
    Constant,
    Dictionary,
    Enumeration,
    Integer,
    Listing,
    Octets,
    Text,
    Type,
    Uuid,
)


def compare_types(where: str, old: Type, new: Type) -> Iterator[Change]:
    """Every change from one type to the other."""
    match old, new:
        case Constant(), Constant() if old.octets != new.octets:
            yield wire("renumbered", where, f"was {_hex(old.octets)} and is {_hex(new.octets)}")
        case Enumeration(), Enumeration():
            yield from _compare_enumerations(where, old, new)
        case (Text() | Octets() | Integer(), Text() | Octets() | Integer()) if type(old) is type(
            new
        ):
            yield from _compare_bounds(where, _bounds(old), _bounds(new))
        case (Listing(), Listing()) | (Dictionary(), Dictionary()) if old != new:
            yield wire("entries", where, "its count or its entries are laid out differently")
        case _ if type(old) is not type(new):
            what = f"was {_named(old)} and is {_named(new)}"
            if not _same_octets(old, new):
                yield wire("type", where, what)
            elif _takes_less(old, new):
                why = "values that were legal are refused"
                yield Change(Impact.WIRE, "type", where, what, why)
            else:
                why = "the octets are the same, the value in programs is not"
                yield Change(Impact.SOURCE, "type", where, what, why)


@dataclass(frozen=True, slots=True)
class _Bounds:
    layout: tuple[int, int]  # octets of the value where that is fixed, octets of its size
    least: int
    most: float


def _bounds(kind: Text | Octets | Integer) -> _Bounds:
    match kind:
        case Text():
            return _Bounds((0, kind.count), kind.minimum, _open(kind.most))
        case Octets():
            return _Bounds((kind.length, kind.count), kind.minimum, _open(kind.maximum))
        case Integer():
            return _Bounds((kind.width, 0), kind.minimum, float("inf"))


def _open(maximum: int | None) -> float:
    return float("inf") if maximum is None else maximum


def _compare_bounds(where: str, before: _Bounds, after: _Bounds) -> Iterator[Change]:
    if before.layout != after.layout:
        yield _compare_measures(where, before.layout, after.layout)
    elif after.least > before.least or after.most < before.most:
        yield wire("bounds-narrowed", where, "values that were legal are refused")
    elif after != before:
        yield Change(
            Impact.COMPATIBLE,
            "bounds-widened",
            where,
            "more values are legal",
            "what was sent before is still understood; old peers refuse the new values",
        )


def _compare_measures(where: str, before: tuple[int, int], after: tuple[int, int]) -> Change:
    """Another number of octets: of the value itself, of the size in front of it, or of neither."""
    for old, new, what in zip(before, after, ("it", "its size"), strict=True):
        if old and new:
            kind = "widened" if new > old else "narrowed"
            return wire(kind, where, f"{what} had {_octets(old)} and has {new}")
    return wire("measure", where, f"was {_measured(before)} and is {_measured(after)}")


def _measured(layout: tuple[int, int]) -> str:
    length, count = layout
    if length:
        return f"{_octets(length)} long"
    return f"counted by {_octets(count)}" if count else "the rest of its frame"


def _octets(number: int) -> str:
    return f"{number} octet{'s' * (number != 1)}"


def _compare_enumerations(where: str, old: Enumeration, new: Enumeration) -> Iterator[Change]:
    if old.width != new.width:
        yield wire("widened", where, f"its values had {old.width} octets and have {new.width}")
        return
    if old.name != new.name:
        yield from field_renamed(where, old.name, new.name)
    members = pair(old.members, new.members, lambda one: one.name, lambda one: one.octets)
    for member in members.gone:
        yield wire("value-gone", where, f"the value {member.name} is gone")
    for member in members.new:
        yield Change(
            Impact.COMPATIBLE,
            "value-new",
            where,
            f"the value {member.name} ({_hex(member.octets)}) is new",
            "values sent before are still understood; old peers refuse the new one",
        )
    for before, after in members.renamed:
        what = f"the value {before.name} is now {after.name}"
        why = "the octets are the same, programs name the value"
        yield Change(Impact.SOURCE, "value-renamed", where, what, why)
    kept = [before.octets for before, _ in members.same + members.renamed]
    if [one.octets for one in new.members if one.octets in kept] != [
        one.octets for one in old.members if one.octets in kept
    ] and not any(before.octets != after.octets for before, after in members.same):
        why = "so they do in generated code and pages"
        yield Change(Impact.COMPATIBLE, "order", where, "its values stand in another order", why)
    for before, after in members.same:
        if before.octets != after.octets:
            yield wire(
                "renumbered",
                where,
                f"{before.name} was {_hex(before.octets)} and is {_hex(after.octets)}",
            )


def _same_octets(old: Type, new: Type) -> bool:
    """Whether two types of different kinds always have the same octets' layout."""
    return _layout(old) is not None and _layout(old) == _layout(new)


def _takes_less(old: Type, new: Type) -> bool:
    """Whether some octets of the old type are none of the new one, though laid out alike."""
    match old, new:
        case _, Enumeration():
            return True
        case Octets(), Text():
            return True
        case (Octets() | Text() | Integer(), Octets() | Text() | Integer()):
            before, after = _bounds(old), _bounds(new)
            return after.least > before.least or after.most < before.most
        case _:
            return False


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
