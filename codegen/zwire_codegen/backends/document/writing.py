"""A protocol as a Markdown document in zwire's notation, from the model alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from zwire_codegen.backends.document.elements import Words
from zwire_codegen.backends.templating import render
from zwire_codegen.model.types import (
    Constant,
    Frame,
    Frames,
    Message,
    NamedConstant,
    Part,
    Protocol,
    Slot,
    Stack,
)
from zwire_codegen.model.words import step_in_words


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a frame table."""

    frame: str
    value: str
    name: str
    meaning: str


@dataclass(frozen=True, slots=True)
class MessageText:
    """A message as a heading with its table."""

    name: str
    comment: str
    rows: tuple[TableRow, ...]


@dataclass(frozen=True, slots=True)
class PartText:
    """A part, ready to be printed."""

    part: Part
    settings: str
    rules: tuple[str, ...]
    dialogs: tuple[str, ...]
    messages: tuple[MessageText, ...]


def write_document(protocol: Protocol) -> str:
    """The text of a document that gives this protocol again."""
    text = render(
        "document",
        "document.md.jinja",
        protocol=protocol,
        settings="\n".join(_protocol_settings(protocol)),
        parts=[_part(part) for part in protocol.parts],
    )
    return text.rstrip("\n") + "\n"


def _part(part: Part) -> PartText:
    words = Words(part)
    messages = tuple(_message(words, message) for message in part.messages)
    letters = {role.name: role.letter for role in part.roles}
    dialogs = [
        (dialog.name, step_in_words(dialog.body, letters), dialog.origin.comment)
        for dialog in part.conversation.dialogs
    ]
    return PartText(
        part,
        "\n".join(_part_settings(part, words)),
        _rules((name, *rule) for name, rule in words.rules.items()),
        _rules(dialogs),
        messages,
    )


def _rules(rules: Iterable[tuple[str, str, str]]) -> tuple[str, ...]:
    """Rules below each other, aligned, with their comments beside them."""
    rows = list(rules)
    left = max((len(name) for name, _, _ in rows), default=0)
    middle = max((len(element) for _, element, comment in rows if comment), default=0)
    return tuple(
        (
            f"{name:<{left}} = {element:<{middle}}  ; {comment}"
            if comment
            else f"{name:<{left}} = {element}"
        )
        for name, element, comment in rows
    )


def _message(words: Words, message: Message) -> MessageText:
    rows = []
    for number, slot in enumerate(message.slots):
        rows.append(_row(words, message, number, slot))
    return MessageText(message.name, message.origin.comment, tuple(rows))


def _row(words: Words, message: Message, number: int, slot: Slot) -> TableRow:
    meaning = slot.origin.comment.replace("|", "\\|")
    match slot:
        case Stack(name, required):
            words.rules.setdefault("address", ("FRAME", ""))
            words.rules.setdefault("empty", ('""', ""))
            value = "*address empty" if required else "[*address empty]"
            return TableRow(str(number), f"`{value}`", name, meaning)
        case Frames(name, minimum):
            value = f"{minimum}*FRAME" if minimum else "*FRAME"
            return TableRow(f"{number}+", f"`{value}`", name, meaning)
        case Frame(fields, _, optional):
            if len(fields) == 1:
                value = words.alone(message.name, fields[0])
                name = "" if isinstance(fields[0].type, Constant) else fields[0].name
            else:
                value = " ".join(words.name_of(message.name, held) for held in fields)
                name = ""
            if optional:
                value = f"[{value}]"
            return TableRow(str(number), f"`{value}`", name, meaning)


def _protocol_settings(protocol: Protocol) -> Iterator[str]:
    yield "[protocol]"
    for name in ("name", "title", "version", "summary"):
        yield f"{name} = {_text(getattr(protocol, name))}"
    if protocol.constants:
        yield from ("", "[constants]", *_constants(protocol.constants))


def _part_settings(part: Part, words: Words) -> Iterator[str]:
    yield from ("[part]", f"name = {_text(part.name)}")
    if part.datagram:
        yield "datagram = true"
    yield from ("", "[roles]")
    for role in part.roles:
        yield (
            f"{_key(role.name)} = {{ letter = {_text(role.letter)}, socket = {_text(role.socket)} }}"
        )
    senders = {message.name: message.senders for message in part.messages if message.senders}
    if senders:
        yield from ("", "[senders]")
        for name, roles in senders.items():
            yield f"{_key(name)} = [{', '.join(_text(role) for role in roles)}]"
    for message in part.messages:
        if message.received_only:
            yield from ("", f"[messages.{_key(message.name)}]", "received_only = true")
    if words.types:
        yield from ("", "[types]")
        for path, value in words.types.items():
            yield f"{_key(path)} = {value}"
    yield from _conversation(part)
    if part.constants:
        yield from ("", "[constants]", *_constants(part.constants))


def _conversation(part: Part) -> Iterator[str]:
    talk = part.conversation
    lists = {
        "opens": [dialog.name for dialog in talk.dialogs if dialog.opens],
        "once": [dialog.name for dialog in talk.dialogs if not dialog.loops],
        "closes": list(talk.closes),
    }
    keys = {dialog.name: dialog.key for dialog in talk.dialogs if dialog.key}
    if not keys and not any(lists.values()):
        return
    yield from ("", "[conversation]")
    for name, values in lists.items():
        if values:
            yield f"{name} = [{', '.join(_text(value) for value in values)}]"
    if keys:
        inside = ", ".join(
            f"{_key(name)} = [{', '.join(_text(one) for one in fields)}]"
            for name, fields in keys.items()
        )
        yield f"keys = {{ {inside} }}"


def _constants(constants: Iterable[NamedConstant]) -> Iterator[str]:
    for one in constants:
        value = one.value
        written = (
            _text(f"%x{value.hex('.').upper()}")
            if isinstance(value, bytes)
            else _text(value) if isinstance(value, str) else str(value)
        )
        comment = f" # {one.origin.comment}" if one.origin.comment else ""
        yield f"{_key(one.name)} = {written}{comment}"


def _text(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _key(name: str) -> str:
    plain = name.replace("-", "").replace("_", "").isalnum() and name.isascii()
    return name if plain else _text(name)
