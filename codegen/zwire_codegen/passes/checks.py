"""Checks of a finished part: what can be read but should not be written like this."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from zwire_codegen.catalogue import problem
from zwire_codegen.model.dispatch import Spot, candidate, clashes, command_spot, width
from zwire_codegen.model.types import Constant, Dialog, Field, Frame, Message, Part, Slot
from zwire_codegen.notation.document import FrameTable
from zwire_codegen.passes.dialogs import said_in
from zwire_codegen.passes.names import in_code, key
from zwire_codegen.passes.settings import PartSettings
from zwire_codegen.problems import Problem
from zwire_codegen.source import Place

Places = Mapping[str, Place]  # key of a message's name -> where it is defined


def check_counts(tables: Sequence[FrameTable], file: str) -> list[Problem]:
    """Tables whose text declares another number of frames than their rows show."""
    problems = []
    for table in tables:
        more = any(row.more for row in table.rows)
        shown = len(table.rows)
        if table.declared is None or (table.declared, table.open_ended) == (shown, more):
            continue
        said = f"{table.declared}{' or more' if table.open_ended else ''}"
        has = f"{shown}{' or more' if more else ''}"
        text = f"the text says that {table.command} has {said} frames, the rows have {has}"
        problems.append(problem(file, table.place, "ZW305", text, "correct one of them"))
    return problems


def check_discriminators(part: Part, places: Places, file: str) -> list[Problem]:
    """Messages that one role may send and nothing tells apart."""
    problems = []
    told: set[tuple[str, str]] = set()
    for role in part.roles:
        for one, other in clashes(part, role.name):
            if (one.name, other.name) in told:
                continue
            told.add((one.name, other.name))
            text = f"nothing tells {other.name} from {one.name}, which {role.name} may send too"
            hint = "give each command a constant of its own at the same place"
            problems.append(problem(file, places[key(other.name)], "ZW410", text, hint))
    return problems


def check_headers(part: Part, places: Places, file: str) -> list[Problem]:
    """Commands whose constant before the command differs from that of nearly all others."""
    command = command_spot(part)
    sent = [candidate(message) for message in part.messages if not message.received_only]
    if command is None or len(sent) < 3:
        return []
    problems = []
    found: dict[Spot, list[tuple[str, bytes]]] = {}
    for one in sent:
        for mark in one.marks:
            if mark.spot < command:
                found.setdefault(mark.spot, []).append((one.message.name, mark.octets))
    for spot, constants in found.items():
        common, number = Counter(octets for _, octets in constants).most_common(1)[0]
        if len(constants) < len(sent) or number < len(sent) - 1:
            continue
        for name, octets in constants:
            if octets != common:
                text = f"{name} has {_shown(octets)} in frame {spot.frame} where the others have "
                hint = "if it is meant, mark the message: received_only = true"
                place = places[key(name)]
                problems.append(problem(file, place, "ZW411", text + _shown(common), hint))
    return problems


def check_names(messages: Sequence[Message], places: Places, file: str) -> list[Problem]:
    """Messages whose names become one in code."""
    problems = []
    taken: dict[str, str] = {}
    for message in messages:
        other = taken.setdefault(in_code(message.name), message.name)
        if other != message.name:
            text = f'"{message.name}" and "{other}" become the same name in code'
            place = places[key(message.name)]
            problems.append(problem(file, place, "ZW413", text, "rename one of them"))
    return problems


def check_said(
    messages: Sequence[Message],
    dialogs: Sequence[Dialog],
    closes: Sequence[str],
    settings: PartSettings,
    places: Places,
    file: str,
) -> list[Problem]:
    """Messages that no dialog has, where there are dialogs."""
    if not dialogs:
        return []
    said = {say.message for dialog in dialogs for say in said_in(dialog.body)}
    return [
        problem(
            file,
            places[key(message.name)],
            "ZW503",
            f"{message.name} is in no dialog",
            "say it in a dialog, or name its senders in [senders]",
        )
        for message in messages
        if message.name not in said
        and message.name not in closes
        and key(message.name) not in settings.senders
    ]


def check_datagrams(part: Part, places: Places, file: str) -> list[Problem]:
    """Datagrams with more than one frame."""
    if not part.datagram:
        return []
    return [
        problem(
            file,
            places[key(message.name)],
            "ZW417",
            f"{message.name} is a datagram and has several frames",
            "write it without FRAME, or leave out datagram = true",
        )
        for message in part.messages
        if len(message.slots) != 1
        or not isinstance(message.slots[0], Frame)
        or message.slots[0].optional
    ]


def name_constants(part: Part) -> Part:
    """The part with a name for each constant that its document left without one."""
    command = command_spot(part)
    return replace(
        part,
        messages=tuple(
            replace(
                message,
                slots=tuple(
                    _named(number, slot, command) for number, slot in enumerate(message.slots)
                ),
            )
            for message in part.messages
        ),
    )


def _named(number: int, slot: Slot, command: Spot | None) -> Slot:
    if not isinstance(slot, Frame):
        return slot
    fields: list[Field] = []
    offset = 0
    for field in slot.fields:
        if isinstance(field.type, Constant) and not field.name:
            here = Spot(number, offset)
            fields.append(replace(field, name=_constant_name(field.type, here, command)))
        else:
            fields.append(field)
        offset += width(field) or 0
    return replace(slot, fields=tuple(fields))


def _constant_name(constant: Constant, here: Spot, command: Spot | None) -> str:
    if here == command:
        return "command"
    if not constant.octets:
        return "empty"
    return "header" if here == Spot(0, 0) else "constant"


def _shown(octets: bytes) -> str:
    text = octets.decode("ascii", "replace")
    if text.isascii() and text.isprintable() and text:
        return f'"{text}"'
    return "%x" + ".".join(f"{octet:02X}" for octet in octets) if octets else "nothing"
