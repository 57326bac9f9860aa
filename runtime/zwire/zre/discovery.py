"""How peers are found: by their beacons, or because somebody told us of an endpoint."""

from __future__ import annotations

from collections.abc import Sequence

from zwire.errors import LocalError
from zwire.zre.beacons import is_foreign, read_beacon
from zwire.zre.effects import NOTHING, Effect
from zwire.zre.endpoints import can_be_dialled, host_and_port, tcp_endpoint
from zwire.zre.greetings import Greetings
from zwire.zre.links import Links
from zwire.zre.options import Dialect
from zwire.zre.peer import NEVER, Alert, Peer
from zwire.zre.state import Address, State

MAX_FAMILIAR = 8  # beacons of one peer that are known by heart: it has an address or two


class Discovery:
    """Beacons of others, and addresses to seek."""

    def __init__(self, state: State, links: Links, greetings: Greetings) -> None:
        self._state = state
        self._links = links
        self._greetings = greetings
        self._secure = bool(state.options.public_key)

    def overhear(self, octets: bytes, address: str, now: float) -> bool:
        """Take a beacon that tells nothing but that a peer is still there; whether this was one."""
        state = self._state
        peer = state.familiar.get((octets, address))
        if peer is None or not peer.entered or peer.alert:
            return False
        peer.heard_at = now
        state.statistics.beacons_heard += 1
        return True

    def beacon(self, octets: bytes, address: str, now: float) -> Sequence[Effect]:
        """A datagram came from an address; what is no good beacon is dropped and counted."""
        state, statistics = self._state, self._state.statistics
        said = read_beacon(octets, self._secure)
        if said is None:
            if is_foreign(octets, self._secure):
                statistics.beacons_foreign += 1
            else:
                statistics.beacons_malformed += 1
            return NOTHING
        if said.key == state.own.key:
            statistics.beacons_own += 1
            return NOTHING
        peer = state.peers.get(said.key)
        if said.port == 0:
            return self._goodbye(peer, address, now)
        statistics.beacons_heard += 1
        if peer is not None:
            peer.heard_at = now
            if peer.alert:
                peer.alert = Alert.CALM
                peer.pinged_at = -NEVER
            if peer.entered and len(peer.beacons) < MAX_FAMILIAR:
                peer.beacons.add((octets, address))
                state.familiar[octets, address] = peer
            return self._look_where_it_is(peer, address, said.port, now)
        endpoint = tcp_endpoint(address, said.port)
        effects: list[Effect] = []
        peer = self._greetings.adopt(endpoint, said.key) or self._greetings.require_peer(
            said.key, endpoint, said.public_key, state.preferred, now, effects
        )
        if peer is not None:
            peer.heard_at = now
        return effects

    def _look_where_it_is(
        self, peer: Peer, address: str, port: int, now: float
    ) -> Sequence[Effect]:
        # A peer that has entered greets us when it moves; one that has not may have moved before.
        if peer.entered or port == host_and_port(peer.endpoint)[1]:
            return NOTHING
        effects: list[Effect] = []
        endpoint = tcp_endpoint(address, port)
        if peer.endpoint not in self._state.book and endpoint not in self._state.places:
            peer.endpoint = endpoint
            self._links.open(peer, peer.wire, now, effects)
        return effects

    def _goodbye(self, peer: Peer | None, address: str, now: float) -> Sequence[Effect]:
        # In 20/ZRE port 0 is no goodbye but a mistake; and nobody says goodbye for another. Anybody
        # can send beacons in a peer's name, so that only where we reach it, or it says it is, counts.
        if peer is None or Dialect.ZRE36 not in peer.spoken or address not in peer.hosts:
            self._state.statistics.beacons_malformed += 1
            return NOTHING
        self._state.statistics.beacons_heard += 1
        # It may have overtaken the last messages of who leaves, and who is back already greets us.
        peer.leaves_at = min(peer.leaves_at, now + self._state.options.grace)
        self._state.look(peer.leaves_at)
        return NOTHING

    def keep(self, key: bytes, endpoint: str, server_key: bytes, now: float) -> None:
        """Seek an endpoint from now on."""
        if not can_be_dialled(endpoint):
            raise LocalError(f"{endpoint!r} is no endpoint to connect to")
        state = self._state
        if endpoint in state.book or key == state.own.key or endpoint == state.own.endpoint:
            return
        if len(state.book) >= state.options.max_peers:
            state.statistics.greetings_refused += 1
            return
        pause = state.options.seek_again
        state.book[endpoint] = Address(endpoint, key, server_key, now, pause)
        state.look(now)
