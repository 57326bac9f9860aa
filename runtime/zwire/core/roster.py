"""The workers of the broker: who registered, who is alive, who went and who is not heard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zwire.core.dispatch import NEVER, Dispatch
from zwire.core.effects import NOTHING, Beat, Dismiss, Effect, What
from zwire.core.finished import FinishedIds
from zwire.core.mmi import PREFIX
from zwire.core.policy import (
    Again,
    BeatStyle,
    EndpointRules,
    Limits,
    ServiceRules,
    Unexpected,
    WorkerRules,
)
from zwire.core.shunned import Shunned
from zwire.core.state import Endpoint, Service, Worker

SCANS_PER_INTERVAL = 20  # how finely heartbeats are timed


class Roster(Dispatch):
    """Endpoints with their known peers, and all that workers say but replies."""

    def __init__(
        self, limits: Limits, default: ServiceRules, rules: Mapping[bytes, ServiceRules]
    ) -> None:
        super().__init__(limits, default, rules)
        self.endpoints: list[Endpoint] = []
        self.worker_count = 0
        self.client_count = 0
        self._scan_at = NEVER

    def open_endpoint(self, rules: EndpointRules, beside: Endpoint | None = None) -> Endpoint:
        """Let peers speak at one more socket; the endpoint is named in all their events.

        One that shares its socket with another stands beside it: who is shunned at one of them is
        shunned at both.
        """
        limits = self.limits
        shunned = Shunned(limits.max_shunned) if beside is None else beside.shunned
        endpoint = Endpoint(rules, shunned, FinishedIds(limits.finished_ids), rules.family)
        if beside is not None:
            endpoint.beside = beside.beside
        endpoint.beside.append(endpoint)
        self.endpoints.append(endpoint)
        return endpoint

    # Workers come

    def register(
        self, endpoint: Endpoint, identity: bytes, services: Sequence[bytes], now: float
    ) -> Sequence[Effect]:
        """A worker opened its conversation."""
        rules = endpoint.rules.workers
        if rules is None or not services:
            return self.misspeak(endpoint, identity, "a registration that cannot be served", now)
        worker = endpoint.workers.get(identity)
        effects: list[Effect] = []
        if worker is not None:
            if rules.again is Again.UNEXPECTED:
                return self._unexpected(worker, "a second registration", now)
            self._remove(worker, What.WORKER_LEFT, "a new conversation", now, effects)
        elif endpoint.shunned.holds(identity, now):
            # One that keeps its identity may come back sooner than it is heard again. It would then
            # go on in the belief to be registered, be dismissed for that, and so on for ever.
            endpoint.shunned.postpone(identity, services)
            self.statistics.ignored += 1
            return NOTHING
        lines = self._lines_for(services)
        if isinstance(lines, str):
            return [*effects, *self._turn_away(endpoint, identity, rules, lines, now)]
        only = lines[0] if len(lines) == 1 else None
        worker = Worker(endpoint, identity, rules, lines, 0, now, now, now, rules.body_frames, only)
        if not rules.offers_slots:
            worker.free = max(1, lines[0].rules.credit)
        endpoint.workers[identity] = worker
        self.worker_count += 1
        for line in lines:
            self.unserved -= not line.workers
            line.workers.add(worker)
            line.picky += worker.frames is not None
        self._look_at(endpoint, now + rules.heartbeat.interval / 2)
        effects.append(
            self._tell(
                What.WORKER_JOINED,
                endpoint=endpoint.name,
                peer=identity,
                service=b",".join(line.name for line in lines),
            )
        )
        self._employ(worker, now, effects)
        return effects

    def _lines_for(self, names: Sequence[bytes]) -> tuple[Service, ...] | str:
        """The services that a worker names, or why it cannot be taken on."""
        if self.worker_count >= self.limits.max_workers:
            return "too many workers"
        if self.worker_count + self.client_count >= self.limits.max_peers:
            return "too many peers"
        names = list(dict.fromkeys(names))
        if len(names) > self.limits.max_services_per_worker:
            return "too many services for one worker"
        if any(name.startswith(PREFIX) for name in names):
            return "a reserved name"
        new = sum(name not in self.services for name in names)
        if len(self.services) + new > self.limits.max_services:
            return "too many services"
        return tuple(self._require_service(name) for name in names)

    def _turn_away(
        self, endpoint: Endpoint, identity: bytes, rules: WorkerRules, why: str, now: float
    ) -> Sequence[Effect]:
        told = self._tell(What.WORKER_REFUSED, endpoint=endpoint.name, peer=identity, why=why)
        endpoint.shunned.add(identity, now + rules.deaf_for)
        return [Dismiss(endpoint, identity), told] if rules.can_dismiss else [told]

    def offer(self, endpoint: Endpoint, identity: bytes, now: float) -> Sequence[Effect]:
        """A worker can take one more request."""
        worker = endpoint.workers.get(identity)
        if worker is None:
            return self._stranger(endpoint, identity, "an offer", now)
        worker.heard = now
        if not worker.rules.offers_slots or (
            worker.free + len(worker.jobs) >= self.limits.max_slots
        ):
            return self._unexpected(worker, "more slots than it may offer", now)
        worker.free += 1
        effects: list[Effect] = []
        self._employ(worker, now, effects)
        return effects

    def pulse(self, endpoint: Endpoint, identity: bytes, now: float) -> Sequence[Effect]:
        """A worker gave a sign of life, which is answered where the dialect asks for that."""
        worker = endpoint.workers.get(identity)
        if worker is None:
            services = endpoint.shunned.postponed(identity, now)
            if services:
                joined = self.register(endpoint, identity, services, now)
                return [*joined, *self.pulse(endpoint, identity, now)]
            return self._stranger(endpoint, identity, "a heartbeat", now)
        worker.heard = now
        if worker.rules.heartbeat.style is not BeatStyle.ANSWER:
            return NOTHING
        worker.sent = worker.beaten = now
        return [Beat(worker)]

    # Workers go

    def depart(
        self, endpoint: Endpoint, identity: bytes, now: float, oddly: str = ""
    ) -> Sequence[Effect]:
        """A worker said goodbye: it is sent nothing more, and what it held goes on.

        What was odd about the way in which it said so is told.
        """
        rules = endpoint.rules.workers
        if rules is None:
            return self.misspeak(endpoint, identity, "a goodbye where no workers are served", now)
        if endpoint.shunned.holds(identity, now):
            self.statistics.ignored += 1
            return NOTHING
        effects: list[Effect] = []
        if oddly:
            effects.append(
                self._tell(What.VIOLATION, endpoint=endpoint.name, peer=identity, why=oddly)
            )
        worker = endpoint.workers.get(identity)
        if rules.deaf_for:
            endpoint.shunned.add(identity, now + rules.deaf_for)
        if worker is not None:
            self._remove(worker, What.WORKER_LEFT, "it said goodbye", now, effects)
        return effects

    def stray(self, endpoint: Endpoint, identity: bytes, why: str, now: float) -> Sequence[Effect]:
        """A worker said something valid that its conversation did not allow."""
        worker = endpoint.workers.get(identity)
        if worker is None:
            return self._stranger(endpoint, identity, why, now)
        worker.heard = now
        return self._unexpected(worker, why, now)

    def misspeak(
        self, endpoint: Endpoint, identity: bytes, why: str, now: float
    ) -> Sequence[Effect]:
        """A peer spoke nonsense: drop it, and do not hear that peer for a while.

        Requests that it has open go on, and their replies are sent: they were accepted.
        """
        if endpoint.shunned.holds(identity, now):
            self.statistics.ignored += 1
            return NOTHING
        known = [
            one for one in endpoint.beside if identity in one.workers or identity in one.clients
        ]
        where = known[0] if known else endpoint
        effects: list[Effect] = [
            self._tell(What.INVALID, endpoint=where.name, peer=identity, why=why)
        ]
        endpoint.shunned.add(identity, now + self.limits.invalid_for)
        for one in known:
            client = one.clients.pop(identity, None)
            if client is not None:
                self.client_count -= 1
                if client.jobs or client.parked:
                    endpoint.shunned.add(identity, now + self.limits.invalid_for, client)
            worker = one.workers.get(identity)
            if worker is not None:
                self._remove(worker, What.WORKER_LOST, "it spoke nonsense", now, effects)
        return effects

    def _stranger(
        self, endpoint: Endpoint, identity: bytes, what: str, now: float
    ) -> Sequence[Effect]:
        """A worker that is not registered, or no longer, said something other than goodbye."""
        rules = endpoint.rules.workers
        if rules is None:
            return self.misspeak(endpoint, identity, f"{what} where no workers are served", now)
        if endpoint.shunned.holds(identity, now):
            self.statistics.ignored += 1
            return NOTHING
        told = self._tell(What.STRANGER, endpoint=endpoint.name, peer=identity, why=what)
        if rules.strangers is Unexpected.IGNORE or not rules.can_dismiss:
            return [told]
        endpoint.shunned.add(identity, now + rules.deaf_for)
        return [Dismiss(endpoint, identity), told]

    def _unexpected(self, worker: Worker, why: str, now: float) -> Sequence[Effect]:
        endpoint, identity, rules = worker.endpoint, worker.identity, worker.rules
        told = self._tell(What.VIOLATION, endpoint=endpoint.name, peer=identity, why=why)
        if rules.unexpected is Unexpected.IGNORE or not rules.can_dismiss:
            return [told]
        effects: list[Effect] = [Dismiss(endpoint, identity), told]
        endpoint.shunned.add(identity, now + rules.deaf_for)
        self._remove(worker, What.WORKER_DISMISSED, why, now, effects)
        return effects

    def _remove(
        self, worker: Worker, what: What, why: str, now: float, effects: list[Effect]
    ) -> None:
        """Forget a worker and hand on what it held."""
        self._forget_worker(worker, what, why, effects)
        self._redeliver(worker, now, effects)

    def _forget_worker(self, worker: Worker, what: What, why: str, effects: list[Effect]) -> None:
        endpoint = worker.endpoint
        del endpoint.workers[worker.identity]
        self.worker_count -= 1
        self._strike(worker)
        effects.append(
            self._tell(
                what,
                endpoint=endpoint.name,
                peer=worker.identity,
                service=b",".join(service.name for service in worker.services),
                why=why,
            )
        )

    # Signs of life

    def _look_at(self, endpoint: Endpoint, when: float) -> None:
        endpoint.next_scan = min(endpoint.next_scan, when)
        self._scan_at = min(self._scan_at, when)

    def _scan(self, now: float, drained: bool, effects: list[Effect]) -> None:
        """Send the heartbeats that are due and give up the workers that were silent too long."""
        dead: list[Worker] = []
        for endpoint in self.endpoints:
            if endpoint.next_scan <= now and endpoint.rules.workers is not None:
                self._scan_endpoint(endpoint, endpoint.rules.workers, now, drained, dead, effects)
        self._scan_at = min((endpoint.next_scan for endpoint in self.endpoints), default=NEVER)
        # All are struck before anything is handed on, lest a dead one gets a dead one's job.
        for worker in dead:
            self._forget_worker(worker, What.WORKER_LOST, "it was silent", effects)
        for worker in dead:
            self._redeliver(worker, now, effects)

    def _scan_endpoint(
        self,
        endpoint: Endpoint,
        rules: WorkerRules,
        now: float,
        drained: bool,
        dead: list[Worker],
        effects: list[Effect],
    ) -> None:
        heartbeat = rules.heartbeat
        interval, patience, style = heartbeat.interval, heartbeat.patience, heartbeat.style
        grain = interval / SCANS_PER_INTERVAL
        due = NEVER
        for worker in endpoint.workers.values():
            gone_at = worker.heard + patience
            if gone_at <= now and drained:
                dead.append(worker)
                continue
            due = min(due, gone_at)
            if style is not BeatStyle.ANSWER:
                last = worker.beaten if style is BeatStyle.STEADY else worker.sent
                if last + interval <= now + grain:
                    effects.append(Beat(worker))
                    worker.sent = worker.beaten = last = now
                due = min(due, last + interval)
        endpoint.next_scan = max(due, now + grain) if due < NEVER else NEVER
