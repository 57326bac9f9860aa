"""Stories of a client that speaks PPP to its workers itself, without a queue; either side may bind."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
import zmq

from support.ports import ANY_PORT, ReservedPort
from support.raw import PATIENCE, Context, Raw, whoever_hears
from zwire import Client, ClientSettings, Closed, LocalError, NoAnswer, Worker, WorkerSettings

pytestmark = pytest.mark.process
READY, BEAT = b"\x01", b"\x02"
# No heartbeats: nothing but requests comes to a worker that is played by hand.
PATIENT = ClientSettings(timeout=PATIENCE, interval=600.0)


@pytest.fixture
def context() -> Iterator[Context]:
    own: Context = zmq.Context()
    yield own
    own.destroy(linger=0)


def raw_worker(context: Context, client: Client) -> Raw:
    worker = Raw(zmq.DEALER, context)
    worker.connect(client.addresses[0])
    worker.send(READY)
    return worker


def request_to(worker: Raw) -> list[bytes]:
    """The next request, past heartbeats."""
    while (frames := worker.receive()) == [BEAT]:
        pass
    return frames


def test_a_worker_that_is_ready_gets_the_request(context: Context) -> None:
    with Client.direct(ANY_PORT, settings=PATIENT) as client:
        future = client.submit("anything", b"hello", b"there")
        worker = raw_worker(context, client)
        *stack, empty, first, second = request_to(worker)
        assert (empty, first, second) == (b"", b"hello", b"there")
        worker.send(*stack, b"", b"one", b"two")
        reply = future.result(PATIENCE)
        assert (reply.service, reply.body) == ("anything", (b"one", b"two"))


def test_the_least_recently_used_worker_is_next(context: Context) -> None:
    with Client.direct(ANY_PORT, settings=PATIENT) as client:
        workers = [raw_worker(context, client) for _ in range(2)]
        together = [client.submit("", b"x") for _ in workers]
        held = [request_to(worker) for worker in workers]  # each of them has one: both are known
        for worker, frames in zip(workers, held, strict=True):
            worker.send(*frames[:-1], b"done")
        assert [future.result(PATIENCE).body for future in together] == [(b"done",)] * 2
        order = []
        for turn in range(4):
            future = client.submit("", b"%d" % turn)
            worker = whoever_hears(workers)
            order.append(worker)
            worker.send(*request_to(worker)[:-1], b"done")
            assert future.result(PATIENCE).body == (b"done",)
        assert order[0] is order[2] is not order[1]
        assert order[1] is order[3]


def test_a_dead_workers_request_goes_to_the_next(context: Context) -> None:
    quick = ClientSettings(timeout=600.0, interval=0.05, liveness=3.0)
    with Client.direct(ANY_PORT, settings=quick) as client:
        dying = raw_worker(context, client)
        future = client.submit("", b"hello")
        assert request_to(dying)[-1] == b"hello"
        dying.close()
        next_one = raw_worker(context, client)
        frames = request_to(next_one)
        assert frames[-1] == b"hello"
        next_one.send(*frames[:-1], b"world")
        assert future.result(PATIENCE).body == (b"world",)


def test_the_client_sends_heartbeats_to_its_workers(context: Context) -> None:
    quick = ClientSettings(timeout=600.0, interval=0.02, liveness=2000.0)
    with Client.direct(ANY_PORT, settings=quick) as client:
        worker = raw_worker(context, client)
        assert [worker.receive() for _ in range(5)] == [[BEAT]] * 5


def test_without_workers_a_request_ends_by_its_time_out() -> None:
    with Client.direct(ANY_PORT) as client:
        with pytest.raises(NoAnswer, match="check that PPP workers run and meet this client"):
            client.request("", b"hello", timeout=0.01)


def test_a_request_that_was_given_up_is_not_given_to_a_worker_later(context: Context) -> None:
    with Client.direct(ANY_PORT, settings=PATIENT) as client:
        with pytest.raises(NoAnswer):
            client.request("", b"old", timeout=0.01)
        cancelled = client.submit("", b"cancelled")
        cancelled.cancel()
        future = client.submit("", b"new")
        worker = raw_worker(context, client)
        frames = request_to(worker)
        assert frames[-1] == b"new"
        worker.send(*frames[:-1], b"done")
        assert future.result(PATIENCE).body == (b"done",)


def test_a_request_given_up_before_the_clients_thread_came_to_it_is_never_sent(
    context: Context,
) -> None:
    gate = threading.Event()
    with Client.direct(ANY_PORT, settings=PATIENT) as client:
        worker = raw_worker(context, client)
        client.submit("", b"first")
        frames = request_to(worker)
        worker.send(*frames[:-1], b"done")

        def hold_up() -> None:
            gate.wait(PATIENCE)

        client._host.post(hold_up)
        cancelled, stream = client.submit("", b"cancelled"), client.stream("", b"left")
        cancelled.cancel()
        stream.close()
        client.submit("", b"new")
        gate.set()
        assert request_to(worker)[-1] == b"new"


def test_closing_fails_what_is_open() -> None:
    client = Client.direct(ANY_PORT)
    future = client.submit("", b"hello")
    client.close()
    with pytest.raises(Closed):
        future.result(PATIENCE)


def test_our_own_worker_and_client_meet_whichever_of_them_binds() -> None:
    settings = WorkerSettings(interval=600.0)
    with Client.direct(ANY_PORT, settings=PATIENT) as client:
        worker = Worker("ppp" + client.addresses[0].removeprefix("tcp"), settings=settings)
        worker.handler(lambda word: word + b"!")
        with worker:
            assert client.request("", b"hello").body == (b"hello!",)
    workers = [Worker("ppp://127.0.0.1:*", bind=True, settings=settings) for _ in range(2)]
    for one in workers:
        one.handler(lambda word: word + b"?")
        one.start()
    with Client.direct(*(f"connect:{one.address}" for one in workers), settings=PATIENT) as client:
        for number in range(4):
            assert client.request("", b"%d" % number).body == (b"%d?" % number,)
    for one in workers:
        one.close()


def test_a_worker_that_binds_serves_the_next_client_after_the_first_is_gone() -> None:
    quick = WorkerSettings(interval=0.05, liveness=20, reconnect=0.01, reconnect_longest=0.02)
    worker = Worker("ppp://127.0.0.1:*", bind=True, settings=quick)
    worker.handler(lambda word: word)
    with worker:
        for _ in range(2):
            settings = ClientSettings(timeout=PATIENCE, interval=0.05, liveness=2000.0)
            with Client.direct(f"connect:{worker.address}", settings=settings) as client:
                assert client.request("", b"hello").body == (b"hello",)


def test_an_address_that_is_taken_is_told_at_once() -> None:
    with Client.direct(ANY_PORT) as client:
        with pytest.raises(LocalError, match="cannot bind"):
            Client.direct(client.addresses[0])
        worker = Worker("ppp" + client.addresses[0].removeprefix("tcp"), bind=True)
        worker.handler(lambda word: word)
        with pytest.raises(LocalError, match="cannot bind"):
            worker.start()
        worker.close()


def test_beyond_loopback_it_asks_for_keys_or_an_explicit_word() -> None:
    with ReservedPort() as port:
        with pytest.raises(LocalError, match="nothing protects it"):
            Client.direct(f"tcp://0.0.0.0:{port.number}")
    with pytest.raises(LocalError, match="at least one endpoint"):
        Client.direct()
