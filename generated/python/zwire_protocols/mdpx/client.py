"""The messages of MDPX: client.

Made by `zwire generate` from mdpx.md, line 28; do not edit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from .. import layout as lay
from ..checking import UNSUITABLE, objection
from ..layout import blank, message, refuse_controls
from ..reading import MALFORMED, refusal
from ..views import as_dict, dumped, from_mapping, in_one_line

HEADER = b"MDXC01"
"""MDXC01: what frame 0 of every client message says"""


@message
class Request:
    """Ask a service to do something.

    Sent by client; mdpx.md, line 60.
    """

    service: str
    """Name of the service"""
    request_id: bytes
    """Chosen by the client, by default a UUID; opaque to others"""
    body: tuple[bytes, ...]
    """What the service is asked"""


@message
class Partial:
    """One more piece of the answer; further ones follow.

    Sent by broker; mdpx.md, line 72.
    """

    service: str
    """Name of the service"""
    request_id: bytes
    """Of the request being answered"""
    body: tuple[bytes, ...]
    """A piece of the reply"""


@message
class Final:
    """The last piece of the answer: the request is done.

    Sent by broker; mdpx.md, line 84.
    """

    service: str
    """Name of the service"""
    request_id: bytes
    """Of the request being answered"""
    body: tuple[bytes, ...]
    """The end of the reply"""


Message: TypeAlias = Request | Partial | Final


def encode(message: Message) -> list[bytes]:
    """The frames of a message; raises EncodeError where a value cannot be sent."""
    try:
        return _ENCODERS[type(message)](message)
    except UNSUITABLE:
        raise objection(_LAYOUTS, message) from None


def decode(frames: Sequence[bytes]) -> Message:
    """The message that these frames are; raises DecodeError where they are none."""
    try:
        return _BY_COMMAND[frames[1]](frames)
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


def _encode_request(message: Request) -> list[bytes]:
    service = message.service
    service_octets = service.encode()
    if not service.isprintable():
        refuse_controls(service)
    request_id = message.request_id
    body = message.body
    if (
        not service_octets
        or type(request_id) is not bytes
        or not request_id
        or type(body) is not tuple
        or not body
    ):
        raise ValueError("unsuitable")
    for part in body:
        if type(part) is not bytes:
            raise ValueError("body")
    return [b"MDXC01", b"\x01", service_octets, request_id, *body]


def _decode_request(frames: Sequence[bytes]) -> Request:
    made: Any = blank(Request)
    header_constant = frames[0]
    service_octets = frames[2]
    request_id = frames[3]
    body = tuple(frames[4:])
    made.service = service = service_octets.decode()
    if not service.isprintable():
        refuse_controls(service)
    if header_constant != b"MDXC01" or not service_octets or not request_id or not body:
        raise ValueError("malformed")
    made.request_id = request_id
    made.body = body
    message: Request = made
    return message


def _encode_partial(message: Partial) -> list[bytes]:
    service = message.service
    service_octets = service.encode()
    if not service.isprintable():
        refuse_controls(service)
    request_id = message.request_id
    body = message.body
    if (
        not service_octets
        or type(request_id) is not bytes
        or not request_id
        or type(body) is not tuple
        or not body
    ):
        raise ValueError("unsuitable")
    for part in body:
        if type(part) is not bytes:
            raise ValueError("body")
    return [b"MDXC01", b"\x02", service_octets, request_id, *body]


def _decode_partial(frames: Sequence[bytes]) -> Partial:
    made: Any = blank(Partial)
    header_constant = frames[0]
    service_octets = frames[2]
    request_id = frames[3]
    body = tuple(frames[4:])
    made.service = service = service_octets.decode()
    if not service.isprintable():
        refuse_controls(service)
    if header_constant != b"MDXC01" or not service_octets or not request_id or not body:
        raise ValueError("malformed")
    made.request_id = request_id
    made.body = body
    message: Partial = made
    return message


def _encode_final(message: Final) -> list[bytes]:
    service = message.service
    service_octets = service.encode()
    if not service.isprintable():
        refuse_controls(service)
    request_id = message.request_id
    body = message.body
    if (
        not service_octets
        or type(request_id) is not bytes
        or not request_id
        or type(body) is not tuple
        or not body
    ):
        raise ValueError("unsuitable")
    for part in body:
        if type(part) is not bytes:
            raise ValueError("body")
    return [b"MDXC01", b"\x03", service_octets, request_id, *body]


def _decode_final(frames: Sequence[bytes]) -> Final:
    made: Any = blank(Final)
    header_constant = frames[0]
    service_octets = frames[2]
    request_id = frames[3]
    body = tuple(frames[4:])
    made.service = service = service_octets.decode()
    if not service.isprintable():
        refuse_controls(service)
    if header_constant != b"MDXC01" or not service_octets or not request_id or not body:
        raise ValueError("malformed")
    made.request_id = request_id
    made.body = body
    message: Final = made
    return message


_ENCODERS: dict[type[Any], Callable[[Any], list[bytes]]] = {
    Request: _encode_request,
    Partial: _encode_partial,
    Final: _encode_final,
}

_BY_COMMAND: dict[bytes, Callable[[Sequence[bytes]], Message]] = {
    b"\x01": _decode_request,
    b"\x02": _decode_partial,
    b"\x03": _decode_final,
}

DECODERS: dict[str, Callable[[Sequence[bytes]], Message]] = {
    "client": decode,
    "broker": decode,
}
"""The decoder for what each role sends."""

MESSAGES: dict[str, type[Message]] = {
    "REQUEST": Request,
    "PARTIAL": Partial,
    "FINAL": Final,
}
"""The class of each message by its name in the specification."""

_LAYOUTS: dict[type[Any], lay.Layout] = {
    Request: lay.layout(
        "REQUEST",
        Request,
        ("client",),
        lay.frame(lay.Constant("header", b"MDXC01")),
        lay.frame(lay.Constant("command", b"\x01")),
        lay.frame(lay.Text("service", 0, 1)),
        lay.frame(lay.Octets("request_id", minimum=1)),
        lay.Frames("body", 1),
    ),
    Partial: lay.layout(
        "PARTIAL",
        Partial,
        ("broker",),
        lay.frame(lay.Constant("header", b"MDXC01")),
        lay.frame(lay.Constant("command", b"\x02")),
        lay.frame(lay.Text("service", 0, 1)),
        lay.frame(lay.Octets("request_id", minimum=1)),
        lay.Frames("body", 1),
    ),
    Final: lay.layout(
        "FINAL",
        Final,
        ("broker",),
        lay.frame(lay.Constant("header", b"MDXC01")),
        lay.frame(lay.Constant("command", b"\x03")),
        lay.frame(lay.Text("service", 0, 1)),
        lay.frame(lay.Octets("request_id", minimum=1)),
        lay.Frames("body", 1),
    ),
}
