"""Whoever forgets to close something is warned by Python, and held up by nothing."""

from __future__ import annotations

import pytest

from support.processes import python

pytestmark = pytest.mark.process

SCRIPT = """
import asyncio, gc
from zwire.aio import Client, Worker
from zwire.io import Dealer

async def forgetful() -> None:
    client = Client("mdpx://127.0.0.1:1")
    client.submit("echo", "nobody hears this")
    worker = Worker("mdpx://127.0.0.1:1", "echo")
    worker.handler(lambda word: word)
    await worker.start()

asyncio.run(forgetful())
never_used = Client("emqp://127.0.0.1:1")
dealer = Dealer()
dealer.connect("tcp://127.0.0.1:1")
never_used.me, dealer.me = never_used, dealer  # only the collector can end what holds itself
del never_used, dealer
gc.collect()
print("collected", flush=True)
"""


def test_clients_workers_and_sockets_that_nobody_closed_are_collected_without_waiting() -> None:
    with python(SCRIPT) as program:
        program.wait_for_line("collected")
        assert program.wait() == 0, program.complaints
