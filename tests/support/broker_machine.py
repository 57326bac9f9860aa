"""A town of clients and workers of all dialects around one broker engine, with what must always hold.

The town keeps its own books from what it sees on the simulated network. Each request carries a token
in its body that the workers give back, so that the books do not depend on the engine's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from support.broker_play import ALL_MANNERS, EMQP, PATIENCE, Manners
from zwire.core import Broker, EndpointRules, Limits, ServiceRules
from zwire.core.effects import ENDINGS, Assign, Effect, Reply, Tell, What
from zwire.core.state import Endpoint, Job, Tag, Worker

CREDIT = 2
EXPIRY = 6.0
SERVICES = (b"a", b"b")
LIMITS = Limits(
    max_open=40,
    max_open_per_client=6,
    max_workers=12,
    max_clients=6,
    max_parked=2,
    parked_for=5.0,
    invalid_for=2.0,
    max_shunned=6,
    client_memory=10.0,
)
RULES = ServiceRules(credit=CREDIT, max_queued=8, expiry=EXPIRY, max_redeliveries=2)

T = TypeVar("T")

NAMES = (b"ann", b"bob")
RARE = ["ask again", "come again", "go", "lose client", "clog", "wait"]

names = st.sampled_from(NAMES)
choices = st.integers(0, 1000)


@dataclass(eq=False)
class Hand:
    """What one worker was given in one conversation, as the network saw it."""

    worker: Worker
    offered: int = 0  # slots it has offered
    taken: int = 0  # requests it was given
    held: dict[Tag, bytes] = field(default_factory=dict)  # tag to token

    @property
    def free(self) -> int:
        """Requests it may still be given."""
        if self.worker.rules.offers_slots:
            return self.offered - self.taken
        return CREDIT - len(self.held)


class Town(RuleBasedStateMachine):
    """Everything that peers can do, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.broker = Broker(LIMITS, RULES)
        self.fronts = [self._open(one, True, False) for one in ALL_MANNERS]
        self.backs = [self._open(one, False, True) for one in ALL_MANNERS]
        shared = self._open(EMQP, True, True)
        self.fronts.append(shared)
        self.backs.append(shared)
        self.hands: dict[Worker, Hand] = {}  # of the workers that the broker holds for alive
        self.full: set[bytes] = set()
        self.gone: set[bytes] = set()
        self.jobs: dict[bytes, Job] = {}  # token to the accepted job
        self.ends: Counter[int] = Counter()  # job number to the number of its ends
        self.begun: set[int] = set()  # jobs of which a client has a part of the reply
        self.tokens = 0
        self.born = 0

    def _open(self, manners: Manners, front: bool, back: bool) -> Endpoint:
        clients = manners.clients if front else None
        workers = manners.workers if back else None
        return self.broker.open_endpoint(EndpointRules("town", manners.family, clients, workers))

    # What peers do

    @rule(front=choices, client=names, service=st.sampled_from(SERVICES), frames=st.integers(1, 2))
    def ask(self, front: int, client: bytes, service: bytes, frames: int) -> None:
        endpoint = _pick(self.fronts, front)
        rules = endpoint.rules.clients
        assert rules is not None
        self.tokens += 1
        token = b"%d" % self.tokens
        body = [b""] * (rules.body_frames or frames)
        body[-1] = token
        request_id = token if rules.has_ids else None
        ignored = self.broker.statistics.ignored
        effects = self.broker.request(endpoint, client, service, request_id, body, self.now)
        refused = any(isinstance(one, Tell) and one.what is What.REFUSED for one in effects)
        if not refused and self.broker.statistics.ignored == ignored:
            mine = [job for job in endpoint.clients[client].jobs.values() if job.body[-1] == token]
            assert len(mine) == 1, "an accepted request is on no record"
            self.jobs[token] = mine[0]
        self.act(effects)

    @precondition(lambda self: self.broker.open)
    @rule(choice=choices)
    def ask_again(self, choice: int) -> None:
        job = _pick([job for job in self.jobs.values() if not job.ended], choice)
        client = job.client
        where, who = client.endpoint, client.identity
        if job.request_id and where.clients.get(who) is client:
            accepted, service = self.broker.statistics.accepted, job.service.name
            self.act(self.broker.request(where, who, service, job.request_id, job.body, self.now))
            assert self.broker.statistics.accepted == accepted, "a retry was queued twice"

    @rule(back=choices, services=st.sampled_from([(b"a",), (b"b",), (b"a", b"b")]))
    def come(self, back: int, services: tuple[bytes, ...]) -> None:
        self.born += 1
        endpoint = _pick(self.backs, back)
        several = endpoint.family == EMQP.family
        self._register(endpoint, b"w%d" % self.born, services if several else services[:1])

    @precondition(lambda self: self.hands)
    @rule(choice=choices)
    def come_again(self, choice: int) -> None:
        worker = _pick(list(self.hands), choice)
        services = [service.name for service in worker.services]
        self._register(worker.endpoint, worker.identity, services)

    def _register(self, endpoint: Endpoint, identity: bytes, services: Sequence[bytes]) -> None:
        self.act(self.broker.register(endpoint, identity, services, self.now))

    @precondition(lambda self: self.hands)
    @rule(choice=choices)
    def offer(self, choice: int) -> None:
        hand = _pick(list(self.hands.values()), choice)
        if hand.worker.rules.offers_slots:
            hand.offered += 1
            worker = hand.worker
            self.act(self.broker.offer(worker.endpoint, worker.identity, self.now))

    @precondition(lambda self: any(hand.held for hand in self.hands.values()))
    @rule(choice=choices, which=choices, final=st.sampled_from([True, True, False]))
    def answer(self, choice: int, which: int, final: bool) -> None:
        hand = _pick([one for one in self.hands.values() if one.held], choice)
        worker = hand.worker
        final = final or worker.frames is not None
        tag = _pick(list(hand.held), which)
        token = hand.held.pop(tag) if final else hand.held[tag]
        self.act(self.broker.reply(worker.endpoint, worker.identity, tag, [token], final, self.now))

    @precondition(lambda self: self.hands)
    @rule(choice=choices, how=st.sampled_from(["depart", "vanish", "stray", "misspeak"]))
    def go(self, choice: int, how: str) -> None:
        worker = _pick(list(self.hands), choice)
        self._lose(worker.endpoint, worker.identity, how)

    @precondition(lambda self: self.broker.open)
    @rule(choice=choices, how=st.sampled_from(["vanish", "misspeak"]))
    def lose_client(self, choice: int, how: str) -> None:
        client = _pick([job.client for job in self.jobs.values() if not job.ended], choice)
        self._lose(client.endpoint, client.identity, how)

    def _lose(self, endpoint: Endpoint, identity: bytes, how: str) -> None:
        broker, now = self.broker, self.now
        if how == "depart":
            self.act(broker.depart(endpoint, identity, now))
        elif how == "vanish":
            self.act(broker.vanish(endpoint, identity, now))
        elif how == "stray":
            self.act(broker.stray(endpoint, identity, "out of turn", now))
        else:
            self.act(broker.misspeak(endpoint, identity, "nonsense", now))

    @rule(client=names, state=st.sampled_from(["well", "full", "full", "gone"]))
    def clog(self, client: bytes, state: str) -> None:
        self.full.discard(client)
        self.gone.discard(client)
        if state == "full":
            self.full.add(client)
        elif state == "gone":
            self.gone.add(client)

    @rule(seconds=st.sampled_from([0.1, 1.0, 5.0, 10.0]), mute=st.sets(choices, max_size=3))
    def wait(self, seconds: float, mute: set[int]) -> None:
        silent = {_pick(list(self.hands), one) for one in mute} if self.hands else set()
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + PATIENCE / 4)
            for worker in list(self.hands):
                if worker not in silent and worker in self.hands:
                    self.act(self.broker.pulse(worker.endpoint, worker.identity, self.now))
            self.act(self.broker.tick(self.now))

    # What the broker orders

    def act(self, effects: Sequence[Effect]) -> None:
        """Carry effects out and enter them in the books."""
        alive = {worker for endpoint in self.backs for worker in endpoint.workers.values()}
        for worker in alive.difference(self.hands):
            self.hands[worker] = Hand(worker)
        for worker in set(self.hands).difference(alive):
            del self.hands[worker]
        for effect in effects:
            match effect:
                case Assign(worker, job, tag):
                    self._give(worker, job, tag)
                case Reply():
                    self._deliver(effect)
                case Tell(what) if what in ENDINGS:
                    self.ends[effect.job] += 1
                case _:
                    pass

    def _give(self, worker: Worker, job: Job, tag: Tag) -> None:
        hand = self.hands.get(worker)
        assert hand is not None, "a worker that is gone was given a job"
        assert not self.ends[job.number], "an ended request was handed out"
        assert job.number not in self.begun, "a half answered request was handed out again"
        assert tag not in hand.held, "a worker holds two jobs under one tag"
        assert hand.free > 0, "a worker was given more than it can take"
        assert worker.frames in (None, len(job.body)), "a worker cannot carry what it was given"
        hand.held[tag] = job.body[-1]
        hand.taken += 1

    def _deliver(self, reply: Reply) -> None:
        client = reply.job.client
        if client.identity in self.gone:
            self.act(self.broker.undelivered(reply, True, self.now))
        elif client.parked or client.identity in self.full:
            self.act(self.broker.undelivered(reply, False, self.now))
        else:
            assert self.jobs.get(reply.body[-1]) is reply.job, "a reply answers another request"
            assert not self.ends[reply.job.number], "a reply came after the end"
            self.ends[reply.job.number] += reply.final
            self.begun.add(reply.job.number)

    # What must always hold

    @invariant()
    def every_request_ends_at_most_once(self) -> None:
        assert all(times <= 1 for times in self.ends.values()), "a request ended twice"

    @invariant()
    def no_accepted_request_is_lost(self) -> None:
        held = {token for hand in self.hands.values() for token in hand.held.values()}
        for token, job in self.jobs.items():
            if not self.ends[job.number]:
                parked = any(one.job is job and one.final for one in job.client.parked)
                waits = job in job.service.queue
                assert parked or waits or token in held, "an accepted request was lost"

    @invariant()
    def no_request_is_held_twice(self) -> None:
        held = [token for hand in self.hands.values() for token in hand.held.values()]
        queued = [
            job.body[-1] for service in self.broker.services.values() for job in service.queue
        ]
        for token, times in Counter(held + queued).items():
            assert times == 1 or self.jobs[token].ended, "a request is in two hands"

    @invariant()
    def no_worker_is_idle_while_work_waits(self) -> None:
        for hand in self.hands.values():
            if hand.free > 0:
                for service in hand.worker.services:
                    for job in service.queue:
                        fits = hand.worker.frames in (None, len(job.body))
                        assert not fits, "a worker is idle while work waits"

    @invariant()
    def the_books_balance(self) -> None:
        broker = self.broker
        told = broker.statistics.told
        ended = sum(told[what] for what in ENDINGS)
        assert broker.statistics.accepted == len(self.jobs), "the count of requests is wrong"
        assert len(self.jobs) == broker.statistics.answered + ended + broker.open
        assert broker.open == sum(len(one.open) for one in broker.services.values())
        assert broker.open == sum(not job.ended for job in self.jobs.values())

    @invariant()
    def all_is_bounded(self) -> None:
        broker = self.broker
        assert broker.worker_count == sum(len(one.workers) for one in self.backs)
        assert broker.client_count == sum(len(one.clients) for one in self.fronts)
        assert broker.worker_count <= LIMITS.max_workers
        assert broker.unserved == sum(not one.workers for one in broker.services.values())
        assert broker.client_count <= LIMITS.max_clients
        assert all(len(one.shunned) <= LIMITS.max_shunned for one in self.backs)
        for endpoint in self.fronts:
            for client in endpoint.clients.values():
                assert len(client.parked) <= LIMITS.max_parked
                assert len(client.jobs) <= LIMITS.max_open_per_client

    def teardown(self) -> None:
        """In the end everybody is well and works: then every request must have ended."""
        self.full.clear()
        self.gone.clear()
        for worker in list(self.hands):
            self._lose(worker.endpoint, worker.identity, "vanish")
        for service in SERVICES:
            self._register(self.backs[0], b"last of " + service, [service])
        while any(hand.held for hand in self.hands.values()):
            self.answer(0, 0, True)
        self.wait(0.5, set())
        assert self.broker.open == 0, "a request never ended"
        assert all(self.ends[job.number] == 1 for job in self.jobs.values())
        self.the_books_balance()


def wander(chance: Random, steps: int) -> None:
    """One life in the town, led by plain chance: many times faster than a search for examples."""
    town = Town()
    for _ in range(steps):
        number = chance.randrange(1000)
        match chance.choice(["ask"] * 4 + ["answer"] * 4 + ["come", "offer"] * 2 + RARE):
            case "ask":
                town.ask(number, chance.choice(NAMES), chance.choice(SERVICES), number % 2 + 1)
            case "answer" if any(hand.held for hand in town.hands.values()):
                town.answer(number, chance.randrange(1000), chance.random() < 0.6)
            case "come":
                town.come(number, chance.choice([(b"a",), (b"b",), (b"a", b"b")]))
            case "offer" if town.hands:
                town.offer(number)
            case "ask again" if town.broker.open:
                town.ask_again(number)
            case "come again" if town.hands:
                town.come_again(number)
            case "go" if town.hands:
                town.go(number, chance.choice(["depart", "vanish", "stray", "misspeak"]))
            case "lose client" if town.broker.open:
                town.lose_client(number, chance.choice(["vanish", "misspeak"]))
            case "clog":
                town.clog(chance.choice(NAMES), chance.choice(["well", "full", "gone"]))
            case "wait":
                town.wait(chance.choice([0.1, 1.0, 5.0]), {number} if number % 2 else set())
        town.every_request_ends_at_most_once()
        town.no_accepted_request_is_lost()
        town.no_request_is_held_twice()
        town.no_worker_is_idle_while_work_waits()
        town.the_books_balance()
        town.all_is_bounded()
    town.teardown()


def _pick(things: Sequence[T], choice: int) -> T:
    return things[choice % len(things)]
