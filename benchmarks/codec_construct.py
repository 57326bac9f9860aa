"""The package construct, with its structures compiled, over the same octets.

Frames behind the first one are handed on as they are. The messages that consist of frames only
are laid out one frame after the other, each behind its size.
"""

from __future__ import annotations

from typing import Any

import construct as c
from codec_cases import CASES, Action, Codec, frames_of, reader

_STRING = c.PascalString(c.Int8ub, "utf8")
_LONG = c.PascalString(c.Int32ub, "utf8")
_SIZED = c.Prefixed(c.Int32ub, c.GreedyBytes)


def _zre(number: int, *fields: Any) -> Any:
    return c.Struct(
        "signature" / c.Const(bytes((0xAA, 0xA1, number, 2))), "sequence" / c.Int16ub, *fields
    )


_GROUP = ("group" / _STRING, "status" / c.Int8ub)
_PAIR = c.Struct("key" / _STRING, "value" / _LONG)
_STRUCTURES = {
    "HELLO": _zre(
        1,
        "endpoint" / _STRING,
        "groups" / c.PrefixedArray(c.Int32ub, _LONG),
        "status" / c.Int8ub,
        "name" / _STRING,
        "headers" / c.PrefixedArray(c.Int32ub, _PAIR),
    ),
    "WHISPER": _zre(2),
    "SHOUT": _zre(3, "group" / _STRING),
    "JOIN": _zre(4, *_GROUP),
    "PING": _zre(6),
    "LOG": c.Struct(
        "signature" / c.Const(b"\xaa\xa2\x01"),
        "level" / c.Int8ub,
        "event" / c.Int8ub,
        "node" / c.Int16ub,
        "peer" / c.Int16ub,
        "time" / c.Int64ub,
        "data" / _STRING,
    ),
    "MDPX REQUEST": c.Struct(
        "header" / _SIZED,
        "command" / _SIZED,
        "service" / _LONG,
        "request_id" / _SIZED,
        "body" / c.PrefixedArray(c.Int32ub, _SIZED),
    ),
    "eMQP REQUEST": c.Struct(
        "empty" / _SIZED,
        "version" / _SIZED,
        "command" / _SIZED,
        "msgid" / _SIZED,
        "queue_name" / _LONG,
        "headers" / _SIZED,
        "msg" / _SIZED,
    ),
}
_CONSTANTS: dict[str, dict[str, bytes]] = {
    "MDPX REQUEST": {"header": b"MDXC01", "command": b"\x01"},
    "eMQP REQUEST": {"empty": b"", "version": b"eMQP/1.0", "command": b"REQUEST"},
}


def codecs() -> list[Codec]:
    """What construct does with all messages."""
    compiled = {name: structure.compile() for name, structure in _STRUCTURES.items()}
    whole = Codec(
        "construct, compiled",
        {name: _reading(name, structure) for name, structure in compiled.items()},
        {name: _writing(name, structure) for name, structure in compiled.items()},
        goal=2.5,
        write_goal=2.5,
    )
    return [whole]


def _reading(name: str, structure: Any) -> Action:
    framed = name in _CONSTANTS
    frame = structure.build(_values(name)) if framed else frames_of(name)[0]
    further = () if framed else tuple(frames_of(name)[1:])
    parse = structure.parse
    fields = reader(tuple(field for field in CASES[name] if framed or field != "content"))
    return lambda: (fields(parse(frame)), further)


def _writing(name: str, structure: Any) -> Action:
    build = structure.build
    given = tuple(_values(name).items())
    further = CASES[name].get("content", ())
    return lambda: [build(dict(given)), *further]


def _values(name: str) -> dict[str, Any]:
    values: dict[str, Any] = {**_CONSTANTS.get(name, {}), **CASES[name]}
    values.pop("content", None)
    if name == "HELLO":
        values["headers"] = [{"key": key, "value": value} for key, value in values["headers"]]
    return values
