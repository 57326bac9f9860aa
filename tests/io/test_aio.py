"""Stories of the client and the worker for asyncio, against brokers that are played by hand."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import TypeVar

import pytest
import zmq

from support.ports import ANY_PORT
from support.raw import PATIENCE, Context
from support.scripted import CLIENTS, PIPELINING, STREAMING, WORKERS, BackEnd, FrontEnd
from zwire import Closed, Job, LocalError, NoAnswer
from zwire.aio import Client, ClientSettings, Worker, WorkerSettings

pytestmark = pytest.mark.process
every_dialect = pytest.mark.parametrize("dialect", CLIENTS)
T = TypeVar("T")

PATIENT = ClientSettings(timeout=PATIENCE, retry=0)
STEADY = WorkerSettings(interval=5.0, liveness=24.0, reconnect=0.01, reconnect_longest=0.02)


@pytest.fixture
def context() -> Iterator[Context]:
    own: Context = zmq.Context()
    yield own
    own.destroy(linger=0)


async def beside(call: Callable[[], T]) -> T:
    """What a broker played by hand does, which blocks, beside the loop."""
    return await asyncio.wait_for(asyncio.to_thread(call), 2 * PATIENCE)


@asynccontextmanager
async def asking(
    dialect: str, context: Context, settings: ClientSettings = PATIENT
) -> AsyncIterator[tuple[FrontEnd, Client]]:
    broker = FrontEnd(dialect, context)
    async with Client(broker.url, settings=settings) as client:
        yield broker, client
    broker.close()


@asynccontextmanager
async def serving(
    dialect: str,
    context: Context,
    handler: Callable[..., object],
    settings: WorkerSettings = STEADY,
) -> AsyncIterator[BackEnd]:
    broker = BackEnd(dialect, context)
    worker = Worker(broker.url, "echo", settings=settings)
    worker.handler(handler)  # type: ignore[type-var]
    async with worker:
        await beside(lambda: broker.heard("ready"))
        yield broker
    broker.close()


def run(story: Awaitable[None]) -> None:
    async def told() -> None:
        await story

    asyncio.run(told())


# ----- clients


@every_dialect
def test_many_open_requests_are_answered_in_any_order(dialect: str, context: Context) -> None:
    async def story() -> None:
        async with asking(dialect, context) as (broker, client):
            futures = [client.submit("echo", b"%d" % number) for number in range(20)]
            requests = [await beside(broker.asked) for _ in futures]
            for asked in reversed(requests):
                broker.reply(asked, b"re " + asked.body[0])
            replies = await asyncio.gather(*futures)
            assert [reply.body for reply in replies] == [(b"re %d" % n,) for n in range(20)]

    run(story())


@pytest.mark.parametrize("dialect", STREAMING)
def test_pieces_come_one_by_one(dialect: str, context: Context) -> None:
    async def story() -> None:
        async with asking(dialect, context) as (broker, client):
            pieces = client.stream("count", b"x")
            asked = await beside(broker.asked)
            broker.reply(asked, b"1", final=False)
            assert (await anext(pieces)).body == (b"1",)
            for number in range(2, 1000):
                broker.reply(asked, b"%d" % number, final=False)
            broker.reply(asked, b"end")
            rest = [piece.body[0] async for piece in pieces]
            assert rest == [*(b"%d" % number for number in range(2, 1000)), b"end"]

    run(story())


@pytest.mark.parametrize("dialect", PIPELINING)
def test_a_caller_that_is_cancelled_forgets_its_request(dialect: str, context: Context) -> None:
    async def story() -> None:
        async with asking(dialect, context) as (broker, client):
            task = asyncio.create_task(client.request("echo", b"x", request_id=b"mine"))
            await beside(broker.asked)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            async with client.stream("echo", b"y", request_id=b"mine"):
                await beside(broker.asked)
            left = client.stream("echo", b"z", request_id=b"mine")
            await beside(broker.asked)
            del left
            await asyncio.sleep(0)  # its end is told to the loop
            again = client.submit("echo", b"!", request_id=b"mine")
            broker.reply(await beside(broker.asked), b"done")
            assert (await again).body == (b"done",)

    run(story())


@every_dialect
def test_time_outs_and_closing_fail_what_is_open(dialect: str, context: Context) -> None:
    async def story() -> None:
        async with asking(dialect, context) as (broker, client):
            with pytest.raises(NoAnswer, match="check that"):
                await client.request("echo", b"x", timeout=0.01)
            future, pieces = client.submit("echo", b"y"), client.stream("echo", b"z")
            await client.close()
            for failing in (future, anext(pieces)):
                with pytest.raises(Closed):
                    await failing
            with pytest.raises(Closed):
                await client.request("echo", b"x")
            broker.raw.drain()

    run(story())


def test_a_silent_broker_is_asked_again(context: Context) -> None:
    async def story() -> None:
        impatient = ClientSettings(timeout=600.0, retry=0.01)
        async with asking("mdpx", context, impatient) as (broker, client):
            future = client.submit("echo", b"x")
            requests = [await beside(broker.asked) for _ in range(3)]
            assert len({asked.rest for asked in requests}) == 1
            broker.reply(requests[0], b"at last")
            assert (await future).body == (b"at last",)

    run(story())


def test_what_the_dialect_cannot_say_is_refused_at_once(context: Context) -> None:
    async def story() -> None:
        async with asking("emqp", context) as (_, client):
            with pytest.raises(LocalError, match="exactly one frame"):
                client.submit("echo", b"one", b"two")
            with pytest.raises(LocalError, match="a header is"):
                await client.request("echo", b"x", headers={"": ""})

    run(story())


def test_a_client_and_a_worker_meet_without_a_queue() -> None:
    async def story() -> None:
        settings = ClientSettings(timeout=PATIENCE, interval=600.0)
        async with Client.direct(ANY_PORT, settings=settings) as client:
            url = "ppp" + client.addresses[0].removeprefix("tcp")
            worker = Worker(url, settings=WorkerSettings(interval=600.0))

            @worker.handler
            async def shout(word: bytes) -> bytes:
                return word.upper()

            async with worker:
                replies = [client.submit("", b"a%d" % number) for number in range(50)]
                bodies = [(await reply).body[0] for reply in replies]
                assert bodies == [b"A%d" % number for number in range(50)]

    run(story())


def test_a_client_that_was_never_used_closes_too() -> None:
    async def story() -> None:
        await Client("mdpx://127.0.0.1:1").close()
        await Worker("mdpx://127.0.0.1:1", "echo").close()

    run(story())


# ----- workers


async def a_coroutine(word: bytes) -> bytes:
    await asyncio.sleep(0)
    return word + b"!"


def a_function(word: bytes) -> bytes:
    return word + b"!"


@pytest.mark.parametrize("dialect", WORKERS)
@pytest.mark.parametrize("handler", [a_coroutine, a_function])
def test_a_worker_registers_and_answers(
    dialect: str, handler: Callable[..., object], context: Context
) -> None:
    async def story() -> None:
        async with serving(dialect, context, handler) as broker:
            for tag in (b"1", b"2"):
                broker.give(b"hello", tag=tag)
                heard = await beside(lambda: broker.heard("final"))
                assert heard == broker.answer_to(tag, b"hello!")

    run(story())


@pytest.mark.parametrize("dialect", STREAMING)
@pytest.mark.parametrize("kind", ["asynchronous", "plain"])
def test_what_a_generator_yields_is_a_partial_reply(
    dialect: str, kind: str, context: Context
) -> None:
    async def counting(job: Job) -> AsyncIterator[bytes]:
        for number in range(3000):
            yield b"%d" % number

    def counting_plainly(job: Job) -> Iterator[bytes]:
        yield from (b"%d" % number for number in range(3000))

    def hear_all(broker: BackEnd) -> None:
        for number in range(3000):
            assert broker.heard("partial")[-1] == b"%d" % number
        assert broker.heard("final")[-1] == b""

    async def story() -> None:
        handler = counting if kind == "asynchronous" else counting_plainly
        async with serving(dialect, context, handler) as broker:
            broker.give(b"")
            await beside(lambda: hear_all(broker))

    run(story())


async def raising(word: bytes) -> bytes:
    if word == b"fail":
        raise RuntimeError("no luck")
    if word == b"cancelled":
        raise asyncio.CancelledError
    return word


@pytest.mark.parametrize("word", [b"fail", b"cancelled"])
def test_a_raising_coroutine_sends_one_final_reply_and_goes_on(
    word: bytes, context: Context
) -> None:
    async def story() -> None:
        async with serving("mdpx", context, raising) as broker:
            for tag, body, reply in ((b"1", word, b""), (b"2", b"good", b"good")):
                broker.give(body, tag=tag)
                heard = await beside(lambda: broker.heard("final"))
                assert heard == broker.answer_to(tag, reply)

    run(story())


def test_slots_are_worked_at_side_by_side(context: Context) -> None:
    async def story() -> None:
        together = asyncio.Event()
        inside = 0

        async def meet(word: bytes) -> bytes:
            nonlocal inside
            inside += 1
            if inside == 3:
                together.set()
            await asyncio.wait_for(together.wait(), PATIENCE)
            return word

        settings = WorkerSettings(5.0, 24.0, slots=3)
        async with serving("emqp", context, meet, settings) as broker:
            for tag in (b"1", b"2", b"3"):
                broker.give(b"x", tag=tag)
            heard = [await beside(lambda: broker.heard("final")) for _ in range(3)]
            assert {rest[0] for rest in heard} == {b"1", b"2", b"3"}

    run(story())


@pytest.mark.parametrize("dialect", WORKERS)
def test_a_function_that_blocks_for_ten_liveness_periods_does_not_hold_up_heartbeats(
    dialect: str, context: Context
) -> None:
    done = threading.Event()

    def slow(word: bytes) -> bytes:
        done.wait(PATIENCE)
        return word

    def count_beats(broker: BackEnd) -> None:
        beats = 0
        while beats < 30:
            command, _ = broker.said()
            assert command in ("beat", "offer")
            beats += command == "beat"
            broker.beat()
        done.set()
        assert broker.heard("final") == broker.answer_to(b"1", b"hello")

    async def story() -> None:
        settings = WorkerSettings(interval=0.02, liveness=2000)
        async with serving(dialect, context, slow, settings) as broker:
            broker.give(b"hello")
            await beside(lambda: count_beats(broker))

    run(story())


@pytest.mark.parametrize("dialect", [name for name in WORKERS if name != "ppp"])
def test_a_dismissed_worker_comes_back_as_another(dialect: str, context: Context) -> None:
    async def story() -> None:
        async with serving(dialect, context, a_coroutine) as broker:
            first = broker.worker
            broker.dismiss()
            await beside(lambda: broker.heard("ready"))
            assert broker.worker != first
            broker.give(b"hello")
            heard = await beside(lambda: broker.heard("final"))
            assert heard == broker.answer_to(b"1", b"hello!")

    run(story())


@pytest.mark.parametrize("dialect", WORKERS)
def test_a_silent_broker_is_left_for_a_new_conversation(dialect: str, context: Context) -> None:
    async def story() -> None:
        impatient = WorkerSettings(0.02, 3, reconnect=0.01, reconnect_longest=0.02)
        async with serving(dialect, context, a_coroutine, impatient) as broker:
            first = broker.worker
            await beside(lambda: broker.heard("ready"))
            assert broker.worker != first

    run(story())


@pytest.mark.parametrize("dialect", [name for name in WORKERS if name != "ppp"])
def test_a_stopped_worker_first_finishes_what_is_open(dialect: str, context: Context) -> None:
    async def story() -> None:
        broker = BackEnd(dialect, context)
        worker = Worker(broker.url, "echo", settings=STEADY)
        entered, done = asyncio.Event(), asyncio.Event()

        @worker.handler
        async def slow(word: bytes) -> bytes:
            entered.set()
            await done.wait()
            return word

        running = asyncio.create_task(worker.run(drain=PATIENCE))
        await beside(lambda: broker.heard("ready"))
        broker.give(b"hello")
        await asyncio.wait_for(entered.wait(), PATIENCE)
        worker.stop()
        done.set()
        heard = await beside(lambda: broker.heard("final"))
        assert heard == broker.answer_to(b"1", b"hello")
        await beside(lambda: broker.heard("bye"))
        await asyncio.wait_for(running, PATIENCE)
        broker.close()

    run(story())


@pytest.mark.parametrize("how", ["cancelled", "told twice"])
def test_a_worker_that_may_not_wait_cancels_its_handlers(how: str, context: Context) -> None:
    async def story() -> None:
        broker = BackEnd("mdpx", context)
        worker = Worker(broker.url, "echo", settings=STEADY)
        entered, left = asyncio.Event(), asyncio.Event()

        @worker.handler
        async def stuck(word: bytes) -> bytes:
            entered.set()
            try:
                await asyncio.Event().wait()
            finally:
                left.set()
            return word

        running = asyncio.create_task(worker.run(drain=600.0))
        await beside(lambda: broker.heard("ready"))
        broker.give(b"hello")
        await asyncio.wait_for(entered.wait(), PATIENCE)
        if how == "cancelled":
            running.cancel()
        else:
            worker.stop()
            worker.stop(at_once=True)
        await beside(lambda: broker.heard("bye"))
        await asyncio.wait([running], timeout=PATIENCE)
        assert running.done()
        assert left.is_set()
        broker.close()

    run(story())
