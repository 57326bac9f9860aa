"""One peer as a node sees it: who it is, and the two links that join them."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from uuid import UUID

from zwire.zre.endpoints import host_and_port
from zwire.zre.options import NO_HEADERS, Dialect
from zwire.zre.wire import Wire

NEVER = float("inf")
UNGREETED = -1  # the number last sent on a link on which HELLO is still due


class Alert(IntEnum):
    """How long a peer has been quiet."""

    CALM = 0
    EVASIVE = 1
    SILENT = 2


@dataclass(slots=True, eq=False)
class Peer:
    """A peer and its links; it is entered from its HELLO on."""

    key: bytes  # the 16 octets of its UUID; empty while only its endpoint is known
    endpoint: str  # where we connect to
    wire: Wire  # how we speak to it
    heard_at: float
    server_key: bytes = b""
    uuid: UUID = field(init=False)
    entered: bool = False
    closed: bool = False
    reached: str = ""  # where the transport says that our link ends, if it was asked
    interrupted: bool = False  # the link broke since it greeted: another may be there now

    # What it said of itself
    name: str = ""
    said_endpoint: str = ""
    headers: Mapping[str, str] = field(default_factory=lambda: NO_HEADERS)
    groups: dict[str, None] = field(default_factory=dict)
    status: int = 0
    spoken: set[Dialect] = field(default_factory=set)
    beacons: set[tuple[bytes, str]] = field(default_factory=set)  # that tell nothing new
    places: set[str] = field(default_factory=set)  # endpoints at which nobody else can be

    # Its link to us
    identity: bytes = b""
    speech: Wire | None = None  # how it speaks to us
    heard: int = 0  # the number last heard

    # Our link to it
    sent: int = UNGREETED  # the number last sent
    wrap: int = 0  # where it expects numbers to begin again; 0: not known
    answer_until: float = -NEVER  # the first HELLO until then answers ours
    owes_answer: bool = False  # it has not greeted since we did
    greet_at: float = NEVER  # when to greet again a peer that has not answered
    backlog: deque[list[bytes]] = field(default_factory=deque)  # not sent, for its queue is full
    at_once: int = 1  # messages of the backlog to try next time

    # Its silence
    alert: Alert = Alert.CALM
    pinged_at: float = -NEVER
    asked_at: float = -NEVER  # when it was sent the first PING of this silence
    leaves_at: float = NEVER  # when to believe its goodbye, unless it greets again before

    def __post_init__(self) -> None:
        self.know(self.key)

    @property
    def hosts(self) -> tuple[str, str]:
        """The host where we reach it, and the one where it says it is."""
        return host_and_port(self.endpoint)[0], host_and_port(self.said_endpoint)[0]

    def know(self, key: bytes) -> None:
        """Learn who it is."""
        self.key = key
        self.uuid = UUID(bytes=key or bytes(16))


@dataclass(frozen=True, slots=True)
class KnownPeer:
    """What a user may know of a peer, as it was when asked."""

    uuid: UUID
    name: str
    endpoint: str
    headers: Mapping[str, str]
    groups: tuple[str, ...]
    dialect: Dialect
    alert: Alert


def known(peer: Peer) -> KnownPeer:
    """The view of an entered peer."""
    return KnownPeer(
        peer.uuid,
        peer.name,
        peer.said_endpoint or peer.endpoint,
        dict(peer.headers),
        tuple(peer.groups),
        peer.wire.dialect,
        peer.alert,
    )
