"""Stories of nodes in asyncio loops."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

import pytest

from support.nodes import Gathering, gathering
from support.raw import PATIENCE
from zwire.aio import Node
from zwire.errors import Closed, LocalError
from zwire.io.zre_ether import Ether
from zwire.io.zre_meeting import MeetingPlace
from zwire.zre import FullQueue, Options
from zwire.zre.events import (
    Entered,
    JoinedGroup,
    LeaderElected,
    Left,
    LeftGroup,
    Shouted,
    Whispered,
)

pytestmark = pytest.mark.process
E = TypeVar("E")


def play(story: Callable[[Gathering], Awaitable[None]]) -> None:
    """Run a story in a loop and on a network of its own."""
    with gathering() as here:

        async def patiently() -> None:
            await asyncio.wait_for(story(here), 2 * PATIENCE)

        asyncio.run(patiently())


async def next_of(node: Node, kind: type[E]) -> E:
    """The next event of this kind; what comes before it is passed over."""
    async for event in node:
        if isinstance(event, kind):
            return event
    raise AssertionError(f"it stopped without {kind.__name__}")


@pytest.mark.parametrize("inproc", [True, False], ids=["inproc", "tcp"])
def test_two_nodes_meet_talk_and_part(inproc: bool) -> None:
    async def story(here: Gathering) -> None:
        settings = replace(here.settings, inproc=inproc)
        async with Node("ann", groups=["chat"], settings=settings) as ann:
            async with Node("bob", settings=settings) as bob:
                assert (await next_of(bob, Entered)).name == "ann"
                assert (await next_of(bob, JoinedGroup)).group == "chat"
                await next_of(ann, Entered)
                await bob.join("chat")
                await next_of(ann, JoinedGroup)
                await ann.shout("chat", "one", "two")
                assert (await next_of(bob, Shouted)).content == (b"one", b"two")
                await bob.whisper(ann.uuid, b"three")
                assert (await next_of(ann, Whispered)).content == (b"three",)
                await ann.contest("chat")
                for node in (ann, bob):
                    assert (await next_of(node, LeaderElected)).leader == ann.uuid
                    assert node.leader("chat") == ann.uuid
                await bob.leave("chat")
                await next_of(ann, LeftGroup)
            await next_of(ann, Left)
            assert ann.peers() == []

    play(story)


def test_it_meets_a_node_with_threads() -> None:
    async def story(here: Gathering) -> None:
        bob = here.node("bob", inproc=False)
        async with Node("ann", settings=here.settings) as ann:
            await next_of(ann, Entered)
            await asyncio.to_thread(bob.wait_for, Entered)
            for number in range(500):
                await ann.whisper(bob.node.uuid, str(number))
                bob.node.whisper(ann.uuid, str(number))
            for number in range(500):
                assert (await next_of(ann, Whispered)).content == (b"%d" % number,)
            await asyncio.to_thread(bob.wait_for, Whispered, content=(b"499",))

    play(story)


def test_static_peers_are_sought() -> None:
    async def story(here: Gathering) -> None:
        settings = replace(here.settings, options=Options(beacons=False))
        async with Node("ann", settings=settings) as ann, Node("bob", settings=settings) as bob:
            await bob.seek(ann.endpoint)
            await next_of(ann, Entered)
            await next_of(bob, Entered)

    play(story)


def test_a_node_that_waits_loses_nothing() -> None:
    async def story(here: Gathering) -> None:
        options = Options(full_queue=FullQueue.WAIT, max_waiting=10, expired_after=3600.0)
        settings = replace(here.settings, options=options, send_queue=5)
        deaf = here.raw(1, receive_queue=1)
        async with Node("ann", settings=settings) as ann:
            deaf.greet_at(ann.endpoint)
            await next_of(ann, Entered)

            async def speak() -> None:
                for _ in range(200):
                    await ann.whisper(deaf.uuid, bytes(100_000))

            speaking = asyncio.create_task(speak())
            heard = [(await asyncio.to_thread(deaf.hear)).sequence for _ in range(201)]
            assert heard == list(range(1, 202))
            await speaking

    play(story)


def test_a_slow_reader_misses_nothing() -> None:
    async def story(here: Gathering) -> None:
        settings = replace(here.settings, max_events=20)
        raw = here.raw(2)
        async with Node("ann", settings=settings) as ann:
            raw.greet_at(ann.endpoint)
            await next_of(ann, Entered)
            for number in range(500):
                raw.whisper(b"%d" % number)
            for number in range(500):
                assert (await next_of(ann, Whispered)).content == (b"%d" % number,)
            assert ann.events_dropped == 0

    play(story)


def test_who_has_no_patience_to_stop_a_node_leaves_nothing_open() -> None:
    async def story(here: Gathering) -> None:
        node = await Node("ann", settings=here.settings).start()
        assert here.port in [port for *_, port in Ether._standing]
        stopping = asyncio.create_task(node.stop())
        await asyncio.sleep(0)
        stopping.cancel()
        with pytest.raises(asyncio.CancelledError):
            await stopping
        assert here.port not in [port for *_, port in Ether._standing]

    play(story)


def test_all_who_stop_a_node_wait_until_it_is_gone() -> None:
    async def story(here: Gathering) -> None:
        node = await Node("ann", settings=here.settings).start()
        first, second = (asyncio.create_task(node.stop()) for _ in range(2))
        await second
        assert node._driver._air is None, "it has said goodbye"
        await first

    play(story)


def test_who_is_cancelled_while_it_stops_a_node_leaves_no_place_behind() -> None:
    async def story(here: Gathering) -> None:
        # Nobody is free to wait for what is on its way, so that it has not begun yet.
        busy = threading.Event()
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(1))
        waiting = loop.run_in_executor(None, busy.wait)
        node = await Node("ann", settings=here.settings).start()
        stopping = asyncio.create_task(node.stop())
        while not node._stopped:
            await asyncio.sleep(0)
        stopping.cancel()
        with pytest.raises(asyncio.CancelledError):
            await stopping
        busy.set()
        await waiting

    play(story)
    assert not MeetingPlace._standing


def test_a_stopped_node_says_so() -> None:
    async def story(here: Gathering) -> None:
        node = Node("ann", settings=here.settings)
        with pytest.raises(LocalError, match="not been started"):
            await node.whisper(node.uuid, "x")
        await node.start()
        waiting = asyncio.create_task(node.receive())
        await asyncio.sleep(0)
        await node.stop()
        assert await waiting is None
        assert [event async for event in node] == []
        with pytest.raises(Closed):
            await node.join("chat")
        with pytest.raises(Closed):
            await node.start()

    play(story)
