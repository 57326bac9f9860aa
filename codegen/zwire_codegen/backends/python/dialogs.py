"""Dialog machines in Python: the shared machine, and a module of tables for each part."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zwire_codegen.backends.python.names import (
    attribute,
    constant_name,
    function_name,
    package_name,
)
from zwire_codegen.backends.python.printing import prepare
from zwire_codegen.backends.templating import environment
from zwire_codegen.backends.templating import render as render_template
from zwire_codegen.model.automaton import Automaton, of_step
from zwire_codegen.model.talk import ends
from zwire_codegen.model.types import Dialog, Part, Protocol, Repeat

WIDTH = 100


@dataclass(frozen=True, slots=True)
class Move:
    """Where one command of one role leads: pairs of states, from and to."""

    command: str
    states: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A dialog as its module prints it."""

    name: str
    constant: str
    line: str
    comment: str
    states: tuple[str, ...]
    complete: tuple[int, ...]
    moves: tuple[tuple[str, tuple[Move, ...]], ...]
    key: tuple[str, ...]
    opens: bool


def render(protocols: Sequence[Protocol]) -> dict[str, str]:
    """The modules by path: `conversation.py`, `mdpx/worker_dialogs.py`."""
    prepare(environment("python"))
    files = {"conversation.py": render_template("python", "conversation.py.jinja")}
    for protocol in protocols:
        for part in protocol.parts:
            path = f"{package_name(protocol.name)}/{function_name(part.name)}_dialogs.py"
            files[path] = _module(protocol, part)
    return files


def _module(protocol: Protocol, part: Part) -> str:
    tables = [table(dialog) for dialog in part.conversation.dialogs]
    senders = {message.name: message.senders for message in part.messages}
    closes = [(role, name) for name in part.conversation.closes for role in senders[name]]
    commands = {
        (role, move.command): item.key
        for item in tables
        for role, moves in item.moves
        for move in moves
    }
    several = f", {part.name}" if len(protocol.parts) > 1 else ""
    return render_template(
        "python",
        "dialogs.py.jinja",
        told=f"The dialogs of {protocol.title}{several}: who may say what, and when.",
        line=_line(part.origin.document, part.origin.line),
        tables=tables,
        closes=closes,
        commands=commands | {said: () for said in closes if said not in commands},
        keyed=[function_name(item.name) for item in tables if item.key],
        literal=literal,
    )


def table(dialog: Dialog) -> Table:
    """The table of a dialog. One that may begin again runs in a circle: complete, it is back in
    state 0, where an instance takes no memory."""
    machine = of_step(Repeat(dialog.body, 0, None) if dialog.loops else dialog.body)
    return Table(
        name=dialog.name,
        constant=constant_name(dialog.name),
        line=_line(dialog.origin.document, dialog.origin.line),
        comment=dialog.origin.comment,
        states=machine.names,
        complete=tuple(sorted(machine.accepting)),
        moves=_moves(machine),
        key=tuple(attribute(name) for name in dialog.key),
        opens=dialog.opens and not ends(dialog.body),
    )


def _moves(machine: Automaton) -> tuple[tuple[str, tuple[Move, ...]], ...]:
    """By role and command, in the order in which they come up."""
    found: dict[str, dict[str, list[tuple[int, int]]]] = {}
    for state in machine.states:
        for (role, command), to in machine.transitions[state].items():
            found.setdefault(role, {}).setdefault(command, []).append((state, to))
    return tuple(
        (role, tuple(Move(command, tuple(states)) for command, states in commands.items()))
        for role, commands in found.items()
    )


def literal(value: Any, head: str = "", tail: str = "", indent: int = 0) -> str:
    """A tuple or dictionary between `head` and `tail` as black writes it: in one line, or where
    that is too long one item a line. (Running black over these files would take far longer.)"""
    opening, closing = "{}" if isinstance(value, dict) else "()"
    items = (
        [f"{_quoted(name)}: {_quoted(item)}" for name, item in value.items()]
        if isinstance(value, dict)
        else [_quoted(item) for item in value]
    )
    alone = "," if len(items) == 1 and opening == "(" else ""
    line = f"{' ' * indent}{head}{opening}{', '.join(items)}{alone}{closing}{tail}"
    if len(line) <= WIDTH or not items:
        return line
    inner = "".join(f"{' ' * (indent + 4)}{item},\n" for item in items)
    return f"{' ' * indent}{head}{opening}\n{inner}{' ' * indent}{closing}{tail}"


def _quoted(value: Any) -> str:
    match value:
        case str():
            return json.dumps(value, ensure_ascii=False)
        case tuple():
            return literal(value)
        case _:
            return str(value)


def _line(document: str, line: int) -> str:
    return f"{document}:{line}"
