"""Stories of nodes whose program gets signals while it is busy with them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.nodes import Gathering, gathering
from support.processes import python

pytestmark = pytest.mark.process


@pytest.fixture
def here() -> Iterator[Gathering]:
    with gathering() as found:
        yield found


OPENING = """
import signal, sys, threading, time
from zwire.errors import LocalError
from zwire.io.zre_node import Node
from zwire.io.zre_settings import NodeSettings
settings = NodeSettings(interfaces=("loopback",), port=int(sys.argv[1]))
"""

STOPPED = OPENING + """
node = Node("ann", settings=settings).start()
signal.signal(signal.SIGTERM, lambda *_: node.stop())
print("waits", flush=True)
for event in node:
    print(event, flush=True)
node.stop()
print("has left", flush=True)
"""


def test_a_signal_handler_may_stop_the_node_that_its_program_waits_for(here: Gathering) -> None:
    with python(STOPPED, str(here.port)) as ann:
        ann.wait_for_line("waits")
        assert ann.stop() == 0
        assert "has left" in "".join(ann.output)


TALKING = OPENING + """
node, other = Node("ann", settings=settings).start(), Node("bob", settings=settings).start()
signal.signal(signal.SIGTERM, lambda *_: node.stop())
next(iter(node))
print("talks", flush=True)
try:
    while True:
        node.whisper(other.uuid, "on and on")
        node.peers()
except LocalError as error:
    print(error, flush=True)
node.stop()
other.stop()
"""


def test_a_signal_handler_may_stop_the_node_that_its_program_talks_with(here: Gathering) -> None:
    with python(TALKING, str(here.port)) as ann:
        ann.wait_for_line("talks")
        assert ann.stop() == 0
        assert "the node was stopped" in "".join(ann.output)


INTERRUPTED = OPENING + """
node, other = Node("ann", settings=settings).start(), Node("bob", settings=settings).start()
next(iter(other))
over = threading.Event()

def talk():
    while not over.is_set():
        try:
            other.whisper(node.uuid, "on and on")
        except LocalError:
            over.wait(0.001)  # an interrupt cost a message: they have to meet again

talker = threading.Thread(target=talk)
talker.start()
signal.signal(signal.SIGALRM, signal.default_int_handler)
interrupts = 0
while interrupts < 1000:
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.0005 + interrupts % 7 * 0.0007, 0.5)
        for event in node:
            node.peers()
    except KeyboardInterrupt:
        signal.setitimer(signal.ITIMER_REAL, 0)
        interrupts += 1
        if interrupts % 100 == 0:
            print("interrupted", interrupts, flush=True)
over.set()
talker.join()
node.stop()
other.stop()
"""


def test_interrupts_at_any_moment_leave_a_node_that_can_be_stopped(here: Gathering) -> None:
    with python(INTERRUPTED, str(here.port)) as ann:
        for interrupts in range(100, 1001, 100):
            ann.wait_for_line(f"interrupted {interrupts}")
        assert ann.wait() == 0
