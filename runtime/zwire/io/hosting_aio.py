"""The host that runs a driver of sockets in an asyncio loop; not zmq.asyncio, which is far slower."""

from __future__ import annotations

import asyncio
import time
from typing import cast

import zmq

from zwire.errors import Closed, LocalError
from zwire.io.contexts import Context
from zwire.io.hosting import GRACE, LATE, Call, Driver


class LoopHost:
    """Runs a driver in the asyncio loop that is running.

    A link's descriptor tells of changes, not of a state, and any call on the socket may use the
    change up: after everything that is done, all links are looked at again.
    """

    def __init__(self, driver: Driver, context: Context) -> None:
        self._driver = driver
        self._context = context
        self._loop = asyncio.get_running_loop()
        self._descriptors: dict[zmq.Socket[bytes], int] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = 0.0
        self._again: asyncio.Handle | None = None
        self._closed = False
        self._look()

    def post(self, call: Call) -> None:
        """Call it now and look after the links; from the loop's own thread."""
        if self._closed:
            raise Closed("it was closed; make a new one")
        if asyncio.get_running_loop() is not self._loop:
            raise LocalError(
                "it belongs to the loop in which it was first used: make one for this loop"
            )
        call()
        self._look()

    def post_from_thread(self, call: Call) -> None:
        """Have it called in the loop, from any thread; a driver that is closed refuses it."""

        def answer() -> None:
            call()
            self._look()

        try:
            self._loop.call_soon_threadsafe(answer)
        except RuntimeError as error:
            raise Closed("the loop it ran in is closed") from error

    async def close(self) -> None:
        """Leave the loop, close the driver and end its context without holding up other tasks."""
        if self._closed:
            return
        self._closed = True
        for handle in (self._timer, self._again):
            if handle is not None:
                handle.cancel()
        for descriptor in self._descriptors.values():
            self._loop.remove_reader(descriptor)
        self._descriptors.clear()
        self._driver.close()
        await asyncio.to_thread(self._context.term)

    def _look(self) -> None:
        """Read and write what can be; as long as there was something, look again soon."""
        if self._closed:
            return
        driver, busy = self._driver, False
        self._listen()
        for link in list(driver.links):
            events = 0 if link.closed else _events(link.socket)
            alarmed = link.alarm is not None and _events(link.alarm) & zmq.POLLIN
            if events & zmq.POLLIN or alarmed:
                driver.readable(link, time.monotonic())
                busy = True
            if events & zmq.POLLOUT and not link.closed and link in driver.congested:
                driver.writable(link, time.monotonic())
                busy = True
        self._listen()
        if busy and self._again is None:
            self._again = self._loop.call_soon(self._look_again)
        self._set_timer()

    def _look_again(self) -> None:
        self._again = None
        self._look()

    def _listen(self) -> None:
        links = self._driver.links
        sockets = {link.socket for link in links} | {link.alarm for link in links if link.alarm}
        for socket in self._descriptors.keys() - sockets:
            self._loop.remove_reader(self._descriptors.pop(socket))
        for socket in sockets - self._descriptors.keys():
            descriptor = cast(int, socket.getsockopt(zmq.FD))
            self._descriptors[socket] = descriptor
            self._loop.add_reader(descriptor, self._look)

    def _set_timer(self) -> None:
        deadline = self._driver.next_deadline()
        if self._timer is not None:
            if deadline == self._timer_at:
                return
            self._timer.cancel()
            self._timer = None
        if deadline is not None:
            self._timer_at = deadline
            delay = max(0.0, deadline - time.monotonic())
            self._timer = self._loop.call_later(delay, self._ring)

    def _ring(self) -> None:
        if time.monotonic() - self._timer_at > LATE:
            # Held up ourselves: what came meanwhile is heard first.
            self._timer = self._loop.call_later(GRACE, self._tick)
            self._look()
        else:
            self._tick()

    def _tick(self) -> None:
        self._timer = None
        self._look()
        deadline, now = self._driver.next_deadline(), time.monotonic()
        if not self._closed and deadline is not None and deadline <= now:
            self._driver.tick(now)
            self._look()


def _events(socket: zmq.Socket[bytes]) -> int:
    return cast(int, socket.getsockopt(zmq.EVENTS))
