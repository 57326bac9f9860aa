"""The messages of 36/ZRE: messages.

Made by `zwire generate` from zre36.md, line 22; do not edit.
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
IDENTITY_PREFIX = b"\x01"
"""what stands before the UUID in the identity of a socket"""
FIRST_SEQUENCE = 1
"""of HELLO on every link; then one more each time"""
EVASIVE_AFTER_MS = 5000
"""a peer silent for so long is sent PING"""
EXPIRED_AFTER_MS = 30000
"""a peer silent for so long is dead"""


@message
class Hello:
    """Greet a peer so that it can connect back to us

    Sent by sender; zre36.md, line 67.
    """

    sequence: int
    """Number of the message on this link"""
    endpoint: str
    """Where the sender takes connections, as tcp://address:port"""
    groups: tuple[str, ...]
    """Groups that the sender is in"""
    status: int
    """Changes of the sender's groups so far, modulo 256"""
    name: str
    """Name of the sender, for people"""
    headers: tuple[tuple[str, str], ...]
    """Properties of the sender"""

    @property
    def headers_view(self) -> dict[str, str]:
        """The entries of headers by name; of several with one name the first."""
        return lay.first_of_each(self.headers)


@message
class Whisper:
    """Send a message to one peer

    Sent by sender; zre36.md, line 70.
    """

    sequence: int
    """Number of the message on this link"""
    content: tuple[bytes, ...]
    """The message itself, any number of frames"""


@message
class Shout:
    """Send a message to a group; it goes to each peer in the group by itself

    Sent by sender; zre36.md, line 73.
    """

    sequence: int
    """Number of the message on this link"""
    group: str
    """Name of the group; upper and lower case differ"""
    content: tuple[bytes, ...]
    """The message itself, any number of frames"""


@message
class Join:
    """Tell every peer that we joined a group

    Sent by sender; zre36.md, line 76.
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

    Sent by sender; zre36.md, line 79.
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

    Sent by sender; zre36.md, line 82.
    """

    sequence: int
    """Number of the message on this link"""


@message
class PingOk:
    """Answer a peer's PING

    Sent by recipient; zre36.md, line 85.
    """

    sequence: int
    """Number of the message on this link"""


@message
class Elect:
    """Propose a leader for a group

    Sent by sender; zre36.md, line 88.
    """

    sequence: int
    """Number of the message on this link"""
    group: str
    """Name of the group; upper and lower case differ"""
    challenger_id: str
    """Identity proposed as leader"""


@message
class Leader:
    """Tell who leads a group

    Sent by sender; zre36.md, line 91.
    """

    sequence: int
    """Number of the message on this link"""
    group: str
    """Name of the group; upper and lower case differ"""
    leader_id: str
    """Identity of the leader"""


@message
class Goodbye:
    """Take leave of a peer

    Sent by sender; zre36.md, line 94.
    """

    sequence: int
    """Number of the message on this link"""


Message: TypeAlias = (
    Hello | Whisper | Shout | Join | Leave | Ping | PingOk | Elect | Leader | Goodbye
)


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

_all_4sH = Struct(">4sH").unpack
_all_4sHp = [one.unpack for one in by_size(">4sHp")]
_all_4sHpB = [one.unpack for one in by_size(">4sHpB")]
_read_4sHp = [one.unpack_from for one in by_size(">4sHp")]
_read_4sHpI = [one.unpack_from for one in by_size(">4sHpI")]
_read_BpI = [one.unpack_from for one in by_size(">BpI")]
_read_I = Struct(">I").unpack_from
_read_pI = [one.unpack_from for one in by_size(">pI")]
_write_4sH = Struct(">4sH").pack
_write_4sHp = [one.pack for one in by_size(">4sHp")]
_write_4sHpB = [one.pack for one in by_size(">4sHpB")]
_write_4sHpI = [one.pack for one in by_size(">4sHpI")]
_write_BpI = [one.pack for one in by_size(">BpI")]
_write_I = Struct(">I").pack
_write_pI = [one.pack for one in by_size(">pI")]


def _encode_hello(message: Hello) -> list[bytes]:
    sequence = message.sequence
    endpoint = message.endpoint
    endpoint_octets = endpoint.encode()
    if not endpoint.isprintable():
        refuse_controls(endpoint)
    groups = message.groups
    status = message.status
    name = message.name
    name_octets = name.encode()
    if not name.isprintable():
        refuse_controls(name)
    headers = message.headers
    if (
        type(sequence) is not int
        or type(groups) is not tuple
        or type(status) is not int
        or type(headers) is not tuple
    ):
        raise ValueError("unsuitable")
    parts: list[bytes] = []
    parts.append(
        _write_4sHpI[len(endpoint_octets)](
            b"\xaa\xa1\x01\x02", sequence, endpoint_octets, len(groups)
        )
    )
    for groups_item in groups:
        if not groups_item.isprintable():
            refuse_controls(groups_item)
        groups_item_octets = groups_item.encode()
        parts.append(_write_I(len(groups_item_octets)) + groups_item_octets)
    parts.append(_write_BpI[len(name_octets)](status, name_octets, len(headers)))
    for entry in headers:
        if type(entry) is not tuple:
            raise ValueError("not a pair")
        key, value = entry
        if not key.isprintable():
            refuse_controls(key)
        key_octets = key.encode()
        if not value.isprintable():
            refuse_controls(value)
        value_octets = value.encode()
        parts.append(_write_pI[len(key_octets)](key_octets, len(value_octets)))
        parts.append(value_octets)
    return [b"".join(parts)]


def _decode_hello(frames: Sequence[bytes]) -> Hello:
    made: Any = blank(Hello)
    (frame,) = frames
    size = frame[6]
    signature_constant, made.sequence, endpoint_octets, groups_size = _read_4sHpI[size](frame)
    at = 11 + size
    made.endpoint = endpoint = endpoint_octets.decode()
    if not endpoint.isprintable():
        refuse_controls(endpoint)
    groups_items = []
    for _ in range(groups_size):
        (size,) = _read_I(frame, at)
        start = at + 4
        at = start + size
        groups_item = frame[start:at].decode()
        groups_items.append(groups_item)
    made.groups = tuple(groups_items)
    if not "".join(groups_items).isprintable():
        refuse_controls(*groups_items)
    size = frame[at + 1]
    made.status, name_octets, headers_size = _read_BpI[size](frame, at)
    at += 6 + size
    made.name = name = name_octets.decode()
    if not name.isprintable():
        refuse_controls(name)
    headers_items = []
    for _ in range(headers_size):
        size = frame[at]
        key_octets, value_size = _read_pI[size](frame, at)
        start = at + 5 + size
        at = start + value_size
        key = key_octets.decode()
        value = frame[start:at].decode()
        if not key.isprintable() or not value.isprintable():
            refuse_controls(key, value)
        headers_items.append((key, value))
    made.headers = tuple(headers_items)
    if len(frame) != at or signature_constant != b"\xaa\xa1\x01\x02":
        raise ValueError("malformed")
    message: Hello = made
    return message


def _encode_whisper(message: Whisper) -> list[bytes]:
    sequence = message.sequence
    content = message.content
    if type(sequence) is not int or type(content) is not tuple:
        raise ValueError("unsuitable")
    for part in content:
        if type(part) is not bytes:
            raise ValueError("content")
    return [_write_4sH(b"\xaa\xa1\x02\x02", sequence), *content]


def _decode_whisper(frames: Sequence[bytes]) -> Whisper:
    made: Any = blank(Whisper)
    frame = frames[0]
    made.content = tuple(frames[1:])
    signature_constant, made.sequence = _all_4sH(frame)
    if signature_constant != b"\xaa\xa1\x02\x02":
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
    if type(sequence) is not int or type(content) is not tuple:
        raise ValueError("unsuitable")
    for part in content:
        if type(part) is not bytes:
            raise ValueError("content")
    return [_write_4sHp[len(group_octets)](b"\xaa\xa1\x03\x02", sequence, group_octets), *content]


def _decode_shout(frames: Sequence[bytes]) -> Shout:
    made: Any = blank(Shout)
    frame = frames[0]
    made.content = tuple(frames[1:])
    signature_constant, made.sequence, group_octets = _all_4sHp[frame[6]](frame)
    made.group = group = group_octets.decode()
    if not group.isprintable():
        refuse_controls(group)
    if signature_constant != b"\xaa\xa1\x03\x02":
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
    return [_write_4sHpB[len(group_octets)](b"\xaa\xa1\x04\x02", sequence, group_octets, status)]


def _decode_join(frames: Sequence[bytes]) -> Join:
    made: Any = blank(Join)
    (frame,) = frames
    signature_constant, made.sequence, group_octets, made.status = _all_4sHpB[frame[6]](frame)
    made.group = group = group_octets.decode()
    if not group.isprintable():
        refuse_controls(group)
    if signature_constant != b"\xaa\xa1\x04\x02":
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
    return [_write_4sHpB[len(group_octets)](b"\xaa\xa1\x05\x02", sequence, group_octets, status)]


def _decode_leave(frames: Sequence[bytes]) -> Leave:
    made: Any = blank(Leave)
    (frame,) = frames
    signature_constant, made.sequence, group_octets, made.status = _all_4sHpB[frame[6]](frame)
    made.group = group = group_octets.decode()
    if not group.isprintable():
        refuse_controls(group)
    if signature_constant != b"\xaa\xa1\x05\x02":
        raise ValueError("malformed")
    message: Leave = made
    return message


def _encode_ping(message: Ping) -> list[bytes]:
    sequence = message.sequence
    if type(sequence) is not int:
        raise ValueError("unsuitable")
    return [_write_4sH(b"\xaa\xa1\x06\x02", sequence)]


def _decode_ping(frames: Sequence[bytes]) -> Ping:
    made: Any = blank(Ping)
    (frame,) = frames
    signature_constant, made.sequence = _all_4sH(frame)
    if signature_constant != b"\xaa\xa1\x06\x02":
        raise ValueError("malformed")
    message: Ping = made
    return message


def _encode_ping_ok(message: PingOk) -> list[bytes]:
    sequence = message.sequence
    if type(sequence) is not int:
        raise ValueError("unsuitable")
    return [_write_4sH(b"\xaa\xa1\x07\x02", sequence)]


def _decode_ping_ok(frames: Sequence[bytes]) -> PingOk:
    made: Any = blank(PingOk)
    (frame,) = frames
    signature_constant, made.sequence = _all_4sH(frame)
    if signature_constant != b"\xaa\xa1\x07\x02":
        raise ValueError("malformed")
    message: PingOk = made
    return message


def _encode_elect(message: Elect) -> list[bytes]:
    sequence = message.sequence
    group = message.group
    group_octets = group.encode()
    if not group.isprintable():
        refuse_controls(group)
    challenger_id = message.challenger_id
    challenger_id_octets = challenger_id.encode()
    if not challenger_id.isprintable():
        refuse_controls(challenger_id)
    if type(sequence) is not int:
        raise ValueError("unsuitable")
    return [
        _write_4sHp[len(group_octets)](b"\xaa\xa1\x08\x02", sequence, group_octets)
        + OCTET[len(challenger_id_octets)]
        + challenger_id_octets
    ]


def _decode_elect(frames: Sequence[bytes]) -> Elect:
    made: Any = blank(Elect)
    (frame,) = frames
    size = frame[6]
    signature_constant, made.sequence, group_octets = _read_4sHp[size](frame)
    at = 7 + size
    made.group = group = group_octets.decode()
    if not group.isprintable():
        refuse_controls(group)
    start = at + 1
    at = start + frame[at]
    challenger_id_octets = frame[start:at]
    made.challenger_id = challenger_id = challenger_id_octets.decode()
    if not challenger_id.isprintable():
        refuse_controls(challenger_id)
    if len(frame) != at or signature_constant != b"\xaa\xa1\x08\x02":
        raise ValueError("malformed")
    message: Elect = made
    return message


def _encode_leader(message: Leader) -> list[bytes]:
    sequence = message.sequence
    group = message.group
    group_octets = group.encode()
    if not group.isprintable():
        refuse_controls(group)
    leader_id = message.leader_id
    leader_id_octets = leader_id.encode()
    if not leader_id.isprintable():
        refuse_controls(leader_id)
    if type(sequence) is not int:
        raise ValueError("unsuitable")
    return [
        _write_4sHp[len(group_octets)](b"\xaa\xa1\t\x02", sequence, group_octets)
        + OCTET[len(leader_id_octets)]
        + leader_id_octets
    ]


def _decode_leader(frames: Sequence[bytes]) -> Leader:
    made: Any = blank(Leader)
    (frame,) = frames
    size = frame[6]
    signature_constant, made.sequence, group_octets = _read_4sHp[size](frame)
    at = 7 + size
    made.group = group = group_octets.decode()
    if not group.isprintable():
        refuse_controls(group)
    start = at + 1
    at = start + frame[at]
    leader_id_octets = frame[start:at]
    made.leader_id = leader_id = leader_id_octets.decode()
    if not leader_id.isprintable():
        refuse_controls(leader_id)
    if len(frame) != at or signature_constant != b"\xaa\xa1\t\x02":
        raise ValueError("malformed")
    message: Leader = made
    return message


def _encode_goodbye(message: Goodbye) -> list[bytes]:
    sequence = message.sequence
    if type(sequence) is not int:
        raise ValueError("unsuitable")
    return [_write_4sH(b"\xaa\xa1\n\x02", sequence)]


def _decode_goodbye(frames: Sequence[bytes]) -> Goodbye:
    made: Any = blank(Goodbye)
    (frame,) = frames
    signature_constant, made.sequence = _all_4sH(frame)
    if signature_constant != b"\xaa\xa1\n\x02":
        raise ValueError("malformed")
    message: Goodbye = made
    return message


_ENCODERS: dict[type[Any], Callable[[Any], list[bytes]]] = {
    Hello: _encode_hello,
    Whisper: _encode_whisper,
    Shout: _encode_shout,
    Join: _encode_join,
    Leave: _encode_leave,
    Ping: _encode_ping,
    PingOk: _encode_ping_ok,
    Elect: _encode_elect,
    Leader: _encode_leader,
    Goodbye: _encode_goodbye,
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
        0x08: _decode_elect,
        0x09: _decode_leader,
        0x0A: _decode_goodbye,
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
    "ELECT": Elect,
    "LEADER": Leader,
    "GOODBYE": Goodbye,
}
"""The class of each message by its name in the specification."""

_LAYOUTS: dict[type[Any], lay.Layout] = {
    Hello: lay.layout(
        "HELLO",
        Hello,
        ("sender",),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa1"),
            lay.Constant("command", b"\x01"),
            lay.Constant("version", b"\x02"),
            lay.Integer("sequence", 2),
            lay.Text("endpoint", 1),
            lay.Listing("groups", 4, lay.Text("item", 4)),
            lay.Integer("status", 1),
            lay.Text("name", 1),
            lay.Dictionary("headers", 4, lay.Text("key", 1), lay.Text("value", 4)),
        ),
    ),
    Whisper: lay.layout(
        "WHISPER",
        Whisper,
        ("sender",),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa1"),
            lay.Constant("command", b"\x02"),
            lay.Constant("version", b"\x02"),
            lay.Integer("sequence", 2),
        ),
        lay.Frames("content", 0),
    ),
    Shout: lay.layout(
        "SHOUT",
        Shout,
        ("sender",),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa1"),
            lay.Constant("command", b"\x03"),
            lay.Constant("version", b"\x02"),
            lay.Integer("sequence", 2),
            lay.Text("group", 1),
        ),
        lay.Frames("content", 0),
    ),
    Join: lay.layout(
        "JOIN",
        Join,
        ("sender",),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa1"),
            lay.Constant("command", b"\x04"),
            lay.Constant("version", b"\x02"),
            lay.Integer("sequence", 2),
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
            lay.Constant("command", b"\x05"),
            lay.Constant("version", b"\x02"),
            lay.Integer("sequence", 2),
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
            lay.Constant("command", b"\x06"),
            lay.Constant("version", b"\x02"),
            lay.Integer("sequence", 2),
        ),
    ),
    PingOk: lay.layout(
        "PING-OK",
        PingOk,
        ("recipient",),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa1"),
            lay.Constant("command", b"\x07"),
            lay.Constant("version", b"\x02"),
            lay.Integer("sequence", 2),
        ),
    ),
    Elect: lay.layout(
        "ELECT",
        Elect,
        ("sender",),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa1"),
            lay.Constant("command", b"\x08"),
            lay.Constant("version", b"\x02"),
            lay.Integer("sequence", 2),
            lay.Text("group", 1),
            lay.Text("challenger_id", 1),
        ),
    ),
    Leader: lay.layout(
        "LEADER",
        Leader,
        ("sender",),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa1"),
            lay.Constant("command", b"\t"),
            lay.Constant("version", b"\x02"),
            lay.Integer("sequence", 2),
            lay.Text("group", 1),
            lay.Text("leader_id", 1),
        ),
    ),
    Goodbye: lay.layout(
        "GOODBYE",
        Goodbye,
        ("sender",),
        lay.frame(
            lay.Constant("signature", b"\xaa\xa1"),
            lay.Constant("command", b"\n"),
            lay.Constant("version", b"\x02"),
            lay.Integer("sequence", 2),
        ),
    ),
}
