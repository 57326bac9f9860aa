"""The grammars against their specifications: messages, senders, command octets, frames, fields."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from support.grammars import NAMES, part, protocol
from zwire_codegen.model.types import Constant, Frame, Frames, Message, Stack


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
    found = next(message for message in part(path).messages if message.name == name)
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
