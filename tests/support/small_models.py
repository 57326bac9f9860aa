"""Small models built by hand: one with every kind of field, one of each shape of conversation."""

from __future__ import annotations

from zwire_codegen.model.types import (
    Choice,
    Constant,
    Conversation,
    Dialog,
    Dictionary,
    Enumeration,
    Field,
    Frame,
    Frames,
    Integer,
    Listing,
    Member,
    Message,
    Octets,
    Origin,
    Part,
    Protocol,
    Repeat,
    Role,
    Say,
    Sequence,
    Slot,
    Stack,
    Step,
    Text,
    Type,
    Uuid,
)

HERE = Origin("small.md", 7)


def frame(*fields: tuple[str, Type], optional: bool = False) -> Frame:
    """A frame of these fields."""
    return Frame(tuple(Field(name, kind, HERE) for name, kind in fields), HERE, optional)


def constant(octets: bytes, name: str = "") -> Frame:
    """A frame that is always the same."""
    return frame((name, Constant(octets)))


def message(name: str, senders: tuple[str, ...], *slots: Slot) -> Message:
    """A message of these slots."""
    return Message(name, senders, slots, HERE)


def part(
    *messages: Message,
    dialogs: tuple[Dialog, ...] = (),
    closes: tuple[str, ...] = (),
    roles: tuple[str, ...] = ("client", "worker"),
    name: str = "messages",
) -> Part:
    """A part of these messages and dialogs."""
    known = tuple(Role(role, role[0].upper(), "DEALER", HERE) for role in roles)
    return Part(name, known, messages, Conversation(dialogs, closes), (), HERE)


def protocol(*parts: Part, name: str = "small") -> Protocol:
    """A protocol of these parts."""
    return Protocol(name, name.upper(), "1", "A small protocol.", parts, (), HERE)


def say(text: str) -> Say:
    """`client:REQUEST` as a step."""
    role, _, name = text.partition(":")
    return Say(role, name, HERE)


def steps(*texts: str) -> Sequence:
    """Several of them; one that begins with `*` any number of times."""
    return Sequence(tuple(_step(text) for text in texts))


def _step(text: str) -> Step:
    return Repeat(say(text[1:]), 0, None) if text.startswith("*") else say(text)


def every_kind() -> Part:
    """One message with every type of field, and two that differ from it in little."""
    text = Text(1)
    level = Enumeration("level", 1, (Member("LOW", b"\x01", HERE), Member("HIGH", b"\x09", HERE)))
    word = Enumeration("word", 0, (Member("yes", b"yes", HERE), Member("no", b"no", HERE)))
    return part(
        message(
            "EVERYTHING",
            ("client",),
            frame(
                ("signature", Constant(b"\xaa\xa9")),
                ("sequence", Integer(2)),
                ("id", Constant(b"\x01")),
                ("port", Integer(2, minimum=1)),
                ("big", Integer(8)),
                ("name", text),
                ("nick-name", Text(1, minimum=2, maximum=9)),
                ("long", Text(4)),
                ("level", level),
                ("who", Uuid()),
                ("fixed", Octets(length=3)),
                ("counted", Octets(count=2)),
                ("groups", Listing(1, text)),
                ("numbers", Listing(1, Integer(2))),
                ("headers", Dictionary(1, text)),
                ("pairs", Dictionary(4, text, Text(4))),
                ("end", Constant(b"\xee")),
            ),
            frame(("word", word)),
            frame(("title", Text(0, minimum=1))),
            frame(("note", Octets()), optional=True),
        ),
        message(
            "LITTLE",
            ("client",),
            frame(
                ("signature", Constant(b"\xaa\xa9")),
                ("sequence", Integer(2)),
                ("id", Constant(b"\x02")),
                ("rest", Octets()),
            ),
            Frames("body", 1, HERE),
        ),
    )


def paranoid() -> Part:
    """Control messages of one octet beside content with an optional address stack."""
    content = (Stack("stack", False, HERE), Frames("content", 1, HERE))
    return part(
        message("READY", ("worker",), constant(b"\x01")),
        message("HEARTBEAT", ("worker", "client"), constant(b"\x02")),
        message("REQUEST", ("client",), *content),
        message("REPLY", ("worker",), *content),
        dialogs=(
            Dialog("registration", say("worker:READY"), HERE, opens=True, loops=False),
            Dialog("request", steps("client:REQUEST", "worker:REPLY"), HERE),
            Dialog("beat", Choice((say("worker:HEARTBEAT"), say("client:HEARTBEAT"))), HERE),
        ),
        name="messages",
    )


def majordomo() -> Part:
    """An opening, requests keyed by id, heartbeats, and a closing from either side."""
    head = constant(b"MDXW01", "header")
    body = (frame(("request-id", Octets(minimum=1))), Frames("body", 1, HERE))
    return part(
        message("READY", ("worker",), head, constant(b"\x01"), frame(("service", Text(0, 1)))),
        message("REQUEST", ("client",), head, constant(b"\x02"), *body),
        message("PARTIAL", ("worker",), head, constant(b"\x03"), *body),
        message("FINAL", ("worker",), head, constant(b"\x04"), *body),
        message("PING", ("worker",), head, constant(b"PING")),
        message("PONG", ("client",), head, constant(b"PONG")),
        message("DISCONNECT", ("client", "worker"), head, constant(b"\x06")),
        message("DISCONNECT-OLD", ("worker",), constant(b"MDPW02"), constant(b"\x06")),
        dialogs=(
            Dialog("registration", say("worker:READY"), HERE, opens=True, loops=False),
            Dialog(
                "request",
                steps("client:REQUEST", "*worker:PARTIAL", "worker:FINAL"),
                Origin("small.md", 41),
                key=("request-id",),
            ),
            Dialog("heartbeat", steps("worker:PING", "*worker:PING", "client:PONG"), HERE),
        ),
        closes=("DISCONNECT",),
        name="worker",
    )


def enveloped() -> Part:
    """A required address stack."""
    content = (Stack("envelope", True, HERE), Frames("data", 1, HERE))
    return part(message("REQUEST", ("client",), *content), message("REPLY", ("worker",), *content))
