"""Types as ABNF: what a value cell or a rule says, and what ABNF cannot say (`[types]`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from zwire_codegen.model.types import (
    Constant,
    Dictionary,
    Enumeration,
    Field,
    Integer,
    Listing,
    Octets,
    Part,
    Text,
    Type,
    Uuid,
)


def constant(octets: bytes) -> str:
    """Exact octets: `""`, `%s"PING"`, `%xAA.A1`."""
    if not octets:
        return '""'
    readable = all(0x20 <= octet < 0x7F and octet != 0x22 for octet in octets)
    if readable and len(octets) > 1:
        return f'%s"{octets.decode("ascii")}"'
    return f"%x{octets.hex('.').upper()}"


@dataclass(slots=True)
class Words:
    """The rules that the fields of one part need, and what must be said beside them."""

    part: Part
    rules: dict[str, tuple[str, str]] = field(default_factory=dict)  # name: (element, comment)
    types: dict[str, str] = field(default_factory=dict)  # path: TOML value

    def name_of(self, message: str, held: Field) -> str:
        """The rule that stands for a field in a frame of several; made where there is none yet."""
        element = self.element(held.type)
        name = held.name or "unnamed"
        known = self.rules.get(name)
        if known is not None and known[0] != element:
            # Another message uses the name for something else: this field gets the element itself.
            return element
        if known is None:
            self.rules[name] = (element, held.origin.comment)
        self._beside(name if known is None else "", name, message, held.type)
        return name

    def _beside(self, rule: str, name: str, message: str, kind: Type) -> None:
        extra = override(kind)
        if extra and (rule or self.types.get(name) != extra):
            self.types[rule or f"{message}.{name}"] = extra

    def alone(self, message: str, held: Field) -> str:
        """The value cell of a frame that holds one field."""
        kind = held.type
        if isinstance(kind, Constant) and not held.name:
            return constant(kind.octets)
        if isinstance(kind, Constant | Enumeration | Listing | Dictionary):
            return self.name_of(message, held)
        if isinstance(kind, Text | Octets) and not kind.count and not getattr(kind, "length", 0):
            return f"{kind.minimum or ''}*{kind.maximum or ''}{_octet(kind)}"
        return self.name_of(message, held)

    def element(self, kind: Type) -> str:
        """A type as an ABNF element; helper rules are made as they are needed."""
        match kind:
            case Constant(octets):
                return constant(octets)
            case Integer(width):
                return "OCTET" if width == 1 else f"{width}OCTET"
            case Uuid():
                return "16OCTET"
            case Octets(length) if length:
                return f"{length}OCTET"
            case Text(count) | Octets(_, count):
                size = f"{self._size(count)} " if count else ""
                return f"{size}*{_octet(kind)}"
            case Enumeration(_, _, members):
                for member in members:
                    self.rules[member.name] = (constant(member.octets), member.origin.comment)
                return " / ".join(member.name for member in members)
            case Listing(count, item):
                return f"{self._size(count)} *{self._item(item)}"
            case Dictionary(count, key, value):
                entry = self._entry(key, value)
                return f"{self._size(count)} *{entry}"
            case _:
                assert_never(kind)

    def _size(self, width: int) -> str:
        name = f"size-{width}"
        self.rules[name] = ("OCTET" if width == 1 else f"{width}OCTET", "")
        return name

    def _item(self, kind: Text | Octets | Integer) -> str:
        width = (
            kind.width
            if isinstance(kind, Integer)
            else kind.count or kind.length if isinstance(kind, Octets) else kind.count
        )
        name = f"{type(kind).__name__.lower()}-{width}"
        self.rules[name] = (self.element(kind), "")
        return name

    def _entry(self, key: Text, value: Text | None) -> str:
        if value is None:
            self.rules["key-value"] = (self._item(key), "")
            return "key-value"
        self.rules["pair"] = (f"{self._named('key', key)} {self._named('value', value)}", "")
        return "pair"

    def _named(self, name: str, kind: Text) -> str:
        rule = f"entry-{name}"
        self.rules[rule] = (self.element(kind), "")
        return rule


def _octet(kind: Text | Octets) -> str:
    return "VCHAR" if isinstance(kind, Text) else "OCTET"


def override(kind: Type) -> str:
    """What `[types]` must say about a type, as a TOML value; empty where ABNF says it all."""
    match kind:
        case Uuid():
            return '"uuid"'
        case Integer(_, minimum) if minimum:
            return f'{{ type = "integer", minimum = {minimum} }}'
        case Text(count, minimum, maximum) | Octets(_, count, minimum, maximum) if count and (
            minimum or maximum is not None
        ):
            name = "text" if isinstance(kind, Text) else "octets"
            bounds = [f'type = "{name}"']
            bounds += [f"minimum = {minimum}"] * bool(minimum)
            bounds += [f"maximum = {maximum}"] * (maximum is not None)
            return "{ " + ", ".join(bounds) + " }"
        case Octets(length) if length in (1, 2, 4, 8):
            return '"octets"'
        case _:
            return ""
