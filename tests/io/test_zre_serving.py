"""Who serves a node: the thread that waits for its events, or its own; and beacons, read once for all."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from support.nodes import Gathering, counted, gathering
from support.raw import PATIENCE, eventually
from zwire.errors import Closed, LocalError, NoAnswer
from zwire.io.zre_node import Node
from zwire.zre import Busy
from zwire.zre.events import NodeEvent, Whispered

pytestmark = pytest.mark.process


@pytest.fixture
def here() -> Iterator[Gathering]:
    with gathering() as found:
        yield found


def test_a_node_hears_its_peers_whether_or_not_its_user_waits(here: Gathering) -> None:
    ann, bob = here.pair(inproc=False)
    for turn in range(20):
        bob.node.whisper(ann.node.uuid, f"you wait {turn}")
        ann.wait_for(Whispered, content=(f"you wait {turn}".encode(),))
        heard = ann.node.statistics()["messages_heard"]
        bob.node.whisper(ann.node.uuid, f"you are busy {turn}")
        counted(ann.node, "messages_heard", heard + 1)
        ann.wait_for(Whispered, content=(f"you are busy {turn}".encode(),))


def test_two_who_read_share_the_events_and_miss_none(here: Gathering) -> None:
    ann, bob = here.pair(inproc=False)
    total = 2_000

    def read() -> list[bytes]:
        found: list[bytes] = []
        while True:
            event = ann.node.receive(PATIENCE)
            assert isinstance(event, Whispered)
            if event.content[0] == b"end":
                return found
            found.append(event.content[0])

    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        for number in range(total):
            bob.node.whisper(ann.node.uuid, b"%d" % number)
        for _ in readers:
            bob.node.whisper(ann.node.uuid, b"end")
        found = [reader.result() for reader in readers]
    assert sorted(found[0] + found[1], key=int) == [b"%d" % number for number in range(total)]
    assert all(one == sorted(one, key=int) for one in found)


def test_who_waits_in_vain_is_told_so_and_the_node_lives_on(here: Gathering) -> None:
    ann, bob = here.pair()
    for _ in range(3):
        with pytest.raises(NoAnswer, match=r"nothing happened within 0\.02 s"):
            ann.node.receive(0.02)
    bob.node.whisper(ann.node.uuid, "still there?")
    ann.wait_for(Whispered)


def test_a_node_that_is_stopped_lets_go_of_who_waits(here: Gathering) -> None:
    ann = here.node("ann")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(_all_events, ann.node.receive)
        eventually(lambda: not waiting.running() or _guests(ann) > 0, "somebody waits")
        ann.node.stop()
        assert waiting.result(PATIENCE) == []


def _all_events(receive: object) -> list[NodeEvent]:
    assert callable(receive)
    return list(iter(receive, None))


def _guests(listened: object) -> int:
    thread = listened.node._thread  # type: ignore[attr-defined]
    return len(thread._guest)


DEEDS: list[Callable[[Node, Random], object]] = [
    lambda node, _: node.shout("g", "hello", timeout=0.05),
    lambda node, _: node.whisper(node.peers()[0], "psst", timeout=0.05),
    lambda node, chance: node.join(f"{chance.randrange(5)}"),
    lambda node, chance: node.leave(f"{chance.randrange(5)}"),
    lambda node, _: node.receive(0.01),
    lambda node, _: node.statistics(),
]


@pytest.mark.parametrize("inproc", [True, False], ids=["inproc", "tcp"])
def test_many_threads_use_nodes_that_are_stopped_meanwhile(here: Gathering, inproc: bool) -> None:
    nodes = [one.node for one in here.pair(groups=("g",), inproc=inproc, send_queue=5)]

    def use(number: int) -> int:
        chance, done = Random(number), 0
        while True:
            node = chance.choice(nodes)
            try:
                chance.choice(DEEDS)(node, chance)
                done += 1
            except Closed:
                if all(one._stopped for one in nodes):
                    return done
            except (Busy, NoAnswer, LocalError, IndexError):
                pass  # no room, no news, or the other has gone

    with ThreadPoolExecutor(10) as pool:
        users = [pool.submit(use, number) for number in range(4)]
        counted(nodes[0], "messages_heard", 50)
        for stopped in [pool.submit(node.stop) for node in nodes for _ in range(2)]:
            stopped.result(PATIENCE)
        assert all(one.result(PATIENCE) for one in users)
    assert all(node._thread is not None and node._thread.failure is None for node in nodes)


def test_a_failure_while_the_user_serves_ends_the_node(here: Gathering) -> None:
    ann, bob = here.pair()

    def broken(*_: object) -> None:
        raise RuntimeError("a mistake of ours")

    ann.node._driver.engine.hear = broken  # type: ignore[assignment,method-assign]
    bob.node.whisper(ann.node.uuid, "hello")
    assert ann.node.receive(PATIENCE) is None
    ann.node.stop()


def test_the_nodes_of_a_process_read_beacons_once_for_all(here: Gathering) -> None:
    name = f"zwire-beacons-{here.port}"

    def readers() -> int:
        return sum(one.name == name for one in threading.enumerate())

    ann, bob = here.pair()
    cid = here.node("cid")
    for one in (ann, bob):
        one.met(cid)
    assert readers() == 1
    ann.node.stop()
    bob.node.stop()
    counted(cid.node, "beacons_own", cid.node.statistics()["beacons_own"] + 1)
    assert readers() == 1
    cid.node.stop()
    assert readers() == 0


def test_beacons_that_tell_nothing_new_wake_nobody(here: Gathering) -> None:
    ann, bob = here.pair()
    driver = ann.node._driver
    familiar = driver.engine._state.familiar
    eventually(lambda: bool(familiar), "she knows his beacon by heart")
    ((octets, address),) = familiar
    woken: list[str] = []
    driver.wake = lambda: woken.append("woken")

    def nobody_was_woken() -> bool:
        woken.clear()
        driver.overhear(octets, address, time.monotonic())
        return not woken

    # Once is enough: where somebody else has a turn just then, she is woken after all.
    eventually(nobody_was_woken, "it is overheard")
    driver.overhear(b"ZRE", address, time.monotonic())
    assert woken
    assert bob.node.find_peer(ann.node.uuid) is not None
