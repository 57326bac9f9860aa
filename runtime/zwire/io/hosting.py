"""Hosts: what gives a driver of sockets its thread, or its place in an asyncio loop.

A driver never waits. It says which links it listens to and when it wants to be told the time; a
host waits, and calls it. All calls of one driver come from one thread.
"""

from __future__ import annotations

import asyncio
import socket as sockets
import threading
import time
from collections import deque
from collections.abc import Callable, Collection
from typing import Protocol, cast

import zmq

from zwire.errors import Closed
from zwire.io.link import Link

Raw = Link[list[bytes]]
Call = Callable[[], None]

# Woken so much later than planned, we were held up ourselves: what came meanwhile may still be on
# its way through libzmq's own threads, and gets this long to arrive before anybody counts as silent.
_LATE = 0.1
_GRACE = 0.1


class Driver(Protocol):
    """Sockets and the engine behind them."""

    @property
    def links(self) -> Collection[Raw]:
        """The links to listen to, now."""

    def readable(self, link: Raw, now: float) -> None:
        """Take everything that a link has received."""

    def next_deadline(self) -> float | None:
        """When to be told the time."""

    def tick(self, now: float) -> None:
        """Do what is due."""

    def close(self) -> None:
        """Close all links."""


class ThreadHost:
    """Runs a driver in a thread of its own."""

    def __init__(self, driver: Driver, name: str) -> None:
        self._driver = driver
        self._calls: deque[Call] = deque()
        self._awake, self._waker = sockets.socketpair()
        self._awake.setblocking(False)
        self._waker.setblocking(False)
        self._ending = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def post(self, call: Call) -> None:
        """Have this called in the host's thread; from any thread."""
        with self._lock:
            if self._ending:
                raise Closed("it was closed; make a new one")
            self._calls.append(call)
        self._wake()

    def close(self, last: Call | None = None, timeout: float | None = None) -> None:
        """End the thread and close the driver, after a last call."""
        with self._lock:
            first, self._ending = not self._ending, True
            if first and last is not None:
                self._calls.append(last)
        self._wake()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout)

    def _wake(self) -> None:
        try:
            self._waker.send(b"w")
        except OSError:
            return  # full: it is awake; closed: it has ended

    def _run(self) -> None:
        try:
            self._loop()
        finally:
            with self._lock:
                self._ending = True
            self._driver.close()
            self._awake.close()
            self._waker.close()

    def _loop(self) -> None:
        driver, clock = self._driver, time.monotonic
        poller = zmq.Poller()
        poller.register(self._awake, zmq.POLLIN)
        heard: dict[zmq.Socket[bytes], Raw] = {}
        while True:
            _register(poller, heard, driver.links)
            planned = driver.next_deadline()
            now = clock()
            wait = None if planned is None else max(0, int((planned - now) * 1000) + 1)
            ready = poller.poll(wait)
            now = clock()
            if planned is not None and now - planned > _LATE and not ready:
                ready = poller.poll(int(_GRACE * 1000))
                now = clock()
            for socket, _ in ready:
                link = heard.get(cast("zmq.Socket[bytes]", socket))
                if link is not None and not link.closed:
                    driver.readable(link, now)
            self._answer_calls()
            deadline = driver.next_deadline()
            if deadline is not None and deadline <= clock():
                driver.tick(clock())
            if self._ending and not self._calls:
                return

    def _answer_calls(self) -> None:
        try:
            self._awake.recv(4096)
        except BlockingIOError:
            pass
        while self._calls:
            self._calls.popleft()()


def _register(
    poller: zmq.Poller, heard: dict[zmq.Socket[bytes], Raw], links: Collection[Raw]
) -> None:
    """Make the poller listen to exactly these links."""
    wanted = {link.socket: link for link in links}
    if wanted.keys() == heard.keys():
        return
    for socket in heard.keys() - wanted.keys():
        poller.unregister(socket)
        del heard[socket]
    for socket in wanted.keys() - heard.keys():
        poller.register(socket, zmq.POLLIN)
        heard[socket] = wanted[socket]


class LoopHost:
    """Runs a driver in the asyncio loop that is running; not zmq.asyncio, which is far slower.

    A link's descriptor tells of changes, not of a state, and any call on the socket may use the
    change up: after everything that is done, all links are looked at again.
    """

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._loop = asyncio.get_running_loop()
        self._descriptors: dict[Raw, int] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = 0.0
        self._closed = False
        self._looking = False
        self._look()

    def post(self, call: Call) -> None:
        """Call it now and look after the links; from the loop's own thread."""
        if self._closed:
            raise Closed("it was closed; make a new one")
        call()
        self._look()

    def post_from_thread(self, call: Call) -> None:
        """Have it called in the loop; from any thread. Once closed it goes nowhere."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(lambda: None if self._closed else self.post(call))

    def close(self) -> None:
        """Leave the loop and close the driver."""
        if self._closed:
            return
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        for descriptor in self._descriptors.values():
            self._loop.remove_reader(descriptor)
        self._descriptors.clear()
        self._driver.close()

    def _look(self) -> None:
        if self._looking or self._closed:
            return
        self._looking = True
        try:
            self._read()
        finally:
            self._looking = False
        self._set_timer()

    def _read(self) -> None:
        again = True
        while again and not self._closed:
            self._listen()
            again = False
            for link in list(self._driver.links):
                if not link.closed and cast(int, link.socket.getsockopt(zmq.EVENTS)) & zmq.POLLIN:
                    self._driver.readable(link, time.monotonic())
                    again = True

    def _listen(self) -> None:
        links = self._driver.links
        for link in [link for link in self._descriptors if link not in links]:
            self._loop.remove_reader(self._descriptors.pop(link))
        for link in links:
            if link not in self._descriptors:
                descriptor = cast(int, link.socket.getsockopt(zmq.FD))
                self._descriptors[link] = descriptor
                self._loop.add_reader(descriptor, self._look)

    def _set_timer(self) -> None:
        if self._closed:
            return
        deadline = self._driver.next_deadline()
        if self._timer is not None:
            if deadline is not None and deadline == self._timer_at:
                return
            self._timer.cancel()
            self._timer = None
        if deadline is not None:
            self._timer_at = deadline
            delay = max(0.0, deadline - time.monotonic())
            self._timer = self._loop.call_later(delay, self._ring)

    def _ring(self) -> None:
        self._timer = None
        if time.monotonic() - self._timer_at > _LATE and not self._looking:
            self._look()
            self._loop.call_later(_GRACE, self._tick)
        else:
            self._tick()

    def _tick(self) -> None:
        if self._closed:
            return
        self._look()
        deadline = self._driver.next_deadline()
        if deadline is not None and deadline <= time.monotonic():
            self._driver.tick(time.monotonic())
        self._look()
