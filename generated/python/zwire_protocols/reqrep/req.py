"""The messages of REQREP: req.

Made by `zwire generate` from reqrep.md, line 35; do not edit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from .. import layout as lay
from ..checking import UNSUITABLE, objection
from ..layout import blank, message
from ..reading import MALFORMED, refusal
from ..views import as_dict, dumped, from_mapping, in_one_line


@message
class Request:
    """A question: the delimiter that REQ adds, then the application's frames.

    Sent by req; reqrep.md, line 53.
    """

    data: tuple[bytes, ...]
    """What the application sent, at least one frame"""


@message
class Reply:
    """The answer. Without its delimiter a REQ socket closes the connection, so none goes out without
    it.

    Sent by rep or router; reqrep.md, line 62.
    """

    data: tuple[bytes, ...]
    """What the application answers, at least one frame"""


Message: TypeAlias = Request | Reply


def encode(message: Message) -> list[bytes]:
    """The frames of a message; raises EncodeError where a value cannot be sent."""
    try:
        return _ENCODERS[type(message)](message)
    except UNSUITABLE:
        raise objection(_LAYOUTS, message) from None


def decode_from_req(frames: Sequence[bytes]) -> Request:
    """The message that the req sent in these frames; raises DecodeError where they are none."""
    try:
        return _decode_request(frames)
    except MALFORMED:
        raise refusal([*_LAYOUTS.values()], frames, "req") from None


def decode_from_rep(frames: Sequence[bytes]) -> Reply:
    """The message that the rep sent in these frames; raises DecodeError where they are none."""
    try:
        return _decode_reply(frames)
    except MALFORMED:
        raise refusal([*_LAYOUTS.values()], frames, "rep") from None


def decode_from_router(frames: Sequence[bytes]) -> Reply:
    """The message that the router sent in these frames; raises DecodeError where they are none."""
    try:
        return _decode_reply(frames)
    except MALFORMED:
        raise refusal([*_LAYOUTS.values()], frames, "router") from None


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
    data = message.data
    if type(data) is not tuple or not data:
        raise ValueError("unsuitable")
    for part in data:
        if type(part) is not bytes:
            raise ValueError("data")
    return [b"", *data]


def _decode_request(frames: Sequence[bytes]) -> Request:
    made: Any = blank(Request)
    empty_constant = frames[0]
    data = tuple(frames[1:])
    if empty_constant or not data:
        raise ValueError("malformed")
    made.data = data
    message: Request = made
    return message


def _encode_reply(message: Reply) -> list[bytes]:
    data = message.data
    if type(data) is not tuple or not data:
        raise ValueError("unsuitable")
    for part in data:
        if type(part) is not bytes:
            raise ValueError("data")
    return [b"", *data]


def _decode_reply(frames: Sequence[bytes]) -> Reply:
    made: Any = blank(Reply)
    empty_constant = frames[0]
    data = tuple(frames[1:])
    if empty_constant or not data:
        raise ValueError("malformed")
    made.data = data
    message: Reply = made
    return message


_ENCODERS: dict[type[Any], Callable[[Any], list[bytes]]] = {
    Request: _encode_request,
    Reply: _encode_reply,
}

DECODERS: dict[str, Callable[[Sequence[bytes]], Message]] = {
    "req": decode_from_req,
    "rep": decode_from_rep,
    "router": decode_from_router,
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
        ("req",),
        lay.frame(lay.Constant("empty", b"")),
        lay.Frames("data", 1),
    ),
    Reply: lay.layout(
        "REPLY",
        Reply,
        ("rep", "router"),
        lay.frame(lay.Constant("empty", b"")),
        lay.Frames("data", 1),
    ),
}
