"""`zwire explain` and `zwire model`: layout and dialogs of a protocol in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zwire_codegen.model.types import Constant, Dialog, Frame, Message, Part, Protocol
from zwire_codegen.model.words import (
    frame_count_in_words,
    size_in_words,
    slot_in_words,
    step_in_words,
    type_in_words,
    value_in_words,
)
from zwire_codegen.passes.dialogs import said_in

if TYPE_CHECKING:
    from rich.console import Group, RenderableType
    from rich.table import Table


def overview(protocol: Protocol) -> Group:
    """Everything about a protocol: its parts with roles, messages, dialogs and constants."""
    from rich.console import Group
    from rich.markup import escape

    title = f"[bold]{escape(protocol.title)}[/] {escape(protocol.version)}"
    parts: list[RenderableType] = [title, escape(protocol.summary)]
    for part in protocol.parts:
        parts += ["", *_part(part, len(protocol.parts) > 1)]
    return Group(*parts)


def explain_message(protocol: Protocol, name: str) -> list[RenderableType]:
    """The layout of every message of that name (in whatever case), with dialogs that say it."""
    from rich.console import Group
    from rich.markup import escape

    return [
        Group(
            f"[bold]{message.name}[/] ({protocol.name}.{part.name}), said by "
            f"{escape(', '.join(message.senders)) or 'anyone'}, {frame_count_in_words(message)} frames",
            *([escape(message.origin.comment)] if message.origin.comment else []),
            "",
            _layout(message),
            "",
            *(
                _dialog_line(part, dialog)
                for dialog in part.conversation.dialogs
                if any(say.message == message.name for say in said_in(dialog.body))
            ),
        )
        for part in protocol.parts
        for message in part.messages
        if message.name.lower() == name.lower().replace("_", "-")
    ]


def _part(part: Part, named: bool) -> list[RenderableType]:
    from rich.markup import escape
    from rich.padding import Padding
    from rich.table import Table

    shown: list[RenderableType] = [f"[bold cyan]part {part.name}[/]"] if named else []
    if part.roles:
        roles = (
            f"{role.letter} = {role.name}" + f" ({role.socket})" * bool(role.socket)
            for role in part.roles
        )
        shown.append(escape("roles: " + ", ".join(roles)))
    messages = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("message", "from", "frames", "layout"):
        messages.add_column(column, overflow="fold")
    for message in part.messages:
        messages.add_row(
            message.name,
            escape(", ".join(message.senders)),
            frame_count_in_words(message),
            escape(_in_one_line(message)),
        )
    shown.append(Padding(messages, (0, 0, 0, 2)))
    shown += [_dialog_line(part, dialog) for dialog in part.conversation.dialogs]
    if part.conversation.closes:
        shown.append(f"  closes: {', '.join(part.conversation.closes)}")
    shown += [escape(f"  {one.name} = {value_in_words(one.value)}") for one in part.constants]
    return shown


def _in_one_line(message: Message) -> str:
    frames = []
    for slot in message.slots:
        if isinstance(slot, Frame):
            fields = [
                type_in_words(field.type) if isinstance(field.type, Constant) else field.name
                for field in slot.fields
            ]
            text = " ".join(fields)
            frames.append(f"[{text}]?" if slot.optional else f"[{text}]")
        else:
            frames.append(f"[{slot.name}]*")
    return " ".join(frames)


def _layout(message: Message) -> Table:
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("frame", "octets", "field", "holds", "meaning"):
        table.add_column(column, overflow="fold")
    open_ended = False
    for number, slot in enumerate(message.slots):
        label = f"{number}+" if open_ended else str(number)
        if isinstance(slot, Frame):
            for position, field in enumerate(slot.fields):
                name = "" if isinstance(field.type, Constant) else field.name
                table.add_row(
                    label if position == 0 else "",
                    size_in_words(field.type),
                    name,
                    escape(type_in_words(field.type)),
                    escape(field.origin.comment),
                )
        else:
            open_ended = True
            table.add_row(
                f"{number}+", "any", slot.name, slot_in_words(slot), escape(slot.origin.comment)
            )
    return table


def _dialog_line(part: Part, dialog: Dialog) -> str:
    from rich.markup import escape

    letters = {role.name: role.letter for role in part.roles}
    extras = ["opens"] * dialog.opens
    if dialog.key:
        extras.append(f"one for each {', '.join(dialog.key)}")
    tail = f"  [dim]; {', '.join(extras)}[/]" if extras else ""
    return f"  [green]{dialog.name}[/] = {escape(step_in_words(dialog.body, letters))}{tail}"
