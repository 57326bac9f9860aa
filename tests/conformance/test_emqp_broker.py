"""eMQP: the running broker with raw clients and workers, on one socket and on two."""

from __future__ import annotations

import itertools

import pytest

from support.raw import whoever_hears
from support.running import Peer, Running, Scene, listener
from support.wire import Emqp, Frames
from zwire.core.effects import What

pytestmark = pytest.mark.process

IDS = (b"id-%d" % number for number in itertools.count())


@pytest.fixture(params=["one socket", "two sockets"])
def broker(scene: Scene, request: pytest.FixtureRequest) -> Running:
    one = request.param == "one socket"
    running = scene.broker(listener("emqp", one=one, interval=1.0, liveness=4.0))
    assert (running.front == running.back) is one
    return running


def worker_of(
    scene: Scene, broker: Running, identity: bytes, queues: bytes = b"echo", slots: int = 1
) -> Peer:
    """A worker of these queues with so many free slots."""
    offers = [Emqp.ready(next(IDS)) for _ in range(slots)]
    return scene.worker(broker, identity, Emqp.inform(next(IDS), queues), *offers)


@pytest.mark.clause(
    "EMQP-TOP-03",
    "EMQP-TOP-04",
    "EMQP-TOP-05",
    "EMQP-TOP-07",
    "EMQP-FMT-01",
    "EMQP-FMT-02",
    "EMQP-FMT-03",
    "EMQP-FMT-04",
    "EMQP-FMT-07",
    "EMQP-FMT-08",
)
def test_a_request_and_its_reply_octet_by_octet(scene: Scene, broker: Running) -> None:
    worker, client = scene.peer(broker.back, b"W"), scene.peer(broker.front, b"C")
    worker.send(b"", b"eMQP/1.0", b"INFORM", b"w1", b"echo")
    worker.send(b"", b"eMQP/1.0", b"READY", b"w2")
    request = [b"", b"eMQP/1.0", b"REQUEST", b"c1", b"echo", b"retry:3,plain", b"\x00body"]
    client.send(*request)
    assert worker.receive() == request
    worker.send(b"", b"eMQP/1.0", b"REPLY", b"c1", b"the reply")
    assert client.receive() == [b"", b"eMQP/1.0", b"REPLY", b"c1", b"the reply"]
    broker.close()
    assert client.rest() == []


@pytest.mark.clause("EMQP-TOP-03", "EMQP-FMT-08")
def test_two_clients_with_the_same_id_get_their_own_replies(scene: Scene, broker: Running) -> None:
    worker = worker_of(scene, broker, b"W", slots=2)
    clients = {name: scene.peer(broker.front, name) for name in (b"Ada", b"Bob")}
    for name, client in clients.items():
        client.send(*Emqp.request(b"same", b"from " + name))
    tasks = [worker.receive() for _ in clients]
    # Two requests in one worker's hands have two ids: the broker makes one up for the second.
    assert len({task[3] for task in tasks}) == 2
    for task in reversed(tasks):
        worker.send(*Emqp.reply(task[3], b"to " + task[6].removeprefix(b"from ")))
    for name, client in clients.items():
        assert client.receive() == Emqp.reply(b"same", b"to " + name)


@pytest.mark.clause("EMQP-TOP-06", "EMQP-FMT-02")
def test_requests_go_by_the_name_of_their_queue(scene: Scene, broker: Running) -> None:
    several = worker_of(scene, broker, b"several", b"a, b,c", slots=3)
    single = worker_of(scene, broker, b"single", b"d")
    client = scene.peer(broker.front, b"C")
    for queue in (b"a", b"d", b"b", b"c"):
        client.send(*Emqp.request(b"for " + queue, b"?", queue=queue))
    assert [several.receive()[4] for _ in range(3)] == [b"a", b"b", b"c"]
    assert single.receive()[4] == b"d"
    broker.close()
    for worker in (several, single):
        assert [frames[2] for frames in worker.rest()] == [b"DISCONNECT"]


@pytest.mark.clause("EMQP-TOP-02")
def test_every_request_reaches_exactly_one_worker_of_its_queue(
    scene: Scene, broker: Running
) -> None:
    workers = [worker_of(scene, broker, b"W%d" % number, slots=4) for number in range(3)]
    client = scene.peer(broker.front, b"C")
    names = [b"%d" % number for number in range(12)]
    for name in names:
        client.send(*Emqp.request(name, b"?"))
    taken = [whoever_hears(workers).receive()[3] for _ in names]
    assert sorted(taken) == sorted(names)


@pytest.mark.clause("EMQP-TOP-01")
def test_one_request_is_not_drowned_by_the_flood_of_another_client(
    scene: Scene, broker: Running
) -> None:
    flooder, modest = scene.peer(broker.front, b"flooder"), scene.peer(broker.front, b"modest")
    for number in range(500):
        flooder.send(*Emqp.request(b"flood %d" % number, b"?"))
    broker.wait_for_count("accepted", 500)
    modest.send(*Emqp.request(b"single", b"?"))
    broker.wait_for_count("accepted", 501)
    worker = worker_of(scene, broker, b"W")
    served = []
    while b"single" not in served:
        served.append(worker.receive()[3])
        worker.send(*Emqp.reply(served[-1], b"!"))
        worker.send(*Emqp.ready(next(IDS)))
    assert len(served) == 2
    assert modest.receive() == Emqp.reply(b"single", b"!")


CLIENTS_NONSENSE: dict[str, Frames] = {
    "READY as the table prints it": [*Emqp.HEAD, b"READY", b"id", b"echo", b"", b"body"],
    "a frame too few": [*Emqp.HEAD, b"REQUEST", b"id", b"echo", b"body"],
    "a frame too many": [*Emqp.HEAD, b"REQUEST", b"id", b"echo", b"", b"body", b""],
    "no empty frame": [b"eMQP/1.0", b"REQUEST", b"id", b"echo", b"", b"body"],
    "a first frame that is not empty": [
        b"x",
        b"eMQP/1.0",
        b"REQUEST",
        b"id",
        b"echo",
        b"",
        b"body",
    ],
    "another version": [b"", b"eMQP/1.1", b"REQUEST", b"id", b"echo", b"", b"body"],
    "the version in small letters": [b"", b"emqp/1.0", b"REQUEST", b"id", b"echo", b"", b"body"],
    "an empty id": [*Emqp.HEAD, b"REQUEST", b"", b"echo", b"", b"body"],
    "an empty queue": [*Emqp.HEAD, b"REQUEST", b"id", b"", b"", b"body"],
    "the command in small letters": [*Emqp.HEAD, b"request", b"id", b"echo", b"", b"body"],
}


@pytest.mark.clause("EMQP-FMT-01", "EMQP-FMT-07", "EMQP-FMT-08")
@pytest.mark.parametrize("nonsense", CLIENTS_NONSENSE.values(), ids=CLIENTS_NONSENSE)
def test_what_is_no_request_is_dropped(scene: Scene, broker: Running, nonsense: Frames) -> None:
    client = scene.peer(broker.front, b"C")
    client.send(*nonsense)
    broker.wait_for(What.INVALID, peer=b"C")
    other, worker = scene.peer(broker.front, b"D"), worker_of(scene, broker, b"W")
    other.send(*Emqp.request(b"1", b"?"))
    assert worker.receive() == Emqp.request(b"1", b"?")
    broker.close()
    assert client.rest() == []


WORKERS_NONSENSE: dict[str, Frames] = {
    "INFORM without queues": [*Emqp.HEAD, b"INFORM", b"id"],
    "INFORM with an empty queue": [*Emqp.HEAD, b"INFORM", b"id", b"a,,b"],
    "INFORM with a frame too many": [*Emqp.HEAD, b"INFORM", b"id", b"a", b"b"],
    "READY with a frame too many": [*Emqp.HEAD, b"READY", b"id", b""],
    "READY without an id": [*Emqp.HEAD, b"READY"],
    "REPLY without a body": [*Emqp.HEAD, b"REPLY", b"id"],
    "REPLY with two bodies": [*Emqp.HEAD, b"REPLY", b"id", b"a", b"b"],
    "HEARTBEAT of five frames": [*Emqp.HEAD, b"HEARTBEAT", b"id", b""],
    "DISCONNECT of five frames": [*Emqp.HEAD, b"DISCONNECT", b"id", b""],
    "another version": [b"", b"eMQP/2.0", b"HEARTBEAT", b"id"],
}


@pytest.mark.clause(
    "EMQP-FMT-02",
    "EMQP-FMT-03",
    "EMQP-FMT-04",
    "EMQP-FMT-05",
    "EMQP-FMT-06",
    "EMQP-FMT-07",
)
@pytest.mark.parametrize("nonsense", WORKERS_NONSENSE.values(), ids=WORKERS_NONSENSE)
def test_a_worker_that_speaks_nonsense_is_given_no_work(
    scene: Scene, broker: Running, nonsense: Frames
) -> None:
    worker, client = worker_of(scene, broker, b"W"), scene.peer(broker.front, b"C")
    worker.send(*nonsense)
    broker.wait_for(What.INVALID, peer=b"W")
    client.send(*Emqp.request(b"1", b"?"))
    other = worker_of(scene, broker, b"other")
    assert other.receive() == Emqp.request(b"1", b"?")
    broker.close()
    assert worker.rest() == []


@pytest.mark.clause("EMQP-FMT-06", "EMQP-HB-02")
def test_a_worker_that_said_goodbye_is_forgotten_without_an_answer(
    scene: Scene, broker: Running
) -> None:
    worker, client = worker_of(scene, broker, b"W"), scene.peer(broker.front, b"C")
    worker.send(*Emqp.disconnect(b"bye"))
    broker.wait_for(What.WORKER_LEFT, peer=b"W")
    client.send(*Emqp.request(b"1", b"?"))
    other = worker_of(scene, broker, b"other")
    assert other.receive() == Emqp.request(b"1", b"?")
    scene.let_pass(broker, 3.0)
    broker.close()
    assert worker.rest() == []


@pytest.mark.clause("EMQP-FMT-06")
def test_a_broker_that_stops_says_disconnect_to_its_workers(scene: Scene, broker: Running) -> None:
    worker = worker_of(scene, broker, b"W")
    broker.broker.stop()
    frames = worker.receive()
    assert frames[:3] == [b"", b"eMQP/1.0", b"DISCONNECT"]
    assert len(frames) == 4
    assert frames[3]


# Signs of life


@pytest.mark.clause("EMQP-HB-04", "EMQP-FMT-05", "EMQP-FMT-08", "EMQP-HB-01")
def test_an_idle_worker_hears_a_heartbeat_every_interval(scene: Scene, broker: Running) -> None:
    worker = worker_of(scene, broker, b"W")
    ids = set()
    for _ in range(5):
        scene.let_pass(broker, 1.0)
        frames = worker.receive()
        assert frames == [b"", b"eMQP/1.0", b"HEARTBEAT", frames[3]]
        ids.add(frames[3])
        worker.send(*Emqp.heartbeat(next(IDS)))
    assert len(ids) == 5
    scene.let_pass(broker, 1.0)
    assert not broker.told(What.WORKER_LOST)


@pytest.mark.clause("EMQP-HB-02", "EMQP-HB-03")
def test_a_worker_at_work_is_sent_no_heartbeats_and_needs_to_send_none(
    scene: Scene, broker: Running
) -> None:
    worker, client = worker_of(scene, broker, b"W"), scene.peer(broker.front, b"C")
    for number in range(12):
        name = b"%d" % number
        client.send(*Emqp.request(name, b"?"))
        # A heartbeat would stand before it.
        assert worker.receive() == Emqp.request(name, b"?")
        scene.let_pass(broker, 0.7)
        worker.send(*Emqp.reply(name, b"!"))
        worker.send(*Emqp.ready(next(IDS)))
        assert client.receive() == Emqp.reply(name, b"!")
    assert not broker.told(What.WORKER_LOST)
    broker.close()
    assert [frames[2] for frames in worker.rest()] == [b"DISCONNECT"]


@pytest.mark.clause("EMQP-HB-01")
def test_a_heartbeat_or_offer_before_inform_is_ignored_and_does_no_harm(
    scene: Scene, broker: Running
) -> None:
    worker, client = scene.peer(broker.back, b"W"), scene.peer(broker.front, b"C")
    worker.send(*Emqp.heartbeat(b"1"))
    worker.send(*Emqp.ready(b"2"))
    worker.send(*Emqp.inform(b"3"))
    broker.wait_for(What.WORKER_JOINED, peer=b"W")
    assert len(broker.told(What.STRANGER, peer=b"W")) == 2
    client.send(*Emqp.request(b"first", b"?"))
    broker.wait_for_count("accepted", 1)
    assert broker.broker.statistics["assigned"] == 0  # that READY counted for nothing
    worker.send(*Emqp.ready(b"4"))
    assert worker.receive() == Emqp.request(b"first", b"?")


@pytest.mark.clause("EMQP-HB-06")
def test_a_mute_worker_hears_nothing_more_and_its_request_goes_elsewhere(
    scene: Scene, broker: Running
) -> None:
    mute, client = worker_of(scene, broker, b"mute", slots=2), scene.peer(broker.front, b"C")
    client.send(*Emqp.request(b"1", b"?"))
    assert mute.receive() == Emqp.request(b"1", b"?")
    scene.let_pass(broker, 4.5)
    assert broker.told(What.WORKER_LOST, peer=b"mute")
    assert {frames[2] for frames in mute.drain()} <= {b"HEARTBEAT"}
    other = worker_of(scene, broker, b"other", slots=2)
    assert other.receive() == Emqp.request(b"1", b"?")
    client.send(*Emqp.request(b"2", b"?"))
    assert other.receive() == Emqp.request(b"2", b"?")
    scene.let_pass(broker, 3.0)
    broker.close()
    # What it was sent as long as it counted as alive; its farewell would stand behind that.
    assert {frames[2] for frames in mute.rest()} <= {b"HEARTBEAT"}


@pytest.mark.clause("EMQP-GOAL-01")
def test_the_id_of_a_request_is_found_in_all_that_is_told_about_it(
    scene: Scene, broker: Running
) -> None:
    client = scene.peer(broker.front, b"C")
    leaving = worker_of(scene, broker, b"leaving")
    client.send(*Emqp.request(b"trace me", b"?"))
    assert leaving.receive() == Emqp.request(b"trace me", b"?")
    client.send(*Emqp.request(b"trace me", b"?"))
    broker.wait_for(What.RETRIED, request_id=b"trace me", peer=b"C")
    leaving.send(*Emqp.disconnect(b"bye"))
    redelivered = broker.wait_for(What.REDELIVERED, request_id=b"trace me", peer=b"leaving")
    worker = worker_of(scene, broker, b"W")
    assert worker.receive() == Emqp.request(b"trace me", b"?")
    worker.send(*Emqp.reply(b"trace me", b"!"))
    assert client.receive() == Emqp.reply(b"trace me", b"!")
    client.send(*Emqp.request(b"trace me", b"?"))
    repeated = broker.wait_for(What.REPEATED, request_id=b"trace me", peer=b"C")
    assert repeated.job > redelivered.job
