"""A play around a broker engine: clients and workers on a simulated network, under a simulated clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from zwire.core import (
    Again,
    BeatStyle,
    Broker,
    ClientRules,
    Correlate,
    EndpointRules,
    Heartbeat,
    Limits,
    ServiceRules,
    Unexpected,
    WorkerRules,
)
from zwire.core.effects import Assign, Beat, Dismiss, Effect, Reply, Tell, What
from zwire.core.state import Endpoint, Job, Tag, Worker

INTERVAL = 1.0
LIVENESS = 4.0
PATIENCE = INTERVAL * LIVENESS


@dataclass(frozen=True)
class Manners:
    """What a dialect's peers are like, as far as the engine can tell."""

    family: str
    clients: ClientRules
    workers: WorkerRules


def _heartbeat(style: BeatStyle) -> Heartbeat:
    return Heartbeat(INTERVAL, LIVENESS, style)


MDPX = Manners(
    "mdpx", ClientRules(mmi=True), WorkerRules(_heartbeat(BeatStyle.ANSWER), deaf_for=10.0)
)
MDP = Manners(
    "mdp",
    ClientRules(has_ids=False, mmi=True),
    WorkerRules(_heartbeat(BeatStyle.QUIET), Correlate.CLIENT),
)
PPP = Manners(
    "ppp",
    ClientRules(has_ids=False, partials=False),
    WorkerRules(
        _heartbeat(BeatStyle.STEADY),
        Correlate.MINTED,
        can_dismiss=False,
        strangers=Unexpected.IGNORE,
        unexpected=Unexpected.IGNORE,
        again=Again.RESTART,
    ),
)
EMQP = Manners(
    "emqp",
    ClientRules(partials=False, body_frames=1),
    WorkerRules(
        _heartbeat(BeatStyle.QUIET),
        Correlate.ID,
        offers_slots=True,
        body_frames=1,
        strangers=Unexpected.IGNORE,
        again=Again.RESTART,
        deaf_for=0.0,
    ),
)
ALL_MANNERS = (MDPX, MDP, PPP, EMQP)


@dataclass
class Play:
    """A broker, its peers' inboxes, and the time."""

    manners: Manners = MDPX
    worker_manners: Manners | None = None
    limits: Limits = field(default_factory=Limits)
    service_rules: ServiceRules = field(default_factory=ServiceRules)
    services: Mapping[bytes, ServiceRules] = field(default_factory=dict)
    now: float = 100.0

    def __post_init__(self) -> None:
        backs = self.worker_manners or self.manners
        self.broker = Broker(self.limits, self.service_rules, self.services)
        self.front = self.open("front", clients=self.manners)
        self.back = self.open("back", workers=backs)
        self.assigned: list[Assign] = []
        self.replies: list[tuple[bytes, bytes, list[bytes], bool]] = []
        self.beats: list[bytes] = []
        self.dismissed: list[bytes] = []
        self.told: list[Tell] = []
        self.full: set[bytes] = set()  # clients that take nothing now
        self.gone: set[bytes] = set()  # clients that cannot be reached
        self.hands: dict[Worker, dict[Tag, Job]] = {}  # what each worker has been given
        self.mute: set[bytes] = set()  # workers that give no sign of life

    def open(
        self, name: str, *, clients: Manners | None = None, workers: Manners | None = None
    ) -> Endpoint:
        """One more endpoint of the broker."""
        family = (clients or workers or self.manners).family
        return self.broker.open_endpoint(
            EndpointRules(
                name,
                family,
                clients.clients if clients else None,
                workers.workers if workers else None,
            )
        )

    # What peers do

    def ready(
        self, *workers: bytes, services: Sequence[bytes] = (b"echo",), slots: int = 1
    ) -> None:
        """Workers register, and offer slots where their dialect asks for it."""
        for worker in workers:
            self.act(self.broker.register(self.back, worker, services, self.now))
            rules = self.back.rules.workers
            if rules is not None and rules.offers_slots:
                self.offer(worker, slots)

    def offer(self, worker: bytes, slots: int = 1) -> None:
        """A worker offers slots."""
        for _ in range(slots):
            self.act(self.broker.offer(self.back, worker, self.now))

    def ask(
        self,
        client: bytes,
        request_id: bytes = b"1",
        *body: bytes,
        service: bytes = b"echo",
        endpoint: Endpoint | None = None,
    ) -> None:
        """A client asks; without a body, the id is the body."""
        where = endpoint or self.front
        rules = where.rules.clients
        sent_id = request_id if rules is None or rules.has_ids else None
        self.act(
            self.broker.request(
                where, client, service, sent_id, list(body) or [request_id], self.now
            )
        )

    def final(self, worker: bytes, *body: bytes, tag: Tag | None = None) -> None:
        """A worker answers the oldest job in its hands, or the one of that tag."""
        tag = self._tag(worker, tag)
        known = self.back.workers.get(worker)
        if known is not None and tag is not None:
            self.hands.get(known, {}).pop(tag, None)
        self.act(self.broker.reply(self.back, worker, tag, list(body) or [b"done"], True, self.now))
        rules = self.back.rules.workers
        if rules is not None and rules.offers_slots and worker in self.back.workers:
            self.offer(worker)

    def partial(self, worker: bytes, *body: bytes, tag: Tag | None = None) -> None:
        """A worker sends a part of the reply to the oldest job in its hands."""
        tag = self._tag(worker, tag)
        self.act(self.broker.reply(self.back, worker, tag, list(body), False, self.now))

    def _tag(self, worker: bytes, tag: Tag | None) -> Tag | None:
        known = self.back.workers.get(worker)
        if tag is None and known is not None:
            tag = next(iter(self.hands.get(known, {})), None)
        return tag

    def pulse(self, *workers: bytes) -> None:
        """Workers give a sign of life."""
        for worker in workers:
            self.act(self.broker.pulse(self.back, worker, self.now))

    def depart(self, worker: bytes) -> None:
        """A worker says goodbye."""
        self.act(self.broker.depart(self.back, worker, self.now))

    def wait(self, seconds: float, *, pulses: bool = True) -> None:
        """Time passes; the broker ticks when it wants, and workers that are not mute pulse."""
        end = self.now + seconds
        step = INTERVAL / 2
        next_pulse = self.now + step
        while self.now < end:
            due = self.broker.next_deadline()
            targets = [end, next_pulse if pulses else end]
            if due is not None:
                targets.append(max(due, self.now))
            self.now = min(targets)
            if pulses and self.now >= next_pulse:
                next_pulse += step
                self.pulse(*(one for one in list(self.back.workers) if one not in self.mute))
            if due is not None and due <= self.now:
                self.act(self.broker.tick(self.now))
                after = self.broker.next_deadline()
                assert after is None or after > self.now, "a tick must do all that is due"

    # What the broker orders

    def act(self, effects: Sequence[Effect]) -> None:
        """Carry effects out as a shell does."""
        for effect in effects:
            match effect:
                case Assign(worker, job, tag):
                    self.assigned.append(effect)
                    self.hands.setdefault(worker, {})[tag] = job
                case Reply():
                    self._deliver(effect)
                case Beat(worker):
                    self.beats.append(worker.identity)
                case Dismiss(_, identity):
                    self.dismissed.append(identity)
                case Tell():
                    self.told.append(effect)

    def _deliver(self, reply: Reply) -> None:
        client = reply.job.client
        if client.identity in self.gone:
            self.act(self.broker.undelivered(reply, True, self.now))
        elif client.parked or client.identity in self.full:
            self.act(self.broker.undelivered(reply, False, self.now))
        else:
            self.replies.append(
                (client.identity, reply.job.request_id, list(reply.body), reply.final)
            )

    # What tests ask

    def takers(self) -> list[bytes]:
        """The workers in the order in which they were given jobs."""
        return [one.worker.identity for one in self.assigned]

    def count(self, what: What) -> int:
        """How often that was told; the broker's own counter must say the same."""
        told = sum(tell.what is what for tell in self.told)
        assert told == self.broker.statistics.told[what]
        return told

    def whys(self, what: What) -> list[str]:
        """The reasons told with that."""
        return [tell.why for tell in self.told if tell.what is what]

    def balance(self) -> None:
        """Every accepted request is open or has ended exactly once."""
        numbers = self.broker.statistics
        told = numbers.told
        ended = told[What.EXPIRED] + told[What.FAILED] + told[What.CLIENT_GONE]
        assert numbers.accepted == numbers.answered + ended + self.broker.open
