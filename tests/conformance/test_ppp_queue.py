"""PPP: the running broker as a queue between REQ clients and raw workers."""

from __future__ import annotations

import pytest
import zmq

from support.processes import python
from support.raw import PATIENCE
from support.running import Peer, Running, Scene, listener
from support.wire import Frames, Ppp
from zwire import Client, ClientSettings, Worker, WorkerSettings
from zwire.core.effects import What
from zwire.core.policy import ServiceRules

pytestmark = pytest.mark.process


@pytest.fixture
def queue(scene: Scene) -> Running:
    return scene.broker(listener("ppp", service="echo", interval=1.0, liveness=3.0))


def ready_worker(scene: Scene, queue: Running, identity: bytes) -> Peer:
    return scene.worker(queue, identity, Ppp.READY)


def req(scene: Scene, queue: Running) -> Peer:
    """A client as other people write them: a REQ, of which the queue knows nothing."""
    client = scene.own(Peer(zmq.REQ, scene.context, None))
    client.connect(queue.front)
    return client


@pytest.mark.clause("PPP-CONV-01", "PPP-FMT-01")
def test_a_worker_is_known_from_its_ready_on_and_what_it_said_before_is_refused(
    scene: Scene, queue: Running
) -> None:
    worker, client = scene.peer(queue.back, b"W"), req(scene, queue)
    client.send(b"question")
    queue.wait_for_count("accepted", 1)
    worker.send(b"stack", b"", b"a reply to nothing")
    worker.send(*Ppp.HEARTBEAT)
    worker.send(b"\x01")
    request = worker.receive()
    assert request[-2:] == [b"", b"question"]
    assert len(queue.told(What.STRANGER, peer=b"W")) == 2
    worker.send(*request[:-1], b"answer")
    assert client.receive() == [b"answer"]


@pytest.mark.clause("PPP-FMT-01")
@pytest.mark.parametrize("not_ready", [[b"\x01\x00"], [b"\x01", b"\x01"], [b"\x03"], [b""]])
def test_what_is_not_exactly_one_octet_is_no_ready(
    scene: Scene, queue: Running, not_ready: Frames
) -> None:
    worker, client = scene.peer(queue.back, b"W"), req(scene, queue)
    client.send(b"question")
    worker.send(*not_ready)
    other = ready_worker(scene, queue, b"other")
    assert other.receive()[-2:] == [b"", b"question"]
    assert not queue.told(What.WORKER_JOINED, peer=b"W")
    queue.close()
    assert worker.rest() == []


@pytest.mark.clause("PPP-CONV-05", "PPP-FMT-03", "PPP-FMT-04")
@pytest.mark.parametrize("stack", [[], [b"a"], [b"a", b"b", b"c"]], ids=len)
@pytest.mark.parametrize("content", [[b"1"], [b""], [b"1", b"", b"3", b"\x01", b"\x02"]])
def test_the_addresses_of_a_request_come_back_with_its_reply(
    scene: Scene, queue: Running, stack: Frames, content: Frames
) -> None:
    worker, client = ready_worker(scene, queue, b"W"), scene.peer(queue.front, b"C")
    client.send(*stack, b"", *content)
    request = worker.receive()
    end = request.index(b"")
    # On top of the client's addresses stands one of the queue's own, to know the reply by.
    assert request[1:end] == stack
    assert request[end + 1 :] == content
    worker.send(*request[: end + 1], b"re", *content)
    assert client.receive() == [*stack, b"", b"re", *content]


@pytest.mark.clause("PPP-FMT-04", "PPP-CONV-02")
def test_a_reply_without_addresses_is_to_the_only_request_there_is(
    scene: Scene, queue: Running
) -> None:
    worker, client = ready_worker(scene, queue, b"W"), req(scene, queue)
    for number in range(3):
        client.send(b"%d" % number)
        assert worker.receive()[-1] == b"%d" % number
        worker.send(b"content", b"alone")
        assert client.receive() == [b"content", b"alone"]


@pytest.mark.clause("PPP-FMT-03")
@pytest.mark.parametrize("nonsense", [[b"no delimiter"], [b"a", b""], [b""]])
def test_a_request_without_content_is_none(scene: Scene, queue: Running, nonsense: Frames) -> None:
    worker, client = ready_worker(scene, queue, b"W"), scene.peer(queue.front, b"C")
    client.send(*nonsense)
    queue.wait_for(What.INVALID, peer=b"C")
    other = req(scene, queue)
    other.send(b"question")
    assert worker.receive()[-2:] == [b"", b"question"]


@pytest.mark.clause("PPP-CONV-02", "PPP-CONV-03")
def test_each_request_has_one_reply_and_none_waits_for_another(
    scene: Scene, queue: Running
) -> None:
    first, second = (ready_worker(scene, queue, name) for name in (b"W1", b"W2"))
    clients = [req(scene, queue) for _ in range(2)]
    clients[0].send(b"never answered")
    stuck = first.receive()
    for number in range(5):
        clients[1].send(b"%d" % number)
        request = second.receive()
        second.send(*request)
        second.send(*request)  # a second reply to it is dropped
        assert clients[1].receive() == [b"%d" % number]
    queue.wait_for(What.VIOLATION, peer=b"W2")
    assert stuck[-1] == b"never answered"
    assert queue.broker.statistics["answered"] == 5


@pytest.mark.clause("PPP-GOAL-01", "PPP-CONV-04")
def test_a_pool_of_workers_takes_turns_and_who_just_answered_is_last(
    scene: Scene, queue: Running
) -> None:
    workers = [ready_worker(scene, queue, b"W%d" % number) for number in range(3)]
    client = req(scene, queue)
    for number in range(9):
        client.send(b"%d" % number)
        worker = workers[number % 3]
        request = worker.receive()
        assert request[-1] == b"%d" % number
        worker.send(*request)
        assert client.receive() == [b"%d" % number]


# Signs of life


@pytest.mark.clause("PPP-HB-01", "PPP-FMT-02")
@pytest.mark.parametrize("busy", [False, True], ids=["idle", "busy"])
def test_a_known_worker_hears_a_heartbeat_every_interval(
    scene: Scene, queue: Running, busy: bool
) -> None:
    worker, client = ready_worker(scene, queue, b"W"), req(scene, queue)
    for _ in range(5):
        scene.let_pass(queue, 0.5)
        if busy:  # that it was sent something else does not put it off
            client.send(b"question")
            worker.send(*worker.receive())
            assert client.receive() == [b"question"]
        scene.let_pass(queue, 0.5)
        assert worker.receive() == [b"\x02"]
        worker.send(b"\x02")
    scene.let_pass(queue, 0.5)
    assert not queue.told(What.WORKER_LOST)
    queue.close()
    assert worker.rest() == []


@pytest.mark.clause("PPP-HB-02", "PPP-HB-04", "PPP-GOAL-02")
def test_a_mute_worker_is_lost_after_three_intervals_and_hears_nothing_more(
    scene: Scene, queue: Running
) -> None:
    mute, client = ready_worker(scene, queue, b"mute"), req(scene, queue)
    client.send(b"question")
    assert mute.receive()[-1] == b"question"
    scene.let_pass(queue, 2.9)
    assert not queue.told(What.WORKER_LOST)
    scene.let_pass(queue, 0.3)
    assert queue.told(What.WORKER_LOST, peer=b"mute")
    other = ready_worker(scene, queue, b"other")
    request = other.receive()
    assert request[-1] == b"question"
    other.send(*request[:-1], b"answer")
    assert client.receive() == [b"answer"]
    for _ in range(4):
        scene.let_pass(queue, 1.0)
        other.send(*Ppp.HEARTBEAT)
    client.send(b"another")
    while (request := other.receive()) == Ppp.HEARTBEAT:
        pass
    assert request[-1] == b"another"
    queue.close()
    # As long as it counted as alive: at one and two intervals.
    assert mute.rest() == [Ppp.HEARTBEAT] * 2


@pytest.mark.clause("PPP-HB-03", "PPP-CONV-01")
def test_ready_again_is_a_new_conversation_and_the_old_request_goes_elsewhere(
    scene: Scene, queue: Running
) -> None:
    worker, client = ready_worker(scene, queue, b"W"), req(scene, queue)
    client.send(b"question")
    request = worker.receive()
    other = ready_worker(scene, queue, b"other")
    worker.send(*Ppp.READY)
    again = other.receive()
    assert again[-1] == b"question"
    worker.send(*request[:-1], b"from the old conversation")
    queue.wait_for(What.VIOLATION, peer=b"W")
    other.send(*again[:-1], b"answer")
    assert client.receive() == [b"answer"]


HOLDS_ON = """
import sys, threading
from zwire import Worker, WorkerSettings
worker = Worker(sys.argv[1], dialect="ppp", settings=WorkerSettings(interval=0.1, liveness=50.0))
@worker.handler
def hold(body):
    print("holding", flush=True)
    threading.Event().wait()
worker.run()
"""


@pytest.mark.clause("PPP-GOAL-02")
def test_the_request_of_a_killed_worker_is_answered_by_the_next(scene: Scene) -> None:
    queue = scene.broker(
        listener("ppp", service="echo", interval=0.5, liveness=4.0),
        real_time=True,
        rules=ServiceRules(max_redeliveries=1000, expiry=None),
    )
    settings = ClientSettings(timeout=3 * PATIENCE, retry=0)
    client = scene.own(Client(queue.front, dialect="ppp", settings=settings))
    with python(HOLDS_ON, queue.back) as doomed:
        future = client.submit("echo", b"?")
        doomed.wait_for_line("holding")
        doomed.kill()
    chosen = WorkerSettings(interval=0.1, liveness=50.0, reconnect=0.1)
    worker = scene.own(Worker(queue.back, dialect="ppp", settings=chosen))
    worker.handler(lambda body: b"re " + body)
    worker.start()
    assert future.result(3 * PATIENCE).body == (b"re ?",)
