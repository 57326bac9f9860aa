"""What a node tells its user: everything that happened among its peers, as typed objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TypeAlias
from uuid import UUID

from zwire.core.record import record
from zwire.zre.options import Dialect


class Why(Enum):
    """Why a peer left."""

    GOODBYE = "it said goodbye"
    EXPIRED = "it was silent for too long"
    MESSAGES_LOST = "messages of it were lost"
    VANISHED = "its connection is gone"
    RESTARTED = "it began anew"
    QUEUE_FULL = "its send queue is full"
    REPLACED = "another node is in its place"


@record
class Entered:
    """A peer greeted us; from now on it can be whispered to."""

    peer: UUID
    name: str
    endpoint: str
    headers: Mapping[str, str]
    dialect: Dialect


@record
class Evasive:
    """A peer has been quiet and does not answer at once when asked, or takes nothing from us."""

    peer: UUID
    name: str


@record
class Silent:
    """A peer does not answer when asked whether it is there."""

    peer: UUID
    name: str


@record
class Left:
    """A peer that had entered is gone, and with it its place in all groups."""

    peer: UUID
    name: str
    why: Why


@record
class JoinedGroup:
    """A peer is in a group."""

    peer: UUID
    name: str
    group: str


@record
class LeftGroup:
    """A peer is no longer in a group."""

    peer: UUID
    name: str
    group: str


@record
class Whispered:
    """A peer sent a message to us alone."""

    peer: UUID
    name: str
    content: Sequence[bytes]


@record
class Shouted:
    """A peer sent a message to a group."""

    peer: UUID
    name: str
    group: str
    content: Sequence[bytes]


@record
class LeaderElected:
    """The members of a group agreed on who leads it; `own` says whether that is us."""

    group: str
    leader: UUID
    own: bool


@record
class Warning:
    """Something is not as it should be, and the node goes on."""

    peer: UUID | None
    what: str


NodeEvent: TypeAlias = (
    Entered
    | Evasive
    | Silent
    | Left
    | JoinedGroup
    | LeftGroup
    | Whispered
    | Shouted
    | LeaderElected
    | Warning
)
