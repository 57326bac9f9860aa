"""The messages of MDP 0.1: client.

Made by `zwire generate` from mdp01.md, line 22; do not edit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from .. import layout as lay
from ..checking import UNSUITABLE, objection
from ..layout import blank, message, refuse_controls
from ..reading import MALFORMED, refusal
from ..views import as_dict, dumped, from_mapping, in_one_line

HEADER = b"MDPC01"
"""MDPC01: what frame 1 of every client message says"""


@message
class Request:
    """Ask a service to do something.

    Sent by client; mdp01.md, line 50.
    """

    service: str
    """Name of the service"""
    body: tuple[bytes, ...]
    """What the service is asked"""


@message
class Reply:
    """The answer.

    Sent by broker; mdp01.md, line 61.
    """

    service: str
    """Name of the service"""
    body: tuple[bytes, ...]
    """The reply"""


Message: TypeAlias = Request | Reply


def encode(message: Message) -> list[bytes]:
    """The frames of a message; raises EncodeError where a value cannot be sent."""
    try:
        return _ENCODERS[type(message)](message)
    except UNSUITABLE:
        raise objection(_LAYOUTS, message) from None


def decode_from_client(frames: Sequence[bytes]) -> Request:
    """The message that the client sent in these frames; raises DecodeError where they are none."""
    try:
        return _decode_request(frames)
    except MALFORMED:
        raise refusal([*_LAYOUTS.values()], frames, "client") from None


def decode_from_broker(frames: Sequence[bytes]) -> Reply:
    """The message that the broker sent in these frames; raises DecodeError where they are none."""
    try:
        return _decode_reply(frames)
    except MALFORMED:
        raise refusal([*_LAYOUTS.values()], frames, "broker") from None


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
    return dumped([*_LAYOUTS.values()], frames, role)


# The quick way in and out. What goes wrong here is looked at again, without haste, to say why.


def _encode_request(message: Request) -> list[bytes]:
    service = message.service
    service_octets = service.encode()
    if not service.isprintable():
        refuse_controls(service)
    body = message.body
    if not service_octets or type(body) is not tuple or not body:
        raise ValueError("unsuitable")
    for part in body:
        if type(part) is not bytes:
            raise ValueError("body")
    return [b"", b"MDPC01", service_octets, *body]


def _decode_request(frames: Sequence[bytes]) -> Request:
    made: Any = blank(Request)
    empty_constant = frames[0]
    header_constant = frames[1]
    service_octets = frames[2]
    body = tuple(frames[3:])
    made.service = service = service_octets.decode()
    if not service.isprintable():
        refuse_controls(service)
    if empty_constant or header_constant != b"MDPC01" or not service_octets or not body:
        raise ValueError("malformed")
    made.body = body
    message: Request = made
    return message


def _encode_reply(message: Reply) -> list[bytes]:
    service = message.service
    service_octets = service.encode()
    if not service.isprintable():
        refuse_controls(service)
    body = message.body
    if not service_octets or type(body) is not tuple or not body:
        raise ValueError("unsuitable")
    for part in body:
        if type(part) is not bytes:
            raise ValueError("body")
    return [b"", b"MDPC01", service_octets, *body]


def _decode_reply(frames: Sequence[bytes]) -> Reply:
    made: Any = blank(Reply)
    empty_constant = frames[0]
    header_constant = frames[1]
    service_octets = frames[2]
    body = tuple(frames[3:])
    made.service = service = service_octets.decode()
    if not service.isprintable():
        refuse_controls(service)
    if empty_constant or header_constant != b"MDPC01" or not service_octets or not body:
        raise ValueError("malformed")
    made.body = body
    message: Reply = made
    return message


_ENCODERS: dict[type[Any], Callable[[Any], list[bytes]]] = {
    Request: _encode_request,
    Reply: _encode_reply,
}

DECODERS: dict[str, Callable[[Sequence[bytes]], Message]] = {
    "client": decode_from_client,
    "broker": decode_from_broker,
}
"""The decoder for what each role sends."""

MESSAGES: dict[str, type[Message]] = {
    "REQUEST": Request,
    "REPLY": Reply,
}
"""The class of each message by its name in the specification."""

_LAYOUTS: dict[type[Any], lay.Layout] = {
    Request: lay.layout(
        "REQUEST",
        Request,
        ("client",),
        lay.frame(lay.Constant("empty", b"")),
        lay.frame(lay.Constant("header", b"MDPC01")),
        lay.frame(lay.Text("service", 0, 1)),
        lay.Frames("body", 1),
    ),
    Reply: lay.layout(
        "REPLY",
        Reply,
        ("broker",),
        lay.frame(lay.Constant("empty", b"")),
        lay.frame(lay.Constant("header", b"MDPC01")),
        lay.frame(lay.Text("service", 0, 1)),
        lay.Frames("body", 1),
    ),
}
