"""Elections of 36/ZRE: one leader for each group that somebody contests.

A contestant proposes itself by ELECT to all members. Whoever hears a smaller identity than the best so
far takes it over, remembers from whom, and passes it on to all others; who has heard the same proposal
from every member sends it back to where it came from. The contestant that has it back from everybody
has won and says LEADER, which each member repeats once; when all have said it, the election is over.

Membership may change meanwhile, and then some wait for what will never come. In a full mesh every
proposal reaches every member directly, so a contestant that nobody has outbid within the patience is
the smallest there is: it then says ELECT and LEADER without further ado. Members that speak 20/ZRE
have no word for any of this and do not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from zwire.zre.effects import Effect, Tell
from zwire.zre.events import LeaderElected
from zwire.zre.links import Links
from zwire.zre.options import Dialect
from zwire.zre.peer import Peer
from zwire.zre.state import State
from zwire.zre.wire import WIRE36


def text_of(key: bytes) -> str:
    """A UUID as elections write it."""
    return key.hex().upper()


def key_of(text: str) -> bytes | None:
    """The UUID that was written so; None where it is none."""
    try:
        key = bytes.fromhex(text)
    except ValueError:
        return None
    return key if len(key) == 16 and len(text) == 32 else None


@dataclass(slots=True, eq=False)
class _Election:
    settle_at: float
    best: str = ""  # the identity proposed; empty: none yet
    father: Peer | None = None  # who told us of it
    echoes: int = 0
    leaders: int = 0
    leader: str = ""


class Elections:
    """The elections under way, and the leaders found."""

    def __init__(self, state: State, links: Links) -> None:
        self._state = state
        self._links = links
        self._own = text_of(state.own.key)
        self._running: dict[str, _Election] = {}
        self.leaders: dict[str, UUID] = {}

    def contest(self, group: str, now: float, effects: list[Effect]) -> None:
        """Stand for election, if we are in the group and not alone."""
        self._running.pop(group, None)
        if group not in self._state.contested or group not in self._state.own.groups:
            return
        if self._voters(group):
            self._running[group] = self._begun(now, self._own)
            self._elect(group, self._own, None, now, effects)

    def left(self, group: str) -> None:
        """We left a group: its elections are none of our business."""
        self._running.pop(group, None)
        self.leaders.pop(group, None)

    def lost(self, peer: Peer, group: str, now: float, effects: list[Effect]) -> None:
        """A member is gone; its vote will not come, and if it led, a new leader is needed."""
        led = self.leaders.get(group) == peer.uuid
        if led:
            del self.leaders[group]
        if led or group in self._running:
            self.contest(group, now, effects)

    def elect(
        self, peer: Peer, group: str, challenger: str, now: float, effects: list[Effect]
    ) -> None:
        """A member passed on a proposal."""
        if group not in self._state.own.groups or key_of(challenger) is None:
            return
        election = self._running.get(group)
        if election is None:
            election = self._running[group] = self._begun(now, "")
        if not election.best or challenger < election.best:
            election = self._running[group] = self._begun(now, challenger)
            election.father = peer
            self._elect(group, challenger, peer, now, effects)
        if challenger != election.best:
            return  # we know a better one
        election.echoes += 1
        if election.echoes != len(self._voters(group)):
            return
        if election.best == self._own:
            self._lead(group, self._own, now, effects)
        elif election.father is not None and not election.father.closed:
            template = WIRE36.elect(group, election.best)
            self._links.say(election.father, template, now, effects)

    def lead(self, group: str, leader: str, now: float, effects: list[Effect]) -> None:
        """A member said who leads."""
        if group not in self._state.own.groups or key_of(leader) is None:
            return
        election = self._running.get(group)
        if election is None:
            if leader == self._known_leader(group):
                return  # the last words of an election that is over
            election = self._running[group] = self._begun(now, leader)
        if leader != self._own and not election.leaders:
            self._lead(group, leader, now, effects)
        election.leaders += 1
        election.leader = leader
        if election.leaders >= len(self._voters(group)):
            self._finish(group, leader, effects)

    def next_deadline(self) -> float | None:
        """When an election is to be settled."""
        return min((one.settle_at for one in self._running.values()), default=None)

    def tick(self, now: float, effects: list[Effect]) -> None:
        """Settle the elections that took too long."""
        for group, election in list(self._running.items()):
            if now < election.settle_at:
                continue
            if election.best == self._own:
                # LEADER alone would be a riddle to a member that has forgotten the election.
                self._elect(group, self._own, None, now, effects)
                self._lead(group, self._own, now, effects)
                self._finish(group, self._own, effects)
            elif election.leader:
                self._finish(group, election.leader, effects)
            else:
                del self._running[group]

    def _known_leader(self, group: str) -> str:
        leader = self.leaders.get(group)
        return "" if leader is None else text_of(leader.bytes)

    def _begun(self, now: float, best: str) -> _Election:
        return _Election(now + self._state.options.election_patience, best)

    def _voters(self, group: str) -> list[Peer]:
        members = self._state.groups.get(group, {}).values()
        return [peer for peer in members if peer.wire.dialect is Dialect.ZRE36]

    def _elect(
        self, group: str, best: str, but: Peer | None, now: float, effects: list[Effect]
    ) -> None:
        template = WIRE36.elect(group, best)
        for peer in self._voters(group):
            if peer is not but:
                self._links.say(peer, template, now, effects)

    def _lead(self, group: str, leader: str, now: float, effects: list[Effect]) -> None:
        template = WIRE36.leader(group, leader)
        for peer in self._voters(group):
            self._links.say(peer, template, now, effects)

    def _finish(self, group: str, leader: str, effects: list[Effect]) -> None:
        self._running.pop(group, None)
        key = key_of(leader)
        if key is None:
            return
        self.leaders[group] = UUID(bytes=key)
        effects.append(Tell(LeaderElected(group, self.leaders[group], key == self._state.own.key)))
