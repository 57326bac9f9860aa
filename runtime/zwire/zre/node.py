"""The engine of a node: it is told what arrives and what time it is, and says what to send and to tell.

The parts have a file each: `greetings` (peers that come), `hearing` (what their messages mean),
`departures` (peers that go), `watch` (time), `links` (numbers and full queues), `election`, `logs`,
`beacons`. This one puts them together and is what a shell and its user's calls see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never
from uuid import UUID

from zwire.errors import LocalError
from zwire.zre.beacons import BeaconClock, write_beacon
from zwire.zre.departures import Departures
from zwire.zre.discovery import Discovery
from zwire.zre.doors import Door
from zwire.zre.effects import NOTHING, Disconnect, Effect, Send, SendBeacon, Tell
from zwire.zre.election import Elections
from zwire.zre.endpoints import can_be_dialled, host_and_port
from zwire.zre.events import Warning, Why
from zwire.zre.facts import (
    Beaconed,
    Discovered,
    Fact,
    Heard,
    Interrupted,
    Reached,
    Subscribed,
    Unsent,
    Vanished,
    Withdrawn,
)
from zwire.zre.greetings import Greetings
from zwire.zre.hearing import Hearing
from zwire.zre.keys import KEY_HEADER, z85_encode
from zwire.zre.links import Links
from zwire.zre.logs import Logs
from zwire.zre.options import Dialect, FullQueue, Options, Own
from zwire.zre.peer import NEVER, KnownPeer, Peer, known
from zwire.zre.saying import check_another, check_greeting, check_group, check_header, check_uuid
from zwire.zre.state import State
from zwire.zre.watch import Watch
from zwire.zre.wire import WIRE36
from zwire_protocols.zrelog import Event, Level


class Busy(LocalError):
    """As many messages wait for a peer as may; ask `has_room` and try again when it has."""


class Node:
    """One node, without sockets and clocks."""

    def __init__(
        self,
        uuid: UUID,
        endpoint: str,
        options: Options | None = None,
        *,
        name: str = "",
        headers: Mapping[str, str] | None = None,
        doors: Sequence[Door] = (),
        epoch: float = 0.0,
    ) -> None:
        """`endpoint` is where the mailbox takes connections, `doors` are all such places if there are
        several, `epoch` is what to add to the engine's time for seconds since 1970."""
        self.options = options or Options()
        self.uuid = uuid
        self.own = Own(
            uuid.bytes, name or uuid.hex[:6].upper(), endpoint, doors, dict(headers or {})
        )
        check_uuid(uuid.bytes, self.options)
        for header in self.own.headers:
            check_header(header, self.options)
        if self.options.public_key:
            self.own.headers[KEY_HEADER] = z85_encode(self.options.public_key)
        self._state = State(self.own, self.options)
        self.statistics = self._state.statistics
        self._links = Links(self._state)
        self._logs = Logs(self._state)
        self._logs.epoch = epoch
        self._elections = Elections(self._state, self._links)
        self._departures = Departures(self._state, self._elections, self._logs)
        parts = (self._state, self._links, self._elections, self._departures, self._logs)
        self._greetings = Greetings(*parts)
        self._hearing = Hearing(
            self._state, self._links, self._greetings, self._departures, self._elections
        )
        self._discovery = Discovery(self._state, self._links, self._greetings)
        self._watch = Watch(self._state, self._links, self._greetings, self._departures)
        self._clock: BeaconClock | None = None
        self._said = b""  # our own last beacon, which we hear too
        check_greeting(self.own, self.options)

    # Life

    def start(self, now: float) -> Sequence[Effect]:
        """Begin to announce ourselves and to look for peers."""
        self._state.running = True
        if self.options.beacons:
            self._clock = BeaconClock(self.options, now)
        return self.tick(now)

    def stop(self, now: float) -> Sequence[Effect]:
        """Take leave of everybody."""
        state = self._state
        if not state.running:
            return NOTHING
        effects: list[Effect] = []
        if self._clock is not None and Dialect.ZRE36 in self.options.dialects:
            effects.append(SendBeacon(write_beacon(self.own.key, 0, self.options.public_key)))
        for peer in list(state.everyone()):
            if peer.entered and peer.wire is WIRE36:
                self._links.say(peer, WIRE36.goodbye, now, effects)
            effects.append(Disconnect(peer, linger=True))
            peer.entered = False
            state.strike(peer)
        self._logs.close(effects)
        state.book.clear()
        state.running = False
        state.look_at = NEVER
        self._clock = None
        return effects

    def next_deadline(self) -> float | None:
        """When `tick` is next needed; None: not until something happens."""
        due = self._state.look_at
        if self._clock is not None and self._clock.due < due:
            due = self._clock.due
        settle = self._elections.next_deadline()
        if settle is not None and settle < due:
            due = settle
        return None if due == NEVER else due

    def tick(self, now: float, drained: bool = True) -> Sequence[Effect]:
        """Do what is due. A shell that wakes late empties its sockets first, or says `drained=False`."""
        if not self._state.running:
            return NOTHING
        effects: list[Effect] = []
        if self._clock is not None and self._clock.strike(now):
            _, port = host_and_port(self.own.endpoint)
            octets = write_beacon(self.own.key, port, self.options.public_key)
            self.statistics.beacons_sent += 1
            self._said = octets
            effects.append(SendBeacon(octets))
        self._watch.tick(now, drained, effects)
        self._elections.tick(now, effects)
        return effects

    # What happens

    def receive(self, fact: Fact, now: float) -> Sequence[Effect]:
        """Take a fact as an object; the methods below do the same without one."""
        match fact:
            case Heard(identity, frames, source):
                return self.hear(identity, frames, now, source)
            case Reached(peer, endpoint):
                return self.reach(peer, endpoint, now)
            case Beaconed(octets, address):
                return self.beacon(octets, address, now)
            case Discovered(key, endpoint, server_key):
                return self.discover(key, endpoint, now, server_key)
            case Withdrawn(endpoint):
                self.withdraw(endpoint)
                return NOTHING
            case Interrupted(peer):
                self.interrupt(peer)
                return NOTHING
            case Vanished(peer):
                return self.vanish(peer, now)
            case Unsent(sends):
                return self.unsent(sends, now)
            case Subscribed(endpoint):
                return self.subscribed(endpoint)
            case _:
                assert_never(fact)

    def hear(
        self, identity: bytes, frames: Sequence[bytes], now: float, source: str = ""
    ) -> Sequence[Effect]:
        """A message came into the mailbox; `source` is the address that it came from, if it is known."""
        if not self._state.running:
            return NOTHING
        return self._hearing.hear(identity, frames, now, source)

    @property
    def seeking(self) -> bool:
        """Whether there are links of which we do not know who is at their end: then `reach`, and the
        source of what is heard, help to find out."""
        return bool(self._state.unknown)

    def reach(self, peer: Peer, endpoint: str, now: float) -> Sequence[Effect]:
        """The link to a peer ends at this endpoint."""
        effects: list[Effect] = []
        if not peer.closed:
            self._greetings.reach(peer, endpoint, now, effects)
        return effects

    def beacon(self, octets: bytes, address: str, now: float) -> Sequence[Effect]:
        """A datagram came from an address; what is no good beacon is dropped and counted."""
        return self._discovery.beacon(octets, address, now) if self._state.running else NOTHING

    def overhear(self, octets: bytes, address: str, now: float) -> bool:
        """Whether a datagram told nothing but that a peer is still there, and is hereby done with.

        This is the quick way; all others are for `beacon`.
        """
        if octets == self._said:
            self.statistics.beacons_own += 1
            return True
        return self._discovery.overhear(octets, address, now)

    def discover(
        self, key: bytes, endpoint: str, now: float, server_key: bytes = b""
    ) -> Sequence[Effect]:
        """Somebody told us of an endpoint, which is sought, and sought again when it is lost, until
        it is withdrawn. The key is the 16 octets of the peer's UUID, or empty."""
        self._discovery.keep(key, endpoint, server_key, now)
        return self.tick(now, drained=False)

    def withdraw(self, endpoint: str) -> None:
        """Seek an endpoint no longer; whoever is there is kept as long as it lives."""
        self._state.book.pop(endpoint, None)

    def interrupt(self, peer: Peer) -> None:
        """The link to a peer broke; if it stands again, another process may be at its end."""
        peer.interrupted = True

    def vanish(self, peer: Peer, now: float) -> Sequence[Effect]:
        """The transport cannot reach a peer any more: its process is gone."""
        effects: list[Effect] = []
        if not peer.closed and peer.key:
            self._departures.drop(peer, Why.VANISHED, now, effects)
        return effects

    def unsent(self, sends: Sequence[Send], now: float) -> Sequence[Effect]:
        """All messages of a batch for one peer, from the first that could not be sent on."""
        peer = sends[0].peer
        if peer.closed:
            return NOTHING
        effects = self._links.unsent(peer, [one.frames for one in sends], now)
        if self.options.full_queue is FullQueue.DROP_PEER or not self._bearable(peer):
            self.statistics.peers_dropped += 1
            self._departures.drop(peer, Why.QUEUE_FULL, now, effects)
        return effects

    def _bearable(self, peer: Peer) -> bool:
        return len(peer.backlog) <= 2 * self.options.max_waiting

    def subscribed(self, endpoint: str) -> Sequence[Effect]:
        """A log collector's subscription was seen."""
        effects: list[Effect] = []
        self._logs.subscribed(endpoint, effects)
        return effects

    # What the user wants

    def join(self, group: str, now: float) -> Sequence[Effect]:
        """Join a group and tell all peers; joining twice is joining once."""
        if group in self.own.groups:
            return NOTHING
        check_another(self.own, self.options)
        check_group(group, self.options)
        self.own.groups[group] = None
        effects = self._change_groups(Event.JOIN, group, now)
        self._elections.contest(group, now, effects)
        return effects

    def leave(self, group: str, now: float) -> Sequence[Effect]:
        """Leave a group and tell all peers."""
        if group not in self.own.groups:
            return NOTHING
        del self.own.groups[group]
        self._elections.left(group)
        return self._change_groups(Event.LEAVE, group, now)

    def _change_groups(self, event: Event, group: str, now: float) -> list[Effect]:
        self.own.status = status = (self.own.status + 1) % 256
        effects: list[Effect] = []
        for peer in self._state.everyone():
            wire = peer.wire
            change = wire.join if event is Event.JOIN else wire.leave
            self._links.say(peer, change(group, status), now, effects)
        verb = "joined" if event is Event.JOIN else "left"
        self._logs.write(Level.INFO, event, b"", f"{self.own.name} {verb} {group}", now, effects)
        return effects

    def contest(self, group: str, now: float) -> Sequence[Effect]:
        """Stand for election in a group, now or as soon as we are in it."""
        check_group(group, self.options)
        self._state.contested.add(group)
        effects: list[Effect] = []
        self._elections.contest(group, now, effects)
        return effects

    def whisper(self, peer: UUID, content: Sequence[bytes], now: float) -> Sequence[Effect]:
        """Send a message to one peer; it must have entered."""
        found = self._state.peers.get(peer.bytes)
        if found is None or not found.entered:
            raise LocalError(f"no peer {peer} has entered")
        if len(content) != 1 and found.wire is not WIRE36:
            raise LocalError("20/ZRE carries exactly one frame of content")
        if found.backlog and not self._takes(found):
            raise Busy(f"{len(found.backlog)} messages wait for peer {peer}")
        effects: list[Effect] = []
        self._links.carry(found, found.wire.whisper, content, now, effects)
        return effects

    def shout(self, group: str, content: Sequence[bytes], now: float) -> Sequence[Effect]:
        """Send a message to every peer in a group."""
        state = self._state
        members = state.groups.get(group)
        if not members:
            check_group(group, self.options)
            return NOTHING
        if state.congested and not self.has_room(group):
            raise Busy(f"too many messages wait for members of {group!r}")
        effects: list[Effect] = []
        carry, several = self._links.carry, len(content) != 1
        for peer in members.values():
            wire = peer.wire
            if several and wire is not WIRE36:
                what = f"cannot hear a shout of {len(content)} frames"
                effects.append(Tell(Warning(peer.uuid, what)))
            else:
                carry(peer, wire.shout(group), content, now, effects)
        return effects

    def has_room(self, to: UUID | str) -> bool:
        """Whether a whisper to this peer, or a shout to this group, would be taken now."""
        if isinstance(to, UUID):
            peer = self._state.peers.get(to.bytes)
            return peer is None or self._takes(peer)
        return all(self._takes(peer) for peer in self._state.groups.get(to, {}).values())

    def _takes(self, peer: Peer) -> bool:
        return self.options.full_queue is not FullQueue.WAIT or self._links.has_room(peer)

    def writable(self, peer: Peer, now: float) -> Sequence[Effect]:
        """A peer's socket has room again; without this word `tick` tries every few milliseconds."""
        effects: list[Effect] = []
        if not peer.closed and peer in self._state.congested:
            self._links.flush(peer, now, effects)
        return effects

    def set_header(self, name: str, value: str) -> None:
        """Say something more of ourselves in every HELLO from now on."""
        check_header(name, self.options)
        before = dict(self.own.headers)
        self.own.headers[name] = value
        try:
            check_greeting(self.own, self.options)
        except LocalError:
            self.own.headers = before
            raise

    # What is known

    def peers(self) -> list[KnownPeer]:
        """The peers that have entered."""
        return [known(peer) for peer in self._state.entered()]

    def find_peer(self, peer: UUID) -> KnownPeer | None:
        """One peer that has entered."""
        found = self._state.peers.get(peer.bytes)
        return known(found) if found is not None and found.entered else None

    def groups(self) -> list[str]:
        """The groups that we are in."""
        return list(self.own.groups)

    def peer_groups(self) -> dict[str, list[UUID]]:
        """The groups that peers are in, and which peers."""
        groups = self._state.groups.items()
        return {group: [peer.uuid for peer in members.values()] for group, members in groups}

    def leader(self, group: str) -> UUID | None:
        """Who was elected to lead a group."""
        return self._elections.leaders.get(group)

    def services(self) -> dict[str, dict[UUID, str]]:
        """What peers offer: for each service, announced by a header, its endpoint at each peer."""
        found: dict[str, dict[UUID, str]] = {}
        for peer in self._state.entered():
            for name, value in peer.headers.items():
                if name.startswith("X-") and can_be_dialled(value):
                    found.setdefault(name, {})[peer.uuid] = value
        return found
