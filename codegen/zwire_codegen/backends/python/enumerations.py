"""Gives every enumeration of a part a class name of its own."""

from __future__ import annotations

from dataclasses import replace

from zwire_codegen.backends.python.names import class_name
from zwire_codegen.model.types import Enumeration, Field, Frame, Message, Part, Slot


def with_distinct_enumerations(part: Part) -> Part:
    """The part with enumerations renamed where two differ under one name, or where a message has
    the name: to the message's and the field's name, and then by number."""
    names = _Names(part)
    messages = tuple(
        replace(message, slots=tuple(_slot(slot, message, names) for slot in message.slots))
        for message in part.messages
    )
    return replace(part, messages=messages)


class _Names:
    def __init__(self, part: Part) -> None:
        self._taken: dict[str, object] = {class_name(m.name): m for m in part.messages}

    def name(self, kind: Enumeration, message: str, field: str) -> str:
        """A name whose class is this enumeration alone."""
        members = (kind.width, tuple((member.name, member.octets) for member in kind.members))
        wanted = [kind.name, f"{message}-{field}"]
        wanted += [f"{message}-{field}-{number}" for number in range(2, len(self._taken) + 3)]
        for name in wanted:
            if self._taken.setdefault(class_name(name), members) == members:
                return name
        raise AssertionError("more names than enumerations")


def _slot(slot: Slot, message: Message, names: _Names) -> Slot:
    if not isinstance(slot, Frame):
        return slot
    return replace(slot, fields=tuple(_field(field, message, names) for field in slot.fields))


def _field(field: Field, message: Message, names: _Names) -> Field:
    if not isinstance(field.type, Enumeration):
        return field
    name = names.name(field.type, message.name, field.name)
    return replace(field, type=replace(field.type, name=name))
