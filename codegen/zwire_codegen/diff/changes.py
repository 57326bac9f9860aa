"""Changes, their impact, and how things of two models are paired by name or by likeness."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar


class Impact(StrEnum):
    """Whom a change breaks."""

    WIRE = "wire-breaking"  # peers built from the old document misunderstand or refuse
    SOURCE = "source-breaking"  # programs written against the generated code must be edited
    COMPATIBLE = "compatible"


@dataclass(frozen=True, slots=True)
class Change:
    """A change: where (`client.REQUEST.body`), what, and why it has its impact."""

    impact: Impact
    kind: str
    where: str
    what: str
    why: str

    def as_json(self) -> dict[str, str]:
        return {
            "impact": str(self.impact),
            "kind": self.kind,
            "where": self.where,
            "what": self.what,
            "why": self.why,
        }


def field_renamed(where: str, old: str, new: str) -> Iterator[Change]:
    """The change of a name, if it is one."""
    if old != new:
        yield Change(
            Impact.SOURCE,
            "field-renamed",
            where,
            f"{old} is now {new}",
            "the octets are the same, programs name the field",
        )


def wire(kind: str, where: str, what: str) -> Change:
    """A change of the octets themselves."""
    return Change(Impact.WIRE, kind, where, what, "the octets of old and new peers differ")


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pairing(Generic[T]):
    """Things of the old and the new model: the same by name, renamed, gone, new."""

    same: list[tuple[T, T]]
    renamed: list[tuple[T, T]]
    gone: list[T]
    new: list[T]


def pair(
    old: Iterable[T], new: Iterable[T], name: Callable[[T], str], likeness: Callable[[T], object]
) -> Pairing[T]:
    """Pair by name; what is left is paired where it is alike in all but the name."""
    old_by_name = {name(one): one for one in old}
    new_by_name = {name(one): one for one in new}
    same = [(one, new_by_name[key]) for key, one in old_by_name.items() if key in new_by_name]
    gone = [one for key, one in old_by_name.items() if key not in new_by_name]
    fresh = [one for key, one in new_by_name.items() if key not in old_by_name]
    renamed: list[tuple[T, T]] = []
    for one in list(gone):
        twin = next((other for other in fresh if likeness(other) == likeness(one)), None)
        if twin is not None:
            renamed.append((one, twin))
            gone.remove(one)
            fresh.remove(twin)
    return Pairing(same, renamed, gone, fresh)


def listed(names: Sequence[str]) -> str:
    """Names for people: `a, b and c`; "nobody" for none."""
    if not names:
        return "nobody"
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {names[-1]}"
