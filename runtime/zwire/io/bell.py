"""Waiting for a ZeroMQ socket in asyncio, on its file descriptor.

The descriptor tells of changes, not of a state, and any call on the socket may use the change
up. So whoever waits is woken by the events themselves, which are looked at when the descriptor
speaks and after each call.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import cast

import zmq

from zwire.io.link import Wait

_EVERYTHING = -1


@dataclass(frozen=True, slots=True, eq=False)
class _Waiter:
    events: int
    woken: asyncio.Future[None]

    def wake(self) -> None:
        if not self.woken.done():
            self.woken.set_result(None)


class Bell:
    """Wakes the tasks that wait for one socket, in the loop that waits for it."""

    def __init__(self, socket: zmq.Socket[bytes]) -> None:
        self._socket = socket
        self._waiters: list[_Waiter] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._descriptor = cast(int, socket.getsockopt(zmq.FD))

    async def wait(self, wait: Wait) -> None:
        """Return when the events are there, the time is over, or the bell was taken down."""
        loop = asyncio.get_running_loop()
        self._hang_up_in(loop)
        if self._events() & wait.events:
            return
        waiter = _Waiter(wait.events, loop.create_future())
        self._waiters.append(waiter)
        timer = None if wait.seconds is None else loop.call_later(wait.seconds, waiter.wake)
        try:
            await waiter.woken
        finally:
            self._waiters.remove(waiter)
            if timer is not None:
                timer.cancel()

    def look(self) -> None:
        """Wake whoever waits for an event that is there; to be called after each operation."""
        if self._waiters and not self._socket.closed:
            self._wake(self._events())

    def take_down(self) -> None:
        """Wake all: the socket is about to be closed."""
        self._leave_loop()
        self._wake(_EVERYTHING)

    def _hang_up_in(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._loop is not loop:
            self._leave_loop()
            self._loop = loop
            loop.add_reader(self._descriptor, self._ring)

    def _leave_loop(self) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.remove_reader(self._descriptor)
        self._loop = None

    def _ring(self) -> None:
        # Asking for the events also makes the descriptor quiet again.
        self._wake(self._events())

    def _events(self) -> int:
        return cast(int, self._socket.getsockopt(zmq.EVENTS))

    def _wake(self, events: int) -> None:
        for waiter in self._waiters:
            if waiter.events & events:
                waiter.wake()
