"""What the node engine orders: the shell connects, sends, and hands on what is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from zwire.core.record import record
from zwire.zre.events import NodeEvent
from zwire.zre.peer import Peer


@record
class Connect:
    """Make a DEALER with this identity and connect it; one that the peer has already is closed,
    with all that is queued on it."""

    peer: Peer
    endpoint: str
    identity: bytes
    server_key: bytes = b""  # 32 octets under CURVE


@record
class Disconnect:
    """Close the peer's DEALER; with `linger` what is queued on it may still go out."""

    peer: Peer
    linger: bool = False


@record
class Send:
    """Send these frames on the peer's DEALER, without waiting; what cannot be sent is reported."""

    peer: Peer
    frames: list[bytes]


@record
class SendBeacon:
    """Broadcast a datagram on every interface in use."""

    octets: bytes


@record
class Tell:
    """Hand an event to the user."""

    event: NodeEvent


@record
class OpenLog:
    """Connect an XPUB to a log collector, and report its subscription."""

    endpoint: str
    server_key: bytes = b""  # 32 octets under CURVE


@record
class SendLog:
    """Publish a record to a log collector."""

    endpoint: str
    frames: list[bytes]


@record
class CloseLog:
    """Close the socket to a log collector, which has left."""

    endpoint: str


Effect: TypeAlias = Connect | Disconnect | Send | SendBeacon | Tell | OpenLog | SendLog | CloseLog

NOTHING: Sequence[Effect] = ()
