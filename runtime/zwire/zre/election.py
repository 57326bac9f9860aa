"""Elections of 36/ZRE: one leader for each group that somebody contests.

On the wire this is what zyre does. A contestant proposes itself by ELECT to all members. Whoever hears
of a smaller identity than the best so far takes it over, remembers from whom, and passes it on to all
others; who has heard the same proposal from every member sends it back to where it came from. The
contestant that has it back from everybody has won and says LEADER, which each member repeats once; when
all have said it, the election is over.

No message says which election it belongs to, so words of an older one arrive in a younger one, and who
counts them finds the wrong leader, or none. Hence nothing is counted: each node remembers who stands,
which in a full mesh it hears from the contestant itself, and knows the leader to be the smallest of
them. The words only tell when to believe it: when everybody has repeated LEADER, or when the patience
is over, for in between members come and go and some wait for what will never come. Members that speak
20/ZRE have no word for any of this and do not take part.
"""

from __future__ import annotations

from dataclasses import dataclass, field
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
class _Wave:
    """The best proposal so far, and who is known to have heard of it."""

    best: bytes
    father: Peer | None = None  # who told us of it
    supporters: set[bytes] = field(default_factory=set)  # who said ELECT
    repeaters: set[bytes] = field(default_factory=set)  # who said LEADER
    answered: bool = False  # we sent it back, or said LEADER for ourselves
    repeated: bool = False  # we repeated LEADER


class Elections:
    """Who stands in which group, the elections under way, and the leaders found."""

    def __init__(self, state: State, links: Links) -> None:
        self._state = state
        self._links = links
        self._own = state.own.key
        self._standing: dict[str, set[bytes]] = {}  # peers in a group that would lead it
        self._waves: dict[str, _Wave] = {}
        self._settle_at: dict[str, float] = {}
        self.leaders: dict[str, UUID] = {}

    # What happens to a group

    def contest(self, group: str, now: float, effects: list[Effect]) -> None:
        """Stand for election, if we are in the group and not alone, and nobody better stands."""
        if self._best(group) == self._own and self._voters(group):
            self._propose(group, now, effects)

    def joined(self, peer: Peer, group: str, now: float, effects: list[Effect]) -> None:
        """A member came: it has to hear from all of us whom we support."""
        wave = self._waves.get(group)
        if wave is not None and wave.best != self._own and peer.wire is WIRE36:
            self._links.say(peer, WIRE36.elect(group, text_of(wave.best)), now, effects)
        if group in self._state.contested:
            self.contest(group, now, effects)

    def left(self, group: str) -> None:
        """We left a group: its elections are none of our business."""
        self._standing.pop(group, None)
        self.leaders.pop(group, None)
        self._end(group)

    def lost(self, peer: Peer, group: str, now: float, effects: list[Effect]) -> None:
        """A member is gone; its vote will not come, and if it led, a new leader is needed."""
        self._standing.get(group, set()).discard(peer.key)
        if self.leaders.get(group) == peer.uuid:
            del self.leaders[group]
        wave = self._waves.get(group)
        if wave is not None and wave.best == peer.key:
            del self._waves[group]
            wave = None
        if not self._voters(group):
            self._end(group)
        elif wave is not None:
            self._advance(group, wave, now, effects)
        elif self._best(group) == self._own:
            self._propose(group, now, effects)
        else:
            self._wait_for_the_best(group, now)

    # What is heard

    def elect(
        self, peer: Peer, group: str, challenger: str, now: float, effects: list[Effect]
    ) -> None:
        """A member passed on a proposal."""
        key = self._heard(peer, group, challenger)
        if key is None:
            return
        wave = self._waves.get(group)
        if wave is None or key < wave.best:
            best = self._best(group)
            if key == self._own:
                return  # an echo of what is over
            if wave is None and best is not None and best < key:
                if best == self._own:  # somebody has not heard of us
                    self._propose(group, now, effects)
                return
            wave = self._waves[group] = _Wave(key, peer)
            self._elect(group, wave, now, effects)
        elif key > wave.best:
            return  # we know a better one
        elif key == peer.key and key in wave.supporters:  # the contestant began again
            wave.father = peer
            wave.repeaters.clear()
            wave.answered = wave.repeated = False
            self._elect(group, wave, now, effects)
        wave.supporters.add(peer.key)
        self._advance(group, wave, now, effects)

    def lead(self, peer: Peer, group: str, leader: str, now: float, effects: list[Effect]) -> None:
        """A member said who leads."""
        key = self._heard(peer, group, leader)
        if key is None:
            return
        wave = self._waves.get(group)
        if wave is None or wave.best != key:
            # Of another election. It is not repeated: zyre ends itself on a LEADER without an ELECT.
            self._wait_for_the_best(group, now)
            return
        if key != self._own and not wave.repeated:
            wave.repeated = True
            self._lead(group, key, now, effects)
        wave.repeaters.add(peer.key)
        self._advance(group, wave, now, effects)

    def _heard(self, peer: Peer, group: str, text: str) -> bytes | None:
        """Whom a word of the election names; None where it does not count."""
        key = key_of(text)
        members = self._state.groups.get(group, {})
        if key is None or group not in self._state.own.groups or peer.key not in members:
            return None
        if key == peer.key:
            self._standing.setdefault(group, set()).add(key)
        return key

    # Time

    def next_deadline(self) -> float | None:
        """When an election is to be settled."""
        return min(self._settle_at.values(), default=None)

    def tick(self, now: float, effects: list[Effect]) -> None:
        """Settle the elections that took too long."""
        for group in [one for one, due in self._settle_at.items() if due <= now]:
            self._end(group)
            best = self._best(group)
            if best is None:
                continue
            if best == self._own:
                for peer in self._voters(group):
                    self._links.say(peer, WIRE36.elect(group, text_of(best)), now, effects)
                self._lead(group, best, now, effects)
            self._decide(group, best, effects)

    def _wait(self, group: str, now: float) -> None:
        self._settle_at[group] = now + self._state.options.election_patience

    def _wait_for_the_best(self, group: str, now: float) -> None:
        """See to it that the smallest of those who stand leads, sooner or later."""
        best = self._best(group)
        leader = self.leaders.get(group)
        known = best is None or (leader is not None and leader.bytes == best)
        if not known and group not in self._settle_at:
            self._wait(group, now)

    # Who is there

    def _best(self, group: str) -> bytes | None:
        """The smallest of those who stand."""
        state = self._state
        stands = list(self._standing.get(group, ()))
        if group in state.contested and group in state.own.groups:
            stands.append(self._own)
        return min(stands, default=None)

    def _voters(self, group: str) -> list[Peer]:
        if group not in self._state.own.groups:
            return []
        members = self._state.groups.get(group, {}).values()
        return [peer for peer in members if peer.wire.dialect is Dialect.ZRE36]

    # What follows

    def _propose(self, group: str, now: float, effects: list[Effect]) -> None:
        before = self._waves.get(group)
        wave = self._waves[group] = _Wave(self._own)
        if before is not None and before.best == self._own:
            wave.supporters = before.supporters
        self._elect(group, wave, now, effects)

    def _elect(self, group: str, wave: _Wave, now: float, effects: list[Effect]) -> None:
        self._wait(group, now)
        template = WIRE36.elect(group, text_of(wave.best))
        for peer in self._voters(group):
            if peer is not wave.father:
                self._links.say(peer, template, now, effects)

    def _lead(self, group: str, leader: bytes, now: float, effects: list[Effect]) -> None:
        template = WIRE36.leader(group, text_of(leader))
        for peer in self._voters(group):
            self._links.say(peer, template, now, effects)

    def _advance(self, group: str, wave: _Wave, now: float, effects: list[Effect]) -> None:
        """Do what is due once all have said ELECT, and once all have said LEADER."""
        voters = {peer.key for peer in self._voters(group)}
        if not wave.answered and voters <= wave.supporters:
            wave.answered = True
            if wave.best == self._own:
                self._lead(group, self._own, now, effects)
            elif wave.father is not None and not wave.father.closed:
                template = WIRE36.elect(group, text_of(wave.best))
                self._links.say(wave.father, template, now, effects)
        said = wave.answered if wave.best == self._own else wave.repeated
        if said and voters <= wave.repeaters and self._best(group) == wave.best:
            self._end(group)
            self._decide(group, wave.best, effects)

    def _end(self, group: str) -> None:
        self._waves.pop(group, None)
        self._settle_at.pop(group, None)

    def _decide(self, group: str, leader: bytes, effects: list[Effect]) -> None:
        uuid = UUID(bytes=leader)
        if self.leaders.get(group) != uuid:
            self.leaders[group] = uuid
            effects.append(Tell(LeaderElected(group, uuid, leader == self._own)))
