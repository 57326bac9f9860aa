"""The asyncio sockets among other tasks: no wake-up is lost and nobody is held up."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
import zmq

from support.raw import PATIENCE, Raw
from zwire.io import sockets_aio as aio
from zwire.io.errors import NoRoom, NothingReceived, SocketClosed
from zwire.io.options import Options

pytestmark = pytest.mark.process

ANY_PORT = "tcp://127.0.0.1:*"


def play(story: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(story, 2 * PATIENCE))


def test_two_tasks_share_a_socket_one_sending_and_one_receiving() -> None:
    # A send may use up the signal that a message has come; the receiver must be woken all the same.
    async def story() -> None:
        count = 2000
        async with aio.Router() as router, aio.Dealer() as dealer:
            dealer.connect(router.bind(ANY_PORT))

            async def echo() -> None:
                for _ in range(count):
                    peer, frames = await router.receive(timeout=PATIENCE)
                    await router.send(peer, frames)

            async def ask() -> None:
                for number in range(count):
                    await dealer.send([b"%d" % number], timeout=PATIENCE)

            async def hear() -> list[int]:
                return [int((await dealer.receive(timeout=PATIENCE))[0]) for _ in range(count)]

            _, _, heard = await asyncio.gather(echo(), ask(), hear())
            assert heard == list(range(count))

    play(story())


def test_a_receiver_wakes_even_when_another_call_has_used_up_the_signal() -> None:
    async def story() -> None:
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        options = Options(identity=b"D")
        with Raw(zmq.ROUTER, context) as router:
            router.bind("inproc://signal")
            async with aio.Dealer(options=options, context=context) as dealer:
                dealer.connect("inproc://signal")
                await dealer.send([b"hello"])
                router.receive()
                waiting = asyncio.create_task(dealer.receive())
                await asyncio.sleep(0)
                router.send(b"D", b"news")
                dealer.underlying.getsockopt(zmq.EVENTS)
                await dealer.send([b"something else"])
                assert await asyncio.wait_for(waiting, PATIENCE) == [b"news"]
        context.term()

    play(story())


def test_several_receivers_get_each_message_once() -> None:
    async def story() -> None:
        async with aio.Router() as router, aio.Dealer() as dealer:
            dealer.connect(router.bind(ANY_PORT))

            async def hear() -> list[int]:
                return [int((await router.receive(timeout=PATIENCE))[1][0]) for _ in range(50)]

            hearers = [asyncio.create_task(hear()) for _ in range(4)]
            for number in range(200):
                await dealer.send([b"%d" % number], timeout=PATIENCE)
            heard = await asyncio.gather(*hearers)
            assert sorted(number for some in heard for number in some) == list(range(200))

    play(story())


def test_a_cancelled_receiver_loses_no_message() -> None:
    async def story() -> None:
        async with aio.Router() as router, aio.Dealer() as dealer:
            dealer.connect(router.bind(ANY_PORT))
            waiting = asyncio.create_task(router.receive())
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            await dealer.send([b"still there"])
            assert (await router.receive(timeout=PATIENCE))[1] == [b"still there"]

    play(story())


def test_waiting_ends_with_the_time_that_was_given() -> None:
    async def story() -> None:
        async with aio.Dealer(options=Options(send_timeout=0.01)) as dealer:
            dealer.bind(ANY_PORT)
            with pytest.raises(NoRoom):
                await dealer.send([b"x"])
            with pytest.raises(NothingReceived):
                await dealer.receive(timeout=0.01)

    play(story())


def test_closing_wakes_whoever_waits() -> None:
    async def story() -> None:
        dealer = aio.Dealer()
        dealer.bind(ANY_PORT)
        waiting = asyncio.create_task(dealer.receive())
        await asyncio.sleep(0)
        await dealer.close()
        with pytest.raises(SocketClosed):
            await waiting
        assert dealer.closed
        await dealer.close()

    play(story())


def test_a_busy_socket_lets_other_tasks_have_their_turn() -> None:
    async def story() -> None:
        turns = 0

        async def other() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        options = Options(send_queue=10_000)
        async with aio.Dealer(options=options) as dealer, aio.Router(options=options) as router:
            dealer.connect(router.bind(ANY_PORT))
            task = asyncio.create_task(other())
            for _ in range(1000):
                await dealer.send([b"x"], timeout=0)
            assert turns >= 10
            task.cancel()

    play(story())


def test_req_and_rep_take_turns() -> None:
    async def story() -> None:
        async with aio.Req() as req, aio.Rep() as rep:
            req.connect(rep.bind(ANY_PORT))

            async def serve() -> None:
                for _ in range(100):
                    await rep.send([b"re", *await rep.receive(timeout=PATIENCE)])

            serving = asyncio.create_task(serve())
            for number in range(100):
                reply = await req.request([b"%d" % number], timeout=PATIENCE)
                assert reply == [b"re", b"%d" % number]
            await serving

    play(story())


def test_a_socket_outlives_the_loop_it_first_waited_in() -> None:
    dealer = aio.Dealer()

    async def wait_in_vain() -> None:
        with pytest.raises(NothingReceived):
            await dealer.receive(timeout=0.01)

    async def end() -> None:
        await wait_in_vain()
        await dealer.close()

    dealer.bind(ANY_PORT)
    play(wait_in_vain())
    play(end())
