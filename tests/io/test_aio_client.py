"""Stories of the client for asyncio, against brokers that are played by hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import TypeVar

import pytest
import zmq

from support.ports import ANY_PORT
from support.raw import PATIENCE, Context
from support.scripted import CLIENTS, PIPELINING, STREAMING, FrontEnd
from zwire import Closed, LocalError, NoAnswer
from zwire.aio import Client, ClientSettings, Worker, WorkerSettings

pytestmark = pytest.mark.process
every_dialect = pytest.mark.parametrize("dialect", CLIENTS)
T = TypeVar("T")

PATIENT = ClientSettings(timeout=PATIENCE, retry=0)


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

    asyncio.run(story())


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

    asyncio.run(story())


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

    asyncio.run(story())


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

    asyncio.run(story())


def test_a_silent_broker_is_asked_again(context: Context) -> None:
    async def story() -> None:
        impatient = ClientSettings(timeout=600.0, retry=0.01)
        async with asking("mdpx", context, impatient) as (broker, client):
            future = client.submit("echo", b"x")
            requests = [await beside(broker.asked) for _ in range(3)]
            assert len({asked.rest for asked in requests}) == 1
            broker.reply(requests[0], b"at last")
            assert (await future).body == (b"at last",)

    asyncio.run(story())


def test_what_the_dialect_cannot_say_is_refused_at_once(context: Context) -> None:
    async def story() -> None:
        async with asking("emqp", context) as (_, client):
            with pytest.raises(LocalError, match="exactly one frame"):
                client.submit("echo", b"one", b"two")
            with pytest.raises(LocalError, match="a header is"):
                await client.request("echo", b"x", headers={"": ""})

    asyncio.run(story())


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

    asyncio.run(story())


def test_a_client_that_was_never_used_closes_too() -> None:
    async def story() -> None:
        await Client("mdpx://127.0.0.1:1").close()
        await Worker("mdpx://127.0.0.1:1", "echo").close()

    asyncio.run(story())


def test_a_client_belongs_to_the_loop_in_which_it_was_first_used(context: Context) -> None:
    broker = FrontEnd("mdpx", context)

    async def first() -> Client:
        client = Client(broker.url, settings=PATIENT)
        asked = client.submit("echo", b"x")
        broker.reply(await beside(broker.asked), b"y")
        await asked
        return client

    async def second(client: Client) -> None:
        with pytest.raises(LocalError, match="make one for this loop"):
            await client.request("echo", b"x")
        await client.close()

    asyncio.run(second(asyncio.run(first())))
    broker.close()
