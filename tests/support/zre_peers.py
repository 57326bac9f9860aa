"""A node engine on stage with scripted peers: plain words in, what it said and told out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar
from uuid import UUID

from zwire.zre import Dialect, Node, Options
from zwire.zre.effects import Connect, Disconnect, Effect, Send, SendBeacon, Tell
from zwire.zre.events import NodeEvent
from zwire.zre.wire import WIRES, Wire
from zwire_protocols.zre import messages as zre20
from zwire_protocols.zre36 import messages as zre36

E = TypeVar("E")

OWN = UUID("0a000000-0000-4000-8000-000000000001")
ENDPOINT = "tcp://10.0.0.1:50001"


def uuid_of(number: int) -> UUID:
    """A UUID that begins with this octet."""
    return UUID(bytes=bytes([number]) + bytes(14) + b"\x07")


def beacon(uuid: UUID, port: int, version: int = 1, key: bytes = b"") -> bytes:
    """A beacon, octet by octet."""
    return b"ZRE" + bytes([version]) + uuid.bytes + port.to_bytes(2, "big") + key


class Stage:
    """A started node, the clock, and everything that it ordered."""

    def __init__(self, options: Options | None = None, **about: Any) -> None:
        self.now = 100.0
        self.node = Node(OWN, ENDPOINT, options, **about)
        self.effects: list[Effect] = []
        self.do(self.node.start(self.now))
        self.take()

    def do(self, effects: Sequence[Effect]) -> None:
        """Note what the node ordered."""
        self.effects.extend(effects)

    def take(self) -> list[Effect]:
        """What it ordered since the last time."""
        effects, self.effects = self.effects, []
        return effects

    def wait(self, seconds: float) -> None:
        """Let time pass, waking the node when it asks to be woken."""
        until = self.now + seconds
        for _ in range(1_000_000):
            due = self.node.next_deadline()
            if due is None or due > until:
                break
            self.now = max(self.now, due)
            self.do(self.node.tick(self.now))
        self.now = until

    def told(self, kind: type[E]) -> list[E]:
        """The events of a kind among what was ordered, which stays there."""
        return [
            one.event
            for one in self.effects
            if isinstance(one, Tell) and isinstance(one.event, kind)
        ]

    def events(self) -> list[NodeEvent]:
        """All events among what was ordered."""
        return [one.event for one in self.effects if isinstance(one, Tell)]

    def of(self, kind: type[E]) -> list[E]:
        """The orders of a kind."""
        return [one for one in self.effects if isinstance(one, kind)]

    def said(self, peer: Peer) -> list[Any]:
        """The messages sent to a peer, decoded as its dialect has it."""
        return [
            WIRES[peer.dialect].decode(one.frames)
            for one in self.effects
            if isinstance(one, Send) and one.peer.key == peer.uuid.bytes
        ]


class Peer:
    """A scripted peer on the stage: it numbers its messages, and says what it is told to."""

    def __init__(
        self, stage: Stage, number: int = 0x20, dialect: Dialect = Dialect.ZRE36, name: str = "peer"
    ) -> None:
        self.stage = stage
        self.uuid = uuid_of(number)
        self.dialect = dialect
        self.name = name
        self.port = 50_000 + number
        self.address = f"10.0.0.{number}"
        self.sequence = 0
        self.status = 0
        self.groups: list[str] = []
        self.headers: dict[str, str] = {}

    @property
    def words(self) -> Any:
        """The module of its messages."""
        return zre36 if self.dialect is Dialect.ZRE36 else zre20

    @property
    def wire(self) -> Wire:
        """Its dialect on the wire."""
        return WIRES[self.dialect]

    @property
    def endpoint(self) -> str:
        """Where it takes connections."""
        return f"tcp://{self.address}:{self.port}"

    def beacon(self, port: int | None = None, address: str | None = None) -> None:
        """Its beacon is heard."""
        octets = beacon(self.uuid, self.port if port is None else port)
        self.stage.do(self.stage.node.beacon(octets, address or self.address, self.stage.now))

    def hello(self, source: str = "") -> None:
        """It greets, as number 1."""
        self.sequence = 1
        if self.dialect is Dialect.ZRE36:
            pairs = tuple(self.headers.items())
            self.raw(
                zre36.encode(
                    zre36.Hello(1, self.endpoint, tuple(self.groups), self.status, self.name, pairs)
                ),
                source=source,
            )
        else:
            entries = tuple(f"{name}={value}" for name, value in self.headers.items())
            self.raw(
                zre20.encode(
                    zre20.Hello(
                        1, self.address, self.port, tuple(self.groups), self.status, entries
                    )
                ),
                source=source,
            )

    def enter(self) -> None:
        """It is found by its beacon and greets; what follows from that is taken off the stage."""
        self.beacon()
        self.hello()
        self.stage.take()

    def say(self, message: str, *fields: Any) -> None:
        """It says the next message, by the name of its class."""
        self.sequence = (self.sequence + 1) % 65536
        self.raw(self.words.encode(getattr(self.words, message)(self.sequence, *fields)))

    def join(self, group: str) -> None:
        """It joins a group."""
        self.status = (self.status + 1) % 256
        self.groups.append(group)
        self.say("Join", group, self.status)

    def leave(self, group: str) -> None:
        """It leaves a group."""
        self.status = (self.status + 1) % 256
        self.groups.remove(group)
        self.say("Leave", group, self.status)

    def raw(self, frames: Sequence[bytes], identity: bytes | None = None, source: str = "") -> None:
        """These frames arrive under its identity, or another."""
        identity = self.wire.identity(self.uuid.bytes) if identity is None else identity
        self.stage.do(self.stage.node.hear(identity, list(frames), self.stage.now, source))


__all__ = [
    "ENDPOINT",
    "OWN",
    "Connect",
    "Disconnect",
    "Peer",
    "SendBeacon",
    "Stage",
    "beacon",
    "uuid_of",
]
