"""PPP: our worker against a scripted queue, and our client straight at raw workers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from support.ports import ANY_PORT, ReservedPort
from support.raw import PATIENCE, Raw, whoever_hears
from support.running import Peer, Scene
from support.wire import Frames, Ppp
from zwire import Client, ClientSettings, Reply, Worker, WorkerSettings
from zwire.core.effects import What
from zwire.dialects.serving import worker_dialect
from zwire.io.config import Listener
from zwire.io.endpoints import Endpoint

pytestmark = pytest.mark.process

# Where silence is not the matter: no heartbeats, and a peer that may be silent for ever.
CALM = WorkerSettings(interval=1000.0, reconnect=0.1)
PATIENT = ClientSettings(timeout=PATIENCE, retry=0, interval=1000.0)


def meet(scene: Scene, settings: WorkerSettings = CALM) -> tuple[Raw, bytes, Worker]:
    """A scripted queue, and an echoing worker that has said READY under this identity."""
    router, address = scene.fake_broker()
    worker = scene.own(Worker(address, dialect="ppp", settings=settings))
    worker.handler(lambda *body: body)
    worker.start()
    identity, *ready = router.receive()
    assert ready == [b"\x01"]
    return router, identity, worker


# The worker


@pytest.mark.clause("PPP-CONV-01", "PPP-CONV-02", "PPP-FMT-01", "PPP-FMT-03", "PPP-FMT-04")
def test_a_worker_says_ready_first_and_then_one_reply_for_each_request(scene: Scene) -> None:
    router, identity, worker = meet(scene)
    stacks: list[Frames] = [[b""], [b"a", b""], [b"a", b"b", b"c", b""]]
    contents: list[Frames] = [[b"1"], [b""], [b"1", b"", b"3", b"\x01", b"\x02"]]
    for stack, content in itertools.product(stacks, contents):
        router.send(identity, *stack, *content)
        # The reply wears the addresses of its request.
        assert router.receive() == [identity, *stack, *content]
    worker.close()
    router.watch().disconnected()
    assert router.drain() == []


@pytest.mark.clause("PPP-FMT-03", "PPP-FMT-04")
def test_a_request_without_addresses_is_content_alone(scene: Scene) -> None:
    router, identity, _ = meet(scene)
    router.send(identity, b"content", b"alone")
    assert router.receive() == [identity, b"", b"content", b"alone"]


@pytest.mark.clause("PPP-FMT-02")
@pytest.mark.parametrize("nonsense", [[b""], [b"a", b""]], ids=["empty", "no content"])
def test_neither_a_heartbeat_nor_nonsense_is_answered(scene: Scene, nonsense: Frames) -> None:
    router, identity, _ = meet(scene)
    router.send(identity, b"\x02")
    router.send(identity, *nonsense)
    router.send(identity, b"a", b"", b"question")
    assert router.receive() == [identity, b"a", b"", b"question"]


@pytest.mark.clause("PPP-HB-01", "PPP-FMT-02")
def test_a_worker_sends_heartbeats_again_and_again(scene: Scene) -> None:
    settings = WorkerSettings(interval=0.1, liveness=10_000.0)
    router, identity, _ = meet(scene, settings)
    for _ in range(5):
        assert router.receive() == [identity, b"\x02"]


@pytest.mark.clause("PPP-HB-02", "PPP-HB-03")
def test_a_worker_that_lost_its_queue_says_ready_again_on_a_new_socket(scene: Scene) -> None:
    router, identity, _ = meet(scene, WorkerSettings(interval=0.2, reconnect=0.1))
    assert 3 <= worker_dialect("ppp", []).manners.heartbeat.liveness <= 5
    met = [identity]
    while len(met) < 3:
        identity, *frames = router.receive()
        if identity == met[-1]:
            assert frames == [b"\x02"]
            continue
        assert frames == [b"\x01"]
        assert identity not in met
        met.append(identity)


@pytest.mark.clause("PPP-HB-03")
def test_a_worker_finds_a_queue_that_was_restarted(scene: Scene) -> None:
    place = scene.own(ReservedPort()).endpoint
    first = scene.broker(Listener("ppp", Endpoint(ANY_PORT), Endpoint(place), "echo"))
    settings = WorkerSettings(interval=0.2, reconnect=0.1)
    worker = scene.own(Worker(place, dialect="ppp", settings=settings))
    worker.handler(lambda *body: body)
    worker.start()
    first.wait_for(What.WORKER_JOINED)
    first.close()
    second = scene.broker(Listener("ppp", Endpoint(ANY_PORT), Endpoint(place), "echo"))
    second.wait_for(What.WORKER_JOINED)


# The client without a queue, and who connects


def raw_worker(scene: Scene, address: str, identity: bytes) -> Peer:
    worker = scene.peer(address, identity)
    worker.send(*Ppp.READY)
    return worker


@pytest.mark.clause("PPP-CONV-04", "PPP-CONV-05", "PPP-FMT-03", "PPP-FMT-04")
@pytest.mark.parametrize("content", [[b"1"], [b""], [b"1", b"", b"3"]])
def test_a_client_that_binds_asks_its_workers_itself(scene: Scene, content: Frames) -> None:
    client = scene.own(Client.direct(ANY_PORT, settings=PATIENT))
    worker = raw_worker(scene, client.addresses[0], b"W")
    future = client.submit("", *content)
    request = worker.receive()
    end = request.index(b"")
    assert request[end + 1 :] == content
    worker.send(*request[: end + 1], b"re", *content)
    assert future.result(PATIENCE).body == (b"re", *content)


@pytest.mark.clause("PPP-CONV-04")
def test_a_client_that_connects_finds_the_workers_that_bind(scene: Scene) -> None:
    workers = []
    for number in range(2):
        worker = Worker("tcp://127.0.0.1:*", dialect="ppp", bind=True, settings=CALM)
        name = b"%d" % number
        worker.handler(lambda body, name=name: name + body)
        workers.append(scene.own(worker).start())
    places = [f"connect:{worker.address}" for worker in workers]
    client = scene.own(Client.direct(*places, settings=PATIENT))
    seen: set[tuple[bytes, ...]] = set()
    while len(seen) < 2:
        seen.add(client.request("", b"!").body)
    assert seen == {(b"0!",), (b"1!",)}


@pytest.mark.clause("PPP-CONV-02", "PPP-CONV-03")
def test_a_request_that_is_given_up_leaves_the_others_alone(scene: Scene) -> None:
    client = scene.own(Client.direct(ANY_PORT, settings=PATIENT))
    workers = [raw_worker(scene, client.addresses[0], name) for name in (b"W1", b"W2")]
    futures = [client.submit("", b"%d" % number) for number in range(2)]
    held = {request[-1]: (one, request) for one in workers for request in [one.receive()]}
    assert futures[0].cancel()
    for name in (b"0", b"1"):
        worker, request = held[name]
        worker.send(*request)
    assert futures[1].result(PATIENCE).body == (b"1",)
    later = client.submit("", b"2")
    asked = whoever_hears(workers)
    asked.send(*asked.receive())
    assert later.result(PATIENCE).body == (b"2",)


@pytest.mark.clause("PPP-HB-01", "PPP-FMT-02")
def test_a_client_without_a_queue_sends_its_workers_heartbeats(scene: Scene) -> None:
    settings = ClientSettings(interval=0.1, liveness=10_000.0)
    client = scene.own(Client.direct(ANY_PORT, settings=settings))
    worker = raw_worker(scene, client.addresses[0], b"W")
    for _ in range(5):
        assert worker.receive() == [b"\x02"]


@pytest.mark.clause("PPP-HB-02", "PPP-HB-04", "PPP-GOAL-02")
def test_a_client_without_a_queue_gives_the_work_of_a_mute_worker_to_another(scene: Scene) -> None:
    settings = ClientSettings(timeout=3 * PATIENCE, retry=0, interval=0.5, liveness=4.0)
    client = scene.own(Client.direct(ANY_PORT, settings=settings))
    mute = raw_worker(scene, client.addresses[0], b"mute")
    future = client.submit("", b"question")
    while (request := mute.receive()) == Ppp.HEARTBEAT:
        pass
    assert request[-1] == b"question"
    chosen = WorkerSettings(interval=0.1, liveness=50.0, reconnect=0.1)
    other = scene.own(Worker(client.addresses[0], dialect="ppp", settings=chosen))
    other.handler(lambda body: b"re " + body)
    other.start()
    assert future.result(3 * PATIENCE).body == (b"re question",)
    client.close()
    assert {tuple(frames) for frames in mute.rest()} <= {(b"\x02",)}


@pytest.mark.clause("PPP-GOAL-01")
def test_a_client_without_a_queue_asks_the_worker_that_rested_longest(scene: Scene) -> None:
    client = scene.own(Client.direct(ANY_PORT, settings=PATIENT))
    workers = [raw_worker(scene, client.addresses[0], b"W%d" % number) for number in range(3)]
    # While one question is open at each of them, all three are known.
    futures = [client.submit("", b"%d" % number) for number in range(3)]
    held = {worker: worker.receive() for worker in workers}
    for worker, future in zip(workers, _in_order(futures, held), strict=True):
        worker.send(*held[worker])
        future.result(PATIENCE)
    # They answered one after the other, and in this order they are asked.
    for number in range(9):
        future = client.submit("", b"next %d" % number)
        worker = workers[number % 3]
        worker.send(*worker.receive())
        assert future.result(PATIENCE).body == (b"next %d" % number,)


def _in_order(
    futures: list[Future[Reply]], held: dict[Peer, list[bytes]]
) -> Iterator[Future[Reply]]:
    """The futures in the order of the workers that hold their requests."""
    for request in held.values():
        yield futures[int(request[-1])]
