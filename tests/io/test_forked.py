"""What was made before a fork belongs to the parent: the child is told, and harms nothing."""

from __future__ import annotations

import pytest

from support.processes import python

pytestmark = pytest.mark.process

SCRIPT = """
import os, sys
from zwire import Broker, BrokerConfig, Client, Closed, Worker
from zwire.io.config import parse_flag

config = BrokerConfig((parse_flag("mdpx", "tcp://127.0.0.1:*,tcp://127.0.0.1:*"),))
with Broker(config) as broker:
    front, back = ("mdpx" + at.removeprefix("tcp") for at in (broker.bound[0].front, broker.bound[0].back))
    worker = Worker(back, "echo")
    worker.handler(lambda word: word)
    with worker, Client(front) as client:
        assert client.request("echo", "before").body == (b"before",)
        child = os.fork()
        if child == 0:
            try:
                client.request("echo", "lost", timeout=60)
            except Closed as error:
                print("child:", error, flush=True)
            with Client(front) as own:
                print("child:", own.request("echo", "its own").body, flush=True)
            client.close()
            worker.close()
            broker.stop(at_once=True)
            broker.close()
            os._exit(7)
        print("ended with", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        print("parent:", client.request("echo", "after").body, flush=True)
"""


def test_a_forked_process_makes_its_own_client_and_leaves_its_parents_alone() -> None:
    with python(SCRIPT) as program:
        assert program.wait() == 0, program.complaints
    told = "".join(program.output)
    assert "child: it belongs to the process" in told
    assert "make a new one here" in told
    assert "child: (b'its own',)" in told
    assert "ended with 7" in told
    assert "parent: (b'after',)" in told
