"""How messages lie in frames and octets, as data; every codec has such a table.

The codecs do not need it while all goes well. It finds out what is wrong with a message, and
shows people what is in one.

Made by `zwire generate`; do not edit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from keyword import iskeyword
from struct import Struct
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, TypeVar, dataclass_transform

_Class = TypeVar("_Class")

if TYPE_CHECKING:

    @dataclass_transform(frozen_default=True)
    def message(cls: type[_Class]) -> type[_Class]:
        """Make a class a message: to the type checker, nobody may change one."""
        return cls

else:
    # Python would make a truly frozen one at a third of the speed.
    message = dataclass(slots=True)

# A message without its fields, which a decoder fills at once: half the price of a constructor.
blank: Callable[[type[Any]], Any] = object.__new__


def by_octet(
    known: Mapping[int, Callable[[Sequence[bytes]], _Class]],
) -> list[Callable[[Sequence[bytes]], _Class]]:
    """The decoder for each value of an octet, in a list: that is quicker to look into."""
    return [known.get(octet, _unknown) for octet in range(256)]


def _unknown(frames: Sequence[bytes]) -> NoReturn:
    raise ValueError("no message has this octet")


@cache
def by_size(form: str) -> list[Struct]:
    """A format with `p`, octets behind one that counts them, for each number that they can be."""
    return [Struct(form.replace("p", f"{size + 1}p")) for size in range(256)]


# The octet of every number that one octet can hold.
OCTET = {number: bytes((number,)) for number in range(256)}

# What the annotations of messages are made of, and what every class has already.
_NEEDED = frozenset({"bytes", "dict", "int", "mro", "property", "str", "tuple"})

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")


def control_in(text: str) -> str:
    """The first control character of a text; empty where there is none."""
    found = _CONTROL.search(text)
    return found[0] if found else ""


def refuse_controls(*texts: str) -> None:
    """Raise ValueError where a text has a control character. What is printable has none, so
    only the others need to come here."""
    for text in texts:
        if control_in(text):
            raise ValueError("a control character")


def first_of_each(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """A dictionary in which the first of several equal keys counts."""
    found: dict[str, str] = {}
    for key, value in pairs:
        found.setdefault(key, value)
    return found


def named(entries: Iterable[str]) -> dict[str, str]:
    """Entries `name=value` as a dictionary: split at the first `=`, the first of each counts."""
    return first_of_each((name, value) for name, _, value in (e.partition("=") for e in entries))


@dataclass(frozen=True, slots=True)
class Constant:
    """Octets that are always the same."""

    name: str
    octets: bytes


@dataclass(frozen=True, slots=True)
class Integer:
    """An unsigned number in network order."""

    name: str
    width: int
    minimum: int = 0


@dataclass(frozen=True, slots=True)
class Text:
    """UTF-8 without control characters, behind its size of `count` octets; 0: fills its frame."""

    name: str
    count: int
    minimum: int = 0
    maximum: int | None = None


@dataclass(frozen=True, slots=True)
class Octets:
    """Opaque octets: `length` of them, or behind a size of `count` octets, or the frame's rest."""

    name: str
    length: int = 0
    count: int = 0
    minimum: int = 0
    maximum: int | None = None


@dataclass(frozen=True, slots=True)
class Uuid:
    """Sixteen octets that identify."""

    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the members of an enumeration; `names` are those of the specification."""

    name: str
    width: int
    type: type[Enum]
    octets: Mapping[Any, bytes]
    names: Mapping[Any, str]


@dataclass(frozen=True, slots=True)
class Listing:
    """A count of `count` octets and that many items."""

    name: str
    count: int
    item: Text | Octets | Integer


@dataclass(frozen=True, slots=True)
class Dictionary:
    """A count of `count` octets and that many entries: key and value, or `name=value`."""

    name: str
    count: int
    key: Text
    value: Text | None = None


Field: TypeAlias = Constant | Integer | Text | Octets | Uuid | Choice | Listing | Dictionary


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame, which its fields fill from end to end."""

    fields: tuple[Field, ...]
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Stack:
    """Frames with addresses, none of them empty, then an empty frame."""

    name: str
    required: bool


@dataclass(frozen=True, slots=True)
class Frames:
    """All further frames."""

    name: str
    minimum: int


@dataclass(frozen=True, slots=True)
class Layout:
    """A message: its name in the specification, its class, its frames, and who sends it."""

    name: str
    type: type[Any]
    senders: tuple[str, ...]
    slots: tuple[Frame | Stack | Frames, ...]

    def values(self) -> dict[str, tuple[Field | Stack | Frames, bool]]:
        """What has a value, by name: its place in the layout and whether it may be missing."""
        found: dict[str, tuple[Field | Stack | Frames, bool]] = {}
        for slot in self.slots:
            if isinstance(slot, Frame):
                for field in slot.fields:
                    if not isinstance(field, Constant):
                        found[field.name] = (field, slot.optional)
            else:
                found[slot.name] = (slot, isinstance(slot, Stack) and not slot.required)
        return found


def layout(
    name: str, cls: type[Any], senders: tuple[str, ...], *slots: Frame | Stack | Frames
) -> Layout:
    """The layout of a message with these slots."""
    return Layout(name, cls, senders, slots)


def frame(*fields: Field, optional: bool = False) -> Frame:
    """One frame of these fields."""
    return Frame(fields, optional)


def attribute(name: str) -> str:
    """The attribute that holds a field: its name, with `_` behind a word that Python needs."""
    return name + "_" if iskeyword(name) or name in _NEEDED else name
