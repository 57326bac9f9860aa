"""Clients killed (-9) with requests open: their replies find nobody, and nobody else notices."""

from __future__ import annotations

import threading

import pytest

from support.fleet import DIALECTS, Fleet, everything, patient, size
from zwire import BrokerConfig, Job

pytestmark = [pytest.mark.process, pytest.mark.timeout(3600)]

ASKER = """
import sys, threading
from zwire import Client

clients = [Client(url) for url in sys.argv[2:]]
for client in clients:
    for number in range(int(sys.argv[1])):
        client.submit("echo", b"from one to be killed", timeout=600)
threading.Event().wait()
"""


def test_killed_clients_leave_the_broker_to_the_others(fleet: Fleet) -> None:
    each = size(4, 40)
    everybody = each * len(DIALECTS)
    config = BrokerConfig(everything(), rules=patient(credit=everybody))
    broker = fleet.broker(config)
    arrived, gate = threading.Semaphore(0), threading.Event()

    def held(job: Job) -> tuple[bytes, ...]:
        if job.body == (b"from one to be killed",):
            arrived.release()
            gate.wait()
        return job.body

    for _ in range(size(2, 20)):
        gate.clear()
        worker = fleet.worker(broker.places["mdpx"], "echo", held, slots=everybody)
        asker = fleet.program(ASKER, str(each), *(broker.places[name].front for name in DIALECTS))
        for _ in range(everybody):
            assert arrived.acquire(timeout=60), "a request did not come"
        asker.kill()
        gate.set()
        for name in DIALECTS:
            client = fleet.client(broker.places[name])
            assert client.request("echo", name).body == (name.encode(),)
            client.close()
        worker.close(drain=30)
    counts = broker.end()
    assert counts["request failed"] == counts["request expired"] == counts["open"] == 0
