"""ZRE/LOG: the records that a node publishes to the collectors it meets, and a collector's side.

A socket that has just connected drops what nobody has subscribed to yet, so records for a collector
are kept until its subscription is seen.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from zwire.zre.doors import from_here
from zwire.zre.effects import CloseLog, Effect, OpenLog, SendLog
from zwire.zre.endpoints import can_be_believed, host_and_port, tcp_endpoint
from zwire.zre.peer import Peer
from zwire.zre.state import State
from zwire_protocols.errors import DecodeError
from zwire_protocols.zrelog import SERVICE, Event, Level, Log, decode, encode

LONGEST = 255  # octets of a record's text


def uuid_hash(key: bytes) -> int:
    """The number of 16 bits that stands for a UUID in a record."""
    value = 0
    for octet in key:
        value = (33 * value ^ octet) & 0xFFFF
    return value


def printable(text: str) -> str:
    """The text without control characters, cut to what a record can carry."""
    clean = "".join(one for one in text if one.isprintable())
    return clean.encode()[:LONGEST].decode(errors="ignore")


@dataclass(slots=True, eq=False)
class _Collector:
    owners: set[bytes] = field(default_factory=set)  # the peers that announce it
    subscribed: bool = False
    waiting: deque[list[bytes]] = field(default_factory=deque)


class Logs:
    """What a node reports, to every collector among its peers."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._collectors: dict[str, _Collector] = {}
        self._node = uuid_hash(state.own.key)
        self.epoch = 0.0  # what to add to the engine's time for seconds since 1970, UTC

    def meet(self, peer: Peer, effects: list[Effect]) -> None:
        """A peer entered, which may be a collector."""
        endpoint = self._endpoint(peer)
        # A collector is where its node is: nobody sends us to a third one.
        elsewhere = host_and_port(endpoint)[0] not in peer.hosts
        if elsewhere or not can_be_believed(endpoint, self._state.own.endpoint):
            return
        if endpoint not in self._collectors:
            self._collectors[endpoint] = _Collector()
            effects.append(OpenLog(endpoint, peer.server_key))
        self._collectors[endpoint].owners.add(peer.key)

    def _endpoint(self, peer: Peer) -> str:
        """Where a peer collects records, as it is written on this host; empty where it does not."""
        said = peer.headers.get(SERVICE, "")
        (host, port), reached = host_and_port(said), peer.hosts[0]
        if host and host.partition("%")[0] == reached.partition("%")[0]:
            return tcp_endpoint(reached, port)
        return from_here(said, self._state.own.doors)

    def part(self, peer: Peer, effects: list[Effect]) -> None:
        """A peer left, which may have been a collector."""
        endpoint = self._endpoint(peer)
        collector = self._collectors.get(endpoint)
        if collector is None:
            return
        collector.owners.discard(peer.key)
        if not collector.owners:
            self._state.statistics.logs_dropped += len(collector.waiting)
            del self._collectors[endpoint]
            effects.append(CloseLog(endpoint))

    def close(self, effects: list[Effect]) -> None:
        """The node stops."""
        effects.extend(CloseLog(endpoint) for endpoint in self._collectors)
        self._collectors.clear()

    def subscribed(self, endpoint: str, effects: list[Effect]) -> None:
        """A collector's subscription was seen: it hears what is sent from now on."""
        collector = self._collectors.get(endpoint)
        if collector is None:
            return
        collector.subscribed = True
        effects.extend(SendLog(endpoint, frames) for frames in collector.waiting)
        collector.waiting.clear()

    def write(
        self, level: Level, event: Event, key: bytes, text: str, now: float, effects: list[Effect]
    ) -> None:
        """Report something about a peer, or about the node itself where the key is empty."""
        if not self._collectors or level > self._state.options.log_level:
            return
        time = max(0, round((now + self.epoch) * 1000))
        peer = uuid_hash(key) if key else 0
        frames = encode(Log(level, event, self._node, peer, time, printable(text)))
        for endpoint, collector in self._collectors.items():
            self._state.statistics.logged += 1
            if collector.subscribed:
                effects.append(SendLog(endpoint, frames))
                continue
            if len(collector.waiting) >= self._state.options.max_logged:
                collector.waiting.popleft()
                self._state.statistics.logs_dropped += 1
            collector.waiting.append(frames)


class Collector:
    """The other side: takes what nodes publish, keeps what is wanted, counts the rest."""

    def __init__(self, level: Level = Level.INFO) -> None:
        self.level = level
        self.taken = 0
        self.filtered = 0
        self.discarded = 0  # garbage

    def receive(self, frames: Sequence[bytes]) -> Log | None:
        """The record in a message; None where there is none, or none so important."""
        try:
            log = decode(frames)
        except DecodeError:
            self.discarded += 1
            return None
        if log.level > self.level:
            self.filtered += 1
            return None
        self.taken += 1
        return log
