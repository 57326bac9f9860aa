"""The documents in grammars/: each reads without a finding and says what its specification says."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from zwire_codegen.compiler import load
from zwire_codegen.formatting import format_document
from zwire_codegen.model.types import Constant, Frame, Frames, Message, Part, Protocol, Stack
from zwire_codegen.notation.files import read_source
from zwire_codegen.reference.codec import Reference
from zwire_codegen.reference.refusal import Refusal
from zwire_codegen.source import Source

GRAMMARS = Path(__file__).parents[2] / "grammars"
NAMES = (
    *("emqp", "mdp01", "mdp02", "mdpx", "ppp", "reqrep"),
    *("zgossip", "zre", "zre36", "zrelog"),
)


@cache
def protocol(name: str) -> Protocol:
    (loaded,) = load([GRAMMARS / f"{name}.md"])
    assert loaded.protocol is not None
    return loaded.protocol


def part(path: str) -> Part:
    """The part with a path like `mdpx.client`."""
    protocol_name, part_name = path.split(".")
    return next(part for part in protocol(protocol_name).parts if part.name == part_name)


def message(path: str, name: str) -> Message:
    return next(message for message in part(path).messages if message.name == name)


# ---------------------------------------------------------------- documents


def test_every_protocol_has_its_document() -> None:
    assert tuple(sorted(path.stem for path in GRAMMARS.glob("*.md"))) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_grammar_loads_without_any_finding(name: str) -> None:
    (loaded,) = load([GRAMMARS / f"{name}.md"])
    assert loaded.problems == []
    assert loaded.protocol is not None
    assert loaded.protocol.name == name


@pytest.mark.parametrize("name", NAMES)
def test_a_grammar_stands_in_its_canonical_form(name: str) -> None:
    source = read_source(GRAMMARS / f"{name}.md")
    assert isinstance(source, Source)
    assert format_document(source) == (source.text, [])


@pytest.mark.parametrize("name", NAMES)
def test_everything_that_people_meet_is_explained(name: str) -> None:
    silent = [
        (part.name, message.name, getattr(slot, "name", field))
        for part in protocol(name).parts
        for message in part.messages
        for slot in message.slots
        for field, origin in _explained(slot)
        if not (message.origin.comment and origin)
    ]
    assert silent == []
    unexplained = [
        constant.name
        for part in protocol(name).parts
        for constant in part.constants
        if not constant.origin.comment
    ]
    assert unexplained == []


def _explained(slot: Frame | Stack | Frames) -> list[tuple[str, str]]:
    if isinstance(slot, Frame):
        return [
            (field.name, field.origin.comment)
            for field in slot.fields
            if not isinstance(field.type, Constant)
        ]
    return [(slot.name, slot.origin.comment)]


# ---------------------------------------------------------------- messages


@dataclass(frozen=True)
class Fact:
    """What a specification says of a message: who sends it, the constants at its beginning (one
    text for each frame, as they stand there), the least number of frames, whether there may be
    more, and its fields in order."""

    senders: str
    constants: tuple[str, ...]
    frames: int
    open_ended: bool
    fields: str


def exactly(senders: str, *constants: str, frames: int, fields: str = "") -> Fact:
    return Fact(senders, constants, frames, False, fields)


def at_least(senders: str, *constants: str, frames: int, fields: str) -> Fact:
    return Fact(senders, constants, frames, True, fields)


MDXC, MDXW = "4d4458433031", "4d4458573031"
MDPC1, MDPW1 = "4d4450433031", "4d4450573031"
MDPC2, MDPW2 = "4d4450433032", "4d4450573032"
EMQP = "654d51502f312e30"
BOTH = "worker broker"

FACTS: dict[str, dict[str, Fact]] = {
    "reqrep.req": {
        "REQUEST": at_least("req", "", frames=2, fields="data"),
        "REPLY": at_least("rep router", "", frames=2, fields="data"),
    },
    "reqrep.rep": {
        "REQUEST": at_least("req dealer", frames=2, fields="envelope data"),
        "REPLY": at_least("rep", frames=2, fields="envelope data"),
    },
    "mdpx.client": {
        "REQUEST": at_least("client", MDXC, "01", frames=5, fields="service request-id body"),
        "PARTIAL": at_least("broker", MDXC, "02", frames=5, fields="service request-id body"),
        "FINAL": at_least("broker", MDXC, "03", frames=5, fields="service request-id body"),
    },
    "mdpx.worker": {
        "READY": exactly("worker", MDXW, "01", frames=3, fields="service"),
        "REQUEST": at_least(
            "broker", MDXW, "02", frames=6, fields="client-address request-id body"
        ),
        "PARTIAL": at_least(
            "worker", MDXW, "03", frames=6, fields="client-address request-id body"
        ),
        "FINAL": at_least("worker", MDXW, "04", frames=6, fields="client-address request-id body"),
        "PING": exactly("worker", MDXW, b"PING".hex(), frames=2),
        "PONG": exactly("broker", MDXW, b"PONG".hex(), frames=2),
        "DISCONNECT": exactly(BOTH, MDXW, "06", frames=2),
        "DISCONNECT-MDPW02": exactly(BOTH, MDPW2, "06", frames=2),
    },
    "mdp01.client": {
        "REQUEST": at_least("client", "", MDPC1, frames=4, fields="service body"),
        "REPLY": at_least("broker", "", MDPC1, frames=4, fields="service body"),
    },
    "mdp01.worker": {
        "READY": exactly("worker", "", MDPW1, "01", frames=4, fields="service"),
        "REQUEST": at_least("broker", "", MDPW1, "02", frames=6, fields="client-address body"),
        "REPLY": at_least("worker", "", MDPW1, "03", frames=6, fields="client-address body"),
        "HEARTBEAT": exactly(BOTH, "", MDPW1, "04", frames=3),
        "DISCONNECT": exactly(BOTH, "", MDPW1, "05", frames=3),
    },
    "mdp02.client": {
        "REQUEST": at_least("client", MDPC2, "01", frames=4, fields="service body"),
        "PARTIAL": at_least("broker", MDPC2, "02", frames=4, fields="service body"),
        "FINAL": at_least("broker", MDPC2, "03", frames=4, fields="service body"),
    },
    "mdp02.worker": {
        "READY": exactly("worker", MDPW2, "01", frames=3, fields="service"),
        "REQUEST": at_least("broker", MDPW2, "02", frames=5, fields="client-address body"),
        "PARTIAL": at_least("worker", MDPW2, "03", frames=5, fields="client-address body"),
        "FINAL": at_least("worker", MDPW2, "04", frames=5, fields="client-address body"),
        "HEARTBEAT": exactly(BOTH, MDPW2, "05", frames=2),
        "DISCONNECT": exactly(BOTH, MDPW2, "06", frames=2),
    },
    "emqp.client": {
        "REQUEST": exactly(
            "client", "", EMQP, b"REQUEST".hex(), frames=7, fields="msgid queue-name headers msg"
        ),
        "REPLY": exactly("broker", "", EMQP, b"REPLY".hex(), frames=5, fields="msgid msg"),
    },
    "emqp.worker": {
        "INFORM": exactly("worker", "", EMQP, b"INFORM".hex(), frames=5, fields="msgid queue-name"),
        "READY": exactly("worker", "", EMQP, b"READY".hex(), frames=4, fields="msgid"),
        "REQUEST": exactly(
            "broker", "", EMQP, b"REQUEST".hex(), frames=7, fields="msgid queue-name headers msg"
        ),
        "REPLY": exactly("worker", "", EMQP, b"REPLY".hex(), frames=5, fields="msgid msg"),
        "HEARTBEAT": exactly(BOTH, "", EMQP, b"HEARTBEAT".hex(), frames=4, fields="msgid"),
        "DISCONNECT": exactly(BOTH, "", EMQP, b"DISCONNECT".hex(), frames=4, fields="msgid"),
    },
    "ppp.messages": {
        "READY": exactly("worker", "01", frames=1),
        "HEARTBEAT": exactly("client worker", "02", frames=1),
        "REQUEST": at_least("client", frames=1, fields="stack content"),
        "REPLY": at_least("worker", frames=1, fields="stack content"),
    },
    "zre.messages": {
        "HELLO": exactly(
            "sender",
            "aaa1",
            frames=1,
            fields="sequence ipaddress mailbox groups status headers",
        ),
        "WHISPER": exactly("sender", "aaa1", frames=2, fields="sequence content"),
        "SHOUT": exactly("sender", "aaa1", frames=2, fields="sequence group content"),
        "JOIN": exactly("sender", "aaa1", frames=1, fields="sequence group status"),
        "LEAVE": exactly("sender", "aaa1", frames=1, fields="sequence group status"),
        "PING": exactly("sender", "aaa1", frames=1, fields="sequence"),
        "PING-OK": exactly("recipient", "aaa1", frames=1, fields="sequence"),
    },
    "zre.beacon": {"BEACON": exactly("node", "5a524501", frames=1, fields="uuid port")},
    "zrelog.messages": {
        "LOG": exactly("node", "aaa201", frames=1, fields="level event node peer time data"),
    },
    "zre36.messages": {
        "HELLO": exactly(
            "sender",
            "aaa10102",
            frames=1,
            fields="sequence endpoint groups status name headers",
        ),
        "WHISPER": at_least("sender", "aaa10202", frames=1, fields="sequence content"),
        "SHOUT": at_least("sender", "aaa10302", frames=1, fields="sequence group content"),
        "JOIN": exactly("sender", "aaa10402", frames=1, fields="sequence group status"),
        "LEAVE": exactly("sender", "aaa10502", frames=1, fields="sequence group status"),
        "PING": exactly("sender", "aaa10602", frames=1, fields="sequence"),
        "PING-OK": exactly("recipient", "aaa10702", frames=1, fields="sequence"),
        "ELECT": exactly("sender", "aaa10802", frames=1, fields="sequence group challenger-id"),
        "LEADER": exactly("sender", "aaa10902", frames=1, fields="sequence group leader-id"),
        "GOODBYE": exactly("sender", "aaa10a02", frames=1, fields="sequence"),
    },
    "zre36.beacon": {"BEACON": exactly("node", "5a524501", frames=1, fields="uuid port")},
    "zre36.beacon3": {
        "BEACON": exactly("node", "5a524503", frames=1, fields="uuid port public-key"),
    },
    "zgossip.messages": {
        "HELLO": exactly("client", "aaa00101", frames=1),
        "PUBLISH": exactly("client server", "aaa00201", frames=1, fields="key value ttl"),
        "PING": exactly("client", "aaa00301", frames=1),
        "PONG": exactly("server", "aaa00401", frames=1),
        "INVALID": exactly("server", "aaa00501", frames=1),
    },
}


def test_the_table_of_facts_has_every_part() -> None:
    found = {f"{name}.{part.name}" for name in NAMES for part in protocol(name).parts}
    assert found == set(FACTS)


@pytest.mark.parametrize("path", FACTS)
def test_a_part_has_the_messages_of_its_specification_in_order(path: str) -> None:
    assert [message.name for message in part(path).messages] == list(FACTS[path])


@pytest.mark.parametrize(
    ("path", "name", "fact"),
    [(path, name, fact) for path, facts in FACTS.items() for name, fact in facts.items()],
)
def test_a_message_is_as_its_specification_has_it(path: str, name: str, fact: Fact) -> None:
    found = message(path, name)
    least, open_ended = _frame_count(found)
    assert Fact(
        " ".join(role.name for role in part(path).roles if role.name in found.senders),
        _constants(found),
        least,
        open_ended,
        " ".join(_field_names(found)),
    ) == Fact(
        " ".join(role.name for role in part(path).roles if role.name in fact.senders.split()),
        fact.constants,
        fact.frames,
        fact.open_ended,
        fact.fields,
    )


def _frame_count(message: Message) -> tuple[int, bool]:
    least, open_ended = 0, False
    for slot in message.slots:
        match slot:
            case Frame():
                least += 1
            case Stack():
                least, open_ended = least + slot.required, True
            case Frames():
                least, open_ended = least + slot.minimum, True
    return least, open_ended


def _constants(message: Message) -> tuple[str, ...]:
    """The octets that each of the first frames always begins with."""
    found: list[str] = []
    for slot in message.slots:
        if not isinstance(slot, Frame) or not isinstance(slot.fields[0].type, Constant):
            break
        octets = b""
        for field in slot.fields:
            if not isinstance(field.type, Constant):
                break
            octets += field.type.octets
        found.append(octets.hex())
    return tuple(found)


def _field_names(message: Message) -> list[str]:
    names: list[str] = []
    for slot in message.slots:
        if isinstance(slot, Frame):
            names += [f.name for f in slot.fields if not isinstance(f.type, Constant)]
        else:
            names.append(slot.name)
    return names


def test_only_the_borrowed_disconnect_is_never_sent() -> None:
    received_only = [
        (path, message.name)
        for path in FACTS
        for message in part(path).messages
        if message.received_only
    ]
    assert received_only == [("mdpx.worker", "DISCONNECT-MDPW02")]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        *(("mdpx.client", "header"), ("mdpx.worker", "header"), ("mdp02.client", "header")),
        *(("mdp02.worker", "header"), ("zre.messages", "signature"), ("zre.beacon", "prefix")),
        *(("zrelog.messages", "signature"), ("zre36.messages", "signature")),
        *(("zre36.beacon", "prefix"), ("zre36.beacon3", "prefix")),
        ("zgossip.messages", "signature"),
    ],
)
def test_a_named_constant_is_what_the_first_message_begins_with(path: str, name: str) -> None:
    value = next(constant.value for constant in part(path).constants if constant.name == name)
    assert isinstance(value, bytes)
    assert bytes.fromhex(_constants(part(path).messages[0])[0]).startswith(value)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        *(("mdp01.client", "header"), ("mdp01.worker", "header")),
        *(("emqp.client", "version"), ("emqp.worker", "version")),
    ],
)
def test_a_named_constant_is_what_stands_behind_the_empty_frame(path: str, name: str) -> None:
    value = next(constant.value for constant in part(path).constants if constant.name == name)
    assert isinstance(value, bytes)
    assert _constants(part(path).messages[0])[:2] == ("", value.hex())


# ---------------------------------------------------------------- octets


UUID = "00112233445566778899aabbccddeeff"
WORDS = "00112233-4455-6677-8899-aabbccddeeff"

# Written by hand after the specifications, spaces where a reader wants them.
EXAMPLES: list[tuple[str, str | None, str, list[str], dict[str, object]]] = [
    (
        "zre.messages",
        None,
        "HELLO",
        ["aaa1 0001 01 08 31302e302e302e37 c001 02 01 41 02 4242 05 01 05 583d793d7a"],
        {
            "sequence": 1,
            "ipaddress": "10.0.0.7",
            "mailbox": 0xC001,
            "groups": ["A", "BB"],
            "status": 5,
            "headers": ["X=y=z"],
        },
    ),
    ("zre.messages", None, "WHISPER", ["aaa1 0002 02", ""], {"sequence": 2, "content": ""}),
    (
        "zre.messages",
        None,
        "SHOUT",
        ["aaa1 0003 03 01 41", "6869"],
        {"sequence": 3, "group": "A", "content": "6869"},
    ),
    (
        "zre.messages",
        None,
        "JOIN",
        ["aaa1 0002 04 01 41 01"],
        {"sequence": 2, "group": "A", "status": 1},
    ),
    (
        "zre.messages",
        None,
        "LEAVE",
        ["aaa1 ffff 05 01 41 ff"],
        {"sequence": 65535, "group": "A", "status": 255},
    ),
    ("zre.messages", None, "PING", ["aaa1 0000 06"], {"sequence": 0}),
    ("zre.messages", None, "PING-OK", ["aaa1 0102 07"], {"sequence": 258}),
    ("zre.beacon", None, "BEACON", [f"5a5245 01 {UUID} c001"], {"uuid": WORDS, "port": 0xC001}),
    (
        "zrelog.messages",
        None,
        "LOG",
        ["aaa2 01 02 04 1234 0000 00000000000003e8 02 6f6b"],
        {
            "level": "WARNING",
            "event": "EXIT",
            "node": 0x1234,
            "peer": 0,
            "time": 1000,
            "data": "ok",
        },
    ),
    (
        "zre36.messages",
        None,
        "HELLO",
        [
            "aaa1 01 02 0001 09 7463703a2f2f613a31 00000001 00000001 41 00 02 6d65"
            "00000001 01 6b 00000002 7676"
        ],
        {
            "sequence": 1,
            "endpoint": "tcp://a:1",
            "groups": ["A"],
            "status": 0,
            "name": "me",
            "headers": [["k", "vv"]],
        },
    ),
    ("zre36.messages", None, "WHISPER", ["aaa1 02 02 0002"], {"sequence": 2, "content": []}),
    (
        "zre36.messages",
        None,
        "SHOUT",
        ["aaa1 03 02 0003 01 41", "61", ""],
        {"sequence": 3, "group": "A", "content": ["61", ""]},
    ),
    (
        "zre36.messages",
        None,
        "ELECT",
        ["aaa1 08 02 0004 01 41 02 4646"],
        {"sequence": 4, "group": "A", "challenger_id": "FF"},
    ),
    ("zre36.messages", None, "GOODBYE", ["aaa1 0a 02 0005"], {"sequence": 5}),
    ("zre36.beacon", None, "BEACON", [f"5a5245 01 {UUID} 0000"], {"uuid": WORDS, "port": 0}),
    (
        "zre36.beacon3",
        None,
        "BEACON",
        [f"5a5245 03 {UUID} c001 {'5a' * 32}"],
        {"uuid": WORDS, "port": 0xC001, "public_key": "5a" * 32},
    ),
    (
        "zgossip.messages",
        None,
        "PUBLISH",
        ["aaa0 02 01 01 6b 00000001 76 00000bb8"],
        {"key": "k", "value": "v", "ttl": 3000},
    ),
    (
        "mdpx.client",
        None,
        "REQUEST",
        ["4d4458433031", "01", "6563686f", "01", "6869"],
        {"service": "echo", "request_id": "01", "body": ["6869"]},
    ),
    (
        "mdpx.worker",
        None,
        "FINAL",
        ["4d4458573031", "04", "c1", "", "01", ""],
        {"client_address": "c1", "request_id": "01", "body": [""]},
    ),
    ("mdpx.worker", None, "PING", ["4d4458573031", "50494e47"], {}),
    ("mdpx.worker", None, "DISCONNECT-MDPW02", ["4d4450573032", "06"], {}),
    (
        "mdp01.client",
        "client",
        "REQUEST",
        ["", "4d4450433031", "6563686f", "6869"],
        {"service": "echo", "body": ["6869"]},
    ),
    (
        "emqp.worker",
        None,
        "INFORM",
        ["", "654d51502f312e30", "494e464f524d", "31", "612c62"],
        {"msgid": "31", "queue_name": "a,b"},
    ),
    ("reqrep.req", "req", "REQUEST", ["", ""], {"data": [""]}),
    (
        "reqrep.rep",
        "dealer",
        "REQUEST",
        ["61", "62", "", "78", "", "79"],
        {"envelope": ["61", "62"], "data": ["78", "", "79"]},
    ),
    ("ppp.messages", "worker", "READY", ["01"], {}),
    ("ppp.messages", "client", "HEARTBEAT", ["02"], {}),
    ("ppp.messages", "client", "REQUEST", ["03"], {"stack": None, "content": ["03"]}),
    ("ppp.messages", "client", "REQUEST", ["", "01"], {"stack": [], "content": ["01"]}),
    ("ppp.messages", "worker", "REPLY", ["c1", "", "78"], {"stack": ["c1"], "content": ["78"]}),
]


@pytest.mark.parametrize(("path", "role", "name", "frames", "fields"), EXAMPLES)
def test_an_example_in_octets_reads_as_people_read_it(
    path: str, role: str | None, name: str, frames: list[str], fields: dict[str, object]
) -> None:
    octets = [bytes.fromhex(frame) for frame in frames]
    assert Reference(part(path)).decode(octets, role) == (name, fields)


REFUSED: list[tuple[str, str | None, list[str], str]] = [
    ("zre.beacon", None, [f"5a5245 01 {UUID} 0000"], "value"),  # a mailbox has a port
    ("zre.beacon", None, [f"5a5245 02 {UUID} c001"], "constant"),
    ("zre.beacon", None, [f"5a5245 01 {UUID} c001 00"], "trailing"),
    ("zre.messages", None, ["aaa1 0002 02"], "frame-count"),  # content may not be missing
    ("zre.messages", None, ["aaa1 0002 08"], "command"),
    ("zre.messages", None, ["aaa2 0002 06"], "constant"),
    ("zre36.messages", None, ["aaa1 06 01 0002"], "constant"),  # another version
    ("mdpx.client", None, ["4d4458433031", "01", "61", "01"], "frame-count"),  # no body
    ("mdpx.client", None, ["4d4458433031", "01", "61", "", "61"], "empty"),  # no request id
    ("mdpx.worker", None, ["4d4458573031", "05"], "command"),  # reserved
    ("mdpx.worker", None, ["4d4458573031", "70696e67"], "command"),  # ping in small letters
    ("mdpx.worker", None, ["4d4458573031", "02", "c1", "", "01"], "frame-count"),
    ("mdpx.worker", None, ["4d4458573031", "02", "c1", "c2", "", "01", "61"], "constant"),
    ("emqp.client", None, ["", "654d51502f312e31", "5245504c59", "31", "61"], "constant"),
    ("ppp.messages", "client", [""], "frame-count"),  # a stack without content
    ("reqrep.req", "req", [""], "frame-count"),  # a bare delimiter
    ("reqrep.rep", "dealer", ["61", "62"], "empty"),  # no delimiter
]


@pytest.mark.parametrize(("path", "role", "frames", "code"), REFUSED)
def test_what_a_specification_forbids_is_refused(
    path: str, role: str | None, frames: list[str], code: str
) -> None:
    with pytest.raises(Refusal) as refusal:
        Reference(part(path)).decode([bytes.fromhex(frame) for frame in frames], role)
    assert refusal.value.code == code


# ---------------------------------------------------------------- conversations


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
