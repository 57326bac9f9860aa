"""What a node knows: itself, its peers by every name they go by, the groups, and its counters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from zwire.zre.options import Options, Own
from zwire.zre.peer import NEVER, Peer
from zwire.zre.wire import WIRES, Wire


@dataclass(slots=True)
class Statistics:
    """Counts since the start."""

    beacons_sent: int = 0
    beacons_heard: int = 0  # good ones of others
    beacons_own: int = 0
    beacons_malformed: int = 0  # another size, another protocol, port 0 where that is no goodbye
    beacons_foreign: int = 0  # another version than the one we use
    messages_sent: int = 0
    messages_heard: int = 0
    messages_malformed: int = 0
    messages_stray: int = 0  # before a HELLO, or on a link that was replaced
    messages_own: int = 0
    greetings_refused: int = 0  # too many peers, no endpoint, no key where we demand one
    peers_entered: int = 0
    peers_left: int = 0
    peers_restarted: int = 0
    gaps: int = 0
    renumbered: int = 0  # HELLO sent again because a peer's wrap was not known
    queues_full: int = 0
    messages_kept: int = 0  # until a queue had room
    messages_dropped: int = 0
    peers_dropped: int = 0  # because their queue was full
    logged: int = 0
    logs_dropped: int = 0

    def as_dict(self) -> dict[str, int]:
        """All counters by name, ready to be printed."""
        return {one.name: getattr(self, one.name) for one in fields(self)}


@dataclass(slots=True, eq=False)
class Address:
    """An endpoint that we were told to keep looking for: a static peer, or one from gossip."""

    endpoint: str
    key: bytes  # empty: nobody told whose it is
    server_key: bytes
    seek_at: float
    pause: float
    holder: bytes = b""  # who was found there, under another name of the place


class State:
    """Everything that the parts of the engine share."""

    def __init__(self, own: Own, options: Options) -> None:
        self.own = own
        self.options = options
        self.statistics = Statistics()
        self.peers: dict[bytes, Peer] = {}  # by the 16 octets of the UUID
        self.by_identity: dict[bytes, Peer] = {}  # by the identity that they speak under
        self.familiar: dict[tuple[bytes, str], Peer] = (
            {}
        )  # beacons that tell nothing new, and whose
        self.unknown: dict[str, Peer] = {}  # connected to by endpoint, before we know who it is
        self.places: dict[str, Peer] = {}  # endpoints and who is there: one process can be
        self.book: dict[str, Address] = {}
        self.groups: dict[str, dict[bytes, Peer]] = (
            {}
        )  # members among the peers, in order of joining
        self.contested: set[str] = set()  # groups that we would lead
        self.congested: dict[Peer, float] = {}  # with a backlog, and when to try again
        self.look_at = NEVER  # when a peer may next need attention
        self.preferred: Wire = WIRES[options.dialects[0]]
        self.running = False

    def everyone(self) -> Iterator[Peer]:
        """All peers with a link, known or not."""
        yield from self.peers.values()
        yield from self.unknown.values()

    def entered(self) -> list[Peer]:
        """The peers that greeted us."""
        return [peer for peer in self.peers.values() if peer.entered]

    def look(self, when: float) -> None:
        """See to it that the peers are looked at then, or earlier."""
        if when < self.look_at:
            self.look_at = when

    def hear_as(self, peer: Peer, identity: bytes, speech: Wire) -> None:
        """From now on a peer speaks under this identity, and under no other."""
        if peer.identity:
            self.by_identity.pop(peer.identity, None)
        peer.identity = identity
        peer.speech = speech
        self.by_identity[identity] = peer

    def locate(self, peer: Peer) -> None:
        """Note where a peer is: where we connect to, and where it says it is unless another is there."""
        self._unlocate(peer)
        self.places[peer.endpoint] = peer
        if peer.said_endpoint:
            self.places.setdefault(peer.said_endpoint, peer)
        peer.places = {peer.endpoint, peer.said_endpoint}

    def _unlocate(self, peer: Peer) -> None:
        for endpoint in peer.places:
            if self.places.get(endpoint) is peer:
                del self.places[endpoint]

    def give_up(self, peer: Peer) -> None:
        """Drop what waits for a peer: its link is gone."""
        self.statistics.messages_dropped += len(peer.backlog)
        peer.backlog.clear()
        self.congested.pop(peer, None)

    def strike(self, peer: Peer) -> None:
        """Forget a peer's names and its place in the groups, and what waits for it."""
        peer.closed = True
        self.give_up(peer)
        if peer.key:
            self.peers.pop(peer.key, None)
        if self.unknown.get(peer.endpoint) is peer:
            del self.unknown[peer.endpoint]
        if self.by_identity.get(peer.identity) is peer:
            del self.by_identity[peer.identity]
        self._unlocate(peer)
        self.leave_all(peer)
        for beacon in peer.beacons:
            self.familiar.pop(beacon, None)

    def join(self, peer: Peer, group: str) -> None:
        """Put a peer into a group."""
        peer.groups[group] = None
        self.groups.setdefault(group, {})[peer.key] = peer

    def leave(self, peer: Peer, group: str) -> None:
        """Take a peer out of a group it is in."""
        del peer.groups[group]
        members = self.groups[group]
        del members[peer.key]
        if not members:
            del self.groups[group]

    def leave_all(self, peer: Peer) -> None:
        """Take a peer out of all its groups."""
        for group in list(peer.groups):
            self.leave(peer, group)
