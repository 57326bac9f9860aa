"""Stories of the worker for asyncio, against brokers that are played by hand."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

import pytest
import zmq

from support.raw import PATIENCE, Context
from support.scripted import STREAMING, WORKERS, BackEnd
from zwire import Job
from zwire.aio import Worker, WorkerSettings
from zwire.io.handlers import Handler

pytestmark = pytest.mark.process
T = TypeVar("T")

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
async def serving(
    dialect: str,
    context: Context,
    handler: Handler,
    settings: WorkerSettings = STEADY,
) -> AsyncIterator[BackEnd]:
    broker = BackEnd(dialect, context)
    worker = Worker(broker.url, "echo", settings=settings)
    worker.handler(handler)
    async with worker:
        await beside(lambda: broker.heard("ready"))
        yield broker
    broker.close()


async def a_coroutine(word: bytes) -> bytes:
    await asyncio.sleep(0)
    return word + b"!"


def a_function(word: bytes) -> bytes:
    return word + b"!"


@pytest.mark.parametrize("dialect", WORKERS)
@pytest.mark.parametrize("handler", [a_coroutine, a_function])
def test_a_worker_registers_and_answers(dialect: str, handler: Handler, context: Context) -> None:
    async def story() -> None:
        async with serving(dialect, context, handler) as broker:
            for tag in (b"1", b"2"):
                broker.give(b"hello", tag=tag)
                heard = await beside(lambda: broker.heard("final"))
                assert heard == broker.answer_to(tag, b"hello!")

    asyncio.run(story())


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

    asyncio.run(story())


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

    asyncio.run(story())


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

    asyncio.run(story())


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

    asyncio.run(story())


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

    asyncio.run(story())


@pytest.mark.parametrize("dialect", WORKERS)
def test_a_silent_broker_is_left_for_a_new_conversation(dialect: str, context: Context) -> None:
    async def story() -> None:
        impatient = WorkerSettings(0.02, 3, reconnect=0.01, reconnect_longest=0.02)
        async with serving(dialect, context, a_coroutine, impatient) as broker:
            first = broker.worker
            await beside(lambda: broker.heard("ready"))
            assert broker.worker != first

    asyncio.run(story())


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

    asyncio.run(story())


def test_a_handler_that_will_not_be_cancelled_does_not_keep_its_worker(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zwire.io.worker_aio._CANCEL_FOR", 0.1)

    async def story() -> None:
        entered, enough = asyncio.Event(), asyncio.Event()

        async def stubborn(word: bytes) -> bytes:
            entered.set()
            while not enough.is_set():
                with suppress(asyncio.CancelledError):
                    await enough.wait()
            return word

        broker = BackEnd("mdpx", context)
        worker = Worker(broker.url, "echo", settings=STEADY)
        worker.handler(stubborn)
        async with worker:
            await beside(lambda: broker.heard("ready"))
            broker.give(b"hello")
            await asyncio.wait_for(entered.wait(), PATIENCE)
        await beside(lambda: broker.heard("bye"))
        broker.close()
        enough.set()

    asyncio.run(asyncio.wait_for(story(), 3 * PATIENCE))


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

    asyncio.run(story())
