"""The model in words, for pages, terminals and comments: what a type is, how large it is."""

from __future__ import annotations

from typing import assert_never

from zwire_codegen.model.types import (
    Choice,
    Constant,
    Dictionary,
    Enumeration,
    Frame,
    Frames,
    Integer,
    Listing,
    Message,
    Octets,
    Repeat,
    Say,
    Sequence,
    Slot,
    Stack,
    Step,
    Text,
    Type,
    Uuid,
)


def octets_in_words(octets: bytes) -> str:
    """Constant octets as people write them: `"MDXC01"`, `%xAA.A1`, `empty`."""
    if not octets:
        return "empty"
    if len(octets) > 1 and all(0x20 <= octet < 0x7F for octet in octets):
        return f'"{octets.decode()}"'
    return f"%x{octets.hex('.').upper()}"


def value_in_words(value: int | str | bytes) -> str:
    """A named constant's value as a document gives it: `5670`, `"text"`, `%xAA.A1`."""
    if isinstance(value, bytes):
        return f"%x{value.hex('.').upper()}"
    return f'"{value}"' if isinstance(value, str) else str(value)


def type_in_words(kind: Type) -> str:
    """What a field holds."""
    match kind:
        case Constant(octets):
            return octets_in_words(octets)
        case Integer(width, minimum):
            return f"number, {_octets(width)}" + (f", from {minimum}" if minimum else "")
        case Text(count):
            return ("text" if count else "text, the rest of the frame") + _bounds(kind)
        case Octets(length, count):
            if length:
                return f"octets, {length}"
            return ("octets" if count else "octets, the rest of the frame") + _bounds(kind)
        case Uuid():
            return "UUID, 16 octets"
        case Enumeration(name, _, members):
            return f"{name}: {', '.join(member.name for member in members)}"
        case Listing(_, item):
            return f"list of {type_in_words(item)}"
        case Dictionary(_, _, value):
            return "dictionary, name to value" if value else "dictionary of name=value texts"
        case _:
            assert_never(kind)


def size_in_words(kind: Type) -> str:
    """How many octets a field takes on the wire."""
    match kind:
        case Constant(octets):
            return str(len(octets))
        case Integer(width):
            return str(width)
        case Enumeration(_, width):
            return str(width) if width else "rest"
        case Uuid():
            return "16"
        case Octets(length) if length:
            return str(length)
        case Text(count) | Octets(_, count):
            return f"{count} + n" if count else "rest"
        case Listing(count) | Dictionary(count):
            return f"{count} + entries"
        case _:
            assert_never(kind)


def slot_in_words(slot: Slot) -> str:
    """What a slot that is not a single frame stands for."""
    match slot:
        case Frame(_, _, optional):
            return "one frame, may be missing" if optional else "one frame"
        case Stack(_, required):
            return "address frames, then an empty one" + ("" if required else "; may be absent")
        case Frames(_, minimum):
            return f"all further frames, at least {minimum}" if minimum else "all further frames"
        case _:
            assert_never(slot)


def frame_count_in_words(message: Message) -> str:
    """How many frames a message has: `3`, `5 or more`, `2 to 3`."""
    least = most = 0
    endless = False
    for slot in message.slots:
        match slot:
            case Frame(_, _, optional):
                least += not optional
                most += 1
            case Stack(_, required):
                least += required
                endless = True
            case Frames(_, minimum):
                least += minimum
                endless = True
            case _:
                assert_never(slot)
    if endless:
        return f"{least} or more"
    return str(least) if least == most else f"{least} to {most}"


def step_in_words(step: Step, letters: dict[str, str]) -> str:
    """A dialog as ABNF with the letters of its roles: `C:REQUEST *B:PARTIAL B:FINAL`."""
    match step:
        case Say(role, message):
            return f"{letters.get(role) or role}:{message}"
        case Sequence(items):
            return " ".join(_grouped(item, letters, (Choice,)) for item in items)
        case Choice(items):
            return " / ".join(step_in_words(item, letters) for item in items)
        case Repeat(item, minimum, maximum):
            return _times(minimum, maximum) + _grouped(item, letters, (Choice, Sequence, Repeat))
        case _:
            assert_never(step)


def _grouped(step: Step, letters: dict[str, str], kinds: tuple[type, ...]) -> str:
    text = step_in_words(step, letters)
    return f"({text})" if isinstance(step, kinds) else text


def _times(minimum: int, maximum: int | None) -> str:
    if maximum is None:
        return f"{minimum or ''}*"
    return str(minimum) if minimum == maximum else f"{minimum or ''}*{maximum}"


def _octets(count: int) -> str:
    return f"{count} octet" + "s" * (count != 1)


def _bounds(kind: Text | Octets) -> str:
    most = kind.most if isinstance(kind, Text) else kind.maximum
    if kind.minimum and most is not None:
        return f", {kind.minimum} to {most} octets"
    if most is not None:
        return f", up to {most} octets"
    return f", at least {_octets(kind.minimum)}" if kind.minimum else ""
