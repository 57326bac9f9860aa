"""Time: who has been silent, who has not answered our greeting, whom to seek, what still waits.

Any message and any beacon shows that a peer is alive. One that shows nothing is sent PING, and only
such a one; it is told to the user as evasive, then as silent, and at last it has left.
"""

from __future__ import annotations

from zwire.zre.departures import Departures
from zwire.zre.effects import Effect, Tell
from zwire.zre.events import Evasive, Silent, Why
from zwire.zre.greetings import Greetings
from zwire.zre.links import Links
from zwire.zre.peer import NEVER, Alert, Peer
from zwire.zre.state import Address, State
from zwire.zre.wire import WIRES

GRAIN = 0.005  # seconds between two looks at all peers


class Watch:
    """The peers and the clock."""

    def __init__(
        self, state: State, links: Links, greetings: Greetings, departures: Departures
    ) -> None:
        self._state = state
        self._links = links
        self._greetings = greetings
        self._departures = departures

    def tick(self, now: float, drained: bool, effects: list[Effect]) -> None:
        """Do what is due; with `drained` false nobody is judged: it may have spoken meanwhile."""
        state = self._state
        if now < state.look_at:
            return
        for peer, when in list(state.congested.items()):
            if when <= now:
                self._links.flush(peer, now, effects)
        earliest = state.look_at = NEVER
        if drained:
            for peer in list(state.everyone()):
                earliest = min(earliest, self._judge(peer, now, effects))
        for address in state.book.values():
            earliest = min(earliest, self._seek(address, now, effects))
        earliest = min(earliest, state.look_at, *state.congested.values())
        state.look_at = max(earliest, now + GRAIN) if drained else now + GRAIN

    def _judge(self, peer: Peer, now: float, effects: list[Effect]) -> float:
        """See to one peer; when it is next to be looked at."""
        if now >= peer.leaves_at:
            self._departures.drop(peer, Why.GOODBYE, now, effects)
            return NEVER
        if peer.entered:
            return min(peer.leaves_at, self._judge_entered(peer, now, effects))
        options = self._state.options
        if peer.key and now >= peer.heard_at + options.expired_after:
            self._departures.drop(peer, Why.EXPIRED, now, effects)
            return NEVER
        if now >= peer.greet_at:
            self._greet_again(peer, now, effects)
        return min(peer.greet_at, peer.heard_at + options.expired_after if peer.key else NEVER)

    def _greet_again(self, peer: Peer, now: float, effects: list[Effect]) -> None:
        # Who sends beacons also hears ours, and greets us in its own dialect. An address that somebody
        # gave us may belong to a peer that knows nothing of us but our HELLO, so both are tried there.
        dialects = self._state.options.dialects
        wire = peer.wire
        if peer.endpoint in self._state.book and len(dialects) > 1:
            wire = WIRES[dialects[(dialects.index(wire.dialect) + 1) % len(dialects)]]
        self._links.open(peer, wire, now, effects)

    def _judge_entered(self, peer: Peer, now: float, effects: list[Effect]) -> float:
        options = self._state.options
        silence = now - peer.heard_at
        if silence >= options.expired_after:
            self._departures.drop(peer, Why.EXPIRED, now, effects)
            return NEVER
        if silence < options.evasive_after:
            return peer.heard_at + options.evasive_after
        if now >= peer.pinged_at + options.evasive_after:
            self._ping(peer, now, effects)
        # Where there are no beacons, who has nothing to say is silent and well: first it may answer.
        doubt_at = peer.asked_at + min(options.answer_within, options.evasive_after)
        if peer.alert is Alert.CALM and now >= doubt_at:
            peer.alert = Alert.EVASIVE
            effects.append(Tell(Evasive(peer.uuid, peer.name)))
        if silence >= options.silent_after and peer.alert is not Alert.SILENT:
            peer.alert = Alert.SILENT
            effects.append(Tell(Silent(peer.uuid, peer.name)))
        due = [peer.pinged_at + options.evasive_after, peer.heard_at + options.expired_after]
        if peer.alert is not Alert.SILENT:
            due.append(peer.heard_at + options.silent_after)
        if peer.alert is Alert.CALM:
            due.append(doubt_at)
        return min(due)

    def _ping(self, peer: Peer, now: float, effects: list[Effect]) -> None:
        peer.pinged_at = now
        if peer.asked_at <= peer.heard_at:
            peer.asked_at = now
        if not peer.backlog:  # which would say more than a PING
            self._links.say(peer, peer.wire.ping, now, effects)

    def _seek(self, address: Address, now: float, effects: list[Effect]) -> float:
        """Connect to an address that is kept, unless it is somebody's already."""
        if now < address.seek_at:
            return address.seek_at
        state = self._state
        address.seek_at = NEVER
        if address.endpoint in state.places or (address.key and address.key in state.peers):
            return NEVER
        wire = state.preferred
        begun = self._greetings.require_peer(
            address.key, address.endpoint, address.server_key, wire, now, effects
        )
        if begun is None:
            address.seek_at = now + state.options.expired_after
        return address.seek_at
