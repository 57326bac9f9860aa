"""Our clients and workers with our broker between them: any dialect with any other."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import zwire.aio as aio
from support.cutting import Wire
from support.ports import ANY_PORT, ReservedPort
from support.raw import PATIENCE
from support.running import Scene, listener
from support.scripted import CLIENTS, STREAMING, WORKERS, Place, real_broker
from support.wire import Mdpx
from zwire import (
    Broker,
    BrokerConfig,
    Client,
    ClientSettings,
    CurveClient,
    Job,
    Listener,
    NoAnswer,
    Worker,
    WorkerSettings,
)
from zwire.core.effects import What
from zwire.io.config import Curve
from zwire.io.endpoints import Endpoint
from zwire.io.keys import write_keys

pytestmark = pytest.mark.process
STEADY = WorkerSettings(interval=2.0, liveness=8.0)
PATIENT = ClientSettings(timeout=PATIENCE)


@pytest.fixture(scope="module")
def places() -> Iterator[dict[str, Place]]:
    with real_broker() as running:
        yield running


@pytest.mark.parametrize("serving", WORKERS)
def test_a_worker_of_any_dialect_serves_clients_of_all(
    serving: str, places: dict[str, Place]
) -> None:
    worker = Worker(places[serving].back, "echo", settings=STEADY)

    @worker.handler
    def repeat(word: bytes) -> bytes:
        return serving.encode() + b" " + word

    with worker:
        for asking in CLIENTS:
            with Client(places[asking].front, settings=PATIENT) as client:
                # Of a worker before that has just left the broker may not know yet.
                futures = [client.submit("echo", b"%d" % number) for number in range(20)]
                answers = [future.result(PATIENCE).body for future in futures]
            assert answers == [(b"%s %d" % (serving.encode(), n),) for n in range(20)]


@pytest.mark.parametrize("serving", STREAMING)
@pytest.mark.parametrize("asking", [name for name in CLIENTS if name not in ("emqp", "ppp")])
def test_pieces_are_streamed_or_come_in_front_of_the_last(
    serving: str, asking: str, places: dict[str, Place]
) -> None:
    name = f"count for {asking} by {serving}"
    worker = Worker(places[serving].back, name, settings=STEADY)

    @worker.handler
    def count(last: bytes) -> Iterator[bytes]:
        for number in range(int(last)):
            yield b"%d" % number

    with worker, Client(places[asking].front, settings=PATIENT) as client:
        pieces = [(piece.body, piece.final) for piece in client.stream(name, b"3")]
    if asking in STREAMING:
        assert pieces == [((b"0",), False), ((b"1",), False), ((b"2",), False), ((b"",), True)]
    else:
        assert pieces == [((b"0", b"1", b"2", b""), True)]


@pytest.mark.parametrize("serving", WORKERS)
def test_the_same_in_asyncio(serving: str, places: dict[str, Place]) -> None:
    async def story() -> None:
        service = "echo" if serving == "ppp" else f"echo in a loop by {serving}"
        worker = aio.Worker(places[serving].back, service, settings=STEADY)

        @worker.handler
        async def repeat(word: bytes) -> bytes:
            await asyncio.sleep(0)
            return serving.encode() + b" " + word

        async with worker, aio.Client(places["mdpx"].front, settings=PATIENT) as client:
            replies = await asyncio.gather(
                *(client.request(service, b"%d" % number) for number in range(50))
            )
        assert [reply.body[0] for reply in replies] == [
            b"%s %d" % (serving.encode(), number) for number in range(50)
        ]

    asyncio.run(story())


def test_an_asynchronous_generator_streams_to_an_asynchronous_loop(
    places: dict[str, Place],
) -> None:
    async def story() -> None:
        worker = aio.Worker(places["mdpx"].back, "letters", settings=STEADY)

        @worker.handler
        async def letters(word: bytes) -> AsyncIterator[str]:
            for letter in word.decode():
                yield letter

        async with worker, aio.Client(places["mdpx"].front, settings=PATIENT) as client:
            pieces = [piece.body[0] async for piece in client.stream("letters", "abc")]
        assert pieces == [b"a", b"b", b"c", b""]

    asyncio.run(story())


def test_one_client_serves_many_threads(places: dict[str, Place]) -> None:
    workers = [Worker(places["mdpx"].back, "double", settings=STEADY) for _ in range(3)]
    for worker in workers:
        worker.handler(lambda number: b"%d" % (2 * int(number)))
        worker.start()
    with Client(places["mdpx"].front, settings=PATIENT) as client, ThreadPoolExecutor(8) as pool:

        def ask(number: int) -> int:
            return int(client.request("double", b"%d" % number).body[0])

        assert list(pool.map(ask, range(200))) == [2 * number for number in range(200)]
    for worker in workers:
        worker.close()


def test_the_broker_tells_which_services_there_are(places: dict[str, Place]) -> None:
    worker = Worker(places["mdpx"].back, "present", settings=STEADY)
    worker.handler(lambda word: word)
    with worker, Client(places["mdpx"].front, settings=PATIENT) as client:
        client.request("present", b"")  # it is registered
        assert client.request("mmi.service", "present").body == (b"200",)
        assert client.request("mmi.service", "absent").body == (b"404",)


def test_ids_and_headers_reach_the_handler(places: dict[str, Place]) -> None:
    worker = Worker(places["emqp"].back, "mails", "notes", settings=STEADY)

    @worker.handler
    def tell(job: Job) -> str:
        return f"{job.service} {job.request_id.decode()} {job.header_values}"

    with worker, Client(places["emqp"].front, settings=PATIENT) as client:
        for queue in ("mails", "notes"):
            reply = client.request(queue, b"x", request_id=b"mine", headers={"to": "ann"})
            assert reply.body == (f"{queue} mine {{'to': 'ann'}}".encode(),)


def test_a_worker_killed_in_mid_request_loses_it_to_the_next(places: dict[str, Place]) -> None:
    entered, release = threading.Event(), threading.Event()
    first = Worker(places["mdpx"].back, "relay", settings=STEADY)

    @first.handler
    def stuck(word: bytes) -> bytes:
        entered.set()
        release.wait(PATIENCE)
        return b"too late"

    second = Worker(places["mdpx"].back, "relay", settings=STEADY)
    second.handler(lambda word: b"the next did " + word)
    with Client(places["mdpx"].front, settings=PATIENT) as client:
        first.start()
        future = client.submit("relay", b"it")
        assert entered.wait(PATIENCE)
        first.close()
        with second:
            assert future.result(PATIENCE).body == (b"the next did it",)
        release.set()


@pytest.mark.parametrize("lost", ["request", "reply"])
@pytest.mark.parametrize("serving", WORKERS)
def test_what_was_lost_with_a_workers_connection_is_done_all_the_same(
    serving: str, lost: str
) -> None:
    # libzmq connects again by itself; the broker would wait for the reply as long as all live.
    settings = WorkerSettings(interval=0.2, liveness=10_000, reconnect=0.01)
    with real_broker(interval=0.2, liveness=10_000) as running:
        asking = Client(running["mdpx"].front, settings=ClientSettings(timeout=PATIENCE, retry=0))
        with asking as client, Wire(int(running[serving].back.rpartition(":")[2])) as wire:
            worker = Worker(f"{serving}://127.0.0.1:{wire.port}", "echo", settings=settings)
            worker.handler(lambda word: word)
            with worker:
                assert client.request("echo", b"before").body == (b"before",)
                wire.cut_at(b"precious", inbound=lost == "request")
                future = client.submit("echo", b"precious")
                wire.wait_for_cut()
                assert future.result(PATIENCE).body == (b"precious",)
                assert client.request("echo", b"after").body == (b"after",)


def test_nothing_follows_a_piece_that_was_lost_on_its_way_to_the_broker(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx"))
    client = scene.peer(broker.front, b"C")
    with Wire(int(broker.back.rpartition(":")[2])) as wire:
        wire.cut_at(b"lost", inbound=False)
        worker = Worker(f"mdpx://127.0.0.1:{wire.port}", "count", settings=STEADY)
        more = threading.Event()

        @worker.handler
        def count(_: bytes) -> Iterator[bytes]:
            yield b"first"
            more.wait(PATIENCE)
            yield from (b"lost", *[b"next"] * 50)

        with worker:
            client.send(*Mdpx.ask(b"1", b"?", service=b"count"))
            assert client.receive() == Mdpx.partial(b"1", b"first", service=b"count")
            more.set()
            broker.wait_for(What.FAILED, request_id=b"1")
    assert client.drain() == []


@pytest.mark.parametrize("asking", STREAMING)
def test_a_stream_that_may_lack_a_piece_is_broken_off(
    asking: str, places: dict[str, Place]
) -> None:
    worker, more, last = streaming(places["mdpx"].back)
    with worker, Wire(int(places[asking].front.rpartition(":")[2])) as wire:
        with Client(f"{asking}://127.0.0.1:{wire.port}", settings=PATIENT) as client:
            pieces = client.stream("pieces", b"?")
            assert next(pieces).body == (b"first",)
            wire.cut_at(b"second", inbound=True)
            more.set()
            wire.wait_for_cut()
            with pytest.raises(NoAnswer, match="broke off"):
                next(pieces)
            last.set()
            assert client.request("mmi.service", b"pieces").body == (b"200",)


def test_in_asyncio_a_stream_that_may_lack_a_piece_is_broken_off_too(
    places: dict[str, Place],
) -> None:
    async def story() -> None:
        async with aio.Client(f"mdpx://127.0.0.1:{wire.port}", settings=PATIENT) as client:
            pieces = client.stream("pieces", b"?")
            assert (await anext(pieces)).body == (b"first",)
            wire.cut_at(b"second", inbound=True)
            more.set()
            await asyncio.to_thread(wire.wait_for_cut)
            with pytest.raises(NoAnswer, match="broke off"):
                await anext(pieces)
            last.set()

    worker, more, last = streaming(places["mdpx"].back)
    with worker, Wire(int(places["mdpx"].front.rpartition(":")[2])) as wire:
        asyncio.run(story())


def streaming(back: str) -> tuple[Worker, threading.Event, threading.Event]:
    """A worker that says the first piece, a second when told to, and the last when told to."""
    worker = Worker(back, "pieces", settings=STEADY)
    more, last = threading.Event(), threading.Event()

    @worker.handler
    def pieces(_: bytes) -> Iterator[bytes]:
        yield b"first"
        more.wait(PATIENCE)
        yield b"second"
        last.wait(PATIENCE)
        yield b"third"

    return worker, more, last


def test_clients_and_workers_come_back_to_a_broker_that_was_restarted() -> None:
    worker_settings = WorkerSettings(0.1, 10, reconnect=0.05, reconnect_longest=0.1)
    with ReservedPort() as one, ReservedPort() as other:
        front, back = one.endpoint, other.endpoint
        listener = Listener("mdpx", Endpoint(front), Endpoint(back), "", 0.1, 100.0)
        broker = Broker(BrokerConfig((listener,))).start()
        worker = Worker(back, "echo", dialect="mdpx", settings=worker_settings)
        worker.handler(lambda word: word)
        asking = ClientSettings(timeout=PATIENCE, retry=0.2)
        with worker, Client(front, dialect="mdpx", settings=asking) as client:
            assert client.request("echo", b"before").body == (b"before",)
            broker.stop(at_once=True)
            broker.join()
            future = client.submit("echo", b"after")
            with Broker(BrokerConfig((listener,))):
                assert future.result(PATIENCE).body == (b"after",)


def test_keys_let_clients_and_workers_in(tmp_path: Path) -> None:
    server = write_keys(tmp_path, "broker")
    friend = write_keys(tmp_path / "friends", "ann")
    stranger = write_keys(tmp_path / "strangers", "eve")
    anywhere = Endpoint(ANY_PORT)
    config = BrokerConfig(
        (Listener("mdpx", anywhere, anywhere, "", 5.0, 12.0),),
        curve=Curve(server.secret, tmp_path / "friends"),
    )
    known = CurveClient.from_files(friend.secret, server.public)
    unknown = CurveClient.from_files(stranger.secret, server.public)
    with Broker(config) as broker:
        [bound] = broker.bound
        worker = Worker(bound.back, "echo", dialect="mdpx", curve=known, settings=STEADY)
        worker.handler(lambda word: word)
        with worker, Client(bound.front, dialect="mdpx", curve=known, settings=PATIENT) as client:
            assert client.request("echo", b"hello").body == (b"hello",)
            for curve in (unknown, None):
                with Client(bound.front, dialect="mdpx", curve=curve) as outsider:
                    with pytest.raises(NoAnswer):
                        outsider.request("echo", b"hello", timeout=0.2)
            assert client.request("echo", b"still").body == (b"still",)
