"""The messages of MDPX: worker.

Made by `zwire generate` from mdpx.md, line 94; do not edit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from .. import layout as lay
from ..checking import UNSUITABLE, objection
from ..layout import blank, message, refuse_controls
from ..reading import MALFORMED, refusal
from ..views import as_dict, dumped, from_mapping, in_one_line

HEADER = b"MDXW01"
"""MDXW01: what frame 0 of every worker message says"""


@message
class Ready:
    """Offer a service; the first command on every new socket.

    Sent by worker; mdpx.md, line 148.
    """

    service: str
    """Name of the service"""


@message
class Request:
    """Give the worker a client's request.

    Sent by broker; mdpx.md, line 158.
    """

    client_address: bytes
    """Identity of the client, one frame"""
    request_id: bytes
    """As the client, or the broker, chose it"""
    body: tuple[bytes, ...]
    """What the service is asked"""


@message
class Partial:
    """One more piece of the reply; further ones follow.

    Sent by worker; mdpx.md, line 171.
    """

    client_address: bytes
    """As it came with the request"""
    request_id: bytes
    """As it came with the request"""
    body: tuple[bytes, ...]
    """A piece of the reply"""


@message
class Final:
    """The last piece of the reply: the worker is free again.

    Sent by worker; mdpx.md, line 184.
    """

    client_address: bytes
    """As it came with the request"""
    request_id: bytes
    """As it came with the request"""
    body: tuple[bytes, ...]
    """The end of the reply"""


@message
class Ping:
    """The worker is alive and asks whether the broker is.

    Sent by worker; mdpx.md, line 197.
    """


@message
class Pong:
    """The broker's answer to PING.

    Sent by broker; mdpx.md, line 206.
    """


@message
class Disconnect:
    """The end of the conversation, from either side.

    Sent by worker or broker; mdpx.md, line 215.
    """


@message
class DisconnectMdpw02:
    """DISCONNECT under the header of Majordomo 0.2: understood and reported when it comes, never sent.

    Sent by worker or broker, received only; mdpx.md, line 224.
    """


Message: TypeAlias = Ready | Request | Partial | Final | Ping | Pong | Disconnect | DisconnectMdpw02


def encode(message: Message) -> list[bytes]:
    """The frames of a message; raises EncodeError where a value cannot be sent."""
    try:
        return _ENCODERS[type(message)](message)
    except UNSUITABLE:
        raise objection(_LAYOUTS, message) from None


def decode(frames: Sequence[bytes]) -> Message:
    """The message that these frames are; raises DecodeError where they are none."""
    try:
        return _BY_COMMAND[frames[0], frames[1]](frames)
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
    return [b"MDXW01", b"\x01", service_octets]


def _decode_ready(frames: Sequence[bytes]) -> Ready:
    made: Any = blank(Ready)
    _, _, service_octets = frames
    made.service = service = service_octets.decode()
    if not service.isprintable():
        refuse_controls(service)
    if not service_octets:
        raise ValueError("malformed")
    message: Ready = made
    return message


def _encode_request(message: Request) -> list[bytes]:
    client_address = message.client_address
    request_id = message.request_id
    body = message.body
    if (
        type(client_address) is not bytes
        or not client_address
        or type(request_id) is not bytes
        or not request_id
        or type(body) is not tuple
        or not body
    ):
        raise ValueError("unsuitable")
    for part in body:
        if type(part) is not bytes:
            raise ValueError("body")
    return [b"MDXW01", b"\x02", client_address, b"", request_id, *body]


def _decode_request(frames: Sequence[bytes]) -> Request:
    made: Any = blank(Request)
    client_address = frames[2]
    empty_constant = frames[3]
    request_id = frames[4]
    body = tuple(frames[5:])
    if not client_address or empty_constant or not request_id or not body:
        raise ValueError("malformed")
    made.client_address = client_address
    made.request_id = request_id
    made.body = body
    message: Request = made
    return message


def _encode_partial(message: Partial) -> list[bytes]:
    client_address = message.client_address
    request_id = message.request_id
    body = message.body
    if (
        type(client_address) is not bytes
        or not client_address
        or type(request_id) is not bytes
        or not request_id
        or type(body) is not tuple
        or not body
    ):
        raise ValueError("unsuitable")
    for part in body:
        if type(part) is not bytes:
            raise ValueError("body")
    return [b"MDXW01", b"\x03", client_address, b"", request_id, *body]


def _decode_partial(frames: Sequence[bytes]) -> Partial:
    made: Any = blank(Partial)
    client_address = frames[2]
    empty_constant = frames[3]
    request_id = frames[4]
    body = tuple(frames[5:])
    if not client_address or empty_constant or not request_id or not body:
        raise ValueError("malformed")
    made.client_address = client_address
    made.request_id = request_id
    made.body = body
    message: Partial = made
    return message


def _encode_final(message: Final) -> list[bytes]:
    client_address = message.client_address
    request_id = message.request_id
    body = message.body
    if (
        type(client_address) is not bytes
        or not client_address
        or type(request_id) is not bytes
        or not request_id
        or type(body) is not tuple
        or not body
    ):
        raise ValueError("unsuitable")
    for part in body:
        if type(part) is not bytes:
            raise ValueError("body")
    return [b"MDXW01", b"\x04", client_address, b"", request_id, *body]


def _decode_final(frames: Sequence[bytes]) -> Final:
    made: Any = blank(Final)
    client_address = frames[2]
    empty_constant = frames[3]
    request_id = frames[4]
    body = tuple(frames[5:])
    if not client_address or empty_constant or not request_id or not body:
        raise ValueError("malformed")
    made.client_address = client_address
    made.request_id = request_id
    made.body = body
    message: Final = made
    return message


def _encode_ping(message: Ping) -> list[bytes]:
    return [b"MDXW01", b"PING"]


def _decode_ping(frames: Sequence[bytes]) -> Ping:
    _, _ = frames
    return Ping()


def _encode_pong(message: Pong) -> list[bytes]:
    return [b"MDXW01", b"PONG"]


def _decode_pong(frames: Sequence[bytes]) -> Pong:
    _, _ = frames
    return Pong()


def _encode_disconnect(message: Disconnect) -> list[bytes]:
    return [b"MDXW01", b"\x06"]


def _decode_disconnect(frames: Sequence[bytes]) -> Disconnect:
    _, _ = frames
    return Disconnect()


def _encode_disconnect_mdpw02(message: DisconnectMdpw02) -> list[bytes]:
    return [b"MDPW02", b"\x06"]


def _decode_disconnect_mdpw02(frames: Sequence[bytes]) -> DisconnectMdpw02:
    _, _ = frames
    return DisconnectMdpw02()


_ENCODERS: dict[type[Any], Callable[[Any], list[bytes]]] = {
    Ready: _encode_ready,
    Request: _encode_request,
    Partial: _encode_partial,
    Final: _encode_final,
    Ping: _encode_ping,
    Pong: _encode_pong,
    Disconnect: _encode_disconnect,
    DisconnectMdpw02: _encode_disconnect_mdpw02,
}

_BY_COMMAND: dict[tuple[bytes, bytes], Callable[[Sequence[bytes]], Message]] = {
    (b"MDXW01", b"\x01"): _decode_ready,
    (b"MDXW01", b"\x02"): _decode_request,
    (b"MDXW01", b"\x03"): _decode_partial,
    (b"MDXW01", b"\x04"): _decode_final,
    (b"MDXW01", b"PING"): _decode_ping,
    (b"MDXW01", b"PONG"): _decode_pong,
    (b"MDXW01", b"\x06"): _decode_disconnect,
    (b"MDPW02", b"\x06"): _decode_disconnect_mdpw02,
}

DECODERS: dict[str, Callable[[Sequence[bytes]], Message]] = {
    "worker": decode,
    "broker": decode,
}
"""The decoder for what each role sends."""

MESSAGES: dict[str, type[Message]] = {
    "READY": Ready,
    "REQUEST": Request,
    "PARTIAL": Partial,
    "FINAL": Final,
    "PING": Ping,
    "PONG": Pong,
    "DISCONNECT": Disconnect,
    "DISCONNECT-MDPW02": DisconnectMdpw02,
}
"""The class of each message by its name in the specification."""

_LAYOUTS: dict[type[Any], lay.Layout] = {
    Ready: lay.layout(
        "READY",
        Ready,
        ("worker",),
        lay.frame(lay.Constant("header", b"MDXW01")),
        lay.frame(lay.Constant("command", b"\x01")),
        lay.frame(lay.Text("service", 0, 1)),
    ),
    Request: lay.layout(
        "REQUEST",
        Request,
        ("broker",),
        lay.frame(lay.Constant("header", b"MDXW01")),
        lay.frame(lay.Constant("command", b"\x02")),
        lay.frame(lay.Octets("client_address", minimum=1)),
        lay.frame(lay.Constant("empty", b"")),
        lay.frame(lay.Octets("request_id", minimum=1)),
        lay.Frames("body", 1),
    ),
    Partial: lay.layout(
        "PARTIAL",
        Partial,
        ("worker",),
        lay.frame(lay.Constant("header", b"MDXW01")),
        lay.frame(lay.Constant("command", b"\x03")),
        lay.frame(lay.Octets("client_address", minimum=1)),
        lay.frame(lay.Constant("empty", b"")),
        lay.frame(lay.Octets("request_id", minimum=1)),
        lay.Frames("body", 1),
    ),
    Final: lay.layout(
        "FINAL",
        Final,
        ("worker",),
        lay.frame(lay.Constant("header", b"MDXW01")),
        lay.frame(lay.Constant("command", b"\x04")),
        lay.frame(lay.Octets("client_address", minimum=1)),
        lay.frame(lay.Constant("empty", b"")),
        lay.frame(lay.Octets("request_id", minimum=1)),
        lay.Frames("body", 1),
    ),
    Ping: lay.layout(
        "PING",
        Ping,
        ("worker",),
        lay.frame(lay.Constant("header", b"MDXW01")),
        lay.frame(lay.Constant("command", b"PING")),
    ),
    Pong: lay.layout(
        "PONG",
        Pong,
        ("broker",),
        lay.frame(lay.Constant("header", b"MDXW01")),
        lay.frame(lay.Constant("command", b"PONG")),
    ),
    Disconnect: lay.layout(
        "DISCONNECT",
        Disconnect,
        ("worker", "broker"),
        lay.frame(lay.Constant("header", b"MDXW01")),
        lay.frame(lay.Constant("command", b"\x06")),
    ),
    DisconnectMdpw02: lay.layout(
        "DISCONNECT-MDPW02",
        DisconnectMdpw02,
        ("worker", "broker"),
        lay.frame(lay.Constant("header", b"MDPW02")),
        lay.frame(lay.Constant("command", b"\x06")),
    ),
}
