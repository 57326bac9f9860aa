"""The thread that serves a node's sockets and tells its engine the time."""

from __future__ import annotations

import logging
import socket as sockets
import threading
import time
from collections.abc import Callable
from typing import Any

import zmq

from zwire.io.hosting import GRACE, LATE
from zwire.io.zre_driver import NodeDriver, Source, Take
from zwire.io.zre_meeting import MeetingPlace

_log = logging.getLogger("zwire.node")


class NodeThread:
    """Runs a driver until it is ended; then the node takes leave and everything is closed."""

    def __init__(
        self, driver: NodeDriver, place: MeetingPlace, name: str, over: Callable[[], None]
    ) -> None:
        self._driver = driver
        self._place = place
        self._over = over
        self._awake, self._waker = sockets.socketpair()
        self._awake.setblocking(False)
        self._waker.setblocking(False)
        self._ending = False
        self.failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    @property
    def ended(self) -> bool:
        """Whether the node has stopped, or is about to."""
        return self._ending or not self._thread.is_alive()

    def wake(self) -> None:
        """Have the thread look at what is due; from any thread."""
        try:
            self._waker.send(b"w")
        except OSError:
            return  # full: it is awake; closed: it has ended

    def end(self) -> None:
        """Stop the node; waits until that is done."""
        self._ending = True
        self.wake()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        driver = self._driver
        try:
            driver.start(time.monotonic())
            self._loop()
            driver.stop(time.monotonic())
        except BaseException as error:
            self._fail(error)
        self._ending = True
        closed = False
        try:
            driver.close()
            closed = True
        except BaseException as error:
            self._fail(error)
        self._over()
        self._awake.close()
        self._waker.close()
        if closed:  # else a socket may still be open, and this would wait for it
            self._place.term()
        driver.vanish()

    def _fail(self, error: BaseException) -> None:
        self.failure = error
        _log.exception("%s failed and was stopped", self._thread.name)

    def _loop(self) -> None:
        driver, clock = self._driver, time.monotonic
        poller, heard, version = zmq.Poller(), dict[Source, Take](), -1
        poller.register(self._awake, zmq.POLLIN)
        while not self._ending:
            if version != driver.version:
                version = driver.version
                heard = self._register(poller, heard)
            planned = driver.next_deadline()
            wait = None if planned is None else _milliseconds(planned - clock())
            self._serve(heard, poller.poll(wait))
            if planned is not None and planned > 0 and clock() - planned > LATE:
                # Held up ourselves: what came meanwhile is heard before anybody counts as silent.
                self._serve(heard, poller.poll(_milliseconds(GRACE)))
            now = clock()
            deadline = driver.next_deadline()
            if driver.full or (deadline is not None and deadline <= now):
                driver.tick(now)

    def _register(self, poller: zmq.Poller, heard: dict[Source, Take]) -> dict[Source, Take]:
        """Make the poller listen to exactly the driver's sources."""
        wanted = self._driver.sources
        for source in heard.keys() - wanted.keys():
            poller.unregister(source)
        for source in wanted.keys() - heard.keys():
            poller.register(source, zmq.POLLIN)
        return wanted

    def _serve(self, heard: dict[Source, Take], ready: list[tuple[Any, int]]) -> None:
        for source, _events in ready:
            take = heard.get(source)
            if take is not None:
                # A socket may have been closed by what came from one before it.
                if not (isinstance(source, zmq.Socket) and source.closed):
                    take(time.monotonic())
            else:
                self._awake.recv(4096)


def _milliseconds(seconds: float) -> int:
    # Rounded up, so that nobody is woken just before it is time; nothing is that urgent.
    return 0 if seconds <= 0 else int(min(seconds, 3600.0) * 1000) + 1
