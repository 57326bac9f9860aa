"""Hosts: what gives a driver of sockets its thread, or (hosting_aio) its place in an asyncio loop.

A driver never waits. It says which links it listens to and when it wants to be told the time; a
host waits, and calls it. All calls of one driver come from one thread.
"""

from __future__ import annotations

import logging
import os
import socket as sockets
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol, TypeAlias

import zmq

from zwire.errors import Closed
from zwire.io.contexts import Context
from zwire.io.link import Link

Raw = Link[list[bytes]]
Call: TypeAlias = Callable[[], None]
_Flags: TypeAlias = dict[zmq.Socket[bytes], tuple[Raw, int]]

_log = logging.getLogger("zwire.host")

BATCH = 200  # messages taken from one link before others have their turn
# Woken so much later than planned, we were held up ourselves: what came meanwhile may still be on
# its way through libzmq's own threads, and gets this long to arrive before anybody counts as silent.
LATE = 0.1
GRACE = 0.1


class Driver(Protocol):
    """Sockets and the engine behind them."""

    @property
    def links(self) -> Collection[Raw]:
        """The links to listen to, now."""

    @property
    def congested(self) -> Collection[Raw]:
        """Those of them that something waits to be sent on."""

    def readable(self, link: Raw, now: float) -> None:
        """Take what a link has received, at most a batch; or its connection broke."""

    def writable(self, link: Raw, now: float) -> None:
        """Send what waited for room."""

    def next_deadline(self) -> float | None:
        """When to be told the time."""

    def tick(self, now: float) -> None:
        """Do what is due."""

    def close(self) -> None:
        """Close all links and tell whoever still waits."""


class ThreadHost:
    """Runs a driver in a thread of its own, and ends its context with it."""

    def __init__(self, driver: Driver, context: Context, name: str) -> None:
        self._driver = driver
        self._context = context
        self._calls: deque[Call] = deque()
        self._awake, self._waker = sockets.socketpair()
        self._awake.setblocking(False)
        self._waker.setblocking(False)
        self._ending = False
        self._process = os.getpid()
        self.failure: BaseException | None = None
        # Held again by its holder when garbage that is collected meanwhile posts something.
        self._lock = threading.RLock()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def post(self, call: Call) -> None:
        """Have this called in the host's thread; from any thread. Closed when it has ended."""
        if os.getpid() != self._process:
            # A forked process has no thread of ours, and its copy of the lock may be held for ever.
            raise Closed(
                f"it belongs to the process {self._process} that made it, not to this one that was "
                "forked: make a new one here"
            )
        with self._lock:
            if self._ending:
                raise Closed("it was closed; make a new one") from self.failure
            self._calls.append(call)
            first = len(self._calls) == 1
        if first:
            self._wake()

    @property
    def is_here(self) -> bool:
        """Whether the calling thread is the host's own, which must never wait for its driver."""
        return threading.current_thread() is self._thread

    def close(self, last: Call | None = None) -> None:
        """End the thread and close the driver, after a last call; waits until that is done."""
        if os.getpid() != self._process:
            return
        with self._lock:
            if not self._ending and last is not None:
                self._calls.append(last)
            self._ending = True
        self._wake()
        if not self.is_here:
            self._thread.join()

    def _wake(self) -> None:
        try:
            self._waker.send(b"w")
        except OSError:
            return  # full: it is awake; closed: it has ended

    def _run(self) -> None:
        try:
            self._loop()
        except BaseException as error:
            self.failure = error
            _log.exception("%s failed and was closed", self._thread.name)
        with self._lock:
            self._ending = True
            late = list(self._calls)
            self._calls.clear()
        self._driver.close()
        for call in late:  # a driver that is closed refuses what it is asked
            call()
        self._awake.close()
        self._waker.close()
        self._context.term()

    def _loop(self) -> None:
        driver, clock = self._driver, time.monotonic
        poller = zmq.Poller()
        poller.register(self._awake, zmq.POLLIN)
        heard: _Flags = {}
        while True:
            _register(poller, heard, driver)
            planned = driver.next_deadline()
            now = clock()
            ready = poller.poll(None if planned is None else max(0, _ms(planned - now)))
            self._serve(heard, ready)
            now = clock()
            if planned is not None and now - planned > LATE:
                _register(poller, heard, driver)
                self._serve(heard, poller.poll(_ms(GRACE)))
            deadline = driver.next_deadline()
            now = clock()
            if deadline is not None and deadline <= now:
                driver.tick(now)
            with self._lock:
                if self._ending and not self._calls:
                    return

    def _serve(self, heard: _Flags, ready: Sequence[tuple[Any, int]]) -> None:
        now = time.monotonic()
        for socket, events in ready:
            if socket not in heard:
                self._awake.recv(4096)
                continue
            link, _ = heard[socket]
            if events & zmq.POLLIN and not link.closed:
                self._driver.readable(link, now)
            if events & zmq.POLLOUT and not link.closed:
                self._driver.writable(link, now)
        with self._lock:
            calls, self._calls = self._calls, deque()
        while calls:
            calls.popleft()()


def _register(poller: zmq.Poller, heard: _Flags, driver: Driver) -> None:
    """Make the poller listen to exactly the driver's links."""
    congested = driver.congested
    wanted: _Flags = {}
    for link in driver.links:
        flags: int = zmq.POLLIN | zmq.POLLOUT if link in congested else zmq.POLLIN
        wanted[link.socket] = (link, flags)
        if link.alarm is not None:
            wanted[link.alarm] = (link, zmq.POLLIN)
    if wanted == heard:
        return
    for socket in heard.keys() - wanted.keys():
        poller.unregister(socket)
        del heard[socket]
    for socket, (link, flags) in wanted.items():
        poller.register(socket, flags)
        heard[socket] = (link, flags)


def _ms(seconds: float) -> int:
    return int(min(seconds, 3600.0) * 1000) + 1
