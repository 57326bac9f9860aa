"""The gossip engine, hub and member in one, as zgossip has it: pairs of key and value spread to all.

A hub answers members on its ROUTER; a member greets hubs over a DEALER each. Either side passes on what
is new to it to everybody but the one it came from, and drops what it has already; so loops of hubs do
no harm. A hub of CZMQ forgets members that were silent for a second, which is why ours send PING more
often than that; members of CZMQ never send PING, which is why our hub forgets only those that it cannot
reach, and the longest silent when there are too many. A time to live of 0 is for ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias
from uuid import UUID

from zwire.core.record import record
from zwire.zre.keys import z85_decode, z85_encode
from zwire_protocols.errors import DecodeError
from zwire_protocols.zgossip import Hello, Invalid, Message, Ping, Pong, Publish, decode, encode

NEVER = float("inf")


@record
class ToMember:
    """Send frames to a member, over the hub's ROUTER."""

    identity: bytes
    frames: list[bytes]


@record
class ToHub:
    """Send frames to a hub, over the DEALER for its endpoint."""

    hub: str
    frames: list[bytes]


@record
class Learn:
    """A pair is known that was not, or its value changed."""

    key: str
    value: str


@record
class Unlearn:
    """A pair outlived its time."""

    key: str
    value: str


GossipEffect: TypeAlias = ToMember | ToHub | Learn | Unlearn


@dataclass(frozen=True, slots=True)
class GossipOptions:
    """Choices of a gossip engine; times are in seconds."""

    ping_every: float = 0.5
    max_members: int = 10_000
    max_pairs: int = 100_000


@dataclass(slots=True)
class _Pair:
    value: str
    ttl: int  # milliseconds, as it came
    until: float
    own: bool


@dataclass(slots=True)
class _Hub:
    heard_at: float
    sent_at: float


@dataclass(slots=True)
class GossipStatistics:
    """Counts since the start."""

    malformed: int = 0
    refused: int = 0
    duplicates: int = 0
    forwarded: int = 0


@dataclass(slots=True, eq=False)
class Gossip:
    """Pairs, members and hubs."""

    options: GossipOptions = field(default_factory=GossipOptions)
    statistics: GossipStatistics = field(default_factory=GossipStatistics)
    _pairs: dict[str, _Pair] = field(default_factory=dict)
    _members: dict[bytes, None] = field(default_factory=dict)  # the longest silent first
    _hubs: dict[str, _Hub] = field(default_factory=dict)

    def pairs(self) -> dict[str, str]:
        """All that is known."""
        return {key: pair.value for key, pair in self._pairs.items()}

    def members(self) -> int:
        """How many members this hub serves."""
        return len(self._members)

    # What we say

    def publish(self, key: str, value: str, now: float, ttl: float = 0.0) -> list[GossipEffect]:
        """Tell everybody a pair; one with a time to live is told again before that is over."""
        encode(Publish(key, value, 0))  # refuses what cannot be sent
        return self._accept(Publish(key, value, round(ttl * 1000)), None, now, own=True)

    def join(self, hub: str, now: float) -> list[GossipEffect]:
        """Become a member of a hub; also when the connection to it was lost and is there again."""
        self._hubs[hub] = _Hub(now, now)
        return self._introduce(hub, now)

    def quit(self, hub: str) -> None:
        """Be a member of a hub no longer."""
        self._hubs.pop(hub, None)

    def _introduce(self, hub: str, now: float) -> list[GossipEffect]:
        effects: list[GossipEffect] = [ToHub(hub, encode(Hello()))]
        effects.extend(ToHub(hub, self._told(key, pair, now)) for key, pair in self._pairs.items())
        return effects

    # What we hear

    def hear_member(
        self, identity: bytes, frames: Sequence[bytes], now: float
    ) -> list[GossipEffect]:
        """A member spoke to this hub."""
        message = self._read(frames)
        if message is None:
            return []
        known = identity in self._members
        if known or isinstance(message, Hello):
            self._members.pop(identity, None)
            self._members[identity] = None
        if isinstance(message, Hello):
            while len(self._members) > self.options.max_members:
                del self._members[next(iter(self._members))]
            pairs = self._pairs.items()
            return [ToMember(identity, self._told(key, pair, now)) for key, pair in pairs]
        if known and isinstance(message, Publish):
            return self._accept(message, identity, now)
        if known and isinstance(message, Ping):
            return [ToMember(identity, encode(Pong()))]
        self._members.pop(identity, None)
        self.statistics.refused += 1
        return [ToMember(identity, encode(Invalid()))]

    def lose_member(self, identity: bytes) -> None:
        """A member cannot be reached any more."""
        self._members.pop(identity, None)

    def hear_hub(self, hub: str, frames: Sequence[bytes], now: float) -> list[GossipEffect]:
        """A hub spoke to us."""
        message = self._read(frames)
        state = self._hubs.get(hub)
        if state is None or message is None:
            return []
        state.heard_at = now
        if isinstance(message, Publish):
            return self._accept(message, hub, now)
        if isinstance(message, Invalid):  # it has forgotten us
            state.sent_at = now
            return self._introduce(hub, now)
        return []

    def _read(self, frames: Sequence[bytes]) -> Message | None:
        try:
            return decode(frames)
        except DecodeError:
            self.statistics.malformed += 1
            return None

    def _accept(
        self, said: Publish, source: bytes | str | None, now: float, own: bool = False
    ) -> list[GossipEffect]:
        until = now + said.ttl / 1000 if said.ttl else NEVER
        pair = self._pairs.get(said.key)
        effects: list[GossipEffect] = []
        if pair is None or pair.value != said.value:
            if pair is None and len(self._pairs) >= self.options.max_pairs:
                self.statistics.refused += 1
                return effects
            if pair is not None and pair.own and not own:
                return effects  # nobody knows our own pairs better than we do
            self._pairs[said.key] = _Pair(said.value, said.ttl, until, own)
            effects.append(Learn(said.key, said.value))
        elif until == NEVER or until - pair.until < said.ttl / 2000:
            # A pair that lives for ever, or was refreshed a moment ago, is not passed on again.
            self.statistics.duplicates += 1
            return effects
        else:
            pair.until, pair.ttl = until, said.ttl
        frames = self._told(said.key, self._pairs[said.key], now)
        effects.extend(ToMember(one, frames) for one in self._members if one != source)
        for hub, state in self._hubs.items():
            if hub != source:
                state.sent_at = now
                effects.append(ToHub(hub, frames))
        self.statistics.forwarded += len(effects)
        return effects

    def _told(self, key: str, pair: _Pair, now: float) -> list[bytes]:
        left = 0 if pair.until == NEVER else max(1, round((pair.until - now) * 1000))
        return encode(Publish(key, pair.value, left))

    # Time

    def next_deadline(self) -> float | None:
        """When `tick` is next needed; None: not until something happens."""
        due = [hub.sent_at + self.options.ping_every for hub in self._hubs.values()]
        due.extend(_due(pair) for pair in self._pairs.values() if pair.until < NEVER)
        return min(due, default=None)

    def tick(self, now: float) -> list[GossipEffect]:
        """Send PING to hubs, refresh our own pairs, drop those that outlived their time."""
        effects: list[GossipEffect] = []
        for key, pair in list(self._pairs.items()):
            if now < _due(pair):
                continue
            if pair.own:
                effects.extend(
                    self._accept(Publish(key, pair.value, pair.ttl), None, now, own=True)
                )
            else:
                del self._pairs[key]
                effects.append(Unlearn(key, pair.value))
        for endpoint, hub in self._hubs.items():
            if now >= hub.sent_at + self.options.ping_every:
                hub.sent_at = now
                effects.append(ToHub(endpoint, encode(Ping())))
        return effects


def _due(pair: _Pair) -> float:
    """When a pair is over, or, if it is our own, to be told again."""
    return pair.until - pair.ttl / 2000 if pair.own else pair.until


def node_pair(key: bytes, endpoint: str, public_key: bytes) -> tuple[str, str]:
    """The pair by which a node is known to gossip; under CURVE its key follows the endpoint."""
    value = f"{endpoint}|{z85_encode(public_key)}" if public_key else endpoint
    return key.hex().upper(), value


def read_node_pair(key: str, value: str) -> tuple[bytes, str, bytes] | None:
    """UUID octets, endpoint and public key of the node that a pair tells of; None: of no node."""
    try:
        uuid = UUID(key)
    except ValueError:
        return None
    endpoint, _, text = value.partition("|")
    return uuid.bytes, endpoint, z85_decode(text)
