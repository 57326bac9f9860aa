"""The messages of REQREP: rep.

Made by `zwire generate` from reqrep.md, line 77; do not edit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from .. import layout as lay
from ..checking import UNSUITABLE, objection
from ..errors import DecodeError, EncodeError
from ..layout import blank, message
from ..reading import MALFORMED, refusal
from ..views import as_dict, dumped, from_mapping, in_one_line


@message
class Request:
    """A question with the way back

    Sent by req or dealer; reqrep.md, line 89.
    """

    envelope: tuple[bytes, ...]
    """The way back, nearest hop first"""
    data: tuple[bytes, ...]
    """What the application sees"""


@message
class Reply:
    """The answer, under the same envelope as the question

    Sent by rep; reqrep.md, line 92.
    """

    envelope: tuple[bytes, ...]
    """The way back, nearest hop first"""
    data: tuple[bytes, ...]
    """What the application sees"""


Message: TypeAlias = Request | Reply


def encode(message: Message) -> list[bytes]:
    """The frames of a message; raises EncodeError where a value cannot be sent."""
    try:
        return _ENCODERS[type(message)](message)
    except UNSUITABLE:
        raise objection(_LAYOUTS, message) from None


def decode_from_rep(frames: Sequence[bytes]) -> Reply:
    """The message that the rep sent in these frames; raises DecodeError where they are none."""
    try:
        if type(frames[0]) is not bytes:
            raise TypeError("no frames")
        return _decode_reply(frames)
    except MALFORMED:
        raise refusal([*_LAYOUTS.values()], frames, "rep") from None


def decode_from_req(frames: Sequence[bytes]) -> Request:
    """The message that the req sent in these frames; raises DecodeError where they are none."""
    try:
        if type(frames[0]) is not bytes:
            raise TypeError("no frames")
        return _decode_request(frames)
    except MALFORMED:
        raise refusal([*_LAYOUTS.values()], frames, "req") from None


def decode_from_dealer(frames: Sequence[bytes]) -> Request:
    """The message that the dealer sent in these frames; raises DecodeError where they are none."""
    try:
        if type(frames[0]) is not bytes:
            raise TypeError("no frames")
        return _decode_request(frames)
    except MALFORMED:
        raise refusal([*_LAYOUTS.values()], frames, "dealer") from None


def split(frames: Sequence[bytes]) -> tuple[tuple[bytes, ...], list[bytes]]:
    """The address stack and the content behind its empty frame."""
    if b"" not in frames:
        raise DecodeError("", "envelope", len(frames), 0, "an empty frame", "none", "empty")
    end = frames.index(b"")
    return tuple(frames[:end]), [*frames[end + 1 :]]


def join(stack: Sequence[bytes], content: Sequence[bytes]) -> list[bytes]:
    """Frames that `split` takes apart again."""
    if b"" in stack:
        raise EncodeError("", "envelope", "addresses that are not empty", stack)
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


def _encode_request(message: Request) -> list[bytes]:
    envelope = message.envelope
    data = message.data
    if type(data) is not tuple or not data:
        raise ValueError("unsuitable")
    for part in data:
        if type(part) is not bytes:
            raise ValueError("data")
    frames: list[bytes] = []
    if type(envelope) is not tuple:
        raise ValueError("envelope")
    for address in envelope:
        if type(address) is not bytes or not address:
            raise ValueError("envelope")
    frames += (*envelope, b"")
    frames += data
    return frames


def _decode_request(frames: Sequence[bytes]) -> Request:
    made: Any = blank(Request)
    end = frames.index(b"")
    envelope = tuple(frames[:end])
    rest = frames[end + 1 :]
    data = tuple(rest)
    if not data:
        raise ValueError("malformed")
    made.envelope = envelope
    made.data = data
    message: Request = made
    return message


def _encode_reply(message: Reply) -> list[bytes]:
    envelope = message.envelope
    data = message.data
    if type(data) is not tuple or not data:
        raise ValueError("unsuitable")
    for part in data:
        if type(part) is not bytes:
            raise ValueError("data")
    frames: list[bytes] = []
    if type(envelope) is not tuple:
        raise ValueError("envelope")
    for address in envelope:
        if type(address) is not bytes or not address:
            raise ValueError("envelope")
    frames += (*envelope, b"")
    frames += data
    return frames


def _decode_reply(frames: Sequence[bytes]) -> Reply:
    made: Any = blank(Reply)
    end = frames.index(b"")
    envelope = tuple(frames[:end])
    rest = frames[end + 1 :]
    data = tuple(rest)
    if not data:
        raise ValueError("malformed")
    made.envelope = envelope
    made.data = data
    message: Reply = made
    return message


_ENCODERS: dict[type[Any], Callable[[Any], list[bytes]]] = {
    Request: _encode_request,
    Reply: _encode_reply,
}

DECODERS: dict[str, Callable[[Sequence[bytes]], Message]] = {
    "rep": decode_from_rep,
    "req": decode_from_req,
    "dealer": decode_from_dealer,
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
        ("req", "dealer"),
        lay.Stack("envelope", True),
        lay.Frames("data", 1),
    ),
    Reply: lay.layout(
        "REPLY",
        Reply,
        ("rep",),
        lay.Stack("envelope", True),
        lay.Frames("data", 1),
    ),
}
