"""Ways to break the broker engine, each a small wrong that a careless change could bring about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from zwire.core.admission import Admission
from zwire.core.broker import Broker
from zwire.core.dispatch import Dispatch
from zwire.core.effects import What
from zwire.core.parking import Parking
from zwire.core.queueing import FairQueue
from zwire.core.roster import Roster

Saboteur = Callable[[pytest.MonkeyPatch], None]


def forget_what_a_lost_worker_held(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Dispatch, "_redeliver", lambda self, worker, now, effects: None)


def let_redelivered_jobs_wait_for_nobody(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Dispatch, "_serve", lambda self, service, now, effects: None)


def redeliver_what_has_ended(patch: pytest.MonkeyPatch) -> None:
    honest = Dispatch._redeliver

    def broken(self: Any, worker: Any, now: float, effects: Any) -> None:
        for job in worker.jobs.values():
            job.ended = False
        honest(self, worker, now, effects)

    patch.setattr(Dispatch, "_redeliver", broken)


def run_a_half_answered_request_again(patch: pytest.MonkeyPatch) -> None:
    honest = Dispatch._redeliver

    def broken(self: Any, worker: Any, now: float, effects: Any) -> None:
        for job in worker.jobs.values():
            job.streamed = False
        honest(self, worker, now, effects)

    patch.setattr(Dispatch, "_redeliver", broken)


def hand_out_and_keep(patch: pytest.MonkeyPatch) -> None:
    honest = Dispatch._assign

    def broken(self: Any, job: Any, worker: Any, now: float) -> Any:
        if not job.deliveries:
            job.service.queue.append(job)
        return honest(self, job, worker, now)

    patch.setattr(Dispatch, "_assign", broken)


def let_a_freed_worker_wait_beside_the_queue(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Dispatch, "_next_for", lambda self, worker: None)


def forget_to_let_a_freed_worker_wait(patch: pytest.MonkeyPatch) -> None:
    honest = Dispatch._employ

    def broken(self: Any, worker: Any, now: float, effects: Any) -> None:
        if self.statistics.answered < 2:
            honest(self, worker, now, effects)

    patch.setattr(Dispatch, "_employ", broken)


def leave_a_busy_worker_in_line(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Dispatch, "_take_first", lambda self, service: service.waiting[0])


def leave_a_busy_worker_in_its_other_line(patch: pytest.MonkeyPatch) -> None:
    def broken(self: Any, worker: Any) -> None:
        worker.waiting = False
        if worker in worker.services[0].waiting:
            worker.services[0].waiting.remove(worker)

    patch.setattr(Dispatch, "_leave_lines", broken)


def mint_the_same_tag_twice(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Dispatch, "_mint", lambda self, worker: b"minted")


def give_a_worker_what_it_cannot_carry(patch: pytest.MonkeyPatch) -> None:
    honest = FairQueue.take
    patch.setattr(FairQueue, "take", lambda self, frames=None: honest(self))


def keep_ended_jobs_in_the_queue(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(FairQueue, "remove", lambda self, job: None)


def tell_an_end_twice(patch: pytest.MonkeyPatch) -> None:
    honest = Broker._expire

    def broken(self: Any, now: float, drained: bool, effects: Any) -> None:
        honest(self, now, drained, effects)
        effects.extend([one for one in effects if getattr(one, "what", None) is What.EXPIRED])

    patch.setattr(Broker, "_expire", broken)


def expire_in_silence(patch: pytest.MonkeyPatch) -> None:
    honest = Broker._expire
    patch.setattr(
        Broker, "_expire", lambda self, now, drained, effects: honest(self, now, drained, [])
    )


def lose_parked_replies(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Parking, "park", lambda self, reply, now: True)


def drop_replies_in_silence(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Broker, "_give_up", lambda self, reply, what, why: [])


def forget_a_vanished_clients_requests(patch: pytest.MonkeyPatch) -> None:
    honest = Broker.vanish

    def broken(self: Any, endpoint: Any, identity: bytes, now: float) -> Any:
        effects = honest(self, endpoint, identity, now)
        return [one for one in effects if getattr(one, "what", None) is not What.CLIENT_GONE]

    patch.setattr(Broker, "vanish", broken)


def answer_expired_requests(patch: pytest.MonkeyPatch) -> None:
    honest = Broker.reply

    def broken(self: Any, endpoint: Any, identity: bytes, tag: Any, *rest: Any) -> Any:
        worker = endpoint.workers.get(identity)
        job = worker.jobs.get(tag) if worker is not None else None
        if job is not None and job.ended:
            job.client.jobs[job.key] = job
            job.service.open[job.number] = job
            self.open += 1
            job.ended = False
        return honest(self, endpoint, identity, tag, *rest)

    patch.setattr(Broker, "reply", broken)


def hand_a_dead_workers_job_to_a_dead_worker(patch: pytest.MonkeyPatch) -> None:
    def broken(self: Any, worker: Any, what: What, why: str, effects: Any) -> None:
        del worker.endpoint.workers[worker.identity]
        self.worker_count -= 1

    patch.setattr(Roster, "_forget_worker", broken)


def take_a_retry_for_a_request(patch: pytest.MonkeyPatch) -> None:
    honest = Broker.request

    def broken(self: Any, endpoint: Any, identity: bytes, service: bytes, *rest: Any) -> Any:
        request_id, *others = rest
        client = endpoint.clients.get(identity)
        if client is not None and request_id in client.jobs:
            request_id += b"again"
        return honest(self, endpoint, identity, service, request_id, *others)

    patch.setattr(Broker, "request", broken)


def accept_and_refuse(patch: pytest.MonkeyPatch) -> None:
    honest = Broker.request

    def broken(self: Any, endpoint: Any, identity: bytes, *rest: Any) -> Any:
        effects = honest(self, endpoint, identity, *rest)
        if self.open > 3:
            return [*effects, *self._refuse(endpoint, identity, b"", None, "a slip")]
        return effects

    patch.setattr(Broker, "request", broken)


def remember_every_client(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Admission, "_client_fits", lambda self: True)


SABOTEURS: list[Saboteur] = [
    forget_what_a_lost_worker_held,
    let_redelivered_jobs_wait_for_nobody,
    redeliver_what_has_ended,
    run_a_half_answered_request_again,
    hand_out_and_keep,
    let_a_freed_worker_wait_beside_the_queue,
    forget_to_let_a_freed_worker_wait,
    leave_a_busy_worker_in_line,
    leave_a_busy_worker_in_its_other_line,
    mint_the_same_tag_twice,
    give_a_worker_what_it_cannot_carry,
    keep_ended_jobs_in_the_queue,
    tell_an_end_twice,
    expire_in_silence,
    lose_parked_replies,
    drop_replies_in_silence,
    forget_a_vanished_clients_requests,
    answer_expired_requests,
    hand_a_dead_workers_job_to_a_dead_worker,
    take_a_retry_for_a_request,
    accept_and_refuse,
    remember_every_client,
]
