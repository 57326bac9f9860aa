"""eMQP: our client and our worker against a scripted broker."""

from __future__ import annotations

import threading
import time

import pytest

from support.raw import PATIENCE, Raw
from support.running import Scene
from support.wire import Emqp, Frames
from zwire import Client, ClientSettings, Job, Worker, WorkerSettings
from zwire.dialects.serving import worker_dialect

pytestmark = pytest.mark.process

# Where silence is not the matter: no heartbeats, and a broker that may be silent for ever.
CALM = WorkerSettings(interval=1000.0, reconnect=0.1)


def meet(scene: Scene, *queues: str, settings: WorkerSettings = CALM) -> tuple[Raw, Worker]:
    """A scripted broker, and a worker of it that echoes and is not yet started."""
    router, address = scene.fake_broker()
    worker = scene.own(Worker(address, *(queues or ("echo",)), dialect="emqp", settings=settings))
    worker.handler(lambda body: body)
    return router, worker


def start(router: Raw, worker: Worker, slots: int = 1) -> bytes:
    """Start it and hear INFORM and its offers; the identity under which it came."""
    worker.start()
    said = [router.receive() for _ in range(1 + slots)]
    assert [frames[3] for frames in said] == [b"INFORM"] + [b"READY"] * slots
    assert len({frames[0] for frames in said}) == 1
    return said[0][0]


# The client


@pytest.mark.clause("EMQP-FMT-01", "EMQP-FMT-04", "EMQP-FMT-07", "EMQP-TOP-07")
def test_a_request_leaves_our_client_in_exactly_these_octets(scene: Scene) -> None:
    router, address = scene.fake_broker()
    client = scene.own(Client(address, dialect="emqp", identity=b"C"))
    future = client.submit(
        "echo", b"body", request_id=b"id-1", headers={"retry": "3"}, timeout=PATIENCE
    )
    expected = [b"C", b"", b"eMQP/1.0", b"REQUEST", b"id-1", b"echo", b"retry:3", b"body"]
    assert router.receive() == expected
    router.send(b"C", b"", b"eMQP/1.0", b"REPLY", b"id-1", b"the reply")
    assert future.result(PATIENCE).body == (b"the reply",)


@pytest.mark.clause("EMQP-FMT-04", "EMQP-FMT-07")
@pytest.mark.parametrize(
    "nonsense",
    [
        [b"", b"eMQP/1.1", b"REPLY", b"id", b"wrong"],
        [b"eMQP/1.0", b"REPLY", b"id", b"wrong"],
        [b"", b"eMQP/1.0", b"REPLY", b"id"],
        [b"", b"eMQP/1.0", b"REPLY", b"id", b"wrong", b""],
        [b"", b"eMQP/1.0", b"REPLY", b"another", b"wrong"],
        [b""],
    ],
    ids=["version", "no empty frame", "too few", "too many", "another id", "nothing"],
)
def test_what_is_no_reply_to_it_is_not_taken_for_one(scene: Scene, nonsense: Frames) -> None:
    router, address = scene.fake_broker()
    settings = ClientSettings(timeout=PATIENCE, retry=0)
    client = scene.own(Client(address, dialect="emqp", identity=b"C", settings=settings))
    future = client.submit("echo", b"?", request_id=b"id")
    router.receive()
    router.send(b"C", *nonsense)
    router.send(b"C", *Emqp.reply(b"id", b"right"))
    assert future.result(PATIENCE).body == (b"right",)


@pytest.mark.clause("EMQP-FMT-08")
def test_no_two_requests_of_clients_and_no_two_messages_of_a_worker_have_the_same_id(
    scene: Scene,
) -> None:
    router, address = scene.fake_broker()
    settings = ClientSettings(timeout=PATIENCE, retry=0)
    ids = []
    for _ in range(2):
        client = scene.own(Client(address, dialect="emqp", settings=settings))
        for _ in range(500):
            client.submit("echo", b"?")
        ids += [router.receive()[4] for _ in range(500)]
    assert len(set(ids)) == 1000
    chosen = WorkerSettings(interval=1000.0, slots=20)
    for _ in range(5):
        worker = scene.own(Worker(address, "echo", dialect="emqp", settings=chosen))
        worker.handler(lambda body: body)
        worker.start()
        said = [router.receive() for _ in range(21)]
        assert len({frames[0] for frames in said}) == 1
        assert len({frames[4] for frames in said}) == 21


# The worker


@pytest.mark.clause("EMQP-FMT-02", "EMQP-FMT-03", "EMQP-FMT-04", "EMQP-FMT-06", "EMQP-FMT-08")
def test_a_worker_opens_works_and_leaves_in_exactly_these_octets(scene: Scene) -> None:
    router, worker = meet(scene, "emails", "reports")
    worker.start()
    identity, *inform = router.receive()
    assert inform == [b"", b"eMQP/1.0", b"INFORM", inform[3], b"emails,reports"]
    ready = router.receive()
    assert ready == [identity, b"", b"eMQP/1.0", b"READY", ready[4]]
    router.send(identity, *Emqp.request(b"r1", b"\x00body", queue=b"reports"))
    assert router.receive() == [identity, b"", b"eMQP/1.0", b"REPLY", b"r1", b"\x00body"]
    again = router.receive()
    assert again == [identity, b"", b"eMQP/1.0", b"READY", again[4]]
    worker.close()
    goodbye = router.receive()
    assert goodbye == [identity, b"", b"eMQP/1.0", b"DISCONNECT", goodbye[4]]
    assert len({inform[3], ready[4], again[4], goodbye[4]}) == 4


@pytest.mark.clause("EMQP-TOP-06", "EMQP-FMT-01")
def test_a_worker_knows_the_queue_the_id_and_the_headers_of_its_work(scene: Scene) -> None:
    router, worker = meet(scene, "a", "b", settings=WorkerSettings(interval=1000.0, slots=2))

    @worker.handler("b")
    def tell(job: Job) -> bytes:
        return b"|".join([job.service.encode(), job.request_id, job.headers, *job.body])

    identity = start(router, worker, slots=2)
    router.send(identity, *Emqp.request(b"r1", b"body", queue=b"b", headers=b"x:1,y"))
    assert router.receive() == [identity, *Emqp.reply(b"r1", b"b|r1|x:1,y|body")]
    assert router.receive()[3] == b"READY"
    router.send(identity, *Emqp.request(b"r2", b"body", queue=b"a"))
    assert router.receive() == [identity, *Emqp.reply(b"r2", b"body")]


@pytest.mark.clause("EMQP-FMT-01", "EMQP-FMT-05", "EMQP-FMT-06", "EMQP-FMT-07")
@pytest.mark.parametrize(
    "nonsense",
    [
        [b"", b"eMQP/1.1", b"REQUEST", b"id", b"echo", b"", b"wrong"],
        [b"x", b"eMQP/1.0", b"REQUEST", b"id", b"echo", b"", b"wrong"],
        [b"", b"eMQP/1.0", b"READY", b"id", b"echo", b"", b"wrong"],
        [b"", b"eMQP/1.0", b"REQUEST", b"id", b"echo", b"wrong"],
        [b"", b"eMQP/1.0", b"HEARTBEAT", b"id", b""],
        [b"", b"eMQP/1.0", b"DISCONNECT", b"id", b""],
        [b"", b"eMQP/1.0", b"DISCONNECT"],
        [b""],
    ],
    ids=[
        "another version",
        "a first frame that is not empty",
        "READY as the table prints it",
        "a frame too few",
        "HEARTBEAT of five frames",
        "DISCONNECT of five frames",
        "DISCONNECT without an id",
        "nothing",
    ],
)
def test_nonsense_is_neither_work_nor_a_goodbye(scene: Scene, nonsense: Frames) -> None:
    router, worker = meet(scene)
    identity = start(router, worker)
    router.send(identity, *nonsense)
    router.send(identity, *Emqp.request(b"1", b"right"))
    assert router.receive() == [identity, *Emqp.reply(b"1", b"right")]


@pytest.mark.clause("EMQP-FMT-06")
def test_a_dismissed_worker_says_nothing_more_and_comes_back_on_a_new_socket(scene: Scene) -> None:
    router, worker = meet(scene)
    working, dismissed = threading.Event(), threading.Event()

    @worker.handler
    def slow(body: bytes) -> bytes:
        working.set()
        assert dismissed.wait(PATIENCE)
        return body

    identity = start(router, worker)
    router.send(identity, *Emqp.request(b"1", b"unfinished"))
    assert working.wait(PATIENCE)
    router.send(identity, b"", b"eMQP/1.0", b"DISCONNECT", b"b1")
    router.watch().disconnected()
    dismissed.set()
    said = [router.receive() for _ in range(2)]
    assert [frames[3] for frames in said] == [b"INFORM", b"READY"]
    assert identity not in {frames[0] for frames in said}


# Signs of life


@pytest.mark.clause("EMQP-HB-04", "EMQP-FMT-05", "EMQP-HB-01")
def test_an_idle_worker_sends_heartbeats_again_and_again(scene: Scene) -> None:
    router, worker = meet(scene, settings=WorkerSettings(interval=0.1, liveness=10_000.0))
    identity = start(router, worker)
    ids = set()
    for _ in range(5):
        frames = router.receive()
        assert frames == [identity, b"", b"eMQP/1.0", b"HEARTBEAT", frames[4]]
        ids.add(frames[4])
        router.send(identity, *Emqp.heartbeat(b"b"))
    assert len(ids) == 5


@pytest.mark.clause("EMQP-HB-05")
def test_a_worker_that_lost_its_broker_begins_again_with_inform_and_ready(scene: Scene) -> None:
    router, worker = meet(scene, settings=WorkerSettings(interval=0.2, reconnect=0.1))
    assert 3 <= worker_dialect("emqp", ["echo"]).manners.heartbeat.liveness <= 5
    met = [start(router, worker)]
    while len(met) < 3:
        identity, *frames = router.receive()
        if identity == met[-1]:
            assert frames[2] == b"HEARTBEAT"
            continue
        assert frames[2] == b"INFORM"
        assert identity not in met
        met.append(identity)
        assert router.receive()[:4] == [identity, b"", b"eMQP/1.0", b"READY"]


@pytest.mark.clause("EMQP-HB-02", "EMQP-HB-03")
def test_a_worker_in_steady_traffic_sends_no_heartbeats_and_keeps_its_broker(scene: Scene) -> None:
    interval = 0.5
    router, worker = meet(scene, settings=WorkerSettings(interval=interval, reconnect=0.1))
    identity = start(router, worker)
    # Only a stretch without a pause tells anything: when the machine stalls, it begins anew.
    began = before = time.monotonic()
    limit = began + 3 * PATIENCE
    others = number = 0
    while before - began < 5 * interval:  # longer than it would wait for a mute broker
        assert before < limit, "the machine stalls too often to tell"
        number += 1
        name = b"%d" % number
        router.send(identity, *Emqp.request(name, b"?"))
        while (frames := router.receive())[1:] != Emqp.reply(name, b"?"):
            if frames[0] != identity:
                identity = frames[0]
                router.send(identity, *Emqp.request(name, b"?"))
            others += frames[3] != b"READY"
        now = time.monotonic()
        if now - before > interval / 3:
            began, others = now, 0
        before = now
    assert others == 0
