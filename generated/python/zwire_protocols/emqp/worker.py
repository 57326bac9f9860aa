"""The messages of eMQP: worker.

Made by `zwire generate` from emqp.md, line 80; do not edit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from .. import layout as lay
from ..checking import UNSUITABLE, objection
from ..layout import blank, message, refuse_controls
from ..reading import MALFORMED, refusal
from ..views import as_dict, dumped, from_mapping, in_one_line

VERSION = b"eMQP/1.0"
"""eMQP/1.0: what frame 1 of every message says"""


@message
class Inform:
    """Tell the broker which queues this worker serves.

    Sent by worker; emqp.md, line 125.
    """

    msgid: bytes
    """Id of this message"""
    queue_name: str
    """Names of the queues, separated by commas, none of them empty"""


@message
class Ready:
    """Offer one free slot.

    Sent by worker; emqp.md, line 137.
    """

    msgid: bytes
    """Id of this message"""


@message
class Request:
    """Give the worker a request, as the client wrote it.

    Sent by broker; emqp.md, line 148.
    """

    msgid: bytes
    """Id of this request"""
    queue_name: str
    """The queue it came from"""
    headers: bytes
    """`name:value`, separated by commas; may be empty"""
    msg: bytes
    """The message, exactly one frame"""


@message
class Reply:
    """The worker's answer, which goes on to the client.

    Sent by worker; emqp.md, line 162.
    """

    msgid: bytes
    """Id of the request it answers"""
    msg: bytes
    """The answer, exactly one frame"""


@message
class Heartbeat:
    """A sign of life, from either side.

    Sent by worker or broker; emqp.md, line 174.
    """

    msgid: bytes
    """Id of this message"""


@message
class Disconnect:
    """The end of the conversation, from either side.

    Sent by worker or broker; emqp.md, line 185.
    """

    msgid: bytes
    """Id of this message"""


Message: TypeAlias = Inform | Ready | Request | Reply | Heartbeat | Disconnect


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


def _encode_inform(message: Inform) -> list[bytes]:
    msgid = message.msgid
    queue_name = message.queue_name
    queue_name_octets = queue_name.encode()
    if not queue_name.isprintable():
        refuse_controls(queue_name)
    if type(msgid) is not bytes or not msgid or not queue_name_octets:
        raise ValueError("unsuitable")
    return [b"", b"eMQP/1.0", b"INFORM", msgid, queue_name_octets]


def _decode_inform(frames: Sequence[bytes]) -> Inform:
    made: Any = blank(Inform)
    empty_constant, version_constant, _, msgid, queue_name_octets = frames
    made.queue_name = queue_name = queue_name_octets.decode()
    if not queue_name.isprintable():
        refuse_controls(queue_name)
    if empty_constant or version_constant != b"eMQP/1.0" or not msgid or not queue_name_octets:
        raise ValueError("malformed")
    made.msgid = msgid
    message: Inform = made
    return message


def _encode_ready(message: Ready) -> list[bytes]:
    msgid = message.msgid
    if type(msgid) is not bytes or not msgid:
        raise ValueError("unsuitable")
    return [b"", b"eMQP/1.0", b"READY", msgid]


def _decode_ready(frames: Sequence[bytes]) -> Ready:
    made: Any = blank(Ready)
    empty_constant, version_constant, _, msgid = frames
    if empty_constant or version_constant != b"eMQP/1.0" or not msgid:
        raise ValueError("malformed")
    made.msgid = msgid
    message: Ready = made
    return message


def _encode_request(message: Request) -> list[bytes]:
    msgid = message.msgid
    queue_name = message.queue_name
    queue_name_octets = queue_name.encode()
    if not queue_name.isprintable():
        refuse_controls(queue_name)
    headers = message.headers
    msg = message.msg
    if (
        type(msgid) is not bytes
        or not msgid
        or not queue_name_octets
        or type(headers) is not bytes
        or type(msg) is not bytes
    ):
        raise ValueError("unsuitable")
    return [b"", b"eMQP/1.0", b"REQUEST", msgid, queue_name_octets, headers, msg]


def _decode_request(frames: Sequence[bytes]) -> Request:
    made: Any = blank(Request)
    empty_constant, version_constant, _, msgid, queue_name_octets, made.headers, made.msg = frames
    made.queue_name = queue_name = queue_name_octets.decode()
    if not queue_name.isprintable():
        refuse_controls(queue_name)
    if empty_constant or version_constant != b"eMQP/1.0" or not msgid or not queue_name_octets:
        raise ValueError("malformed")
    made.msgid = msgid
    message: Request = made
    return message


def _encode_reply(message: Reply) -> list[bytes]:
    msgid = message.msgid
    msg = message.msg
    if type(msgid) is not bytes or not msgid or type(msg) is not bytes:
        raise ValueError("unsuitable")
    return [b"", b"eMQP/1.0", b"REPLY", msgid, msg]


def _decode_reply(frames: Sequence[bytes]) -> Reply:
    made: Any = blank(Reply)
    empty_constant, version_constant, _, msgid, made.msg = frames
    if empty_constant or version_constant != b"eMQP/1.0" or not msgid:
        raise ValueError("malformed")
    made.msgid = msgid
    message: Reply = made
    return message


def _encode_heartbeat(message: Heartbeat) -> list[bytes]:
    msgid = message.msgid
    if type(msgid) is not bytes or not msgid:
        raise ValueError("unsuitable")
    return [b"", b"eMQP/1.0", b"HEARTBEAT", msgid]


def _decode_heartbeat(frames: Sequence[bytes]) -> Heartbeat:
    made: Any = blank(Heartbeat)
    empty_constant, version_constant, _, msgid = frames
    if empty_constant or version_constant != b"eMQP/1.0" or not msgid:
        raise ValueError("malformed")
    made.msgid = msgid
    message: Heartbeat = made
    return message


def _encode_disconnect(message: Disconnect) -> list[bytes]:
    msgid = message.msgid
    if type(msgid) is not bytes or not msgid:
        raise ValueError("unsuitable")
    return [b"", b"eMQP/1.0", b"DISCONNECT", msgid]


def _decode_disconnect(frames: Sequence[bytes]) -> Disconnect:
    made: Any = blank(Disconnect)
    empty_constant, version_constant, _, msgid = frames
    if empty_constant or version_constant != b"eMQP/1.0" or not msgid:
        raise ValueError("malformed")
    made.msgid = msgid
    message: Disconnect = made
    return message


_ENCODERS: dict[type[Any], Callable[[Any], list[bytes]]] = {
    Inform: _encode_inform,
    Ready: _encode_ready,
    Request: _encode_request,
    Reply: _encode_reply,
    Heartbeat: _encode_heartbeat,
    Disconnect: _encode_disconnect,
}

_BY_COMMAND: dict[bytes, Callable[[Sequence[bytes]], Message]] = {
    b"INFORM": _decode_inform,
    b"READY": _decode_ready,
    b"REQUEST": _decode_request,
    b"REPLY": _decode_reply,
    b"HEARTBEAT": _decode_heartbeat,
    b"DISCONNECT": _decode_disconnect,
}

DECODERS: dict[str, Callable[[Sequence[bytes]], Message]] = {
    "worker": decode,
    "broker": decode,
}
"""The decoder for what each role sends."""

MESSAGES: dict[str, type[Message]] = {
    "INFORM": Inform,
    "READY": Ready,
    "REQUEST": Request,
    "REPLY": Reply,
    "HEARTBEAT": Heartbeat,
    "DISCONNECT": Disconnect,
}
"""The class of each message by its name in the specification."""

_LAYOUTS: dict[type[Any], lay.Layout] = {
    Inform: lay.layout(
        "INFORM",
        Inform,
        ("worker",),
        lay.frame(lay.Constant("empty", b"")),
        lay.frame(lay.Constant("version", b"eMQP/1.0")),
        lay.frame(lay.Constant("command", b"INFORM")),
        lay.frame(lay.Octets("msgid", minimum=1)),
        lay.frame(lay.Text("queue_name", 0, 1)),
    ),
    Ready: lay.layout(
        "READY",
        Ready,
        ("worker",),
        lay.frame(lay.Constant("empty", b"")),
        lay.frame(lay.Constant("version", b"eMQP/1.0")),
        lay.frame(lay.Constant("command", b"READY")),
        lay.frame(lay.Octets("msgid", minimum=1)),
    ),
    Request: lay.layout(
        "REQUEST",
        Request,
        ("broker",),
        lay.frame(lay.Constant("empty", b"")),
        lay.frame(lay.Constant("version", b"eMQP/1.0")),
        lay.frame(lay.Constant("command", b"REQUEST")),
        lay.frame(lay.Octets("msgid", minimum=1)),
        lay.frame(lay.Text("queue_name", 0, 1)),
        lay.frame(lay.Octets("headers")),
        lay.frame(lay.Octets("msg")),
    ),
    Reply: lay.layout(
        "REPLY",
        Reply,
        ("worker",),
        lay.frame(lay.Constant("empty", b"")),
        lay.frame(lay.Constant("version", b"eMQP/1.0")),
        lay.frame(lay.Constant("command", b"REPLY")),
        lay.frame(lay.Octets("msgid", minimum=1)),
        lay.frame(lay.Octets("msg")),
    ),
    Heartbeat: lay.layout(
        "HEARTBEAT",
        Heartbeat,
        ("worker", "broker"),
        lay.frame(lay.Constant("empty", b"")),
        lay.frame(lay.Constant("version", b"eMQP/1.0")),
        lay.frame(lay.Constant("command", b"HEARTBEAT")),
        lay.frame(lay.Octets("msgid", minimum=1)),
    ),
    Disconnect: lay.layout(
        "DISCONNECT",
        Disconnect,
        ("worker", "broker"),
        lay.frame(lay.Constant("empty", b"")),
        lay.frame(lay.Constant("version", b"eMQP/1.0")),
        lay.frame(lay.Constant("command", b"DISCONNECT")),
        lay.frame(lay.Octets("msgid", minimum=1)),
    ),
}
