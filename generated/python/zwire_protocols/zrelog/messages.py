"""The messages of ZRE/LOG: messages.

Made by `zwire generate` from zrelog.md, line 7; do not edit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import Any, TypeAlias, cast

from .. import layout as lay
from ..checking import UNSUITABLE, objection
from ..layout import blank, by_size, message, refuse_controls
from ..reading import MALFORMED, refusal
from ..views import as_dict, dumped, from_mapping, in_one_line

SIGNATURE = b"\xaa\xa2"
"""what every message begins with; the collector subscribes to it"""
SERVICE = "X-ZRELOG"
"""header of HELLO that tells the collector's endpoint"""


class Level(IntEnum):
    """How bad it is"""

    ERROR = 1
    WARNING = 2
    INFO = 3


class Event(IntEnum):
    """What happened"""

    JOIN = 1
    """A peer joined a group"""
    LEAVE = 2
    """A peer left a group"""
    ENTER = 3
    """A peer came"""
    EXIT = 4
    """A peer went"""


@message
class Log:
    """Report an event to the collector

    Sent by node; zrelog.md, line 39.
    """

    level: Level
    """How bad it is"""
    event: Event
    """What happened"""
    node: int
    """The node that reports, as a hash of its UUID"""
    peer: int
    """The peer it is about, likewise, or 0"""
    time: int
    """Milliseconds since 1970 began, UTC"""
    data: str
    """Text for people"""


Message: TypeAlias = Log


def encode(message: Message) -> list[bytes]:
    """The frames of a message; raises EncodeError where a value cannot be sent."""
    try:
        return _ENCODERS[type(message)](message)
    except UNSUITABLE:
        raise objection(_LAYOUTS, message) from None


def decode(frames: Sequence[bytes]) -> Message:
    """The message that these frames are; raises DecodeError where they are none."""
    try:
        made: Any = blank(Log)
        (frame,) = frames
        signature_constant, level, event, made.node, made.peer, made.time, data_octets = (
            _all_3sBBHHQp[frame[17]](frame)
        )
        made.level = _LEVEL_OF[level]
        made.event = _EVENT_OF[event]
        made.data = data = data_octets.decode()
        if not data.isprintable():
            refuse_controls(data)
        if signature_constant != b"\xaa\xa2\x01":
            raise ValueError("malformed")
        message: Log = made
        return message
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

_all_3sBBHHQp = [one.unpack for one in by_size(">3sBBHHQp")]
_write_3sBBHHQp = [one.pack for one in by_size(">3sBBHHQp")]

_LEVEL_OF = {
    1: Level.ERROR,
    2: Level.WARNING,
    3: Level.INFO,
}
_LEVEL_OCTETS = {
    Level.ERROR: b"\x01",
    Level.WARNING: b"\x02",
    Level.INFO: b"\x03",
}
_LEVEL_NAMES = {
    Level.ERROR: "ERROR",
    Level.WARNING: "WARNING",
    Level.INFO: "INFO",
}
_EVENT_OF = {
    1: Event.JOIN,
    2: Event.LEAVE,
    3: Event.ENTER,
    4: Event.EXIT,
}
_EVENT_OCTETS = {
    Event.JOIN: b"\x01",
    Event.LEAVE: b"\x02",
    Event.ENTER: b"\x03",
    Event.EXIT: b"\x04",
}
_EVENT_NAMES = {
    Event.JOIN: "JOIN",
    Event.LEAVE: "LEAVE",
    Event.ENTER: "ENTER",
    Event.EXIT: "EXIT",
}


def _encode_log(message: Log) -> list[bytes]:
    level = message.level
    event = message.event
    node = message.node
    peer = message.peer
    time = message.time
    data = message.data
    data_octets = data.encode()
    if not data.isprintable():
        refuse_controls(data)
    if (
        type(level) is not Level
        or type(event) is not Event
        or type(node) is not int
        or type(peer) is not int
        or type(time) is not int
    ):
        raise ValueError("unsuitable")
    return [
        _write_3sBBHHQp[len(data_octets)](
            b"\xaa\xa2\x01", level, event, node, peer, time, data_octets
        )
    ]


_ENCODERS: dict[type[Any], Callable[[Any], list[bytes]]] = {
    Log: _encode_log,
}

DECODERS: dict[str, Callable[[Sequence[bytes]], Message]] = {
    "node": decode,
    "collector": decode,
}
"""The decoder for what each role sends."""

MESSAGES: dict[str, type[Message]] = {
    "LOG": Log,
}
"""The class of each message by its name in the specification."""

_LAYOUTS: dict[type[Any], lay.Layout] = {
    Log: lay.layout(
        "LOG",
        Log,
        ("node",),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa2"),
            lay.Constant("constant", b"\x01"),
            lay.Choice("level", 1, Level, _LEVEL_OCTETS, _LEVEL_NAMES),
            lay.Choice("event", 1, Event, _EVENT_OCTETS, _EVENT_NAMES),
            lay.Integer("node", 2),
            lay.Integer("peer", 2),
            lay.Integer("time", 8),
            lay.Text("data", 1),
        ),
    ),
}
