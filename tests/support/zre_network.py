"""A simulated network of node engines: loss, delay, partition, reordered beacons, and one clock.

Connections keep their order and lose nothing while they live; a partition holds what is on its way.
Datagrams are lost, delayed and overtake each other. The network also keeps the books: what each node
was told must make sense, whatever happened.
"""

from __future__ import annotations

import heapq
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from uuid import UUID

from zwire.zre import Node, Options
from zwire.zre.effects import (
    CloseLog,
    Connect,
    Disconnect,
    Effect,
    OpenLog,
    Send,
    SendBeacon,
    SendLog,
    Tell,
)
from zwire.zre.events import (
    Entered,
    Evasive,
    JoinedGroup,
    Left,
    LeftGroup,
    NodeEvent,
    Shouted,
    Silent,
    Whispered,
)
from zwire.zre.peer import NEVER, Peer


@dataclass(frozen=True, slots=True)
class Weather:
    """How bad the network is; times in seconds."""

    beacon_loss: float = 0.0
    delay: float = 0.001
    jitter: float = 0.0
    queue: int = 1000  # messages that a connection takes before it is full


@dataclass(eq=False)
class Wire:
    """One connection, from a DEALER to a mailbox."""

    source: Station
    endpoint: str
    identity: bytes
    line: deque[list[bytes]] = field(default_factory=deque)  # on its way, in order
    stuck: int = 0  # how many of these have found no way through
    to_lose: int = 0  # so many messages are about to be lost


@dataclass(eq=False)
class Station:
    """A node with its simulated sockets."""

    network: Network
    node: Node
    address: str
    port: int
    alive: bool = True
    wires: dict[Peer, Wire] = field(default_factory=dict)
    events: list[NodeEvent] = field(default_factory=list)
    present: set[UUID] = field(default_factory=set)  # entered and not left, by what it was told
    joined: dict[UUID, set[str]] = field(default_factory=lambda: defaultdict(set))
    heard: dict[UUID, list[bytes]] = field(default_factory=lambda: defaultdict(list))
    logs: dict[str, list[list[bytes]]] = field(default_factory=dict)
    sent: int = 0
    due: float = NEVER  # when its engine wants to be woken

    @property
    def endpoint(self) -> str:
        """Where its mailbox is."""
        return f"tcp://{self.address}:{self.port}"

    def act(self, effects: Sequence[Effect]) -> None:
        """Carry out what the engine ordered, as a shell would."""
        failed: dict[Peer, list[Send]] = {}
        for effect in effects:
            match effect:
                case Connect(peer, endpoint, identity):
                    self._close(peer)
                    failed.pop(peer, None)
                    self.wires[peer] = self.network.connect(self, endpoint, identity)
                case Disconnect(peer, linger):
                    failed.pop(peer, None)
                    self._close(peer, linger)
                case Send(peer, frames):
                    if peer in failed or not self.network.send(self.wires[peer], frames):
                        failed.setdefault(peer, []).append(effect)
                    else:
                        self.sent += 1
                case SendBeacon(octets):
                    self.network.broadcast(self, octets)
                case Tell(event):
                    self._note(event)
                case OpenLog(endpoint):
                    self.logs[endpoint] = []
                case SendLog(endpoint, frames):
                    self.logs[endpoint].append(frames)
                case CloseLog(endpoint):
                    del self.logs[endpoint]
        for sends in failed.values():
            self.act(self.node.unsent(sends, self.network.now))
        due = self.node.next_deadline()
        self.due = NEVER if due is None else due

    def _close(self, peer: Peer, linger: bool = False) -> None:
        wire = self.wires.pop(peer, None)
        if wire is not None:
            self.network.close(wire, linger)

    def _note(self, event: NodeEvent) -> None:
        self.events.append(event)
        match event:
            case Entered(peer):
                assert peer not in self.present, "entered twice"
                assert peer != self.node.uuid, "met itself"
                self.present.add(peer)
                self.joined[peer].clear()
                self.heard[peer].clear()
            case Left(peer):
                assert peer in self.present, "left without having entered"
                self.present.discard(peer)
                self.joined[peer].clear()
            case JoinedGroup(peer, _, group):
                assert peer in self.present, "joined a group without having entered"
                assert group not in self.joined[peer], "joined a group twice"
                self.joined[peer].add(group)
            case LeftGroup(peer, _, group):
                assert peer in self.present, "left a group without having entered"
                assert group in self.joined[peer], "left a group that it was not in"
                self.joined[peer].discard(group)
            case Evasive(peer) | Silent(peer):
                assert peer in self.present, "quiet without having entered"
            case Whispered(peer, _, content) | Shouted(peer, _, _, content):
                assert peer in self.present, "spoke without having entered"
                self.heard[peer].append(content[0])

    def check(self) -> None:
        """What it was told agrees with what its engine says."""
        assert {one.uuid for one in self.node.peers()} == self.present
        for one in self.node.peers():
            assert set(one.groups) == self.joined[one.uuid]


class Network:
    """Stations, what is on its way between them, and the time."""

    def __init__(self, seed: object = 0, weather: Weather | None = None) -> None:
        self.now = 0.0
        self.chance = Random(repr(seed))
        self.weather = weather or Weather()
        self.stations: list[Station] = []
        self.cut: set[frozenset[str]] = set()  # pairs of addresses that cannot reach each other
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._wires: list[Wire] = []
        self._arrival: dict[tuple[bytes, str], float] = {}

    # Stations

    def start(
        self,
        number: int,
        options: Options | None = None,
        *,
        uuid: UUID | None = None,
        port: int | None = None,
        name: str = "",
        headers: dict[str, str] | None = None,
        groups: Sequence[str] = (),
    ) -> Station:
        """A new node, on a host of its own."""
        address, port = f"10.0.0.{number}", port or 50_000 + number
        uuid = uuid or UUID(bytes=bytes([number]) + self.chance.randbytes(15))
        node = Node(
            uuid, f"tcp://{address}:{port}", options, name=name or f"n{number}", headers=headers
        )
        for group in groups:
            node.join(group, self.now)
        station = Station(self, node, address, port)
        self.stations.append(station)
        for other in self.stations:  # whose links led to one that was there before
            for peer, wire in other.wires.items():
                if wire.endpoint == station.endpoint:
                    other.node.interrupt(peer)
        station.act(node.start(self.now))
        self._release()
        return station

    def kill(self, station: Station, noticed: bool = False) -> None:
        """End a node without a word; `noticed`: the others' sockets see that it is gone."""
        station.alive = False
        self.stations.remove(station)
        for wire in list(station.wires.values()):
            self.close(wire, linger=False)
        if noticed:
            for other in list(self.stations):
                for peer, wire in list(other.wires.items()):
                    if wire.endpoint == station.endpoint:
                        other.act(other.node.vanish(peer, self.now))

    def stop(self, station: Station) -> None:
        """End a node politely."""
        station.act(station.node.stop(self.now))
        station.alive = False
        self.stations.remove(station)

    def part(self, one: Station, other: Station) -> None:
        """Nothing gets through between two hosts."""
        self.cut.add(frozenset((one.address, other.address)))

    def heal(self) -> None:
        """Everything gets through again, and what was held goes on its way."""
        self.cut.clear()
        self._release()

    # Connections and datagrams

    def connect(self, source: Station, endpoint: str, identity: bytes) -> Wire:
        wire = Wire(source, endpoint, identity)
        for other in self._wires:
            same = (other.source, other.endpoint, other.identity) == (source, endpoint, identity)
            assert not same, "two connections under one identity fight for the mailbox"
        self._wires.append(wire)
        return wire

    def close(self, wire: Wire, linger: bool) -> None:
        if not linger or wire.stuck:
            wire.line.clear()
        self._wires.remove(wire)

    def send(self, wire: Wire, frames: list[bytes]) -> bool:
        if len(wire.line) >= self.weather.queue:
            return False
        wire.line.append(frames)
        self._carry(wire)
        return True

    def _target(self, wire: Wire) -> Station | None:
        for station in self.stations:
            if station.endpoint == wire.endpoint:
                away = frozenset((station.address, wire.source.address)) in self.cut
                return None if away else station
        return None

    def _carry(self, wire: Wire) -> None:
        link = (wire.identity, wire.endpoint)
        arrival = max(self.now + self._delay(), self._arrival.get(link, 0.0))
        self._arrival[link] = arrival

        def arrive() -> None:
            target = self._target(wire)
            if not wire.line:
                return  # it was closed meanwhile
            if target is None:
                wire.stuck += 1
                return
            frames = wire.line.popleft()
            if wire.to_lose:
                wire.to_lose -= 1
            else:
                target.act(target.node.hear(wire.identity, frames, self.now))

        self._at(arrival, arrive)

    def _release(self) -> None:
        for wire in list(self._wires):
            if wire.stuck and self._target(wire) is not None:
                for _ in range(wire.stuck):
                    self._carry(wire)
                wire.stuck = 0

    def broadcast(self, source: Station, octets: bytes) -> None:
        for station in self.stations:
            away = frozenset((station.address, source.address)) in self.cut
            if away or self.chance.random() < self.weather.beacon_loss:
                continue
            self._at(self.now + self._delay(), self._hear_beacon(station, octets, source.address))

    def _hear_beacon(self, station: Station, octets: bytes, address: str) -> Callable[[], None]:
        def arrive() -> None:
            if station.alive:
                station.act(station.node.beacon(octets, address, self.now))

        return arrive

    def _delay(self) -> float:
        return self.weather.delay + self.chance.random() * self.weather.jitter

    def _at(self, when: float, what: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._queue, (when, self._count, what))

    # Time

    def run(self, seconds: float) -> None:
        """Let time pass."""
        until = self.now + seconds
        while True:
            wake = min((one.due for one in self.stations), default=NEVER)
            arrival = self._queue[0][0] if self._queue else NEVER
            if min(wake, arrival) > until:
                break
            self.now = max(self.now, min(wake, arrival))
            if arrival <= wake:
                heapq.heappop(self._queue)[2]()
            else:
                for station in [one for one in self.stations if one.due <= self.now]:
                    station.act(station.node.tick(self.now))
        self.now = until

    # What must be so after quiet

    def check_quiet(self) -> None:
        """Everybody knows everybody, and their groups, and nobody else."""
        for station in self.stations:
            station.check()
            others = {one.node.uuid: one for one in self.stations if one is not station}
            assert station.present == set(others), f"{station.node.own.name} does not know all"
            for peer in station.node.peers():
                assert set(peer.groups) == set(others[peer.uuid].node.groups())
