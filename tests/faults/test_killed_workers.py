"""Workers killed (-9): what they held goes to the next, in every dialect and under load."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future

import pytest

from support.fleet import DIALECTS, LONG, Fleet, everything, patient, progress, size
from zwire import BrokerConfig, Job, Reply

pytestmark = [pytest.mark.process, pytest.mark.timeout(7200)]

WINDOW = 64


def echo(job: Job) -> tuple[bytes, ...]:
    return job.body


def test_what_a_killed_worker_held_goes_to_the_next_whatever_they_speak(fleet: Fleet) -> None:
    config = BrokerConfig(everything(service="held-ppp"), rules=patient())
    broker = fleet.broker(config)
    services = {dialect: f"held-{dialect}" for dialect in DIALECTS}
    holders = {name: fleet.holder(broker.places[name], services[name]) for name in DIALECTS}
    client = fleet.client(broker.places["mdpx"])
    asked = {name: client.submit(services[name], name) for name in DIALECTS}
    for name in DIALECTS:
        assert holders[name].wait_for_json(event="holding")["body"] == name
    for holder in holders.values():
        holder.kill()
    # Each is followed by a worker of another dialect, but in PPP, where the address is the service.
    workers = []
    for name in DIALECTS:
        following = {"ppp": "ppp", "mdpx": "emqp", "emqp": "mdp01"}.get(name, "mdpx")
        workers.append(fleet.worker(broker.places[following], services[name], echo))
    for name in DIALECTS:
        assert asked[name].result(LONG).body == (name.encode(),)
    for worker in workers:
        worker.close()
    counts = broker.end()
    assert counts["request redelivered"] >= len(DIALECTS)
    assert counts["request failed"] == counts["request expired"] == 0


def test_workers_killed_under_load_lose_nothing(fleet: Fleet) -> None:
    broker = fleet.broker()
    place = broker.places["mdpx"]
    workers = deque(fleet.echo(place) for _ in range(3))
    client = fleet.client(place)
    total, kills = size(900, 200_000), size(2, 60)
    replaced = 0
    open_ones: deque[tuple[bytes, Future[Reply]]] = deque()
    for number in range(total + WINDOW):
        if number < total:
            body = b"request %d" % number
            open_ones.append((body, client.submit("echo", body)))
        if number >= WINDOW:
            body, future = open_ones.popleft()
            assert future.result(LONG).body == (body,)
        if replaced < kills and number * (kills + 1) >= (replaced + 1) * total:
            replaced += 1
            progress(f"{number} requests, {replaced} workers killed")
            workers.append(fleet.echo(place))
            workers.popleft().kill()
    assert not open_ones
    counts = broker.end()
    assert counts["accepted"] >= total
    assert counts["worker lost"] >= 1
    assert counts["request failed"] == counts["request expired"] == 0
