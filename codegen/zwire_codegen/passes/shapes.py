"""What an ABNF element means on the wire before it is laid out in frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from zwire_codegen.model.types import Constant, Integer, Octets, Text, Type
from zwire_codegen.source import Place

ALL_OCTETS = (1 << 256) - 1
INTEGER_WIDTHS = (1, 2, 4, 8)
COUNT_WIDTHS = (1, 2, 4)


def span(low: int, high: int) -> int:
    """The set of octets from low to high, as bits."""
    return (1 << (min(high, 255) + 1)) - (1 << min(low, 256)) if low <= high else 0


_PRINTABLE = span(0x21, 0x7E)
_TEXT = span(0x20, 0x7E) | span(0x09, 0x09)


@dataclass(frozen=True, slots=True)
class Octet:
    """One octet out of a set, kept as bits; `wide` says that the set goes on beyond octets."""

    bits: int
    wide: bool = False

    @property
    def text(self) -> bool:
        return self.wide or self.bits & ~_TEXT == 0

    @property
    def full(self) -> bool:
        """Whether the model's text or octets say exactly this, and no more."""
        return self.bits & _PRINTABLE == _PRINTABLE if self.text else self.bits == ALL_OCTETS


@dataclass(frozen=True, slots=True)
class Run:
    """An octet of a set again and again."""

    of: Octet
    minimum: int
    maximum: int | None

    @property
    def fixed(self) -> int:
        """The number of opaque octets where it is fixed, else 0."""
        return self.minimum if self.minimum == self.maximum and not self.of.text else 0


@dataclass(frozen=True, slots=True)
class Value:
    """One value inside a frame."""

    type: Type


@dataclass(frozen=True, slots=True)
class OneFrame:
    """A frame of its own."""

    optional: bool = False


@dataclass(frozen=True, slots=True)
class ManyFrames:
    """All further frames."""

    minimum: int


@dataclass(frozen=True, slots=True)
class Envelope:
    """An address stack with the empty frame that ends it."""

    required: bool


@dataclass(frozen=True, slots=True)
class Many:
    """Something again and again that a count in front may number; `name` is the item's."""

    item: Shape
    name: str
    minimum: int
    maximum: int | None


@dataclass(frozen=True, slots=True)
class Perhaps:
    """Something that may be missing."""

    shape: Shape


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a group: the name by which it was mentioned, where, and what explains it."""

    name: str
    shape: Shape
    place: Place
    line: int
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Several pieces, one after the other."""

    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """Something that a problem has been told about already."""


Shape: TypeAlias = (
    Octet | Run | Value | OneFrame | ManyFrames | Envelope | Many | Perhaps | Group | Broken
)


def type_of(shape: Shape) -> Type | None:
    """The type of a single value; None where the shape is none."""
    match shape:
        case Value():
            return shape.type
        case Octet():
            return _one(shape)
        case Run():
            return _several(shape)
        case _:
            return None


def fixed_octets(shape: Shape) -> int:
    """How many opaque octets the shape always has, or 0: what can serve as a count."""
    match shape:
        case Octet():
            return 1 if shape.bits == ALL_OCTETS else 0
        case Run():
            return shape.fixed
        case Value(Integer(width, 0)):
            return width
        case _:
            return 0


def _one(octet: Octet) -> Type | None:
    if octet.text:
        return Text(0, 1, 1)
    low = (octet.bits & -octet.bits).bit_length() - 1
    return Integer(1, low) if octet.bits == span(low, 255) else None


def _several(run: Run) -> Type:
    if run.maximum == 0:
        return Constant(b"")
    if run.of.text:
        return Text(0, run.minimum, run.maximum)
    if run.fixed:
        return Integer(run.fixed) if run.fixed in INTEGER_WIDTHS else Octets(length=run.fixed)
    return Octets(minimum=run.minimum, maximum=run.maximum)
