"""What the node engine is told, as objects; each has a method of the node that does the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from zwire.core.record import record
from zwire.zre.effects import Send
from zwire.zre.peer import Peer


@record
class Beaconed:
    """A datagram came from an address."""

    octets: bytes
    address: str


@record
class Discovered:
    """Somebody told us of a peer: a static list, or gossip; an empty key means that nobody knows who."""

    key: bytes
    endpoint: str
    server_key: bytes = b""


@record
class Withdrawn:
    """An address that we were told of is not worth seeking any longer."""

    endpoint: str


@record
class Heard:
    """A message came into the mailbox under an identity; from which address, where that is known."""

    identity: bytes
    frames: Sequence[bytes]
    source: str = ""


@record
class Reached:
    """The link to a peer ends at this endpoint: ours may have been a name."""

    peer: Peer
    endpoint: str


@record
class Interrupted:
    """The link to a peer broke; it may stand again already."""

    peer: Peer


@record
class Vanished:
    """The transport cannot reach a peer any more."""

    peer: Peer


@record
class Unsent:
    """These messages, all for one peer and in order, could not be sent: its queue is full."""

    sends: Sequence[Send]


@record
class Subscribed:
    """A log collector's subscription was seen."""

    endpoint: str


Fact: TypeAlias = (
    Beaconed
    | Discovered
    | Withdrawn
    | Heard
    | Reached
    | Interrupted
    | Vanished
    | Unsent
    | Subscribed
)
