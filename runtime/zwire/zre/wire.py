"""The two dialects on the wire: how each says the same things, and where its numbers stand.

A message is encoded once, with number 0, and cut in two where the number belongs; each link then puts
its own number in between. So a SHOUT to many peers is encoded once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from struct import Struct
from typing import Any, TypeAlias

from zwire.zre.endpoints import host_and_port, tcp_endpoint
from zwire.zre.options import Dialect, Own
from zwire_protocols.zre import messages as zre20
from zwire_protocols.zre36 import messages as zre36
from zwire_protocols.zrelog import SERVICE

Template: TypeAlias = tuple[bytes, bytes]  # what stands before and behind the number in frame 0

number = Struct(">H").pack
read_number = Struct(">H").unpack_from

WRAP_HEADER = "X-SEQUENCE-WRAP"  # of 36/ZRE: the sender takes numbers that wrap at either place
HELLO, WHISPER, SHOUT, JOIN, LEAVE = 1, 2, 3, 4, 5


class Wire(ABC):
    """One dialect; its subclasses know the octets."""

    dialect: Dialect
    at: int  # where the number stands in frame 0
    command_at: int
    whisper: Template
    ping: Template
    ping_ok: Template
    decode: Callable[[Sequence[bytes]], Any]

    def __init__(self) -> None:
        self._shouts: dict[str, Template] = {}

    @abstractmethod
    def identity(self, key: bytes) -> bytes:
        """The identity of sockets of the node with this UUID."""

    @abstractmethod
    def hello(self, own: Own, say_wrap: bool, endpoint: str) -> list[bytes]:
        """The frames of a HELLO, number 1, to a peer that reaches us at this endpoint."""

    @abstractmethod
    def endpoint(self, hello: Any) -> str:
        """Where the sender of a HELLO takes connections; empty where it does not say."""

    @abstractmethod
    def name(self, hello: Any) -> str:
        """The name that the sender of a HELLO goes by."""

    @abstractmethod
    def _shout(self, group: str) -> Template: ...

    def shout(self, group: str) -> Template:
        """A SHOUT to a group, without its content."""
        template = self._shouts.get(group)
        if template is None:
            if len(self._shouts) >= 1000:
                self._shouts.clear()
            template = self._shouts[group] = self._shout(group)
        return template

    @abstractmethod
    def join(self, group: str, status: int) -> Template:
        """A JOIN."""

    @abstractmethod
    def leave(self, group: str, status: int) -> Template:
        """A LEAVE."""

    def cut(self, frames: Sequence[bytes]) -> Template:
        """A message of one frame, cut where its number stands."""
        head = frames[0]
        return head[: self.at], head[self.at + 2 :]

    def command(self, head: bytes) -> int:
        """The command of an encoded message."""
        return head[self.command_at]

    def sequence(self, head: bytes) -> int:
        """The number of an encoded message."""
        found: int = read_number(head, self.at)[0]
        return found


class _Wire20(Wire):
    dialect = Dialect.ZRE20
    at = 2
    command_at = 4
    decode = staticmethod(zre20.decode)

    def __init__(self) -> None:
        super().__init__()
        self.whisper = self.cut(zre20.encode(zre20.Whisper(0, b""))[:1])
        self.ping = self.cut(zre20.encode(zre20.Ping(0)))
        self.ping_ok = self.cut(zre20.encode(zre20.PingOk(0)))

    def identity(self, key: bytes) -> bytes:
        return key

    def hello(self, own: Own, say_wrap: bool, endpoint: str) -> list[bytes]:
        host, port = host_and_port(endpoint)
        headers = tuple(f"{name}={value}" for name, value in _headers_at(own, endpoint).items())
        hello = zre20.Hello(
            zre20.FIRST_SEQUENCE, host, port, tuple(own.groups), own.status, headers
        )
        return zre20.encode(hello)

    def endpoint(self, hello: Any) -> str:
        return tcp_endpoint(hello.ipaddress, hello.mailbox)

    def name(self, hello: Any) -> str:
        return ""

    def _shout(self, group: str) -> Template:
        return self.cut(zre20.encode(zre20.Shout(0, group, b""))[:1])

    def join(self, group: str, status: int) -> Template:
        return self.cut(zre20.encode(zre20.Join(0, group, status)))

    def leave(self, group: str, status: int) -> Template:
        return self.cut(zre20.encode(zre20.Leave(0, group, status)))


class _Wire36(Wire):
    dialect = Dialect.ZRE36
    at = 4
    command_at = 2
    decode = staticmethod(zre36.decode)

    def __init__(self) -> None:
        super().__init__()
        self.whisper = self.cut(zre36.encode(zre36.Whisper(0, ())))
        self.ping = self.cut(zre36.encode(zre36.Ping(0)))
        self.ping_ok = self.cut(zre36.encode(zre36.PingOk(0)))
        self.goodbye = self.cut(zre36.encode(zre36.Goodbye(0)))

    def identity(self, key: bytes) -> bytes:
        return zre36.IDENTITY_PREFIX + key

    def hello(self, own: Own, say_wrap: bool, endpoint: str) -> list[bytes]:
        headers = tuple(_headers_at(own, endpoint).items())
        if say_wrap:
            headers += ((WRAP_HEADER, "65536"),)
        hello = zre36.Hello(
            zre36.FIRST_SEQUENCE, endpoint, tuple(own.groups), own.status, own.name, headers
        )
        return zre36.encode(hello)

    def endpoint(self, hello: Any) -> str:
        endpoint: str = hello.endpoint
        return endpoint

    def name(self, hello: Any) -> str:
        name: str = hello.name
        return name

    def _shout(self, group: str) -> Template:
        return self.cut(zre36.encode(zre36.Shout(0, group, ())))

    def join(self, group: str, status: int) -> Template:
        return self.cut(zre36.encode(zre36.Join(0, group, status)))

    def leave(self, group: str, status: int) -> Template:
        return self.cut(zre36.encode(zre36.Leave(0, group, status)))

    def elect(self, group: str, challenger: str) -> Template:
        """An ELECT; only this dialect has elections."""
        return self.cut(zre36.encode(zre36.Elect(0, group, challenger)))

    def leader(self, group: str, leader: str) -> Template:
        """A LEADER."""
        return self.cut(zre36.encode(zre36.Leader(0, group, leader)))


def _headers_at(own: Own, endpoint: str) -> dict[str, str]:
    """What we say of ourselves to one who reaches us there: a log is collected at all our addresses."""
    log = own.headers.get(SERVICE)
    if log is None or endpoint == own.endpoint:
        return own.headers
    usual, port = host_and_port(log)
    if usual != host_and_port(own.endpoint)[0]:
        return own.headers
    return {**own.headers, SERVICE: tcp_endpoint(host_and_port(endpoint)[0], port)}


WIRE20 = _Wire20()
WIRE36 = _Wire36()
WIRES: dict[Dialect, Wire] = {Dialect.ZRE20: WIRE20, Dialect.ZRE36: WIRE36}
# The length of an identity fixes the dialect: message 258 of 20/ZRE begins like a HELLO of 36/ZRE.
BY_IDENTITY_LENGTH: dict[int, Wire] = {16: WIRE20, 17: WIRE36}
