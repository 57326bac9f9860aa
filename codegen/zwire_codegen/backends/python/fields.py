"""What templates know of a field: its names in Python, its kind, and when its value is refused."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, assert_never

from zwire_codegen.backends.python.names import attribute, class_name, upper_name, variable
from zwire_codegen.model.types import (
    Constant,
    Dictionary,
    Enumeration,
    Field,
    Frames,
    Integer,
    Listing,
    Member,
    Octets,
    Origin,
    Stack,
    Text,
    Type,
    Uuid,
)
from zwire_codegen.reference.shape import field_name

Held: TypeAlias = Type | Stack | Frames

CODES = {1: "B", 2: "H", 4: "I", 8: "Q"}  # of the struct module, by width


@dataclass(frozen=True, slots=True)
class MemberPlan:
    """A member of an enumeration: its name in Python, its value, and what is on the wire."""

    name: str
    value: int | str
    wire: int | bytes
    octets: bytes
    spec_name: str
    comment: str


@dataclass(frozen=True)
class FieldPlan:
    """A field, or the item of a listing, as the templates print it."""

    spec_name: str
    type: Held
    origin: Origin
    optional: bool = False
    number: int = 1  # among the constants of one name in a message

    @cached_property
    def name(self) -> str:
        """The name in JSON and in errors."""
        return field_name(self.spec_name)

    @cached_property
    def attribute(self) -> str:
        return attribute(self.spec_name)

    @cached_property
    def variable(self) -> str:
        return variable(self.spec_name)

    @property
    def constant_variable(self) -> str:
        """The local variable for the octets where a constant should be."""
        number = "" if self.number == 1 else f"_{self.number}"
        return f"{self.variable}_constant{number}"

    @property
    def direct(self) -> bool:
        """Whether a decoder puts the value into the message as soon as it has it: nothing more
        is asked of it, or only of what it was made from."""
        if self.optional:
            return False
        match self.type:
            case Stack():
                return False
            case Integer(_, minimum) | Frames(_, minimum):
                return not minimum
            case Octets(length):
                return bool(length) or self.bounds == (0, None)
            case _:
                return True

    @property
    def target(self) -> str:
        """What a decoder assigns the value to."""
        return f"made.{self.attribute}" if self.direct else self.variable

    @property
    def kept(self) -> str:
        """What a decoder assigns a value to that it looks at once more."""
        return f"{self.target} = {self.variable}" if self.direct else self.variable

    @property
    def kind(self) -> str:
        """The macro file that prints it."""
        return type(self.type).__name__.lower()

    @property
    def enum(self) -> str:
        """The class of an enumeration."""
        assert isinstance(self.type, Enumeration)
        return class_name(self.type.name)

    @property
    def enum_base(self) -> str:
        assert isinstance(self.type, Enumeration)
        return "IntEnum" if self.type.width else "StrEnum"

    @property
    def table(self) -> str:
        """The dictionary from numbers or octets to the members of an enumeration."""
        return f"_{self._enum_constant}_OF"

    @property
    def octets_table(self) -> str:
        """The dictionary from the members of an enumeration to their octets."""
        return f"_{self._enum_constant}_OCTETS"

    @property
    def names_table(self) -> str:
        """The dictionary from the members of an enumeration to the specification's names."""
        return f"_{self._enum_constant}_NAMES"

    @property
    def _enum_constant(self) -> str:
        assert isinstance(self.type, Enumeration)
        return upper_name(self.type.name)

    @property
    def members(self) -> list[MemberPlan]:
        """The members of an enumeration."""
        assert isinstance(self.type, Enumeration)
        numeric = bool(self.type.width)
        return [plan_member(member, numeric) for member in self.type.members]

    @property
    def size_code(self) -> str:
        """The struct code of the size in front of it."""
        assert isinstance(self.type, Text | Octets)
        return CODES[self.type.count]

    @property
    def item(self) -> FieldPlan:
        """What a listing repeats."""
        assert isinstance(self.type, Listing)
        return FieldPlan("item", self.type.item, self.origin)

    @property
    def entry(self) -> tuple[FieldPlan, FieldPlan | None]:
        """Key and value of a dictionary's entries."""
        assert isinstance(self.type, Dictionary)
        value = self.type.value
        key = FieldPlan("key", self.type.key, self.origin)
        return key, None if value is None else FieldPlan("value", value, self.origin)

    @property
    def fused(self) -> str:
        """The struct codes of a dictionary's key and the size of the value behind it, where one
        octet counts the key and more the value; else empty."""
        if not isinstance(self.type, Dictionary):
            return ""
        key, value = self.type.key, self.type.value
        if value is None or key.count != 1 or value.count < 2:
            return ""
        return f"p{CODES[value.count]}"

    @property
    def code(self) -> str:
        """The struct code of a field of fixed size."""
        match self.type:
            case Integer(width) | Enumeration(_, width):
                return CODES[width]
            case Constant(octets):
                return f"{len(octets)}s"
            case Uuid():
                return "16s"
            case Octets(length):
                return f"{length}s"
            case _:
                raise TypeError(f"{self.name} has no fixed size")

    @property
    def bounds(self) -> tuple[int, int | None]:
        """The least and greatest length that its size alone does not keep."""
        assert isinstance(self.type, Text | Octets)
        return self.type.minimum, self.type.maximum

    @property
    def unsuitable(self) -> tuple[str, ...]:
        """Conditions under which the value cannot be sent and that packing does not notice."""
        name = self.variable
        match self.type:
            case Integer(_, minimum):
                return (f"type({name}) is not int", *([f"{name} < {minimum}"] * bool(minimum)))
            case Text():
                return out_of_bounds(f"len({name}_octets)", *self.bounds)
            case Octets(length):
                kind = f"type({name}) is not bytes"
                if length:
                    return (kind, f"len({name}) != {length}")
                return (kind, *out_of_bounds(f"len({name})", *self.bounds))
            case Uuid():
                return (f"type({name}) is not UUID",)
            case Enumeration():
                return (f"type({name}) is not {self.enum}",)
            case Listing() | Dictionary():
                return (f"type({name}) is not tuple",)
            case Frames(_, minimum):
                return (
                    f"type({name}) is not tuple",
                    *out_of_bounds(f"len({name})", minimum, None),
                )
            case Constant() | Stack():
                return ()
            case _:
                assert_never(self.type)


def plan_member(member: Member, numeric: bool) -> MemberPlan:
    """The plan of one member; a number where its octets are read as one."""
    name = upper_name(member.name)
    name = f"_{name}" if name[:1].isdigit() else name
    number = int.from_bytes(member.octets, "big")
    text = member.octets.decode("utf-8", "backslashreplace")
    return MemberPlan(
        name,
        number if numeric else text,
        number if numeric else member.octets,
        member.octets,
        member.name,
        member.origin.comment,
    )


def out_of_bounds(length: str, minimum: int, maximum: int | None) -> tuple[str, ...]:
    """Conditions under which a length is out of its bounds."""
    low = (f"{length} < {minimum}",) if minimum else ()
    if minimum == 1 and length.startswith("len("):
        low = (f"not {length[4:-1]}",)
    return low if maximum is None else (*low, f"{length} > {maximum}")


def plan_field(field: Field, optional: bool = False, number: int = 1) -> FieldPlan:
    """The plan of a field in a frame."""
    return FieldPlan(field.name, field.type, field.origin, optional, number)


def plan_slot(slot: Stack | Frames) -> FieldPlan:
    """The plan of a slot that has a value of its own."""
    optional = isinstance(slot, Stack) and not slot.required
    return FieldPlan(slot.name, slot, slot.origin, optional)
