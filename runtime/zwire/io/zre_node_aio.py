"""The node for asyncio: it lives in the loop that runs, and needs no thread of its own."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from types import TracebackType
from typing import Self
from uuid import UUID

from zwire.io.zre_base import NodeBase, octets_of, uuid_of
from zwire.io.zre_driver import NodeDriver
from zwire.io.zre_loop import NodeLoop
from zwire.io.zre_meeting import MeetingPlace
from zwire.zre.effects import Effect
from zwire.zre.events import NodeEvent
from zwire.zre.node import Busy
from zwire.zre.peer import KnownPeer


class Node(NodeBase):
    """A node on the local network: `async with Node("ann") as node: async for event in node: ...`.

    A task that blocks the loop holds up its beacons and answers; others may then take it for gone.
    """

    _host: NodeLoop | None = None
    events_dropped = 0  # that were too old to be kept before anybody had asked for one

    async def start(self) -> Self:
        """Open the mailbox and begin to announce ourselves."""
        self._check_new()
        self._events: deque[NodeEvent] = deque()
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._read = False
        place = MeetingPlace.hold()
        try:
            driver = self._open(place)
        except BaseException:
            place.term()
            raise
        driver.tell = self._noted(self._tell)
        driver.made_room = self._room.set
        self._host = NodeLoop(driver, place, self._end)
        return self

    async def stop(self) -> None:
        """Take leave of all peers and let go of the network."""
        if self._forked:
            return  # it goes on in the process that started it
        self._stopped = True
        if self._host is not None:
            await self._host.end()

    def _end(self) -> None:
        self._stopped = True
        self._news.set()
        self._room.set()

    # ---------------------------------------------------------------- what happens

    def _tell(self, told: Sequence[NodeEvent]) -> bool:
        events, most = self._events, self.settings.max_events
        events.extend(told)
        self._news.set()
        if self._read:
            return len(events) < most
        while len(events) > most:
            self.events_dropped += 1
            events.popleft()
        return True

    async def receive(self) -> NodeEvent | None:
        """The next event; None when there will be no more."""
        driver, host, events = self._driver, self._host, self._events
        self._read = True
        while not events:
            if self._stopped:
                return None
            self._news.clear()
            await self._news.wait()
        event = events.popleft()
        if driver.paused and host is not None and len(events) <= self.settings.max_events // 2:
            driver.resume()
            host.look()
        return event

    async def __aiter__(self) -> AsyncIterator[NodeEvent]:
        """All events, until the node is stopped."""
        while (event := await self.receive()) is not None:
            yield event

    # ---------------------------------------------------------------- what is wanted

    async def whisper(self, peer: UUID | KnownPeer, *content: bytes | str) -> None:
        """Send a message to one peer; where its queue is full and the policy is to wait, wait for room."""
        to, frames = uuid_of(peer), octets_of(content)
        await self._send(lambda driver: driver.whisper(to, frames))

    async def shout(self, group: str, *content: bytes | str) -> None:
        """Send a message to every peer in a group; full queues are as with `whisper`."""
        frames = octets_of(content)
        await self._send(lambda driver: driver.shout(group, frames))

    async def join(self, group: str) -> None:
        """Join a group and tell all peers."""
        self._do(lambda now: self._driver.engine.join(group, now))

    async def leave(self, group: str) -> None:
        """Leave a group and tell all peers."""
        self._do(lambda now: self._driver.engine.leave(group, now))

    async def contest(self, group: str) -> None:
        """Stand for election in a group, now or as soon as we are in it (36/ZRE)."""
        self._do(lambda now: self._driver.engine.contest(group, now))

    async def seek(self, endpoint: str) -> None:
        """Look for a static peer at an endpoint from now on; under CURVE it is written `ENDPOINT|KEY`."""
        self._do(lambda now: self._sought(endpoint, now))

    def _do(self, deed: Callable[[float], Iterable[Effect]]) -> None:
        self._live.do(deed)
        assert self._host is not None
        self._host.set_timer()

    async def _send(self, send: Callable[[NodeDriver], None]) -> None:
        while True:
            driver = self._live
            self._room.clear()
            try:
                send(driver)
            except Busy:
                await self._room.wait()
            else:
                if driver.full:
                    assert self._host is not None
                    self._host.set_timer()
                return

    async def __aenter__(self) -> Self:
        return await self.start() if self._host is None else self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()
