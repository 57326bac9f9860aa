"""The broker killed (-9) and started again: workers and clients come back, and all is answered."""

from __future__ import annotations

import threading

import pytest

from support.fleet import DIALECTS, LONG, Fleet, everything, patient, progress, size
from zwire import BrokerConfig, Job

pytestmark = [pytest.mark.process, pytest.mark.timeout(3600)]


def test_open_requests_outlive_the_broker_through_their_clients_own_retries(fleet: Fleet) -> None:
    each = size(10, 100)
    everybody = each * len(DIALECTS)
    rules = patient(credit=everybody)
    config = BrokerConfig(everything(ports=fleet.own_ports()), rules=rules)
    broker = fleet.broker(config)
    places = broker.places
    arrived, gate = threading.Semaphore(0), threading.Event()

    def held(job: Job) -> tuple[bytes, ...]:
        if job.body[0].startswith(b"held"):
            arrived.release()
            gate.wait()
        return job.body

    fleet.worker(places["mdpx"], "echo", held, slots=everybody)
    clients = {name: fleet.client(places[name], retry=1.0, retry_longest=2.0) for name in DIALECTS}
    for round_number in range(size(1, 10)):
        gate.clear()
        progress(f"kill {round_number + 1}")
        before = [
            clients[name].submit("echo", f"held {name} {number} {round_number}")
            for name in DIALECTS
            for number in range(each)
        ]
        for _ in before:
            assert arrived.acquire(timeout=60), "a request did not come"
        # Every request is with a worker now, on behalf of a broker that dies with its memory of it.
        broker.program.kill()
        during = [clients[name].submit("echo", f"nobody listens {name}") for name in DIALECTS]
        gate.set()
        broker = fleet.broker(config)
        assert broker.places == places
        names = iter((name, number) for name in DIALECTS for number in range(each))
        for future, (name, number) in zip(before, names, strict=True):
            expected = f"held {name} {number} {round_number}".encode()
            assert future.result(LONG).body == (expected,)
        for future, name in zip(during, DIALECTS, strict=True):
            assert future.result(LONG).body == (f"nobody listens {name}".encode(),)
        while arrived.acquire(blocking=False):
            pass  # those that came again
    for client in clients.values():
        client.close()
    counts = broker.end()
    assert counts["accepted"] >= len(DIALECTS)
    assert counts["request failed"] == counts["request expired"] == 0
