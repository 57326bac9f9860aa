"""How a peer is taken off the books, whatever the reason."""

from __future__ import annotations

from zwire.zre.effects import Disconnect, Effect, Tell
from zwire.zre.election import Elections
from zwire.zre.events import Left, Why
from zwire.zre.logs import Logs
from zwire.zre.peer import Peer
from zwire.zre.state import State
from zwire_protocols.zrelog import Event, Level

LEVELS = {
    Why.EXPIRED: Level.WARNING,
    Why.VANISHED: Level.WARNING,
    Why.REPLACED: Level.WARNING,
    Why.MESSAGES_LOST: Level.ERROR,
    Why.QUEUE_FULL: Level.ERROR,
}


class Departures:
    """Peers that go, and static ones that are then sought again."""

    def __init__(self, state: State, elections: Elections, logs: Logs) -> None:
        self._state = state
        self._elections = elections
        self._logs = logs

    def drop(self, peer: Peer, why: Why, now: float, effects: list[Effect]) -> None:
        """Forget a peer, and tell the user where the user knew it."""
        state = self._state
        effects.append(Disconnect(peer))
        self.part(peer, why, now, effects)
        state.strike(peer)
        for address in state.book.values():
            mine = bool(peer.key) and peer.key in (address.key, address.holder)
            if mine or address.endpoint in (peer.endpoint, peer.said_endpoint):
                address.seek_at = now + address.pause
                address.pause = min(2 * address.pause, state.options.expired_after)
                state.look(address.seek_at)

    def part(self, peer: Peer, why: Why, now: float, effects: list[Effect]) -> None:
        """Tell that an entered peer left, and take it out of its groups; its link may live on."""
        if not peer.entered:
            return
        state = self._state
        peer.entered = False
        groups = list(peer.groups)
        state.leave_all(peer)
        state.statistics.peers_left += 1
        effects.append(Tell(Left(peer.uuid, peer.name, why)))
        level = LEVELS.get(why, Level.INFO)
        self._logs.part(peer, effects)
        text = f"{peer.name or peer.uuid} left: {why.value}"
        self._logs.write(level, Event.EXIT, peer.key, text, now, effects)
        for group in groups:
            self._elections.lost(peer, group, now, effects)
