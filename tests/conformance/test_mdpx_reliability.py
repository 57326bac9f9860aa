"""MDPX: what is expected of its reliability and security, on real processes and with real keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.keys import make_keys
from support.processes import python
from support.raw import PATIENCE
from support.running import Scene, listener
from support.wire import Mdpx
from zwire import Client, ClientSettings, NoAnswer, Worker, WorkerSettings
from zwire.core.effects import What
from zwire.core.policy import ServiceRules

pytestmark = pytest.mark.process

HOLDS_ON = """
import sys, threading
from zwire import Worker, WorkerSettings
worker = Worker(sys.argv[1], "echo", dialect="mdpx", settings=WorkerSettings(interval=0.1))
@worker.handler
def hold(body):
    print("holding", flush=True)
    threading.Event().wait()
worker.run()
"""


@pytest.mark.clause("MDPX-GOAL-02", "MDPX-MISC-01")
def test_the_request_of_a_killed_worker_is_answered_by_the_next(scene: Scene) -> None:
    broker = scene.broker(
        listener("mdpx", interval=0.5, liveness=4.0),
        real_time=True,
        rules=ServiceRules(max_redeliveries=1000, expiry=None),
    )
    settings = ClientSettings(timeout=3 * PATIENCE, retry=0)
    client = scene.own(Client(broker.front, dialect="mdpx", settings=settings))
    with python(HOLDS_ON, broker.back) as doomed:
        future = client.submit("echo", b"?")
        doomed.wait_for_line("holding")
        doomed.kill()
    worker = scene.own(
        Worker(
            broker.back,
            "echo",
            dialect="mdpx",
            settings=WorkerSettings(interval=0.1, reconnect=0.1),
        )
    )
    worker.handler(lambda body: b"re " + body)
    worker.start()
    assert future.result(3 * PATIENCE).body == (b"re ?",)
    assert broker.told(What.REDELIVERED)


@pytest.mark.clause("MDPX-MISC-01")
def test_with_curve_only_peers_of_admitted_keys_are_served(scene: Scene, tmp_path: Path) -> None:
    keys = make_keys(tmp_path)
    broker = scene.broker(listener("mdpx"), curve=keys.broker)
    worker = scene.own(Worker(broker.back, "echo", dialect="mdpx", curve=keys.guest))
    worker.handler(lambda body: body)
    worker.start()
    plain, unknown = scene.peer(broker.front, b"plain"), Client(
        broker.front, dialect="mdpx", curve=keys.stranger
    )
    plain.send_if_admitted(*Mdpx.ask(b"1", b"?"))
    future = scene.own(unknown).submit("echo", b"?")
    guest = scene.own(Client(broker.front, dialect="mdpx", curve=keys.guest))
    assert guest.request("echo", b"hello", timeout=PATIENCE).body == (b"hello",)
    assert broker.broker.statistics["accepted"] == 1
    assert not future.done()
    assert not plain.waiting()
    with pytest.raises(NoAnswer):
        unknown.request("echo", b"?", timeout=0.1)
