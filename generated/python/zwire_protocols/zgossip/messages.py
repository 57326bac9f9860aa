"""The messages of ZGOSSIP: messages.

Made by `zwire generate` from zgossip.md, line 7; do not edit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from struct import Struct
from typing import Any, TypeAlias, cast

from .. import layout as lay
from ..checking import UNSUITABLE, objection
from ..layout import blank, by_octet, by_size, message, refuse_controls
from ..reading import MALFORMED, refusal
from ..views import as_dict, dumped, from_mapping, in_one_line

SIGNATURE = b"\xaa\xa0"
"""what every message begins with"""


@message
class Hello:
    """Greet the server

    Sent by client; zgossip.md, line 47.
    """


@message
class Publish:
    """Tell the other side a key and its value

    Sent by client or server; zgossip.md, line 50.
    """

    key: str
    """One of its kind everywhere"""
    value: str
    """Text"""
    ttl: int
    """Milliseconds for which it is worth knowing"""


@message
class Ping:
    """The client is alive

    Sent by client; zgossip.md, line 53.
    """


@message
class Pong:
    """The server is alive

    Sent by server; zgossip.md, line 56.
    """


@message
class Invalid:
    """The server refuses a command

    Sent by server; zgossip.md, line 59.
    """


Message: TypeAlias = Hello | Publish | Ping | Pong | Invalid


def encode(message: Message) -> list[bytes]:
    """The frames of a message; raises EncodeError where a value cannot be sent."""
    try:
        return _ENCODERS[type(message)](message)
    except UNSUITABLE:
        raise objection(_LAYOUTS, message) from None


def decode(frames: Sequence[bytes]) -> Message:
    """The message that these frames are; raises DecodeError where they are none."""
    try:
        return _BY_COMMAND[frames[0][2]](frames)
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

_all_4s = Struct(">4s").unpack
_read_4spI = [one.unpack_from for one in by_size(">4spI")]
_read_I = Struct(">I").unpack_from
_write_4spI = [one.pack for one in by_size(">4spI")]
_write_I = Struct(">I").pack


def _encode_hello(message: Hello) -> list[bytes]:
    return [b"\xaa\xa0\x01\x01"]


def _decode_hello(frames: Sequence[bytes]) -> Hello:
    (frame,) = frames
    (signature_constant,) = _all_4s(frame)
    if signature_constant != b"\xaa\xa0\x01\x01":
        raise ValueError("malformed")
    return Hello()


def _encode_publish(message: Publish) -> list[bytes]:
    key_value = message.key
    key_value_octets = key_value.encode()
    if not key_value.isprintable():
        refuse_controls(key_value)
    value_value = message.value
    value_value_octets = value_value.encode()
    if not value_value.isprintable():
        refuse_controls(value_value)
    ttl = message.ttl
    if type(ttl) is not int:
        raise ValueError("unsuitable")
    return [
        _write_4spI[len(key_value_octets)](
            b"\xaa\xa0\x02\x01", key_value_octets, len(value_value_octets)
        )
        + value_value_octets
        + _write_I(ttl)
    ]


def _decode_publish(frames: Sequence[bytes]) -> Publish:
    made: Any = blank(Publish)
    (frame,) = frames
    size = frame[4]
    signature_constant, key_value_octets, value_value_size = _read_4spI[size](frame)
    at = 9 + size
    made.key = key_value = key_value_octets.decode()
    if not key_value.isprintable():
        refuse_controls(key_value)
    start = at
    at = start + value_value_size
    made.value = value_value = frame[start:at].decode()
    if not value_value.isprintable():
        refuse_controls(value_value)
    (made.ttl,) = _read_I(frame, at)
    if len(frame) != at + 4 or signature_constant != b"\xaa\xa0\x02\x01":
        raise ValueError("malformed")
    message: Publish = made
    return message


def _encode_ping(message: Ping) -> list[bytes]:
    return [b"\xaa\xa0\x03\x01"]


def _decode_ping(frames: Sequence[bytes]) -> Ping:
    (frame,) = frames
    (signature_constant,) = _all_4s(frame)
    if signature_constant != b"\xaa\xa0\x03\x01":
        raise ValueError("malformed")
    return Ping()


def _encode_pong(message: Pong) -> list[bytes]:
    return [b"\xaa\xa0\x04\x01"]


def _decode_pong(frames: Sequence[bytes]) -> Pong:
    (frame,) = frames
    (signature_constant,) = _all_4s(frame)
    if signature_constant != b"\xaa\xa0\x04\x01":
        raise ValueError("malformed")
    return Pong()


def _encode_invalid(message: Invalid) -> list[bytes]:
    return [b"\xaa\xa0\x05\x01"]


def _decode_invalid(frames: Sequence[bytes]) -> Invalid:
    (frame,) = frames
    (signature_constant,) = _all_4s(frame)
    if signature_constant != b"\xaa\xa0\x05\x01":
        raise ValueError("malformed")
    return Invalid()


_ENCODERS: dict[type[Any], Callable[[Any], list[bytes]]] = {
    Hello: _encode_hello,
    Publish: _encode_publish,
    Ping: _encode_ping,
    Pong: _encode_pong,
    Invalid: _encode_invalid,
}

_BY_COMMAND: list[Callable[[Sequence[bytes]], Message]] = by_octet(
    {
        0x01: _decode_hello,
        0x02: _decode_publish,
        0x03: _decode_ping,
        0x04: _decode_pong,
        0x05: _decode_invalid,
    }
)

DECODERS: dict[str, Callable[[Sequence[bytes]], Message]] = {
    "client": decode,
    "server": decode,
}
"""The decoder for what each role sends."""

MESSAGES: dict[str, type[Message]] = {
    "HELLO": Hello,
    "PUBLISH": Publish,
    "PING": Ping,
    "PONG": Pong,
    "INVALID": Invalid,
}
"""The class of each message by its name in the specification."""

_LAYOUTS: dict[type[Any], lay.Layout] = {
    Hello: lay.layout(
        "HELLO",
        Hello,
        ("client",),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa0"),
            lay.Constant("command", b"\x01"),
            lay.Constant("version", b"\x01"),
        ),
    ),
    Publish: lay.layout(
        "PUBLISH",
        Publish,
        ("client", "server"),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa0"),
            lay.Constant("command", b"\x02"),
            lay.Constant("version", b"\x01"),
            lay.Text("key", 1),
            lay.Text("value", 4),
            lay.Integer("ttl", 4),
        ),
    ),
    Ping: lay.layout(
        "PING",
        Ping,
        ("client",),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa0"),
            lay.Constant("command", b"\x03"),
            lay.Constant("version", b"\x01"),
        ),
    ),
    Pong: lay.layout(
        "PONG",
        Pong,
        ("server",),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa0"),
            lay.Constant("command", b"\x04"),
            lay.Constant("version", b"\x01"),
        ),
    ),
    Invalid: lay.layout(
        "INVALID",
        Invalid,
        ("server",),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa0"),
            lay.Constant("command", b"\x05"),
            lay.Constant("version", b"\x01"),
        ),
    ),
}
