"""What the templates of the Python target print: a part with its messages and decoders."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from zwire_codegen.backends.python.choice import Choosing, plan_choosing, rivals_of
from zwire_codegen.backends.python.enumerations import with_distinct_enumerations
from zwire_codegen.backends.python.fields import CODES, FieldPlan
from zwire_codegen.backends.python.messages import MessagePlan, plan_message
from zwire_codegen.backends.python.names import (
    class_name,
    constant_name,
    function_name,
    upper_name,
)
from zwire_codegen.backends.python.structures import Structure
from zwire_codegen.model.dispatch import Mark, candidate, clashes
from zwire_codegen.model.types import (
    Dictionary,
    Enumeration,
    Integer,
    Listing,
    Message,
    NamedConstant,
    Octets,
    Part,
    Protocol,
    Text,
    Uuid,
)


@dataclass(frozen=True)
class DecoderPlan:
    """A decoder: of one sender, or (empty) of everybody."""

    sender: str
    choosing: Choosing

    def reads(self, message: Message) -> bool:
        """Whether a message is among those it tells apart."""
        return message in self.choosing.messages

    @property
    def function(self) -> str:
        return f"decode_from_{function_name(self.sender)}" if self.sender else "decode"

    @property
    def only(self) -> bool:
        """Whether it decodes the one message that there is."""
        return not self.sender and len(self.choosing.messages) == 1

    @property
    def union(self) -> str:
        """The type of what it gives."""
        if not self.sender:
            return "Message"
        return " | ".join(class_name(message.name) for message in self.choosing.messages)

    @property
    def key_type(self) -> str:
        """The type of the table's keys."""
        kinds = ["int" if place.is_octet else "bytes" for place in self.choosing.places]
        return kinds[0] if len(kinds) == 1 else f"tuple[{', '.join(kinds)}]"

    @property
    def unmarked(self) -> bool:
        """Whether it reads a message without any constant, for which whatever can be indexed
        would do: octets in place of frames, for one."""
        return any(not candidate(message).marks for message in self.choosing.messages)

    @property
    def listed(self) -> bool:
        """Whether one octet chooses: a list is then quicker than a dictionary."""
        return [place.is_octet for place in self.choosing.places] == [True]

    @property
    def table_type(self) -> str:
        function = f"Callable[[Sequence[bytes]], {self.union}]"
        return f"list[{function}]" if self.listed else f"dict[{self.key_type}, {function}]"

    @property
    def table(self) -> str:
        return f"_BY_{upper_name(self.sender)}" if self.sender else "_BY_COMMAND"


@dataclass(frozen=True)
class PartPlan:
    """A module: all messages of a part."""

    protocol: Protocol
    part: Part

    @property
    def module(self) -> str:
        return function_name(self.part.name)

    @cached_property
    def decoders(self) -> tuple[DecoderPlan, ...]:
        if not clashes(self.part):
            return (DecoderPlan("", plan_choosing(self.part, self.part.messages)),)
        return tuple(
            DecoderPlan(role.name, plan_choosing(self.part, sent, role.name))
            for role in self.part.roles
            if (sent := [m for m in self.part.messages if role.name in m.senders])
        )

    @cached_property
    def messages(self) -> tuple[MessagePlan, ...]:
        return tuple(self._message(message) for message in self.part.messages)

    def _message(self, message: Message) -> MessagePlan:
        seen = [d.choosing.covered(message) for d in self.decoders if d.reads(message)]
        covered = frozenset.intersection(*seen) if seen else frozenset[Mark]()
        return plan_message(message, covered, tuple(rivals_of(self.part, message)))

    @cached_property
    def fields(self) -> tuple[FieldPlan, ...]:
        return tuple(field for message in self.messages for field in message.fields)

    @cached_property
    def types(self) -> frozenset[type]:
        """The kinds of fields in use, also those inside listings and dictionaries."""
        inner = [kind for field in self.fields for kind in _inner(field)]
        return frozenset([type(field.type) for field in self.fields] + [type(t) for t in inner])

    @cached_property
    def enums(self) -> tuple[FieldPlan, ...]:
        """One field for each enumeration."""
        found = {f.type.name: f for f in self.fields if isinstance(f.type, Enumeration)}
        return tuple(found.values())

    @property
    def structures(self) -> list[Structure]:
        found = {s: None for message in self.messages for s in message.structures}
        for code in sorted({code for field in self.fields for code in _item_codes(field)}):
            found[Structure("read", code)] = None
            found[Structure("write", code)] = None
        return sorted(found, key=lambda structure: structure.name)

    @property
    def constants(self) -> dict[str, NamedConstant]:
        """The constants by their names in the module, where a class may have such a name too."""
        classes = {message.class_name for message in self.messages}
        classes |= {field.enum for field in self.enums}
        names = [constant_name(constant.name) for constant in self.part.constants]
        free = [f"{name}_" if name in classes else name for name in names]
        return dict(zip(free, self.part.constants, strict=True))

    @property
    def title(self) -> str:
        """What the module is for, in a sentence."""
        kind = "datagrams" if self.part.datagram else "messages"
        return f"The {kind} of {self.protocol.title}: {self.part.name}."

    @property
    def made_from(self) -> str:
        """Where the module comes from and what makes it anew."""
        origin = self.part.origin
        return f"Made by `zwire generate` from {origin.document}, line {origin.line}; do not edit."

    @property
    def enum_bases(self) -> list[str]:
        return sorted({field.enum_base for field in self.enums})

    @property
    def struct_names(self) -> list[str]:
        listed = any(
            isinstance(f.type, Listing) and isinstance(f.type.item, Integer) for f in self.fields
        )
        plain = any(not structure.sized for structure in self.structures)
        return ["Struct"] * plain + ["unpack"] * listed

    @property
    def uses_uuid(self) -> bool:
        return Uuid in self.types

    @property
    def errors(self) -> list[str]:
        """The errors that the module raises itself."""
        if self.stacked is None:
            return []
        return ["EncodeError"] if self.stacked.optional else ["DecodeError", "EncodeError"]

    @property
    def imported(self) -> list[str]:
        """What the quick functions need of the layout module."""
        texts = ["refuse_controls"] * (not self.types.isdisjoint({Text, Dictionary}))
        octet = any(
            isinstance(piece, str) and "OCTET[" in piece
            for message in self.messages
            for segment in message.segments
            for frame in segment.frames
            for piece in frame.writing.pieces
        )
        listed = any(
            kind.count == 1
            for field in self.fields
            if not field.fused
            for kind in _inner(field)
            if isinstance(kind, Text | Octets)
        )
        filled = ["blank"] * any(message.fields for message in self.messages)
        looked_up = ["by_octet"] * any(decoder.listed for decoder in self.decoders)
        sized = ["by_size"] * any(structure.sized for structure in self.structures)
        return ["OCTET"] * (octet or listed) + [*filled, *looked_up, *sized, "message", *texts]

    @property
    def decoder_of(self) -> dict[str, str]:
        """The decoder's function by role."""
        if not self.decoders[0].sender:
            return {role.name: "decode" for role in self.part.roles}
        return {decoder.sender: decoder.function for decoder in self.decoders}

    @property
    def stacked(self) -> FieldPlan | None:
        """The stack with which messages of this part begin, for split and join."""
        for message in self.messages:
            if message.stack and not message.before.frames:
                return message.stack
        return None


def plan_parts(protocol: Protocol) -> list[PartPlan]:
    """The plan of every part of a protocol."""
    return [PartPlan(protocol, with_distinct_enumerations(part)) for part in protocol.parts]


def _inner(field: FieldPlan) -> list[Text | Octets | Integer]:
    """The types inside a listing or dictionary."""
    match field.type:
        case Listing(_, item):
            return [item]
        case Dictionary(_, key, value):
            return [key] if value is None else [key, value]
        case _:
            return []


def _item_codes(field: FieldPlan) -> list[str]:
    """Struct codes of sizes inside a listing or dictionary; one octet needs no struct."""
    if field.fused:
        return [field.fused]
    counts = [kind.count for kind in _inner(field) if isinstance(kind, Text | Octets)]
    return [CODES[count] for count in counts if count > 1]
