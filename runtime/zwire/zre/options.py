"""What can be chosen about a node, as values that the engine reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from zwire.errors import LocalError
from zwire.zre.doors import Door


class Dialect(Enum):
    """The two versions of the protocol that share beacons and mailboxes."""

    ZRE20 = "20/ZRE"
    ZRE36 = "36/ZRE"


class FullQueue(Enum):
    """What becomes of a message for a peer whose send queue is full."""

    WAIT = "wait"  # it is kept until there is room
    DROP_MESSAGE = "drop message"
    DROP_PEER = "drop peer"


# Without a moment to settle in, two nodes would take each other's greetings for restarts without end.
_TIMES = (
    "beacon_every",
    "evasive_after",
    "answer_within",
    "silent_after",
    "expired_after",
    "greet_again",
    "settle",
    "seek_again",
    "flush_every",
    "election_patience",
)
_COUNTS = ("max_waiting", "max_peers", "max_groups_of_peer", "max_logged")


@dataclass(frozen=True, slots=True)
class Options:
    """Choices of a node; times are in seconds."""

    dialects: tuple[Dialect, ...] = (Dialect.ZRE36, Dialect.ZRE20)  # the preferred one first
    beacons: bool = True  # announce ourselves; False where only gossip and static peers are wanted
    beacon_starts: tuple[float, ...] = (0.0, 0.05, 0.1, 0.2, 0.3)
    beacon_every: float = 1.0  # counted after the starts
    evasive_after: float = (
        5.0  # silence after which a peer is sent PING, and again at this interval
    )
    answer_within: float = 1.0  # who has not answered PING by then is told as evasive
    silent_after: float = 10.0  # silence after which PING counts as unanswered
    expired_after: float = 30.0  # silence after which a peer is dead
    greet_again: float = 5.0  # a peer that has not answered our HELLO for so long gets another
    grace: float = 0.1  # a goodbye by beacon is believed so much later: it may overtake messages
    settle: float = 1.0  # a HELLO so soon after our own answers it; later it means a restart
    seek_again: float = (
        1.0  # pause before a lost static peer is sought, doubling up to expired_after
    )
    wrap: int | None = (
        None  # where 36/ZRE peers wrap that have not shown it: 65536, 65535, None: ask
    )
    say_wrap: bool = True  # tell 36/ZRE peers by a header that we accept either wrap
    full_queue: FullQueue = FullQueue.WAIT
    max_waiting: int = 1000  # messages kept for one peer whose queue is full
    flush_every: float = 0.01  # between two attempts to send what is kept
    max_peers: int = 10_000
    max_groups_of_peer: int = 10_000
    election_patience: float = 5.0  # after which an unfinished election is settled
    public_key: bytes = b""  # 32 octets: speak under CURVE and only with those who do
    log_level: int = 3  # 1: errors, 2: and warnings, 3: everything
    max_logged: int = 1000  # records kept for a collector that has not subscribed yet

    def __post_init__(self) -> None:
        mistakes = []
        if not self.dialects:
            mistakes.append("dialects: expected at least one, got none")
        if self.wrap not in (None, 65535, 65536):
            mistakes.append(f"wrap: expected 65536, 65535 or None, got {self.wrap}")
        if len(self.public_key) not in (0, 32):
            mistakes.append(f"public_key: expected 32 octets, got {len(self.public_key)}")
        for name in _TIMES:
            if not getattr(self, name) > 0:
                mistakes.append(f"{name}: expected more than 0 seconds, got {getattr(self, name)}")
        for name in _COUNTS:
            if getattr(self, name) < 1:
                mistakes.append(f"{name}: expected at least 1, got {getattr(self, name)}")
        if mistakes:
            raise LocalError("; ".join(mistakes))


@dataclass(slots=True)
class Own:
    """What a node says of itself."""

    key: bytes  # the 16 octets of the UUID
    name: str
    endpoint: str  # where its mailbox takes connections, as tcp://address:port
    doors: Sequence[Door] = ()  # all endpoints of the mailbox, where it has several
    headers: dict[str, str] = field(default_factory=dict)
    groups: dict[str, None] = field(default_factory=dict)  # in the order in which they were joined
    status: int = 0  # changes of its groups so far, modulo 256


NO_HEADERS: Mapping[str, str] = {}
