"""The messages of MDP 0.1: worker.

Made by `zwire generate` from mdp01.md, line 70; do not edit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from .. import layout as lay
from ..checking import UNSUITABLE, objection
from ..layout import blank, message, refuse_controls
from ..reading import MALFORMED, refusal
from ..views import as_dict, dumped, from_mapping, in_one_line

HEADER = b"MDPW01"
"""MDPW01: what frame 1 of every worker message says"""


@message
class Ready:
    """Offer a service; the first command on every new socket.

    Sent by worker; mdp01.md, line 111.
    """

    service: str
    """Name of the service"""


@message
class Request:
    """Give the worker a client's request.

    Sent by broker; mdp01.md, line 122.
    """

    client_address: bytes
    """Identity of the client, one frame"""
    body: tuple[bytes, ...]
    """What the service is asked"""


@message
class Reply:
    """The worker's answer: it is free again.

    Sent by worker; mdp01.md, line 135.
    """

    client_address: bytes
    """As it came with the request"""
    body: tuple[bytes, ...]
    """The reply"""


@message
class Heartbeat:
    """A sign of life, from either side.

    Sent by worker or broker; mdp01.md, line 148.
    """


@message
class Disconnect:
    """The end of the conversation, from either side.

    Sent by worker or broker; mdp01.md, line 158.
    """


Message: TypeAlias = Ready | Request | Reply | Heartbeat | Disconnect


def encode(message: Message) -> list[bytes]:
    """The frames of a message; raises EncodeError where a value cannot be sent."""
    try:
        return _ENCODERS[type(message)](message)
    except UNSUITABLE:
        raise objection(_LAYOUTS, message) from None


def decode(frames: Sequence[bytes]) -> Message:
    """The message that these frames are; raises DecodeError where they are none."""
    try:
        return _BY_COMMAND[frames[2]](frames)
    except MALFORMED:
        raise refusal([*_LAYOUTS.values()], frames) from None


def to_dict(message: Message) -> dict[str, Any]:
    """A message as JSON has it: `{"message": name, "fields": {name: value}}`."""
    return as_dict(_LAYOUTS, message)


def from_dict(mapping: Mapping[str, Any]) -> Message:
    """The message that `to_dict` shows so; raises EncodeError where there is no such message."""
    return cast(Message, from_mapping(_LAYOUTS, mapping))


def summary(message: Message) -> str:
    """A message in one line."""
    return in_one_line(_LAYOUTS, message)


def dump(frames: Sequence[bytes], role: str = "") -> str:
    """Frames octet by octet, with what each stands for; `role` is who sent them."""
    return dumped([*_LAYOUTS.values()], frames)


# The quick way in and out. What goes wrong here is looked at again, without haste, to say why.


def _encode_ready(message: Ready) -> list[bytes]:
    service = message.service
    service_octets = service.encode()
    if not service.isprintable():
        refuse_controls(service)
    if not service_octets:
        raise ValueError("unsuitable")
    return [b"", b"MDPW01", b"\x01", service_octets]


def _decode_ready(frames: Sequence[bytes]) -> Ready:
    made: Any = blank(Ready)
    empty_constant, header_constant, _, service_octets = frames
    made.service = service = service_octets.decode()
    if not service.isprintable():
        refuse_controls(service)
    if empty_constant or header_constant != b"MDPW01" or not service_octets:
        raise ValueError("malformed")
    message: Ready = made
    return message


def _encode_request(message: Request) -> list[bytes]:
    client_address = message.client_address
    body = message.body
    if (
        type(client_address) is not bytes
        or not client_address
        or type(body) is not tuple
        or not body
    ):
        raise ValueError("unsuitable")
    for part in body:
        if type(part) is not bytes:
            raise ValueError("body")
    return [b"", b"MDPW01", b"\x02", client_address, b"", *body]


def _decode_request(frames: Sequence[bytes]) -> Request:
    made: Any = blank(Request)
    empty_constant = frames[0]
    header_constant = frames[1]
    client_address = frames[3]
    empty_constant_2 = frames[4]
    body = tuple(frames[5:])
    if (
        empty_constant
        or header_constant != b"MDPW01"
        or not client_address
        or empty_constant_2
        or not body
    ):
        raise ValueError("malformed")
    made.client_address = client_address
    made.body = body
    message: Request = made
    return message


def _encode_reply(message: Reply) -> list[bytes]:
    client_address = message.client_address
    body = message.body
    if (
        type(client_address) is not bytes
        or not client_address
        or type(body) is not tuple
        or not body
    ):
        raise ValueError("unsuitable")
    for part in body:
        if type(part) is not bytes:
            raise ValueError("body")
    return [b"", b"MDPW01", b"\x03", client_address, b"", *body]


def _decode_reply(frames: Sequence[bytes]) -> Reply:
    made: Any = blank(Reply)
    empty_constant = frames[0]
    header_constant = frames[1]
    client_address = frames[3]
    empty_constant_2 = frames[4]
    body = tuple(frames[5:])
    if (
        empty_constant
        or header_constant != b"MDPW01"
        or not client_address
        or empty_constant_2
        or not body
    ):
        raise ValueError("malformed")
    made.client_address = client_address
    made.body = body
    message: Reply = made
    return message


def _encode_heartbeat(message: Heartbeat) -> list[bytes]:
    return [b"", b"MDPW01", b"\x04"]


def _decode_heartbeat(frames: Sequence[bytes]) -> Heartbeat:
    empty_constant, header_constant, _ = frames
    if empty_constant or header_constant != b"MDPW01":
        raise ValueError("malformed")
    return Heartbeat()


def _encode_disconnect(message: Disconnect) -> list[bytes]:
    return [b"", b"MDPW01", b"\x05"]


def _decode_disconnect(frames: Sequence[bytes]) -> Disconnect:
    empty_constant, header_constant, _ = frames
    if empty_constant or header_constant != b"MDPW01":
        raise ValueError("malformed")
    return Disconnect()


_ENCODERS: dict[type[Any], Callable[[Any], list[bytes]]] = {
    Ready: _encode_ready,
    Request: _encode_request,
    Reply: _encode_reply,
    Heartbeat: _encode_heartbeat,
    Disconnect: _encode_disconnect,
}

_BY_COMMAND: dict[bytes, Callable[[Sequence[bytes]], Message]] = {
    b"\x01": _decode_ready,
    b"\x02": _decode_request,
    b"\x03": _decode_reply,
    b"\x04": _decode_heartbeat,
    b"\x05": _decode_disconnect,
}

DECODERS: dict[str, Callable[[Sequence[bytes]], Message]] = {
    "worker": decode,
    "broker": decode,
}
"""The decoder for what each role sends."""

MESSAGES: dict[str, type[Message]] = {
    "READY": Ready,
    "REQUEST": Request,
    "REPLY": Reply,
    "HEARTBEAT": Heartbeat,
    "DISCONNECT": Disconnect,
}
"""The class of each message by its name in the specification."""

_LAYOUTS: dict[type[Any], lay.Layout] = {
    Ready: lay.layout(
        "READY",
        Ready,
        ("worker",),
        lay.frame(lay.Constant("empty", b"")),
        lay.frame(lay.Constant("header", b"MDPW01")),
        lay.frame(lay.Constant("command", b"\x01")),
        lay.frame(lay.Text("service", 0, 1)),
    ),
    Request: lay.layout(
        "REQUEST",
        Request,
        ("broker",),
        lay.frame(lay.Constant("empty", b"")),
        lay.frame(lay.Constant("header", b"MDPW01")),
        lay.frame(lay.Constant("command", b"\x02")),
        lay.frame(lay.Octets("client_address", minimum=1)),
        lay.frame(lay.Constant("empty", b"")),
        lay.Frames("body", 1),
    ),
    Reply: lay.layout(
        "REPLY",
        Reply,
        ("worker",),
        lay.frame(lay.Constant("empty", b"")),
        lay.frame(lay.Constant("header", b"MDPW01")),
        lay.frame(lay.Constant("command", b"\x03")),
        lay.frame(lay.Octets("client_address", minimum=1)),
        lay.frame(lay.Constant("empty", b"")),
        lay.Frames("body", 1),
    ),
    Heartbeat: lay.layout(
        "HEARTBEAT",
        Heartbeat,
        ("worker", "broker"),
        lay.frame(lay.Constant("empty", b"")),
        lay.frame(lay.Constant("header", b"MDPW01")),
        lay.frame(lay.Constant("command", b"\x04")),
    ),
    Disconnect: lay.layout(
        "DISCONNECT",
        Disconnect,
        ("worker", "broker"),
        lay.frame(lay.Constant("empty", b"")),
        lay.frame(lay.Constant("header", b"MDPW01")),
        lay.frame(lay.Constant("command", b"\x05")),
    ),
}
