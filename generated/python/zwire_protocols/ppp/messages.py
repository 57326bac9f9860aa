"""The messages of PPP: messages.

Made by `zwire generate` from ppp.md, line 7; do not edit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from .. import layout as lay
from ..checking import UNSUITABLE, objection
from ..errors import EncodeError
from ..layout import blank, message
from ..reading import MALFORMED, refusal
from ..views import as_dict, dumped, from_mapping, in_one_line

INTERVAL_MS = 1000
"""between two heartbeats"""
LIVENESS = 3
"""intervals of silence after which the other side is gone"""
RECONNECT_MS = 1000
"""first wait before a worker begins again; doubles each time"""
RECONNECT_MAX_MS = 32000
"""the longest such wait"""


@message
class Ready:
    """A worker is ready for work: the first message of every conversation

    Sent by worker; ppp.md, line 60.
    """


@message
class Heartbeat:
    """A sign of life, from either side

    Sent by client or worker; ppp.md, line 63.
    """


@message
class Request:
    """Work for the worker

    Sent by client; ppp.md, line 66.
    """

    stack: tuple[bytes, ...] | None
    """The way back to whoever asked, nearest hop first"""
    content: tuple[bytes, ...]
    """What is asked or answered"""


@message
class Reply:
    """The worker's answer, under the stack of the request; the worker is ready again

    Sent by worker; ppp.md, line 69.
    """

    stack: tuple[bytes, ...] | None
    """The way back to whoever asked, nearest hop first"""
    content: tuple[bytes, ...]
    """What is asked or answered"""


Message: TypeAlias = Ready | Heartbeat | Request | Reply


def encode(message: Message) -> list[bytes]:
    """The frames of a message; raises EncodeError where a value cannot be sent."""
    try:
        return _ENCODERS[type(message)](message)
    except UNSUITABLE:
        raise objection(_LAYOUTS, message) from None


def decode_from_client(frames: Sequence[bytes]) -> Heartbeat | Request:
    """The message that the client sent in these frames; raises DecodeError where they are none."""
    try:
        if type(frames[0]) is not bytes:
            raise TypeError("no frames")
        if len(frames) == 1 and frames[0] == b"\x01":
            raise ValueError("READY, which others send")
        if len(frames) == 1 and frames[0] == b"\x02":
            return _decode_heartbeat(frames)
        return _decode_request(frames)
    except MALFORMED:
        raise refusal([*_LAYOUTS.values()], frames, "client") from None


def decode_from_worker(frames: Sequence[bytes]) -> Ready | Heartbeat | Reply:
    """The message that the worker sent in these frames; raises DecodeError where they are none."""
    try:
        if type(frames[0]) is not bytes:
            raise TypeError("no frames")
        if len(frames) == 1 and frames[0] == b"\x01":
            return _decode_ready(frames)
        if len(frames) == 1 and frames[0] == b"\x02":
            return _decode_heartbeat(frames)
        return _decode_reply(frames)
    except MALFORMED:
        raise refusal([*_LAYOUTS.values()], frames, "worker") from None


def split(frames: Sequence[bytes]) -> tuple[tuple[bytes, ...] | None, list[bytes]]:
    """The address stack and the content behind its empty frame; None where there is no stack."""
    if b"" not in frames:
        return None, [*frames]
    end = frames.index(b"")
    return tuple(frames[:end]), [*frames[end + 1 :]]


def join(stack: Sequence[bytes] | None, content: Sequence[bytes]) -> list[bytes]:
    """Frames that `split` takes apart again."""
    if stack is None:
        if b"" in content:
            raise EncodeError("", "stack", "a stack, since the content has an empty frame", stack)
        return [*content]
    if b"" in stack:
        raise EncodeError("", "stack", "addresses that are not empty", stack)
    return [*stack, b"", *content]


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


def _encode_ready(message: Ready) -> list[bytes]:
    return [b"\x01"]


def _decode_ready(frames: Sequence[bytes]) -> Ready:
    (_,) = frames
    return Ready()


def _encode_heartbeat(message: Heartbeat) -> list[bytes]:
    return [b"\x02"]


def _decode_heartbeat(frames: Sequence[bytes]) -> Heartbeat:
    (_,) = frames
    return Heartbeat()


def _encode_request(message: Request) -> list[bytes]:
    stack = message.stack
    content = message.content
    if type(content) is not tuple or not content:
        raise ValueError("unsuitable")
    for part in content:
        if type(part) is not bytes:
            raise ValueError("content")
    frames: list[bytes] = []
    if stack is not None:
        if type(stack) is not tuple:
            raise ValueError("stack")
        for address in stack:
            if type(address) is not bytes or not address:
                raise ValueError("stack")
        frames += (*stack, b"")
    frames += content
    if stack is None and b"" in frames:
        raise ValueError("reads as a stack")
    if len(frames) == 1 and frames[0] == b"\x01":
        raise ValueError("reads as another message")
    if len(frames) == 1 and frames[0] == b"\x02":
        raise ValueError("reads as another message")
    return frames


def _decode_request(frames: Sequence[bytes]) -> Request:
    made: Any = blank(Request)
    stack: tuple[bytes, ...] | None = None
    rest = frames
    if b"" in rest:
        end = rest.index(b"")
        stack = tuple(rest[:end])
        rest = rest[end + 1 :]
    content = tuple(rest)
    if not content:
        raise ValueError("malformed")
    made.stack = stack
    made.content = content
    message: Request = made
    return message


def _encode_reply(message: Reply) -> list[bytes]:
    stack = message.stack
    content = message.content
    if type(content) is not tuple or not content:
        raise ValueError("unsuitable")
    for part in content:
        if type(part) is not bytes:
            raise ValueError("content")
    frames: list[bytes] = []
    if stack is not None:
        if type(stack) is not tuple:
            raise ValueError("stack")
        for address in stack:
            if type(address) is not bytes or not address:
                raise ValueError("stack")
        frames += (*stack, b"")
    frames += content
    if stack is None and b"" in frames:
        raise ValueError("reads as a stack")
    if len(frames) == 1 and frames[0] == b"\x01":
        raise ValueError("reads as another message")
    if len(frames) == 1 and frames[0] == b"\x02":
        raise ValueError("reads as another message")
    return frames


def _decode_reply(frames: Sequence[bytes]) -> Reply:
    made: Any = blank(Reply)
    stack: tuple[bytes, ...] | None = None
    rest = frames
    if b"" in rest:
        end = rest.index(b"")
        stack = tuple(rest[:end])
        rest = rest[end + 1 :]
    content = tuple(rest)
    if not content:
        raise ValueError("malformed")
    made.stack = stack
    made.content = content
    message: Reply = made
    return message


_ENCODERS: dict[type[Any], Callable[[Any], list[bytes]]] = {
    Ready: _encode_ready,
    Heartbeat: _encode_heartbeat,
    Request: _encode_request,
    Reply: _encode_reply,
}

DECODERS: dict[str, Callable[[Sequence[bytes]], Message]] = {
    "client": decode_from_client,
    "worker": decode_from_worker,
}
"""The decoder for what each role sends."""

MESSAGES: dict[str, type[Message]] = {
    "READY": Ready,
    "HEARTBEAT": Heartbeat,
    "REQUEST": Request,
    "REPLY": Reply,
}
"""The class of each message by its name in the specification."""

_LAYOUTS: dict[type[Any], lay.Layout] = {
    Ready: lay.layout(
        "READY",
        Ready,
        ("worker",),
        lay.frame(lay.Constant("header", b"\x01")),
    ),
    Heartbeat: lay.layout(
        "HEARTBEAT",
        Heartbeat,
        ("client", "worker"),
        lay.frame(lay.Constant("header", b"\x02")),
    ),
    Request: lay.layout(
        "REQUEST",
        Request,
        ("client",),
        lay.Stack("stack", False),
        lay.Frames("content", 1),
    ),
    Reply: lay.layout(
        "REPLY",
        Reply,
        ("worker",),
        lay.Stack("stack", False),
        lay.Frames("content", 1),
    ),
}
