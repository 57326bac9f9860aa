"""The messages of ZRE: messages.

Made by `zwire generate` from zre.md, line 24; do not edit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from struct import Struct
from typing import Any, TypeAlias, cast

from .. import layout as lay
from ..checking import UNSUITABLE, objection
from ..layout import OCTET, blank, by_octet, by_size, message, refuse_controls
from ..reading import MALFORMED, refusal
from ..views import as_dict, dumped, from_mapping, in_one_line

SIGNATURE = b"\xaa\xa1"
"""what every message begins with"""
FIRST_SEQUENCE = 1
"""of HELLO on every link; then one more each time, modulo 65536"""
EVASIVE_AFTER_MS = 5000
"""a peer silent for so long is sent PING"""
EXPIRED_AFTER_MS = 30000
"""a peer silent for so long is dead"""


@message
class Hello:
    """Greet a peer so that it can connect back to us

    Sent by sender; zre.md, line 64.
    """

    sequence: int
    """Number of the message on this link"""
    ipaddress: str
    """Address at which the sender takes connections"""
    mailbox: int
    """Port of the sender's mailbox"""
    groups: tuple[str, ...]
    """Groups that the sender is in"""
    status: int
    """Changes of the sender's groups so far, modulo 256"""
    headers: tuple[str, ...]
    """Properties of the sender"""

    @property
    def headers_view(self) -> dict[str, str]:
        """The entries of headers by name; of several with one name the first."""
        return lay.named(self.headers)


@message
class Whisper:
    """Send a message to one peer

    Sent by sender; zre.md, line 67.
    """

    sequence: int
    """Number of the message on this link"""
    content: bytes
    """The message, exactly one frame; may be empty"""


@message
class Shout:
    """Send a message to a group; it goes to each peer in the group by itself

    Sent by sender; zre.md, line 70.
    """

    sequence: int
    """Number of the message on this link"""
    group: str
    """Name of the group; upper and lower case differ"""
    content: bytes
    """The message, exactly one frame; may be empty"""


@message
class Join:
    """Tell every peer that we joined a group

    Sent by sender; zre.md, line 73.
    """

    sequence: int
    """Number of the message on this link"""
    group: str
    """Name of the group; upper and lower case differ"""
    status: int
    """Changes of the sender's groups so far, modulo 256"""


@message
class Leave:
    """Tell every peer that we left a group

    Sent by sender; zre.md, line 76.
    """

    sequence: int
    """Number of the message on this link"""
    group: str
    """Name of the group; upper and lower case differ"""
    status: int
    """Changes of the sender's groups so far, modulo 256"""


@message
class Ping:
    """Ask a silent peer whether it is alive

    Sent by sender; zre.md, line 79.
    """

    sequence: int
    """Number of the message on this link"""


@message
class PingOk:
    """Answer a peer's PING

    Sent by recipient; zre.md, line 82.
    """

    sequence: int
    """Number of the message on this link"""


Message: TypeAlias = Hello | Whisper | Shout | Join | Leave | Ping | PingOk


def encode(message: Message) -> list[bytes]:
    """The frames of a message; raises EncodeError where a value cannot be sent."""
    try:
        return _ENCODERS[type(message)](message)
    except UNSUITABLE:
        raise objection(_LAYOUTS, message) from None


def decode(frames: Sequence[bytes]) -> Message:
    """The message that these frames are; raises DecodeError where they are none."""
    try:
        return _BY_COMMAND[frames[0][4]](frames)
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

_all_2sHx = Struct(">2sHx").unpack
_all_2sHxp = [one.unpack for one in by_size(">2sHxp")]
_all_2sHxpB = [one.unpack for one in by_size(">2sHxpB")]
_read_2sHxpHB = [one.unpack_from for one in by_size(">2sHxpHB")]
_read_BB = Struct(">BB").unpack_from
_write_2sH1s = Struct(">2sH1s").pack
_write_2sH1sp = [one.pack for one in by_size(">2sH1sp")]
_write_2sH1spB = [one.pack for one in by_size(">2sH1spB")]
_write_2sH1spHB = [one.pack for one in by_size(">2sH1spHB")]
_write_BB = Struct(">BB").pack


def _encode_hello(message: Hello) -> list[bytes]:
    sequence = message.sequence
    ipaddress = message.ipaddress
    ipaddress_octets = ipaddress.encode()
    if not ipaddress.isprintable():
        refuse_controls(ipaddress)
    mailbox = message.mailbox
    groups = message.groups
    status = message.status
    headers = message.headers
    if (
        type(sequence) is not int
        or type(mailbox) is not int
        or type(groups) is not tuple
        or type(status) is not int
        or type(headers) is not tuple
    ):
        raise ValueError("unsuitable")
    parts: list[bytes] = []
    parts.append(
        _write_2sH1spHB[len(ipaddress_octets)](
            b"\xaa\xa1", sequence, b"\x01", ipaddress_octets, mailbox, len(groups)
        )
    )
    for groups_item in groups:
        if not groups_item.isprintable():
            refuse_controls(groups_item)
        groups_item_octets = groups_item.encode()
        parts.append(OCTET[len(groups_item_octets)] + groups_item_octets)
    parts.append(_write_BB(status, len(headers)))
    for key in headers:
        if not key.isprintable():
            refuse_controls(key)
        key_octets = key.encode()
        parts.append(OCTET[len(key_octets)] + key_octets)
    return [b"".join(parts)]


def _decode_hello(frames: Sequence[bytes]) -> Hello:
    made: Any = blank(Hello)
    (frame,) = frames
    size = frame[5]
    signature_constant, made.sequence, ipaddress_octets, made.mailbox, groups_size = _read_2sHxpHB[
        size
    ](frame)
    at = 9 + size
    made.ipaddress = ipaddress = ipaddress_octets.decode()
    if not ipaddress.isprintable():
        refuse_controls(ipaddress)
    groups_items = []
    for _ in range(groups_size):
        start = at + 1
        at = start + frame[at]
        groups_item = frame[start:at].decode()
        groups_items.append(groups_item)
    made.groups = tuple(groups_items)
    if not "".join(groups_items).isprintable():
        refuse_controls(*groups_items)
    made.status, headers_size = _read_BB(frame, at)
    at += 2
    headers_items = []
    for _ in range(headers_size):
        start = at + 1
        at = start + frame[at]
        key = frame[start:at].decode()
        headers_items.append(key)
    made.headers = tuple(headers_items)
    if not "".join(headers_items).isprintable():
        refuse_controls(*headers_items)
    if len(frame) != at or signature_constant != b"\xaa\xa1":
        raise ValueError("malformed")
    message: Hello = made
    return message


def _encode_whisper(message: Whisper) -> list[bytes]:
    sequence = message.sequence
    content = message.content
    if type(sequence) is not int or type(content) is not bytes:
        raise ValueError("unsuitable")
    return [_write_2sH1s(b"\xaa\xa1", sequence, b"\x02"), content]


def _decode_whisper(frames: Sequence[bytes]) -> Whisper:
    made: Any = blank(Whisper)
    frame, made.content = frames
    signature_constant, made.sequence = _all_2sHx(frame)
    if signature_constant != b"\xaa\xa1":
        raise ValueError("malformed")
    message: Whisper = made
    return message


def _encode_shout(message: Shout) -> list[bytes]:
    sequence = message.sequence
    group = message.group
    group_octets = group.encode()
    if not group.isprintable():
        refuse_controls(group)
    content = message.content
    if type(sequence) is not int or type(content) is not bytes:
        raise ValueError("unsuitable")
    return [_write_2sH1sp[len(group_octets)](b"\xaa\xa1", sequence, b"\x03", group_octets), content]


def _decode_shout(frames: Sequence[bytes]) -> Shout:
    made: Any = blank(Shout)
    frame, made.content = frames
    signature_constant, made.sequence, group_octets = _all_2sHxp[frame[5]](frame)
    made.group = group = group_octets.decode()
    if not group.isprintable():
        refuse_controls(group)
    if signature_constant != b"\xaa\xa1":
        raise ValueError("malformed")
    message: Shout = made
    return message


def _encode_join(message: Join) -> list[bytes]:
    sequence = message.sequence
    group = message.group
    group_octets = group.encode()
    if not group.isprintable():
        refuse_controls(group)
    status = message.status
    if type(sequence) is not int or type(status) is not int:
        raise ValueError("unsuitable")
    return [_write_2sH1spB[len(group_octets)](b"\xaa\xa1", sequence, b"\x04", group_octets, status)]


def _decode_join(frames: Sequence[bytes]) -> Join:
    made: Any = blank(Join)
    (frame,) = frames
    signature_constant, made.sequence, group_octets, made.status = _all_2sHxpB[frame[5]](frame)
    made.group = group = group_octets.decode()
    if not group.isprintable():
        refuse_controls(group)
    if signature_constant != b"\xaa\xa1":
        raise ValueError("malformed")
    message: Join = made
    return message


def _encode_leave(message: Leave) -> list[bytes]:
    sequence = message.sequence
    group = message.group
    group_octets = group.encode()
    if not group.isprintable():
        refuse_controls(group)
    status = message.status
    if type(sequence) is not int or type(status) is not int:
        raise ValueError("unsuitable")
    return [_write_2sH1spB[len(group_octets)](b"\xaa\xa1", sequence, b"\x05", group_octets, status)]


def _decode_leave(frames: Sequence[bytes]) -> Leave:
    made: Any = blank(Leave)
    (frame,) = frames
    signature_constant, made.sequence, group_octets, made.status = _all_2sHxpB[frame[5]](frame)
    made.group = group = group_octets.decode()
    if not group.isprintable():
        refuse_controls(group)
    if signature_constant != b"\xaa\xa1":
        raise ValueError("malformed")
    message: Leave = made
    return message


def _encode_ping(message: Ping) -> list[bytes]:
    sequence = message.sequence
    if type(sequence) is not int:
        raise ValueError("unsuitable")
    return [_write_2sH1s(b"\xaa\xa1", sequence, b"\x06")]


def _decode_ping(frames: Sequence[bytes]) -> Ping:
    made: Any = blank(Ping)
    (frame,) = frames
    signature_constant, made.sequence = _all_2sHx(frame)
    if signature_constant != b"\xaa\xa1":
        raise ValueError("malformed")
    message: Ping = made
    return message


def _encode_ping_ok(message: PingOk) -> list[bytes]:
    sequence = message.sequence
    if type(sequence) is not int:
        raise ValueError("unsuitable")
    return [_write_2sH1s(b"\xaa\xa1", sequence, b"\x07")]


def _decode_ping_ok(frames: Sequence[bytes]) -> PingOk:
    made: Any = blank(PingOk)
    (frame,) = frames
    signature_constant, made.sequence = _all_2sHx(frame)
    if signature_constant != b"\xaa\xa1":
        raise ValueError("malformed")
    message: PingOk = made
    return message


_ENCODERS: dict[type[Any], Callable[[Any], list[bytes]]] = {
    Hello: _encode_hello,
    Whisper: _encode_whisper,
    Shout: _encode_shout,
    Join: _encode_join,
    Leave: _encode_leave,
    Ping: _encode_ping,
    PingOk: _encode_ping_ok,
}

_BY_COMMAND: list[Callable[[Sequence[bytes]], Message]] = by_octet(
    {
        0x01: _decode_hello,
        0x02: _decode_whisper,
        0x03: _decode_shout,
        0x04: _decode_join,
        0x05: _decode_leave,
        0x06: _decode_ping,
        0x07: _decode_ping_ok,
    }
)

DECODERS: dict[str, Callable[[Sequence[bytes]], Message]] = {
    "sender": decode,
    "recipient": decode,
}
"""The decoder for what each role sends."""

MESSAGES: dict[str, type[Message]] = {
    "HELLO": Hello,
    "WHISPER": Whisper,
    "SHOUT": Shout,
    "JOIN": Join,
    "LEAVE": Leave,
    "PING": Ping,
    "PING-OK": PingOk,
}
"""The class of each message by its name in the specification."""

_LAYOUTS: dict[type[Any], lay.Layout] = {
    Hello: lay.layout(
        "HELLO",
        Hello,
        ("sender",),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa1"),
            lay.Integer("sequence", 2),
            lay.Constant("command", b"\x01"),
            lay.Text("ipaddress", 1),
            lay.Integer("mailbox", 2),
            lay.Listing("groups", 1, lay.Text("item", 1)),
            lay.Integer("status", 1),
            lay.Dictionary("headers", 1, lay.Text("key", 1)),
        ),
    ),
    Whisper: lay.layout(
        "WHISPER",
        Whisper,
        ("sender",),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa1"),
            lay.Integer("sequence", 2),
            lay.Constant("command", b"\x02"),
        ),
        lay.frame(lay.Octets("content")),
    ),
    Shout: lay.layout(
        "SHOUT",
        Shout,
        ("sender",),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa1"),
            lay.Integer("sequence", 2),
            lay.Constant("command", b"\x03"),
            lay.Text("group", 1),
        ),
        lay.frame(lay.Octets("content")),
    ),
    Join: lay.layout(
        "JOIN",
        Join,
        ("sender",),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa1"),
            lay.Integer("sequence", 2),
            lay.Constant("command", b"\x04"),
            lay.Text("group", 1),
            lay.Integer("status", 1),
        ),
    ),
    Leave: lay.layout(
        "LEAVE",
        Leave,
        ("sender",),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa1"),
            lay.Integer("sequence", 2),
            lay.Constant("command", b"\x05"),
            lay.Text("group", 1),
            lay.Integer("status", 1),
        ),
    ),
    Ping: lay.layout(
        "PING",
        Ping,
        ("sender",),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa1"),
            lay.Integer("sequence", 2),
            lay.Constant("command", b"\x06"),
        ),
    ),
    PingOk: lay.layout(
        "PING-OK",
        PingOk,
        ("recipient",),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa1"),
            lay.Integer("sequence", 2),
            lay.Constant("command", b"\x07"),
        ),
    ),
}
