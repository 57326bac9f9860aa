"""Kaitai Struct: classes written by hand in the shape that its compiler gives them, on its Python runtime.

It reads only; writing is still an experiment there. The messages that consist of frames only are
laid out one frame after the other, each behind its size.
"""

from __future__ import annotations

from typing import Any

from codec_cases import Action, Codec, frames_of
from kaitaistruct import KaitaiStruct, ValidationNotEqualError


class _Read(KaitaiStruct):  # type: ignore[misc]
    """What every compiled class begins with."""

    def __init__(self, _io: Any, _parent: Any = None, _root: Any = None) -> None:
        super().__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._read()

    def _read(self) -> None:
        raise AssertionError("every class reads its own fields")


class _Str1(_Read):
    def _read(self) -> None:
        self.size = self._io.read_u1()
        self.value = (self._io.read_bytes(self.size)).decode("UTF-8")


class _Str4(_Read):
    def _read(self) -> None:
        self.size = self._io.read_u4be()
        self.value = (self._io.read_bytes(self.size)).decode("UTF-8")


class _Chunk(_Read):
    def _read(self) -> None:
        self.size = self._io.read_u4be()
        self.value = self._io.read_bytes(self.size)


class _Pair(_Read):
    def _read(self) -> None:
        self.key = _Str1(self._io, self, self._root)
        self.value = _Str4(self._io, self, self._root)


class _Hello(_Read):
    def _read(self) -> None:
        self.endpoint = _Str1(self._io, self, self._root)
        self.count = self._io.read_u4be()
        self.groups = []
        for _ in range(self.count):
            self.groups.append(_Str4(self._io, self, self._root))
        self.status = self._io.read_u1()
        self.name = _Str1(self._io, self, self._root)
        self.header_count = self._io.read_u4be()
        self.headers = []
        for _ in range(self.header_count):
            self.headers.append(_Pair(self._io, self, self._root))


class _Nothing(_Read):
    def _read(self) -> None:
        pass


class _Shout(_Read):
    def _read(self) -> None:
        self.group = _Str1(self._io, self, self._root)


class _Join(_Read):
    def _read(self) -> None:
        self.group = _Str1(self._io, self, self._root)
        self.status = self._io.read_u1()


class _Zre(_Read):
    def _read(self) -> None:
        self.signature = self._io.read_bytes(2)
        if not self.signature == b"\xaa\xa1":
            raise ValidationNotEqualError(b"\xaa\xa1", self.signature, self._io, "/seq/0")
        self.id = self._io.read_u1()
        self.version = self._io.read_bytes(1)
        if not self.version == b"\x02":
            raise ValidationNotEqualError(b"\x02", self.version, self._io, "/seq/2")
        self.sequence = self._io.read_u2be()
        _on = self.id
        if _on == 1:
            self.body: Any = _Hello(self._io, self, self._root)
        elif _on == 2:
            self.body = _Nothing(self._io, self, self._root)
        elif _on == 3:
            self.body = _Shout(self._io, self, self._root)
        elif _on == 4:
            self.body = _Join(self._io, self, self._root)
        elif _on == 6:
            self.body = _Nothing(self._io, self, self._root)


class _Log(_Read):
    def _read(self) -> None:
        self.signature = self._io.read_bytes(3)
        if not self.signature == b"\xaa\xa2\x01":
            raise ValidationNotEqualError(b"\xaa\xa2\x01", self.signature, self._io, "/seq/0")
        self.level = self._io.read_u1()
        self.event = self._io.read_u1()
        self.node = self._io.read_u2be()
        self.peer = self._io.read_u2be()
        self.time = self._io.read_u8be()
        self.data = _Str1(self._io, self, self._root)


class _Chunks(_Read):
    def _read(self) -> None:
        self.chunks = []
        while not self._io.is_eof():
            self.chunks.append(_Chunk(self._io, self, self._root))


def _zre(message: Any, name: str) -> object:
    body = message.body
    match name:
        case "HELLO":
            groups = [group.value for group in body.groups]
            headers = [(pair.key.value, pair.value.value) for pair in body.headers]
            return (
                message.sequence,
                body.endpoint.value,
                groups,
                body.status,
                body.name.value,
                headers,
            )
        case "SHOUT":
            return message.sequence, body.group.value
        case "JOIN":
            return message.sequence, body.group.value, body.status
        case _:
            return (message.sequence,)


def codecs() -> list[Codec]:
    """What Kaitai Struct does with all messages."""
    zre = {name: _reading(name) for name in ("HELLO", "WHISPER", "SHOUT", "JOIN", "PING")}
    framed = {name: _reading_frames(name) for name in ("MDPX REQUEST", "eMQP REQUEST")}
    return [Codec("kaitaistruct", {**zre, "LOG": _reading_log(), **framed}, {}, goal=3)]


def _reading(name: str) -> Action:
    frame, *further = frames_of(name)
    return lambda: (_zre(_Zre.from_bytes(frame), name), further)


def _reading_log() -> Action:
    (frame,) = frames_of("LOG")

    def read() -> object:
        log = _Log.from_bytes(frame)
        return log.level, log.event, log.node, log.peer, log.time, log.data.value

    return read


def _reading_frames(name: str) -> Action:
    octets = b"".join(len(frame).to_bytes(4, "big") + frame for frame in frames_of(name))
    return lambda: [chunk.value for chunk in _Chunks.from_bytes(octets).chunks]
