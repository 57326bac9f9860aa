"""The documents in grammars/: each reads without a finding, is explained and opens as decided."""

from __future__ import annotations

import pytest

from support.grammars import GRAMMARS, NAMES, part, protocol
from zwire_codegen.compiler import load
from zwire_codegen.formatting import format_document
from zwire_codegen.model.types import Constant, Frame, Slot
from zwire_codegen.notation.files import read_source
from zwire_codegen.source import Source


def test_every_protocol_has_its_document() -> None:
    assert {path.stem for path in GRAMMARS.glob("*.md")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_grammar_loads_without_any_finding(name: str) -> None:
    (loaded,) = load([GRAMMARS / f"{name}.md"])
    assert list(loaded.problems) == []
    assert loaded.protocol is not None
    assert loaded.protocol.name == name


@pytest.mark.parametrize("name", NAMES)
def test_a_grammar_stands_in_its_canonical_form(name: str) -> None:
    source = read_source(GRAMMARS / f"{name}.md")
    assert isinstance(source, Source)
    assert format_document(source) == (source.text, [])


@pytest.mark.parametrize("name", NAMES)
def test_everything_that_people_meet_is_explained(name: str) -> None:
    met = [
        (f"{part.name} {message.name} {what}", comment)
        for part in protocol(name).parts
        for message in part.messages
        for what, comment in [
            ("", message.origin.comment),
            *(pair for slot in message.slots for pair in _explained(slot)),
        ]
    ]
    met += [
        (f"{part.name} {constant.name}", constant.origin.comment)
        for part in protocol(name).parts
        for constant in part.constants
    ]
    assert [what for what, comment in met if not comment] == []


def _explained(slot: Slot) -> list[tuple[str, str]]:
    if isinstance(slot, Frame):
        return [
            (field.name, field.origin.comment)
            for field in slot.fields
            if not isinstance(field.type, Constant)
        ]
    return [(slot.name, slot.origin.comment)]


@pytest.mark.parametrize(
    ("path", "opens", "once", "closes", "keys"),
    [
        ("reqrep.req", "", "", "", {}),
        ("reqrep.rep", "", "", "", {}),
        ("mdpx.client", "", "", "", {"request": ("request-id",)}),
        (
            "mdpx.worker",
            "registration",
            "registration",
            "DISCONNECT DISCONNECT-MDPW02",
            {"request": ("client-address", "request-id")},
        ),
        ("mdp01.client", "", "", "", {}),
        (
            "mdp01.worker",
            "registration",
            "registration",
            "DISCONNECT",
            {"request": ("client-address",)},
        ),
        ("mdp02.client", "", "", "", {}),
        (
            "mdp02.worker",
            "registration",
            "registration",
            "DISCONNECT",
            {"request": ("client-address",)},
        ),
        ("emqp.client", "", "", "", {"request": ("msgid",)}),
        ("emqp.worker", "registration", "", "DISCONNECT", {"request": ("msgid",)}),
        ("ppp.messages", "registration", "", "", {"request": ("stack",)}),
        ("zre.messages", "greeting", "", "", {}),
        ("zre36.messages", "greeting", "", "GOODBYE", {}),
        ("zgossip.messages", "greeting", "greeting", "INVALID", {}),
    ],
)
def test_a_conversation_opens_closes_and_is_keyed_as_decided(
    path: str, opens: str, once: str, closes: str, keys: dict[str, tuple[str, ...]]
) -> None:
    conversation = part(path).conversation
    assert [d.name for d in conversation.dialogs if d.opens] == opens.split()
    assert [d.name for d in conversation.dialogs if not d.loops] == once.split()
    assert list(conversation.closes) == closes.split()
    assert {d.name: d.key for d in conversation.dialogs if d.key} == keys


def test_the_sockets_are_those_of_the_specifications() -> None:
    sockets = {
        (name, role.name): role.socket
        for name in NAMES
        for part in protocol(name).parts
        for role in part.roles
    }
    assert {sockets["reqrep", role] for role in ("req", "rep", "dealer", "router")} == {
        *("REQ", "REP", "DEALER", "ROUTER"),
    }
    assert sockets["zre", "sender"] == "DEALER"
    assert sockets["zre", "recipient"] == "ROUTER"
    assert sockets["mdpx", "client"] == sockets["mdpx", "worker"] == "DEALER"
    assert sockets["mdp01", "client"] == "REQ"
    assert sockets["zrelog", "node"] == "PUB"
