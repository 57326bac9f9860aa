"""The datagrams of ZRE: beacon.

Made by `zwire generate` from zre.md, line 107; do not edit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from struct import Struct
from typing import Any, TypeAlias, cast
from uuid import UUID

from .. import layout as lay
from ..checking import UNSUITABLE, objection
from ..layout import blank, message
from ..reading import MALFORMED, refusal
from ..views import as_dict, dumped, from_mapping, in_one_line

UDP_PORT = 5670
"""where nodes announce themselves and listen"""
INTERVAL_MS = 1000
"""between two beacons of a node"""
PREFIX = b"ZRE\x01"
"""ZRE and the version: what every beacon begins with"""


@message
class Beacon:
    """Here I am: connect to my mailbox

    Sent by node; zre.md, line 132.
    """

    uuid: UUID
    """Identity of the node"""
    port: int
    """Port of its mailbox, never 0"""


Message: TypeAlias = Beacon


def encode(message: Message) -> list[bytes]:
    """The frames of a message; raises EncodeError where a value cannot be sent."""
    try:
        return _ENCODERS[type(message)](message)
    except UNSUITABLE:
        raise objection(_LAYOUTS, message) from None


def decode(frames: Sequence[bytes]) -> Message:
    """The message that these frames are; raises DecodeError where they are none."""
    try:
        made: Any = blank(Beacon)
        (frame,) = frames
        header_constant, uuid, port = _all_4s16sH(frame)
        made.uuid = UUID(bytes=uuid)
        if header_constant != b"ZRE\x01" or port < 1:
            raise ValueError("malformed")
        made.port = port
        message: Beacon = made
        return message
    except MALFORMED:
        raise refusal([*_LAYOUTS.values()], frames) from None


def encode_datagram(message: Message) -> bytes:
    """The one datagram of a message; raises EncodeError where a value cannot be sent."""
    (datagram,) = encode(message)
    return datagram


def decode_datagram(datagram: bytes) -> Message:
    """The message in a datagram; raises DecodeError where it is none."""
    return decode((datagram,))


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

_all_4s16sH = Struct(">4s16sH").unpack
_write_4s16sH = Struct(">4s16sH").pack


def _encode_beacon(message: Beacon) -> list[bytes]:
    uuid = message.uuid
    port = message.port
    if type(uuid) is not UUID or type(port) is not int or port < 1:
        raise ValueError("unsuitable")
    return [_write_4s16sH(b"ZRE\x01", uuid.bytes, port)]


_ENCODERS: dict[type[Any], Callable[[Any], list[bytes]]] = {
    Beacon: _encode_beacon,
}

DECODERS: dict[str, Callable[[Sequence[bytes]], Message]] = {
    "node": decode,
}
"""The decoder for what each role sends."""

MESSAGES: dict[str, type[Message]] = {
    "BEACON": Beacon,
}
"""The class of each message by its name in the specification."""

_LAYOUTS: dict[type[Any], lay.Layout] = {
    Beacon: lay.layout(
        "BEACON",
        Beacon,
        ("node",),
        lay.frame(
            lay.Constant("header", b"ZRE\x01"),
            lay.Uuid("uuid"),
            lay.Integer("port", 2, 1),
        ),
    ),
}
