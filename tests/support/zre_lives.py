"""A random life of a small network: nodes come, go, join, leave and talk in bad weather, then rest.

Everything that is whispered or shouted carries a running number of its sender and receiver, so that what
a node hears between a peer's entering and its leaving can be checked for gaps.
"""

from __future__ import annotations

from collections import defaultdict
from random import Random
from uuid import UUID

from support.zre_network import Network, Station, Weather
from zwire.errors import LocalError
from zwire.zre import Dialect, FullQueue, Options

GROUPS = ("a", "b", "c")
DIALECTS = (
    (Dialect.ZRE36, Dialect.ZRE20),
    (Dialect.ZRE36, Dialect.ZRE20),
    (Dialect.ZRE20, Dialect.ZRE36),
)


class Life:
    """One network with everything that can happen to it."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        weather = Weather(
            beacon_loss=chance.choice((0.0, 0.3, 0.6)),
            delay=0.001,
            jitter=chance.choice((0.0, 0.05, 0.5)),
            queue=chance.choice((5, 1000)),
        )
        self.network = Network(chance.random(), weather)
        self.spoken: dict[tuple[UUID, UUID], int] = defaultdict(int)
        self.lossy = chance.random() < 0.3  # connections that break lose what was on its way
        self.born = 0
        for _ in range(3):
            self.come()

    def come(self) -> None:
        """A new node."""
        if len(self.network.stations) < 6:
            self.born += 1
            groups = self.chance.sample(GROUPS, self.chance.randrange(3))
            self.network.start(self.born, self.options(), groups=groups)

    def options(self) -> Options:
        """Choices of a new node."""
        return Options(
            dialects=self.chance.choice(DIALECTS),
            # Where losses and new numbers coincide, a HELLO may be either, and nobody can tell.
            say_wrap=self.lossy or self.chance.random() < 0.5,
            full_queue=FullQueue.WAIT,
        )

    def come_again(self) -> None:
        """A node is killed and begins anew, under its name and at another port."""
        station = self.someone()
        self.network.kill(station, noticed=self.chance.random() < 0.3)
        self.network.run(self.chance.choice((1.5, 3.0, 10.0)))
        number = int(station.address.rpartition(".")[2])
        port = station.port + 1
        for other in self.network.stations:
            self.spoken.pop((station.node.uuid, other.node.uuid), None)
        self.network.start(number, self.options(), uuid=station.node.uuid, port=port, groups=["a"])

    def move_in(self) -> None:
        """A node is killed, and another begins at its endpoint."""
        station = self.someone()
        self.network.kill(station)
        self.network.run(self.chance.choice((0.0, 0.1, 3.0)))
        number = int(station.address.rpartition(".")[2])
        self.network.start(number, self.options(), port=station.port, groups=["b"])

    def kill(self) -> None:
        """A node ends without a word."""
        if len(self.network.stations) > 2:
            self.network.kill(self.someone(), noticed=self.chance.random() < 0.5)

    def stop(self) -> None:
        """A node ends politely."""
        if len(self.network.stations) > 2:
            self.network.stop(self.someone())

    def someone(self) -> Station:
        """Any node."""
        return self.chance.choice(self.network.stations)

    def join(self) -> None:
        """A node joins a group."""
        station = self.someone()
        station.act(station.node.join(self.chance.choice(GROUPS), self.network.now))

    def leave(self) -> None:
        """A node leaves a group."""
        station = self.someone()
        station.act(station.node.leave(self.chance.choice(GROUPS), self.network.now))

    def contest(self) -> None:
        """A node stands for election."""
        station = self.someone()
        station.act(station.node.contest(self.chance.choice(GROUPS), self.network.now))

    def talk(self) -> None:
        """A node whispers to another, more than once."""
        station = self.someone()
        for peer in station.node.peers():
            for _ in range(self.chance.choice((1, 1, 20))):
                link = (station.node.uuid, peer.uuid)
                self.spoken[link] += 1
                text = b"%d %s" % (self.spoken[link], peer.uuid.hex.encode())
                try:
                    station.act(station.node.whisper(peer.uuid, [text], self.network.now))
                except LocalError:
                    return  # the peer left while we spoke

    def near_the_wrap(self) -> None:
        """A link has come far: its next messages cross the wrap."""
        self.come_far(self.someone(), self.someone())

    def come_far(self, one: Station, other: Station) -> None:
        """Let two nodes believe that one has sent the other many messages, if all have arrived."""
        there = one.node._state.peers.get(other.node.uuid.bytes)
        here = other.node._state.peers.get(one.node.uuid.bytes)
        if there is None or here is None or not (there.entered and here.entered):
            return
        wire = one.wires[there]
        if there.sent == here.heard and not (wire.line or there.backlog):
            there.sent = here.heard = 65530

    def lose(self) -> None:
        """A connection breaks and is made again, and a message is lost."""
        station = self.someone()
        if self.lossy and station.wires:
            self.chance.choice(list(station.wires.values())).to_lose = 1

    def part(self) -> None:
        """Two hosts cannot reach each other for a while."""
        self.network.part(self.someone(), self.someone())

    def heal(self) -> None:
        """Everybody can reach everybody again."""
        self.network.heal()

    def step(self) -> None:
        """Something happens."""
        deeds = [
            (self.talk, 6),
            (self.join, 3),
            (self.leave, 2),
            (self.near_the_wrap, 3),
            (self.come, 2),
            (self.come_again, 1),
            (self.move_in, 1),
            (self.kill, 1),
            (self.stop, 1),
            (self.contest, 1),
            (self.part, 1),
            (self.lose, 2),
            (self.heal, 2),
        ]
        (deed,) = self.chance.choices([one for one, _ in deeds], [weight for _, weight in deeds])
        deed()
        self.network.run(self.chance.choice((0.0, 0.01, 0.3, 1.0, 1.0, 8.0)))
        self.check_speech()

    def check_speech(self) -> None:
        """Between entering and leaving nothing that a peer says is lost or changes its place."""
        for station in self.network.stations:
            station.check()
            assert self.lossy or not station.node.statistics.gaps, "a gap where nothing was lost"
            for peer, heard in station.heard.items():
                said = [text.split() for text in heard]
                # Who moved in where another was may hear what was still for that one.
                own = station.node.uuid.hex.encode()
                numbers = [int(number) for number, receiver in said if receiver == own]
                if numbers:
                    expected = list(range(numbers[0], numbers[0] + len(numbers)))
                    assert numbers == expected, f"of {peer} was heard {numbers}"

    def rest(self) -> None:
        """After some quiet everybody knows everybody; then all speak, and all is heard."""
        self.network.heal()
        self.network.run(40.0)
        for station in self.network.stations:
            for wire in station.wires.values():
                wire.to_lose = 0
        self.all_speak()  # a loss shows by what comes after it
        self.network.run(20.0)
        self.network.check_quiet()
        for station in self.network.stations:
            station.heard.clear()
        departures = [one.node.statistics.peers_left for one in self.network.stations]
        self.all_speak()
        self.network.run(5.0)
        one, other = self.network.stations[:2]
        self.come_far(one, other)
        for _ in range(10):
            one.act(one.node.whisper(other.node.uuid, [b"2"], self.network.now))
        self.network.run(5.0)
        left = [station.node.statistics.peers_left for station in self.network.stations]
        assert departures == left
        for station in self.network.stations:
            others = [peer.node.uuid for peer in self.network.stations if peer is not station]
            expected = {peer: [b"1"] for peer in others}
            if station is other:
                expected[one.node.uuid] += [b"2"] * 10
            assert {peer: heard for peer, heard in station.heard.items() if heard} == expected
        self.network.check_quiet()

    def all_speak(self) -> None:
        """Everybody whispers to everybody."""
        for station in self.network.stations:
            for peer in station.node.peers():
                station.act(station.node.whisper(peer.uuid, [b"1"], self.network.now))


def live(chance: Random, steps: int = 40) -> None:
    """A whole life."""
    life = Life(chance)
    for _ in range(steps):
        life.step()
    life.rest()
