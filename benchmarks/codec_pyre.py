"""pyre's codec (PyPI: zeromq-pyre), through sockets that only hand frames over."""

from __future__ import annotations

from typing import Any

from codec_cases import CASES, Action, Codec, frames_of, reader
from pyre.zre_msg import ZreMsg

_FIELDS = {
    "HELLO": ("sequence", "endpoint", "groups", "status", "name", "headers"),
    "WHISPER": ("sequence", "content"),
    "SHOUT": ("sequence", "group", "content"),
    "JOIN": ("sequence", "group", "status"),
    "PING": ("sequence",),
}


class _Socket:
    """The part of a socket that the codec touches."""

    type = -1

    def __init__(self, frames: list[bytes]) -> None:
        self.frames = frames

    def recv_multipart(self) -> list[bytes]:
        return [*self.frames]

    def send(self, frame: bytes, flags: int = 0) -> None:
        pass

    def send_multipart(self, frames: list[bytes]) -> None:
        pass


def codecs() -> list[Codec]:
    """What pyre does with the messages of ZRE."""
    whole = Codec(
        "pyre",
        {name: _reading(name) for name in _FIELDS},
        {name: _writing(name) for name in _FIELDS},
        goal=3,
        write_goal=3,
    )
    return [whole]


def _reading(name: str) -> Action:
    socket = _Socket(frames_of(name))
    fields = reader(_FIELDS[name])

    def read() -> object:
        message = ZreMsg()
        message.recv(socket)
        return fields(message)

    return read


def _writing(name: str) -> Action:
    socket = _Socket([])
    number = getattr(ZreMsg, name)
    values: dict[str, Any] = dict(CASES[name])
    if "headers" in values:
        values["headers"] = dict(values["headers"])
    if "content" in values:
        values["content"] = values["content"][0]
    given = tuple(values.items())

    def write() -> object:
        message = ZreMsg(number)
        for field, value in given:
            setattr(message, field, value)
        message.send(socket)
        return message.struct_data

    return write
