"""Who gets which job: services, waiting lines, credit, redelivery and the one end of each request.

The story of a job. It is accepted and waits in its service's queue, unless a worker stands ready.
The least recently used ready worker takes the job whose turn it is and holds it under a tag. Its
final reply ends the job and makes room for the next. A worker that goes gives its open jobs back;
they are handed out again before any other, oldest first, but not more often than the service allows
and not once a part of the reply has reached the client. An ended job that a worker still holds is
only remembered so that its late reply can be told from an unexpected one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zwire.core.effects import Assign, Effect, Reply, Tell, What
from zwire.core.policy import Correlate, Limits, ServiceRules
from zwire.core.state import Job, Service, Tag, Worker
from zwire.core.statistics import Statistics

NEVER = float("inf")


class Dispatch:
    """The services with their workers and jobs; it knows no peers, rules of admission or timers."""

    def __init__(
        self,
        limits: Limits,
        default: ServiceRules,
        rules: Mapping[bytes, ServiceRules],
    ) -> None:
        self.limits = limits
        self.services: dict[bytes, Service] = {}
        self.statistics = Statistics()
        self.open = 0  # requests accepted and not ended
        self.unserved = 0  # services without workers
        self._default = default
        self._rules = dict(rules)
        self._number = 0
        self._minted = 0
        self._expiry_at = NEVER  # no open request expires before

    # Telling

    def _tell(
        self,
        what: What,
        *,
        endpoint: str = "",
        peer: bytes = b"",
        service: bytes = b"",
        request_id: bytes = b"",
        why: str = "",
    ) -> Tell:
        """Count what happened and make the effect that tells it."""
        self.statistics.told[what] += 1
        return Tell(what, endpoint, peer, service, request_id=request_id, why=why)

    def _tell_job(self, what: What, job: Job, why: str = "", worker: Worker | None = None) -> Tell:
        """Tell of a job, from the client's side unless a worker is given."""
        self.statistics.told[what] += 1
        peer = job.client if worker is None else worker
        return Tell(
            what,
            peer.endpoint.name,
            peer.identity,
            job.service.name,
            job.number,
            job.request_id,
            why,
        )

    # Services

    def _require_service(self, name: bytes) -> Service:
        """The service of that name, made if it is new."""
        service = self.services.get(name)
        if service is None:
            service = Service(name, self._rules.get(name, self._default))
            self.services[name] = service
            self.unserved += 1
        return service

    def _forget_if_unused(self, service: Service) -> None:
        if not service.workers and not service.open and service.name in self.services:
            del self.services[service.name]
            self.unserved -= 1

    # Handing out

    def _assign(self, job: Job, worker: Worker, now: float) -> Assign:
        """Give a worker with a free slot the job; the caller sees to its place in the lines."""
        worker.free -= 1
        held = worker.jobs
        client = job.client
        tag: Tag
        correlate = worker.rules.correlate
        if client.endpoint.family == worker.endpoint.family and correlate is not Correlate.MINTED:
            if correlate is Correlate.CLIENT_AND_ID:
                tag = (client.identity, job.request_id)
            elif correlate is Correlate.ID:
                tag = job.request_id
            else:
                tag = client.identity
            if tag in held:
                tag = self._mint(worker)
        else:
            tag = self._mint(worker)
        held[tag] = job
        job.worker = worker
        job.tag = tag
        job.deliveries += 1
        worker.sent = now
        self.statistics.assigned += 1
        return Assign(worker, job, tag)

    def _mint(self, worker: Worker) -> Tag:
        """A tag that the worker does not hold, for a job whose own ids would not do."""
        while True:
            self._minted += 1
            minted = b"zwire" + self._minted.to_bytes(8, "big")
            tag: Tag = minted
            if worker.rules.correlate is Correlate.CLIENT_AND_ID:
                tag = (minted, minted)
            if tag not in worker.jobs:
                return tag

    def _take_first(self, service: Service) -> Worker:
        """The least recently used waiting worker, which goes to the end or out of the lines."""
        worker = service.waiting[0]
        if worker.free > 1:
            service.waiting.rotate(-1)
        elif worker.only is not None:
            service.waiting.popleft()
            worker.waiting = False
        else:
            self._leave_lines(worker)
        return worker

    def _employ(self, worker: Worker, now: float, effects: list[Effect]) -> None:
        """Fill a worker's free slots with what waits for it, then let it wait for more."""
        while worker.free > 0:
            job = self._next_for(worker)
            if job is None:
                if not worker.waiting:
                    worker.waiting = True
                    for service in worker.services:
                        service.waiting.append(worker)
                return
            effects.append(self._assign(job, worker, now))
        if worker.waiting:
            self._leave_lines(worker)

    def _next_for(self, worker: Worker) -> Job | None:
        """The job whose turn it is among all that this worker can take."""
        if worker.only is not None:
            return worker.only.queue.take(worker.frames)
        queued = [service.queue for service in worker.services if service.queue.count]
        for queue in sorted(queued, key=lambda queue: queue.peek().number):
            job = queue.take(worker.frames)
            if job is not None:
                return job
        return None

    def _serve(self, service: Service, now: float, effects: list[Effect]) -> None:
        """Hand what waits in a service to the workers that wait there, where they fit."""
        queue, waiting = service.queue, service.waiting
        passed = 0  # workers in a row that can carry nothing of what waits
        while queue.count and passed < len(waiting):
            job = queue.take(waiting[0].frames)
            if job is None:
                waiting.rotate(-1)
                passed += 1
            else:
                effects.append(self._assign(job, self._take_first(service), now))
                passed = 0

    def _leave_lines(self, worker: Worker) -> None:
        worker.waiting = False
        for service in worker.services:
            service.waiting.remove(worker)

    def _strike(self, worker: Worker) -> None:
        """Take a worker off its services; what it holds is the caller's to give back."""
        if worker.waiting:
            self._leave_lines(worker)
        worker.free = 0
        for service in worker.services:
            service.workers.discard(worker)
            self.unserved += not service.workers
            service.picky -= worker.frames is not None

    # Ending

    def _finish(self, job: Job, body: Sequence[bytes]) -> Effect:
        """End a job by its final reply, or tell why its client's dialect cannot carry that."""
        if job.gathered is not None:
            body = [*job.gathered, *body]
        wanted = job.client.rules.body_frames
        if wanted is not None and len(body) != wanted:
            return self._end_by(What.FAILED, job, f"unbridgeable reply of {len(body)} frames")
        self._end(job)
        self.statistics.answered += 1
        if job.request_id:
            job.client.endpoint.finished.add((job.client.identity, job.request_id))
        return Reply(job, body, True)

    def _end_by(self, what: What, job: Job, why: str = "") -> Tell:
        """End a job without a final reply: one of the endings that are told."""
        if job.worker is None:
            job.service.queue.remove(job)
        self._end(job)
        job.muted = True
        job.gathered = None
        told = self._tell_job(what, job, why)
        self._forget_if_unused(job.service)
        return told

    def _end(self, job: Job) -> None:
        job.ended = True
        del job.client.jobs[job.key]
        del job.service.open[job.number]
        self.open -= 1

    # Giving back

    def _redeliver(self, worker: Worker, now: float, effects: list[Effect]) -> None:
        """Hand on what a struck worker held, in the order in which it was accepted."""
        touched: dict[Service, None] = {}
        for job in sorted(worker.jobs.values(), key=lambda job: job.number):
            if job.ended:
                continue
            if job.streamed:
                # The next worker's parts would follow those that the client already has.
                effects.append(self._end_by(What.FAILED, job, "worker lost in mid-reply"))
            elif job.deliveries > job.service.rules.max_redeliveries:
                effects.append(self._end_by(What.FAILED, job, "redelivered too often"))
            else:
                job.worker = None
                job.gathered = None
                job.service.queue.readmit(job)
                touched[job.service] = None
                effects.append(self._tell_job(What.REDELIVERED, job, "worker lost", worker))
        worker.jobs.clear()
        for service in touched:
            self._serve(service, now, effects)
        for service in worker.services:
            self._forget_if_unused(service)
