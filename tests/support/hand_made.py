"""Protocols built by hand, small ones of every shape, for tests that need no documents."""

from __future__ import annotations

from collections.abc import Sequence

from zwire_codegen.model.types import (
    Constant,
    Conversation,
    Dictionary,
    Enumeration,
    Field,
    Frame,
    Frames,
    Integer,
    Listing,
    Member,
    Message,
    NamedConstant,
    Octets,
    Origin,
    Part,
    Protocol,
    Role,
    Slot,
    Stack,
    Text,
    Type,
    Uuid,
)

ROLES = (("sender", "S", "DEALER"), ("recipient", "R", "ROUTER"))


def origin(comment: str = "", line: int = 1) -> Origin:
    return Origin("models.md", line, comment)


def frame(*fields: tuple[str, Type], optional: bool = False) -> Frame:
    """A frame of named types."""
    named = tuple(Field(name, kind, origin(f"The {name}.")) for name, kind in fields)
    return Frame(named, origin(), optional)


def said(name: str, *slots: Slot, by: Sequence[str] = ("sender",), line: int = 1) -> Message:
    return Message(name, tuple(by), slots, origin(f"Says {name}.", line))


def part(
    name: str,
    *messages: Message,
    roles: Sequence[tuple[str, str, str]] = ROLES,
    datagram: bool = False,
    constants: Sequence[NamedConstant] = (),
) -> Part:
    told = tuple(Role(role, letter, socket, origin()) for role, letter, socket in roles)
    return Part(name, told, messages, Conversation(()), tuple(constants), origin(), datagram)


def protocol(name: str, *parts: Part) -> Protocol:
    return Protocol(name, name.upper(), "1", f"The {name} protocol.", parts, (), origin())


def member(name: str, octets: bytes) -> Member:
    return Member(name, octets, origin())


STRING = Text(1)
SEQUENCE = ("sequence", Integer(2))


def _zre(command: int, *fields: tuple[str, Type]) -> Frame:
    return frame(
        ("signature", Constant(b"\xaa\xa1")), SEQUENCE, ("id", Constant(bytes([command]))), *fields
    )


CONTENT = frame(("content", Octets()))

# 20/ZRE: the command stands behind the sequence.
MESH = protocol(
    "mesh",
    part(
        "messages",
        said(
            "HELLO",
            _zre(
                1,
                ("ipaddress", STRING),
                ("mailbox", Integer(2)),
                ("groups", Listing(1, STRING)),
                ("status", Integer(1)),
                ("headers", Dictionary(1, STRING)),
            ),
        ),
        said("WHISPER", _zre(2), CONTENT),
        said("SHOUT", _zre(3, ("group", STRING)), CONTENT),
        said("JOIN", _zre(4, ("group", STRING), ("status", Integer(1)))),
        said("PING", _zre(6)),
        said("PING-OK", _zre(7), by=("recipient",)),
    ),
    part(
        "beacon",
        said(
            "BEACON",
            frame(
                ("header", Constant(b"ZRE\x01")), ("uuid", Uuid()), ("port", Integer(2, minimum=1))
            ),
        ),
        datagram=True,
        constants=[
            NamedConstant("udp-port", 5670, origin("Where beacons go.")),
            NamedConstant("greeting", "hé", origin()),
            NamedConstant("magic", b"\x00\xff", origin()),
        ],
    ),
)


def _zre36(command: int, *fields: tuple[str, Type]) -> Frame:
    return frame(
        ("signature", Constant(b"\xaa\xa1")),
        ("id", Constant(bytes([command]))),
        ("version", Constant(b"\x02")),
        SEQUENCE,
        *fields,
    )


LONG = Text(4)

# 36/ZRE: long texts, pairs, any number of content frames.
MESH2 = protocol(
    "mesh2",
    part(
        "messages",
        said(
            "HELLO",
            _zre36(
                1,
                ("endpoint", STRING),
                ("groups", Listing(4, LONG)),
                ("status", Integer(1)),
                ("name", STRING),
                ("headers", Dictionary(4, STRING, LONG)),
            ),
        ),
        said("WHISPER", _zre36(2), Frames("content", 0, origin())),
        said("JOIN", _zre36(4, ("group", STRING), ("status", Integer(1)))),
        said("PING", _zre36(6)),
    ),
)

# ZRE/LOG: enumerations and one message alone.
LOG = protocol(
    "log",
    part(
        "messages",
        said(
            "LOG",
            frame(
                ("signature", Constant(b"\xaa\xa2")),
                ("id", Constant(b"\x01")),
                (
                    "level",
                    Enumeration("level", 1, (member("ERROR", b"\x01"), member("WARNING", b"\x02"))),
                ),
                ("node", Integer(2)),
                ("time", Integer(8)),
                ("data", STRING),
            ),
        ),
    ),
)

BROKER_ROLES = (("client", "C", "DEALER"), ("broker", "B", "ROUTER"), ("worker", "W", "DEALER"))


def _tabled(command: bytes, header: bytes = b"MDXW01") -> tuple[Frame, Frame]:
    return frame(("header", Constant(header))), frame(("command", Constant(command)))


REQUEST_ID = frame(("request-id", Octets(minimum=1)))
BODY = Frames("body", 1, origin("The body."))

# MDPX: a constant in each frame, and one message twice under two headers.
TABLED = protocol(
    "tabled",
    part(
        "client",
        said(
            "REQUEST",
            *_tabled(b"\x01", b"MDXC01"),
            frame(("service", Text(0, minimum=1))),
            REQUEST_ID,
            BODY,
            by=("client",),
        ),
        said(
            "FINAL",
            *_tabled(b"\x03", b"MDXC01"),
            frame(("service", Text(0, minimum=1))),
            REQUEST_ID,
            BODY,
            by=("broker",),
        ),
        roles=BROKER_ROLES[:2],
    ),
    part(
        "worker",
        said("READY", *_tabled(b"\x01"), frame(("service", Text(0, minimum=1))), by=("worker",)),
        said(
            "REQUEST",
            *_tabled(b"\x02"),
            frame(("client", Octets(minimum=1))),
            frame(("empty", Constant(b""))),
            REQUEST_ID,
            BODY,
            by=("broker",),
        ),
        said("PING", *_tabled(b"PING"), by=("worker",)),
        said("DISCONNECT", *_tabled(b"\x06"), by=("broker", "worker")),
        said("DISCONNECT-OLD", *_tabled(b"\x06", b"MDPW02"), by=("broker", "worker")),
        roles=BROKER_ROLES[1:],
    ),
)

ENVELOPE = Stack("stack", False, origin("The way back."))
CONTENTS = Frames("content", 1, origin())

# PPP: control messages are single octets, all else is content behind an optional stack.
PIRATE = protocol(
    "pirate",
    part(
        "messages",
        said("READY", frame(("command", Constant(b"\x01"))), by=("worker",)),
        said("HEARTBEAT", frame(("command", Constant(b"\x02"))), by=("client", "worker")),
        said("REQUEST", ENVELOPE, CONTENTS, by=("client",)),
        said("REPLY", ENVELOPE, CONTENTS, by=("worker",)),
        roles=(("client", "C", "ROUTER"), ("worker", "W", "DEALER")),
    ),
)

# REQREP: a stack that must be there.
LETTER = protocol(
    "letter",
    part(
        "rep",
        said("REQUEST", Stack("stack", True, origin()), CONTENTS, by=("req",)),
        said("REPLY", Stack("stack", True, origin()), CONTENTS, by=("rep",)),
        roles=(("req", "C", "REQ"), ("rep", "S", "REP")),
    ),
)

# Every kind of field that no specification above has, and names that Python keeps.
ODD = protocol(
    "odd",
    part(
        "messages",
        said(
            "CLASS",
            frame(
                ("id", Constant(b"\x01")),
                ("from", Integer(4, minimum=7)),
                ("len", Integer(8)),
                ("key", Octets(length=3)),
                ("token", Octets(count=2, minimum=1, maximum=9)),
                ("ports", Listing(1, Integer(2, minimum=1))),
                ("blobs", Listing(2, Octets(count=1))),
                ("keys", Listing(4, Octets(length=5))),
                ("tail", Constant(b"!")),
                ("rest", Text(0, maximum=4)),
            ),
        ),
        said(
            "MESSAGE",
            frame(("id", Constant(b"\x02")), ("name", Text(2, minimum=1, maximum=6))),
            frame(("mood", Enumeration("mood", 0, (member("good", b"+1"), member("bad", b"-"))))),
            frame(("node", Uuid())),
            frame(("number", Integer(4)), optional=True),
            frame(("note", Text(0)), optional=True),
            Frames("further", 0, origin()),
        ),
        said(
            "ROUTED",
            frame(("id", Constant(b"\x03"))),
            Stack("stack", True, origin()),
            frame(("topic", Text(0))),
            frame(("more", Octets()), optional=True),
        ),
    ),
)

# Enumerations that share a name with each other and with a message.
MOODS = protocol(
    "moods",
    part(
        "messages",
        said(
            "MOOD",
            frame(
                ("id", Constant(b"\x01")),
                ("mood", Enumeration("mood", 1, (member("good", b"\x01"), member("2nd", b"\x02")))),
                ("kind", Enumeration("kind", 2, (member("a", b"\x00\x01"),))),
            ),
        ),
        said(
            "OTHER",
            frame(
                ("id", Constant(b"\x02")),
                ("kind", Enumeration("kind", 1, (member("b", b"\x01"), member("c", b"\x02")))),
            ),
        ),
        constants=[NamedConstant("limit", 5, origin('A "limit"'))],
    ),
)

ALL = (MESH, MESH2, LOG, TABLED, PIRATE, LETTER, ODD, MOODS)
