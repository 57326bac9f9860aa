"""The broker engine: who may speak, what is accepted, who is alive, and when it all stops.

`request` and `reply` are the two words of the hot path; a shell may call them, and the other methods
that take plain arguments, in place of wrapping each fact in an event for `receive`. Every method
returns effects to be carried out in their order. The time is any clock that never goes back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from zwire.core import mmi
from zwire.core.admission import Admission
from zwire.core.dispatch import NEVER
from zwire.core.effects import NOTHING, Assign, Dismiss, Effect, Reply, What
from zwire.core.events import (
    Answered,
    Departed,
    Event,
    Misspoke,
    Offered,
    Pulsed,
    Registered,
    Requested,
    Strayed,
    Vanished,
)
from zwire.core.parking import Parking
from zwire.core.policy import Limits, ServiceRules
from zwire.core.state import NO_FRAMES, Client, Endpoint, Job, Service, Tag

GRAIN = 0.05  # seconds between two looks at the open requests, so that none is looked at too often


class Broker(Admission):
    """One engine for any set of endpoints; a client of one is served by a worker of another."""

    def __init__(
        self,
        limits: Limits | None = None,
        default: ServiceRules | None = None,
        services: Mapping[bytes, ServiceRules] | None = None,
    ) -> None:
        super().__init__(limits or Limits(), default or ServiceRules(), services or {})
        self.stopped = False
        self.concerned = 0
        """The job to which the last request or reply belonged; who asks sets it to 0 before."""
        self._parking = Parking(self.limits)
        self._paused = False
        self._drain_until = NEVER

    def receive(self, event: Event, now: float) -> Sequence[Effect]:
        """Take a fact, return what is to be done about it."""
        match event:
            case Requested(endpoint, identity, service, request_id, body, envelope):
                return self.request(endpoint, identity, service, request_id, body, now, envelope)
            case Answered(endpoint, identity, tag, body, final):
                return self.reply(endpoint, identity, tag, body, final, now)
            case Pulsed(endpoint, identity):
                return self.pulse(endpoint, identity, now)
            case Registered(endpoint, identity, services):
                return self.register(endpoint, identity, services, now)
            case Offered(endpoint, identity):
                return self.offer(endpoint, identity, now)
            case Departed(endpoint, identity):
                return self.depart(endpoint, identity, now)
            case Strayed(endpoint, identity, why):
                return self.stray(endpoint, identity, why, now)
            case Misspoke(endpoint, identity, why):
                return self.misspeak(endpoint, identity, why, now)
            case Vanished(endpoint, identity):
                return self.vanish(endpoint, identity, now)
            case _:
                assert_never(event)

    # Requests

    def request(
        self,
        endpoint: Endpoint,
        identity: bytes,
        service: bytes,
        request_id: bytes | None,
        body: Sequence[bytes],
        now: float,
        envelope: Sequence[bytes] = NO_FRAMES,
    ) -> Sequence[Effect]:
        """A client asked: hand the request to a worker, keep it, or refuse it with a reason."""
        client = endpoint.clients.get(identity)
        line = self.services.get(service)
        if client is None or line is None or self._draining:
            refusal = self._refuse_newcomer(endpoint, identity, service, request_id, now)
            if refusal is not None:
                return refusal
            client = client or self._require_client(endpoint, identity, now)
            if service.startswith(mmi.PREFIX):
                return self._answer_mmi(client, service, request_id, body, envelope)
            if line is None:
                # Names that anybody makes up must not keep out the workers of others.
                if (
                    self.unserved >= self.limits.max_unserved
                    or len(self.services) >= self.limits.max_services
                ):
                    why = "too many services"
                    return self._refuse(endpoint, identity, service, request_id, why)
                line = self._require_service(service)
        client.seen = now
        jobs = client.jobs
        number = self._number + 1
        key = number if request_id is None else request_id
        if key in jobs:
            self.concerned = jobs[key].number
            return [self._tell_job(What.RETRIED, jobs[key])]
        waiting = line.waiting
        direct = False
        if waiting and not line.queue.count:
            frames = waiting[0].frames
            direct = frames is None or frames == len(body)
        limits = self.limits
        crowded = not direct and (line.queue.count >= line.rules.max_queued or line.picky)
        if crowded or len(jobs) >= limits.max_open_per_client or self.open >= limits.max_open:
            why = self._excess(client, line, body)
            if why:
                self._forget_if_unused(line)
                return self._refuse(endpoint, identity, service, request_id, why)
        self._number = self.concerned = number
        expiry = line.rules.expiry
        expires = NEVER if expiry is None else now + expiry
        if expires < self._expiry_at:
            self._expiry_at = expires
        job = Job(number, client, key, request_id or b"", line, body, envelope, expires)
        jobs[key] = job
        line.open[number] = job
        self.open += 1
        self.statistics.accepted += 1
        effects: list[Effect] = []
        if request_id is not None and (identity, request_id) in endpoint.finished:
            effects.append(self._tell_job(What.REPEATED, job))
        if direct:
            effects.append(self._assign(job, self._take_first(line), now))
        else:
            line.queue.append(job)
            if waiting:
                self._serve(line, now, effects)
        return effects

    def _answer_mmi(
        self,
        client: Client,
        name: bytes,
        request_id: bytes | None,
        body: Sequence[bytes],
        envelope: Sequence[bytes],
    ) -> Sequence[Effect]:
        """The broker's own answer, in a job that was never accepted and has number 0."""
        self.statistics.mmi += 1
        service = Service(name, self._default)
        job = Job(0, client, 0, request_id or b"", service, body, envelope, NEVER, ended=True)
        return [Reply(job, [mmi.answer(name, body, self.services)], True)]

    # Replies

    def reply(
        self,
        endpoint: Endpoint,
        identity: bytes,
        tag: Tag | None,
        body: Sequence[bytes],
        final: bool,
        now: float,
    ) -> Sequence[Effect]:
        """A worker replied: pass it on, and after the final reply give the worker its next job."""
        worker = endpoint.workers.get(identity)
        if worker is None:
            return self._stranger(endpoint, identity, "a reply", now)
        worker.heard = now
        jobs = worker.jobs
        if tag is None and len(jobs) == 1:
            tag = next(iter(jobs))
        job = None if tag is None else jobs.get(tag)
        if job is None or tag is None:
            return self._unexpected(worker, "a reply to nothing that it holds", now)
        self.concerned = job.number
        if not final:
            return self._pass_partial(job, body)
        del jobs[tag]
        effects: list[Effect]
        if job.ended:
            effects = [self._tell_job(What.LATE_REPLY, job, "", worker)]
        else:
            effects = [self._finish(job, body)]
        if not worker.rules.offers_slots:
            worker.free += 1
            self._employ(worker, now, effects)
        return effects

    def _pass_partial(self, job: Job, body: Sequence[bytes]) -> Sequence[Effect]:
        if job.ended:
            return NOTHING
        self.statistics.partials += 1
        if job.client.rules.partials:
            job.streamed = True
            return [Reply(job, body, False)]
        if job.gathered is None:
            job.gathered = []
        if len(job.gathered) + len(body) > self.limits.max_gathered:
            return [self._end_by(What.FAILED, job, "too many partial replies to gather")]
        job.gathered.extend(body)
        return NOTHING

    def undelivered(self, reply: Reply, gone: bool, now: float) -> Sequence[Effect]:
        """The shell could not send a reply: the client's queue is full, or the client is gone.

        A full client's reply is parked and ordered again later. While `client.parked` is not empty,
        the shell hands over what follows for that client untried, or it would overtake.
        """
        if reply.job.muted:
            return self._give_up(reply, What.FAILED, "the replies before it were dropped")
        if gone:
            return self._give_up(reply, What.CLIENT_GONE, "its client cannot be reached")
        first = reply.until is None
        if not self._parking.park(reply, now):
            effects = [*self._give_up(reply, What.FAILED, "too many replies are parked")]
            if reply.job.streamed:
                # Its parts go too, lest they keep the place from the client's other replies.
                for part in self._parking.withdraw(reply.job):
                    effects += self._give_up(part, What.FAILED, "what follows it was dropped")
            return effects
        return [self._tell_job(What.REPLY_PARKED, reply.job)] if first else NOTHING

    def _give_up(self, reply: Reply, what: What, why: str) -> Sequence[Effect]:
        """Drop a reply; its request, which a final one had ended, ends by this instead."""
        job = reply.job
        effects: list[Effect] = [self._tell_job(What.REPLY_DROPPED, job, why)]
        job.muted = True
        if reply.final and job.number:
            self.statistics.answered -= 1
            effects.append(self._tell_job(what, job, why))
        elif not job.ended:
            effects.append(self._end_by(what, job, why))
        return effects

    def unsent(self, order: Assign, now: float) -> Sequence[Effect]:
        """The shell could not send a job to its worker, which is gone and never saw that job."""
        worker = order.worker
        if order.job.worker is worker:
            # Else a row of idle workers that died together would use up the redeliveries.
            order.job.deliveries -= 1
        return self.vanish(worker.endpoint, worker.identity, now)

    def vanish(self, endpoint: Endpoint, identity: bytes, now: float) -> Sequence[Effect]:
        """The transport lost a peer: a worker's jobs go on, a client's requests end."""
        effects: list[Effect] = []
        worker = endpoint.workers.get(identity)
        if worker is not None:
            self._remove(worker, What.WORKER_LOST, "it cannot be reached", now, effects)
        client = endpoint.clients.get(identity) or endpoint.shunned.kept(identity)
        if client is not None:
            for reply in self._parking.forget(client):
                effects.extend(self._give_up(reply, What.CLIENT_GONE, "its client vanished"))
            for job in list(client.jobs.values()):
                effects.append(self._end_by(What.CLIENT_GONE, job, "its client vanished"))
        return effects

    def usurp(self, endpoint: Endpoint, identity: bytes, why: str, now: float) -> Sequence[Effect]:
        """Somebody else speaks under a peer's identity, and would get what is sent to it.

        So nothing is sent there until the peer itself, which is not to blame, is heard again.
        """
        effects: list[Effect] = [
            self._tell(What.INVALID, endpoint=endpoint.name, peer=identity, why=why)
        ]
        for one in endpoint.beside:
            effects += self.vanish(one, identity, now)
        return effects

    # Time

    @property
    def paused(self) -> bool:
        """Whether sockets that carry no workers are to be left unread, until it is false again."""
        mark = self.limits.max_open
        self._paused = self.open > mark * 0.8 if self._paused else self.open >= mark
        return self._paused

    def next_deadline(self) -> float | None:
        """When `tick` is next needed; None: not until something is received."""
        if self._draining and not self.stopped and not self.open and not self._parking.count:
            return 0.0
        when = min(
            self._scan_at,
            self._expiry_at,
            self._parking.retry_at,
            self._sweep_at,
            self._drain_until,
        )
        return None if when == NEVER else when

    def tick(self, now: float, drained: bool = True) -> Sequence[Effect]:
        """Do what is due. With `drained` false nobody and nothing expires.

        That is for a shell that wakes up late: first it takes from its sockets the signs of life
        that came while it slept.
        """
        if self._draining and not self.stopped:
            idle = not self.open and not self._parking.count
            if idle or now >= self._drain_until:
                return self.stop(now)
        effects: list[Effect] = []
        # What has expired is not to be handed to another worker, so this comes first.
        if self._expiry_at <= now:
            self._expire(now, drained, effects)
        if self._scan_at <= now:
            self._scan(now, drained, effects)
        if self._parking.retry_at <= now:
            self._try_parked(now, effects)
        if self._sweep_at <= now:
            self._sweep(now, now - self.limits.client_memory)
        return effects

    def _expire(self, now: float, drained: bool, effects: list[Effect]) -> None:
        earliest = NEVER
        for service in list(self.services.values()):
            # Accepted in this order, under one rule: the first that has time left ends the search.
            expired: list[Job] = []
            for job in service.open.values():
                if job.expires > now or not drained:
                    earliest = min(earliest, job.expires)
                    break
                expired.append(job)
            for job in expired:
                why = "no worker took it" if job.worker is None else "its worker took too long"
                effects.append(self._end_by(What.EXPIRED, job, why))
        self._expiry_at = max(earliest, now + GRAIN) if earliest < NEVER else NEVER

    def _try_parked(self, now: float, effects: list[Effect]) -> None:
        for reply in self._parking.release(now):
            if reply.job.muted:
                why = "the replies before it were dropped"
                effects.extend(self._give_up(reply, What.FAILED, why))
            elif reply.until is not None and reply.until <= now:
                effects.extend(self._give_up(reply, What.FAILED, "parked for too long"))
            else:
                effects.append(reply)

    def drain(self, now: float, limit: float) -> Sequence[Effect]:
        """Refuse new requests, finish the open ones, and stop after so many seconds at most."""
        self._draining = True
        self._drain_until = now + limit
        why = (
            f"{self.open} open requests have {limit:g} s to end" if self.open else "nothing is open"
        )
        return [self._tell(What.DRAINING, why=why)]

    def stop(self, now: float) -> Sequence[Effect]:
        """Stop at once: end what is open and dismiss the workers."""
        self._draining = self.stopped = True
        effects: list[Effect] = []
        for reply in self._parking.release():
            effects.extend(self._give_up(reply, What.FAILED, "the broker stopped"))
        for service in list(self.services.values()):
            for job in list(service.open.values()):
                effects.append(self._end_by(What.FAILED, job, "the broker stopped"))
        for endpoint in self.endpoints:
            for worker in list(endpoint.workers.values()):
                if worker.rules.can_dismiss:
                    effects.append(Dismiss(endpoint, worker.identity))
                self._forget_worker(worker, What.WORKER_LEFT, "the broker stopped", effects)
                worker.jobs.clear()
        self._scan_at = self._expiry_at = self._sweep_at = self._drain_until = NEVER
        effects.append(self._tell(What.STOPPED))
        return effects
