"""What was made before a fork belongs to the parent: the child is told, and harms nothing."""

from __future__ import annotations

import pytest

from support.nodes import beacon_port
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


NODES = """
import os
from zwire import Closed, LogCollector, Node, NodeSettings
from zwire.zre.events import Entered, Whispered

here = NodeSettings(interfaces=("loopback",), port=PORT, inproc=False)


def next_of(node, kind):
    for event in node:
        if isinstance(event, kind):
            return event


with LogCollector(settings=here) as log, Node("ann", settings=here, groups=["g"]) as ann:
    next_of(ann, Entered)
    child = os.fork()
    if child == 0:
        for deed in (
            lambda: ann.whisper(log.node.uuid, "lost"),
            lambda: ann.shout("g", "lost"),
            lambda: ann.join("h"),
            ann.peers,
            ann.groups,
            ann.receive,
            log.receive,
        ):
            try:
                print("child: not refused", deed())
            except Closed as error:
                print("child:", error, flush=True)
        with Node("cid", settings=here) as own:
            print("child met:", next_of(own, Entered).name, flush=True)
        ann.stop()
        log.close()
        os._exit(7)
    print("ended with", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    log.node.whisper(ann.uuid, "after")
    print("parent:", next_of(ann, Whispered).content, ann.groups(), flush=True)
"""


def test_a_forked_process_makes_its_own_node_and_leaves_its_parents_alone() -> None:
    with beacon_port() as port, python(NODES.replace("PORT", str(port))) as program:
        assert program.wait() == 0, program.complaints
    told = "".join(program.output)
    assert told.count("child: the node belongs to the process") == 6
    assert told.count("child: the collector does not run in this process") == 1
    assert "child: not refused" not in told
    assert "child met:" in told
    assert "ended with 7" in told
    assert "parent: (b'after',) ['g']" in told
