"""Random elections on a simulated network, and a member that follows zyre's rules to the letter."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any
from uuid import UUID

from support.zre_network import Network, Station, Weather
from zwire.zre.effects import Effect, Tell
from zwire.zre.election import key_of, text_of
from zwire.zre.events import LeaderElected
from zwire.zre.peer import Peer
from zwire.zre.wire import WIRE36

GROUP = "g"
QUIET = 50.0  # seconds in which a killed member is missed, and an election after that is settled


class Campaign:
    """Two to six nodes that stand for election, join, leave, break down and come back."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        weather = Weather(jitter=chance.choice((0.0, 0.02, 0.02, 0.3)))
        self.network = Network(chance.random(), weather)
        numbers = list(range(1, chance.randint(2, 6) + 1))
        chance.shuffle(numbers)
        self.ambitious = set(numbers[: chance.randint(1, len(numbers))])
        for number in numbers:
            self.network.start(number, groups=[GROUP] if chance.random() < 0.7 else [])
        self.network.run(2.0)

    def someone(self) -> Station:
        """Any node."""
        return self.chance.choice(self.network.stations)

    def contest(self) -> None:
        """A node stands for election, if it ever would."""
        self.let_stand(self.someone())

    def all_contest(self) -> None:
        """Everybody stands who ever would, one shortly after another."""
        for station in self.chance.sample(self.network.stations, len(self.network.stations)):
            self.let_stand(station)
            self.network.run(self.chance.random() * 0.05)

    def let_stand(self, station: Station) -> None:
        if station.node.uuid.bytes[0] in self.ambitious:
            station.act(station.node.contest(GROUP, self.network.now))

    def join(self) -> None:
        """A node joins, or is there already."""
        station = self.someone()
        station.act(station.node.join(GROUP, self.network.now))

    def leave(self) -> None:
        """A node leaves the group."""
        station = self.someone()
        station.act(station.node.leave(GROUP, self.network.now))

    def go(self) -> None:
        """A node ends, politely or not."""
        if len(self.network.stations) > 2:
            if self.chance.random() < 0.5:
                self.network.stop(self.someone())
            else:
                self.network.kill(self.someone(), noticed=self.chance.random() < 0.7)

    def come_again(self) -> None:
        """A node breaks down and begins anew under its name; it no longer stands."""
        station = self.someone()
        self.network.kill(station)
        self.network.run(self.chance.choice((1.5, 3.0)))
        number = int(station.address.rpartition(".")[2])
        self.network.start(number, uuid=station.node.uuid, port=station.port + 1, groups=[GROUP])

    def part(self) -> None:
        """Two hosts cannot reach each other, until all can."""
        self.network.part(self.someone(), self.someone())

    def heal(self) -> None:
        """Everybody can reach everybody again."""
        self.network.heal()

    def step(self) -> None:
        """Something happens."""
        deeds = {
            self.contest: 4,
            self.all_contest: 2,
            self.join: 4,
            self.leave: 3,
            self.go: 1,
            self.come_again: 1,
            self.part: 1,
            self.heal: 1,
        }
        (deed,) = self.chance.choices(list(deeds), list(deeds.values()))
        deed()
        self.network.run(self.chance.choice((0.0, 0.005, 0.02, 0.05, 0.5, 6.0)))

    def turmoil(self) -> None:
        """Much happens while the words of what happened before are still on their way."""
        for _ in range(self.chance.randrange(12)):
            deed = self.chance.choice((self.contest, self.contest, self.join, self.leave, self.go))
            deed()
            self.network.run(self.chance.random() * 0.03)

    def rest(self) -> None:
        """After some quiet all members know, and were told, the smallest of those who stand."""
        self.network.heal()
        self.network.run(QUIET)
        self.network.check_quiet()
        check_agreement(self.network)


def check_agreement(network: Network) -> None:
    """All members of the group know one leader: the smallest of those who stand."""
    members = [one for one in network.stations if GROUP in one.node.groups()]
    stand = [one.node.uuid for one in members if GROUP in one.node._state.contested]
    for station in network.stations:
        known = station.node.leader(GROUP)
        if station not in members or not stand:
            assert known is None, f"{station.node.own.name} follows {known} in what has no leader"
        elif len(members) > 1:
            assert known == min(stand), f"{station.node.own.name} follows {known} of {stand}"
        else:
            assert known in (None, station.node.uuid), "it leads itself or is alone"
        if known is not None:
            told = [one for one in station.events if isinstance(one, LeaderElected)]
            expected = LeaderElected(GROUP, known, known == station.node.uuid)
            assert told[-1:] == [expected], "it was told of another, or of nobody"


def campaign(chance: Random, steps: int = 8) -> None:
    """A whole campaign."""
    life = Campaign(chance)
    for _ in range(steps):
        life.step()
    life.turmoil()
    life.rest()


@dataclass(slots=True)
class _Count:
    best: bytes | None
    father: Peer | None = None
    elects: int = 0
    leaders: int = 0


class Counting:
    """Elections as zyre holds them: words are counted, each newcomer means a new one, and a LEADER
    without an ELECT before it ends the program."""

    def __init__(self, station: Station) -> None:
        node: Any = station.node
        self._state = node._state
        self._links = node._links
        self._own = node.own.key
        self._count: dict[str, _Count] = {}
        self.leaders: dict[str, UUID] = {}
        for part in (node._departures, node._greetings, node._hearing, node):
            part._elections = self

    def contest(self, group: str, now: float, effects: list[Effect]) -> None:
        """It only means to stand when somebody joins."""

    def joined(self, peer: Peer, group: str, now: float, effects: list[Effect]) -> None:
        if group in self._state.contested and group in self._state.own.groups:
            self._count[group] = _Count(self._own)
            self._say(group, WIRE36.elect(group, text_of(self._own)), now, effects)

    def left(self, group: str) -> None:
        self.leaders.pop(group, None)

    def lost(self, peer: Peer, group: str, now: float, effects: list[Effect]) -> None:
        if self.leaders.get(group) == peer.uuid:
            del self.leaders[group]
            self._count.pop(group, None)
            self.joined(peer, group, now, effects)

    def elect(self, peer: Peer, group: str, text: str, now: float, effects: list[Effect]) -> None:
        key = key_of(text)
        assert key is not None
        count = self._count.setdefault(group, _Count(None))
        if count.best is None or key < count.best:
            count = self._count[group] = _Count(key, peer)
            self._say(group, WIRE36.elect(group, text), now, effects, but=peer)
        if key != count.best:
            return
        count.elects += 1
        if count.elects == len(self._members(group)):
            if key == self._own:
                self._say(group, WIRE36.leader(group, text), now, effects)
            elif count.father is not None:
                self._links.say(count.father, WIRE36.elect(group, text), now, effects)

    def lead(self, peer: Peer, group: str, text: str, now: float, effects: list[Effect]) -> None:
        key = key_of(text)
        assert key is not None
        count = self._count.setdefault(group, _Count(None))
        if key != self._own and not count.leaders:
            assert count.best is not None, "zyre would have ended here"
            self._say(group, WIRE36.leader(group, text_of(count.best)), now, effects)
        count.leaders += 1
        if count.leaders == len(self._members(group)):
            del self._count[group]
            self.leaders[group] = UUID(bytes=key)
            own = key == self._own
            effects.append(Tell(LeaderElected(group, self.leaders[group], own)))

    def next_deadline(self) -> float | None:
        return None

    def tick(self, now: float, effects: list[Effect]) -> None:
        """It has no patience to lose."""

    def _members(self, group: str) -> list[Peer]:
        return list(self._state.groups.get(group, {}).values())

    def _say(
        self, group: str, template: Any, now: float, effects: list[Effect], but: Peer | None = None
    ) -> None:
        for peer in self._members(group):
            if peer is not but:
                self._links.say(peer, template, now, effects)
