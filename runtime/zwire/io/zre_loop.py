"""The place of a node in an asyncio loop: its sockets are served and its engine told the time there."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import cast

import zmq

from zwire.io.hosting import GRACE, LATE
from zwire.io.zre_driver import NodeDriver, Source, Take
from zwire.io.zre_meeting import MeetingPlace


class NodeLoop:
    """Runs a driver in the loop that is running.

    The descriptor of a ZeroMQ socket tells of changes, not of a state, and any call on the socket may
    use the change up: after everything that is done, all of them are looked at again.
    """

    def __init__(self, driver: NodeDriver, place: MeetingPlace, over: Callable[[], None]) -> None:
        self._driver = driver
        self._place = place
        self._over = over
        self._loop = asyncio.get_running_loop()
        self._heard: dict[Source, Take] = {}
        self._descriptors: dict[Source, int] = {}
        self._version = -1
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = 0.0
        self._again: asyncio.Handle | None = None
        self._ended = False
        self._gone = asyncio.Event()  # for all who stop us
        driver.wake = self._wake
        driver.start(time.monotonic())
        self.look()

    async def end(self) -> None:
        """Take leave, close everything, and wait for what is on its way without holding up others."""
        if self._ended:
            await self._gone.wait()
            return
        self._ended = True
        for handle in (self._timer, self._again):
            if handle is not None:
                handle.cancel()
        for descriptor in self._descriptors.values():
            self._loop.remove_reader(descriptor)
        self._descriptors.clear()
        self._driver.stop(time.monotonic())
        self._driver.close()
        self._over()
        try:
            # No task, so that nothing can cancel it before it has begun.
            await asyncio.shield(self._loop.run_in_executor(None, self._place.term))
        finally:  # also where whoever stops us has no more patience
            self._driver.vanish()
            self._gone.set()

    def look(self) -> None:
        """Take what has come; as long as there was something, look again soon."""
        if self._ended:
            return
        self._listen()
        busy = bool(self._driver.overheard)
        if busy:
            self._driver.take_beacons(time.monotonic())
        for source, take in list(self._heard.items()):
            if source.closed:
                continue
            if cast(int, source.getsockopt(zmq.EVENTS)) & zmq.POLLIN:
                take(time.monotonic())
                busy = True
        self._listen()
        if busy and self._again is None:
            self._again = self._loop.call_soon(self._look_again)
        self.set_timer()

    def _wake(self) -> None:
        """Look soon; from any thread."""
        with suppress(RuntimeError):  # the loop is closed: nobody is left to look
            self._loop.call_soon_threadsafe(self.look)

    def _look_again(self) -> None:
        self._again = None
        self.look()

    def _listen(self) -> None:
        """Have the loop listen to exactly the driver's sources."""
        if self._version == self._driver.version:
            return
        self._version = self._driver.version
        self._heard = self._driver.sources
        for source in [one for one in self._descriptors if one not in self._heard]:
            self._loop.remove_reader(self._descriptors.pop(source))
        for source in self._heard:
            if source not in self._descriptors:
                descriptor = cast(int, source.getsockopt(zmq.FD))
                self._loop.add_reader(descriptor, self.look)
                self._descriptors[source] = descriptor

    def set_timer(self) -> None:
        """See to it that the driver is told the time when it wants to be."""
        deadline = None if self._ended else self._driver.next_deadline()
        if self._timer is not None:
            if deadline is not None and self._timer_at <= deadline <= self._timer_at + 0.001:
                return
            self._timer.cancel()
            self._timer = None
        if deadline is not None:
            now = time.monotonic()
            self._timer_at = max(deadline, now)
            self._timer = self._loop.call_later(self._timer_at - now, self._ring)

    def _ring(self) -> None:
        if time.monotonic() - self._timer_at > LATE:
            # Held up ourselves: what came meanwhile is heard before anybody counts as silent.
            self._driver.tick(time.monotonic(), held_up=True)
            self._timer = self._loop.call_later(GRACE, self._tick)
            self._timer_at = time.monotonic() + GRACE
        else:
            self._tick()

    def _tick(self) -> None:
        self._timer = None
        if not self._ended:
            self._driver.tick(time.monotonic())
            self.look()
