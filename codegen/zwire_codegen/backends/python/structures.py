"""Compiled formats of the struct module, and what of a field goes into them."""

from __future__ import annotations

from dataclasses import dataclass

from zwire_codegen.backends.python.fields import FieldPlan
from zwire_codegen.model.types import (
    Constant,
    Dictionary,
    Enumeration,
    Integer,
    Listing,
    Octets,
    Text,
    Uuid,
)
from zwire_codegen.reference.shape import fixed_size

SIZED = "p"  # the struct code of octets behind one octet that counts them

_METHODS = {"read": "unpack_from", "all": "unpack", "write": "pack"}


@dataclass(frozen=True, slots=True)
class Structure:
    """A compiled format: `use` is read (from somewhere), all (a whole frame) or write.

    One with sized octets in it is a list of formats, one for each size.
    """

    use: str
    format: str

    @property
    def name(self) -> str:
        return f"_{self.use}_{self.format}"

    @property
    def method(self) -> str:
        return _METHODS[self.use]

    @property
    def sized(self) -> bool:
        return SIZED in self.format


def count_of(field: FieldPlan) -> int:
    """The width of the size or count in front of a field; 0: it has none."""
    match field.type:
        case Text(count) | Octets(0, count) | Listing(count) | Dictionary(count):
            return count
        case _:
            return 0


def is_sized(field: FieldPlan) -> bool:
    """Whether a field is text or octets behind a size of one octet."""
    return isinstance(field.type, Text | Octets) and count_of(field) == 1


def is_fixed(field: FieldPlan) -> bool:
    """Whether a field always takes the same number of octets."""
    match field.type:
        case Constant() | Integer() | Uuid() | Octets() | Enumeration():
            return fixed_size(field.type) is not None
        case _:
            return False


def size_of(field: FieldPlan) -> int:
    """The octets of a field of fixed size; of another, 0."""
    return (fixed_size(field.type) or 0) if is_fixed(field) else 0  # type: ignore[arg-type]
