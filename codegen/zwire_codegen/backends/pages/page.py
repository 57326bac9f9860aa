"""The page of a protocol: Markdown that stands on its own and in the site."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zwire_codegen.backends import templating
from zwire_codegen.backends.document import write_document
from zwire_codegen.backends.pages import dialogs, frames
from zwire_codegen.backends.vectors.samples import typical
from zwire_codegen.model.automaton import automaton
from zwire_codegen.model.types import Constant, Frame, Message, Part, Protocol
from zwire_codegen.model.words import (
    frame_count_in_words,
    octets_in_words,
    size_in_words,
    slot_in_words,
    step_in_words,
    type_in_words,
)
from zwire_codegen.reference import Reference
from zwire_codegen.reference.shape import fields


@dataclass(frozen=True, slots=True)
class FieldRow:
    """A line of a message's table."""

    frame: str
    octets: str
    name: str
    holds: str
    meaning: str


def render(protocols: Sequence[Protocol]) -> dict[str, str]:
    """The page of every protocol with its pictures, and an index of them."""
    files = {"index.md": templating.render("pages", "index.md.jinja", protocols=protocols)}
    for protocol in protocols:
        files[f"{protocol.name}.md"] = _page(protocol)
        for part in protocol.parts:
            for message in part.messages:
                files[frames_file(protocol, part, message)] = frames.picture(message)
            for dialog in part.conversation.dialogs:
                files[dialog_file(protocol, part, dialog.name)] = dialogs.picture(
                    dialog.name, automaton(dialog), part
                )
    return files


def frames_file(protocol: Protocol, part: Part, message: Message) -> str:
    """The name of a message's picture."""
    return f"{protocol.name}/{part.name}-{message.name.lower()}.svg"


def dialog_file(protocol: Protocol, part: Part, name: str) -> str:
    """The name of a dialog's picture."""
    return f"{protocol.name}/{part.name}-dialog-{name.lower()}.svg"


def _page(protocol: Protocol) -> str:
    return templating.render(
        "pages",
        "page.md.jinja",
        protocol=protocol,
        count=frame_count_in_words,
        rows=_rows,
        frames_file=frames_file,
        dialog_file=dialog_file,
        dialog_text=_dialog_text,
        example=_example,
        cell=_cell,
        constant_in_words=_constant,
        document=write_document(protocol),
    )


def _dialog_text(part: Part, name: str) -> str:
    letters = {role.name: role.letter for role in part.roles}
    body = next(dialog.body for dialog in part.conversation.dialogs if dialog.name == name)
    return step_in_words(body, letters)


def _rows(message: Message) -> Iterator[FieldRow]:
    open_ended = False
    for number, slot in enumerate(message.slots):
        if isinstance(slot, Frame):
            label = f"{number}+" if open_ended else str(number)
            for field in slot.fields:
                name = "" if isinstance(field.type, Constant) else field.name
                holds = type_in_words(field.type)
                yield FieldRow(label, size_in_words(field.type), name, holds, field.origin.comment)
                label = ""
        else:
            open_ended = True
            yield FieldRow(f"{number}+", "", slot.name, slot_in_words(slot), slot.origin.comment)


def _example(part: Part, message: Message) -> list[list[str]]:
    """A typical message: for each frame its octets in hex, in lines of sixteen."""
    values = {name: typical(held) for name, held, _ in fields(message)}
    return [
        [frame[start : start + 16].hex(" ") for start in range(0, len(frame), 16)] or ["(empty)"]
        for frame in Reference(part).encode(message.name, values)
    ]


def _constant(value: int | str | bytes) -> str:
    return octets_in_words(value) if isinstance(value, bytes) else str(value)


def _cell(text: str) -> str:
    """Text as a Markdown table's cell."""
    return text.replace("|", "\\|").replace("\n", " ")
