"""The messages that all codecs are measured with, as plain values, and how zwire does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from zwire_protocols import emqp, mdpx, zre36, zrelog

Values: TypeAlias = dict[str, Any]
Action: TypeAlias = Callable[[], object]

CONTENT = bytes(range(100))

CASES: Mapping[str, Values] = {
    "HELLO": {
        "sequence": 1,
        "endpoint": "tcp://192.168.1.20:49152",
        "groups": ("Global", "CHAT"),
        "status": 2,
        "name": "node-20",
        "headers": (("X-ZRELOG", "tcp://192.168.1.20:49200"), ("X-ROLE", "worker")),
    },
    "WHISPER": {"sequence": 7, "content": (CONTENT,)},
    "SHOUT": {"sequence": 8, "group": "CHAT", "content": (CONTENT,)},
    "JOIN": {"sequence": 9, "group": "Global", "status": 3},
    "PING": {"sequence": 10},
    "LOG": {
        "level": 1,
        "event": 3,
        "node": 4711,
        "peer": 815,
        "time": 1_700_000_000_000,
        "data": "peer went away without a word",
    },
    "MDPX REQUEST": {"service": "echo", "request_id": bytes(range(16)), "body": (CONTENT,)},
    "eMQP REQUEST": {
        "msgid": bytes(range(16)),
        "queue_name": "default",
        "headers": b"reply-requested,guarantee",
        "msg": CONTENT,
    },
}


@dataclass(frozen=True, slots=True)
class Codec:
    """What a contender does with each case: read it (all fields), and write it (all fields)."""

    name: str
    read: Mapping[str, Action]
    write: Mapping[str, Action]
    goal: float | None = None
    write_goal: float | None = None


def ours() -> Codec:
    """zwire's generated codecs."""
    log = dict(CASES["LOG"])
    log["level"], log["event"] = zrelog.Level(log["level"]), zrelog.Event(log["event"])
    made = {
        "HELLO": (zre36.messages, zre36.messages.Hello, CASES["HELLO"]),
        "WHISPER": (zre36.messages, zre36.messages.Whisper, CASES["WHISPER"]),
        "SHOUT": (zre36.messages, zre36.messages.Shout, CASES["SHOUT"]),
        "JOIN": (zre36.messages, zre36.messages.Join, CASES["JOIN"]),
        "PING": (zre36.messages, zre36.messages.Ping, CASES["PING"]),
        "LOG": (zrelog, zrelog.Log, log),
        "MDPX REQUEST": (mdpx.client, mdpx.client.Request, CASES["MDPX REQUEST"]),
        "eMQP REQUEST": (emqp.client, emqp.client.Request, CASES["eMQP REQUEST"]),
    }
    return Codec(
        "zwire",
        {name: _reading(module, kind(**values)) for name, (module, kind, values) in made.items()},
        {name: _writing(module, kind, values) for name, (module, kind, values) in made.items()},
    )


def frames_of(name: str) -> list[bytes]:
    """The frames of a case as zwire writes them."""
    frames = ours().write[name]()
    assert isinstance(frames, list)
    return frames


def reader(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """A function that reads these attributes, the same for all contenders."""
    arguments = ", ".join(f"message.{name}" for name in names)
    made: Callable[[Any], tuple[Any, ...]] = eval(f"lambda message: ({arguments},)")
    return made


def _reading(module: Any, message: Any) -> Action:
    frames = module.encode(message)
    decode = module.decode
    fields = reader(tuple(module.to_dict(message)["fields"]))
    return lambda: fields(decode(frames))


def _writing(module: Any, kind: Any, values: Values) -> Action:
    encode = module.encode
    given = tuple(values.values())
    return lambda: encode(kind(*given))
