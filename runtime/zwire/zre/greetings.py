"""What a HELLO means: a new peer, an answer to our own, new numbers, another dialect, or a restart.

Only HELLO makes a peer out of a stranger. From a peer that has entered, a HELLO that follows ours within
a moment is its answer, or a link that it replaced because we spoke the other dialect; one in the place
where numbers wrap begins them anew, and is answered in kind. Any other means that the peer was restarted: it left and enters
again, and is greeted on a new connection, since it does not know us.
"""

from __future__ import annotations

from typing import Any

from zwire.zre.departures import Departures
from zwire.zre.doors import from_here
from zwire.zre.effects import Disconnect, Effect, Tell
from zwire.zre.election import Elections
from zwire.zre.endpoints import can_be_believed, can_be_dialled, host_and_port
from zwire.zre.events import Entered, JoinedGroup, LeftGroup, Why
from zwire.zre.keys import KEY_HEADER, z85_decode
from zwire.zre.links import LAST_COMMON, Links
from zwire.zre.logs import Logs
from zwire.zre.peer import NEVER, Alert, Peer
from zwire.zre.state import State
from zwire.zre.wire import WIRE36, WRAP_HEADER, Wire
from zwire_protocols.zrelog import Event, Level


class Greetings:
    """Peers that come."""

    def __init__(
        self, state: State, links: Links, elections: Elections, departures: Departures, logs: Logs
    ) -> None:
        self._state = state
        self._links = links
        self._elections = elections
        self._departures = departures
        self._logs = logs

    def hello(
        self,
        identity: bytes,
        speech: Wire,
        hello: Any,
        now: float,
        effects: list[Effect],
        source: str = "",
    ) -> None:
        """A HELLO came in, from this address if it is known."""
        state = self._state
        key, endpoint = identity[-16:], self._said_endpoint(speech.endpoint(hello))
        headers = hello.headers_view
        server_key = z85_decode(headers.get(KEY_HEADER, "")) if state.options.public_key else b""
        if key == state.own.key:
            state.statistics.messages_own += 1
            return
        # CURVE on our side and no key on the other's: speaking in the clear would be a downgrade.
        if hello.sequence != 1 or (state.options.public_key and not server_key):
            state.statistics.greetings_refused += 1
            return
        peer = state.peers.get(key) or self._recognise(key, endpoint, source)
        if peer is None:
            peer = self.require_peer(key, endpoint, server_key, speech, now, effects, here=True)
            if peer is None:
                return
            peer.owes_answer = False  # ours is the answer
        elif peer.entered and not self._is_answer(peer, speech, endpoint, now):
            if self._begins_numbers_anew(peer, identity, endpoint):
                self._links.greet(peer, now, effects)
            else:
                state.statistics.peers_restarted += 1
                self._departures.part(peer, Why.RESTARTED, now, effects)
                peer.spoken = {speech.dialect}
                peer.wrap = 0
                peer.server_key = server_key or peer.server_key
                self._follow(peer, endpoint, now, effects)
                self._links.open(peer, speech, now, effects)
        else:
            peer.owes_answer = False
        peer.spoken.add(speech.dialect)
        moved = self._follow(peer, endpoint, now, effects)
        if moved or peer.wire.dialect not in peer.spoken:
            self._links.open(peer, speech, now, effects)
        state.hear_as(peer, identity, speech)
        peer.heard = hello.sequence
        peer.said_endpoint = endpoint
        peer.heard_at = now
        peer.leaves_at = NEVER
        peer.interrupted = False
        peer.alert = Alert.CALM
        self._forget_stand_ins(peer, now, effects)
        state.locate(peer)
        self._enter(peer, speech.name(hello), headers, hello, now, effects)

    def _said_endpoint(self, endpoint: str) -> str:
        """Where a HELLO says that its sender is; empty: who was found otherwise is reached there."""
        own = self._state.own
        endpoint = from_here(endpoint, own.doors)
        ours = endpoint in (own.endpoint, *(door.endpoint for door in own.doors))
        return endpoint if can_be_believed(endpoint, own.endpoint) and not ours else ""

    def require_peer(
        self,
        key: bytes,
        endpoint: str,
        server_key: bytes,
        wire: Wire,
        now: float,
        effects: list[Effect],
        *,
        here: bool = False,
    ) -> Peer | None:
        """Connect to a new peer and greet it; None where it cannot be, or there are too many.

        `here` is for one that has spoken to us: it comes before those of whom we only heard.
        """
        state = self._state
        way = can_be_dialled(endpoint) and self._make_way(endpoint, key, here, now, effects)
        if not (way and self._make_room(here, now, effects)):
            state.statistics.greetings_refused += 1
            return None
        peer = Peer(key, endpoint, wire, now, server_key)
        if key:
            state.peers[key] = peer
        else:
            state.unknown[endpoint] = peer
        self._links.open(peer, wire, now, effects)
        state.look(now + state.options.expired_after)
        return peer

    def _make_way(
        self, endpoint: str, key: bytes, here: bool, now: float, effects: list[Effect]
    ) -> bool:
        """See to it that nobody else is at an endpoint; False where somebody has to be kept.

        A second connection with our identity would fight with the first, and each peer hear what is for
        the other. Who is there is kept while it is alive and our link to it has held: whoever else says
        that it is there lies. If the link broke, another process may have begun at its end; then who
        greets from there replaces who was there before, but not who only sent a beacon.
        """
        other = self._state.places.get(endpoint)
        if other is None or other.key == key:
            return True
        alive = other.entered and other.alert is Alert.CALM
        if alive and not (here and other.interrupted):
            return False
        if not here and now < other.answer_until:
            return False
        self._departures.drop(other, Why.REPLACED, now, effects)
        return True

    def _make_room(self, at_once: bool, now: float, effects: list[Effect]) -> bool:
        state = self._state
        if len(state.peers) < state.options.max_peers:
            return True
        for peer in state.peers.values():
            # Each has a moment to answer, or a flood of names would open and close sockets without end.
            if not peer.entered and (at_once or now >= peer.answer_until):
                self._departures.drop(peer, Why.EXPIRED, now, effects)
                return True
        return False

    def _recognise(self, key: bytes, endpoint: str, source: str) -> Peer | None:
        """The peer without a name that we connected to by its endpoint, if this is it.

        A place has more names than one: then it counts where our link ends, or that the HELLO came from
        the host to which it leads. That the ports are alike says little: some give all nodes the same.
        """
        port = host_and_port(endpoint)[1]
        for known_as, peer in self._state.unknown.items():
            ends = peer.reached or known_as
            same_host = source and host_and_port(ends) == (source, port)
            if endpoint in (known_as, peer.reached) or same_host:
                return self.adopt(known_as, key)
        return None

    def adopt(self, endpoint: str, key: bytes) -> Peer | None:
        """Learn who answers at an endpoint that we connected to without knowing."""
        peer = self._state.unknown.pop(endpoint, None)
        if peer is not None:
            peer.know(key)
            self._state.peers[key] = peer
        return peer

    def reach(self, peer: Peer, endpoint: str, now: float, effects: list[Effect]) -> None:
        """Learn where a link ends; one without a name may end at a peer that we know otherwise."""
        peer.reached = endpoint
        holder = self._state.places.get(endpoint)
        if not peer.key and holder is not None and holder.key:
            self._forget_stand_in(peer, holder, now, effects)

    def _forget_stand_ins(self, peer: Peer, now: float, effects: list[Effect]) -> None:
        """Close the links to endpoints that turned out to be those of a peer known otherwise."""
        places = (peer.endpoint, peer.said_endpoint)
        for known_as, stand_in in list(self._state.unknown.items()):
            if known_as in places or stand_in.reached in places:
                self._forget_stand_in(stand_in, peer, now, effects)

    def _forget_stand_in(
        self, stand_in: Peer, peer: Peer, now: float, effects: list[Effect]
    ) -> None:
        effects.append(Disconnect(stand_in))
        self._state.strike(stand_in)
        if stand_in.endpoint in self._state.book:
            self._state.book[stand_in.endpoint].holder = peer.key
        # To the peer both links were one: it closed the first for the second, and what was on its way
        # is lost. So begin anew.
        self._links.open(peer, peer.wire, now, effects)

    def _follow(self, peer: Peer, endpoint: str, now: float, effects: list[Effect]) -> bool:
        """Whether a peer moved, so that we have to dial it at the place that its HELLO names.

        A host has more than one address, and the one that we found is as good as any; but a process
        has one port. Only who gave us an address to keep knows better: it may be behind a gateway.
        """
        if peer.endpoint in self._state.book or not can_be_dialled(endpoint):
            return False
        said_before = peer.said_endpoint
        stayed = host_and_port(endpoint)[1] == host_and_port(peer.endpoint)[1]
        if stayed and endpoint == (said_before or endpoint):
            return False
        if not self._make_way(endpoint, peer.key, True, now, effects):
            return False
        peer.endpoint = peer.said_endpoint = endpoint
        return True

    def _is_answer(self, peer: Peer, speech: Wire, endpoint: str, now: float) -> bool:
        expected = peer.owes_answer or speech.dialect not in peer.spoken
        # At another port there is another process.
        same = host_and_port(endpoint)[1] == host_and_port(peer.said_endpoint)[1]
        return expected and same and now < peer.answer_until

    def _begins_numbers_anew(self, peer: Peer, identity: bytes, endpoint: str) -> bool:
        wraps = peer.speech is WIRE36 and peer.heard >= LAST_COMMON
        return wraps and identity == peer.identity and endpoint == peer.said_endpoint

    def _enter(
        self,
        peer: Peer,
        name: str,
        headers: dict[str, str],
        hello: Any,
        now: float,
        effects: list[Effect],
    ) -> None:
        state = self._state
        if headers.pop(WRAP_HEADER, ""):
            peer.wrap = 65536
        headers.pop(KEY_HEADER, None)
        if peer.entered:
            self._logs.part(peer, effects)  # its headers may have changed
        peer.name, peer.headers, peer.status = name, headers, hello.status
        self._logs.meet(peer, effects)
        if not peer.entered:
            peer.entered = True
            state.statistics.peers_entered += 1
            endpoint = peer.said_endpoint or peer.endpoint
            dialect = peer.wire.dialect
            effects.append(Tell(Entered(peer.uuid, name, endpoint, dict(headers), dialect)))
            text = f"{name or peer.uuid} entered at {endpoint}"
            self._logs.write(Level.INFO, Event.ENTER, peer.key, text, now, effects)
            for known_as in (peer.endpoint, endpoint):
                if known_as in state.book:
                    state.book[known_as].pause = state.options.seek_again
        state.look(now + state.options.evasive_after)
        groups = dict.fromkeys(hello.groups[: state.options.max_groups_of_peer])
        for group in [one for one in peer.groups if one not in groups]:
            self.leave_group(peer, group, now, effects)
        for group in [one for one in groups if one not in peer.groups]:
            self.join_group(peer, group, now, effects)

    def join_group(self, peer: Peer, group: str, now: float, effects: list[Effect]) -> None:
        """A peer is in a group that it was not in."""
        self._state.join(peer, group)
        effects.append(Tell(JoinedGroup(peer.uuid, peer.name, group)))
        text = f"{peer.name or peer.uuid} joined {group}"
        self._logs.write(Level.INFO, Event.JOIN, peer.key, text, now, effects)
        self._elections.joined(peer, group, now, effects)

    def leave_group(self, peer: Peer, group: str, now: float, effects: list[Effect]) -> None:
        """A peer is no longer in a group that it was in."""
        self._state.leave(peer, group)
        effects.append(Tell(LeftGroup(peer.uuid, peer.name, group)))
        text = f"{peer.name or peer.uuid} left {group}"
        self._logs.write(Level.INFO, Event.LEAVE, peer.key, text, now, effects)
        self._elections.lost(peer, group, now, effects)
