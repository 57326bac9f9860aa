"""Serving a node in rounds: wait for its sockets or its next deadline, take what came, do what is due."""

from __future__ import annotations

import os
import selectors
import time
from socket import socket
from typing import cast

import zmq
import zmq.backend

from zwire.io.hosting import GRACE, LATE
from zwire.io.zre_driver import NodeDriver, Take

_READ = selectors.EVENT_READ
# The call of the backend itself, with plain numbers: pyzmq's own wrapping costs several times as much.
_get = zmq.backend.Socket.get
_EVENTS, _POLLIN, _FD = int(zmq.EVENTS), int(zmq.POLLIN), int(zmq.FD)
# A thread that sleeps is woken late, by as much as the rest of a message's way takes. Who waits for
# an answer that usually comes soon therefore stays awake for so many seconds, and gives way to
# whoever else wants the processor: the message may have to pass through it.
SOON = 0.00025
_give_way = getattr(os, "sched_yield", lambda: time.sleep(0))


class Rounds:
    """One driver and what it listens to; one thread at a time may serve it.

    We wait on the descriptors of ZeroMQ's sockets, which is several times cheaper than its own poll.
    A descriptor tells of changes, not of a state: what is only received from is emptied before anybody
    waits for it. What is also sent on is looked at each time, for any call may use the change up.
    """

    def __init__(self, driver: NodeDriver, awake: socket) -> None:
        self._driver = driver
        self._awake = awake
        self._selector = selectors.DefaultSelector()
        self._selector.register(awake, _READ, self._wake_up)
        self._descriptors: dict[zmq.Socket[bytes], int] = {}
        self._two_way: list[tuple[zmq.Socket[bytes], Take]] = []
        self._version = -1
        self._lively = False  # whether the last thing that was waited for came soon

    def serve(self, until: float | None = None, eager: bool = False) -> None:
        """One round; it waits until something comes, something is due, or this time at the latest.

        Who is `eager` has nothing else to do than to wait for messages.
        """
        driver, clock = self._driver, time.monotonic
        if self._version != driver.version:
            self._listen()
        planned = driver.next_deadline()
        wake_at = planned if until is None or (planned is not None and planned < until) else until
        now = self._wait(None if wake_at is None else wake_at - clock(), eager)
        if driver.full or (planned is not None and planned <= now):
            if planned and now - planned > LATE:
                # Held up ourselves: what came meanwhile is heard before anybody counts as silent.
                driver.tick(now, held_up=True)
                now = self._wait(GRACE)
            driver.tick(now)

    def close(self) -> None:
        """Listen to nothing any more."""
        self._selector.close()

    def _wait(self, seconds: float | None, eager: bool = False) -> float:
        """Wait at most so long and take what came; what time it is then."""
        driver, clock = self._driver, time.monotonic
        if driver.unread or driver.overheard or (self._two_way and self._look()):
            seconds = 0.0
        patient = seconds is None or seconds > 0
        ready = (self._stay_awake if eager and patient else self._selector.select)(seconds)
        now = clock()
        for key, _events in ready:
            key.data(now)
        if driver.unread:
            driver.take_messages(now)
        if driver.overheard:
            driver.take_beacons(now)
        if self._two_way:
            self._look()
        return now

    def _stay_awake(self, seconds: float | None) -> list[tuple[selectors.SelectorKey, int]]:
        """What came; where the last came soon, the next is looked for before anybody sleeps."""
        select, clock = self._selector.select, time.monotonic
        began = clock()
        while self._lively:
            if ready := select(0.0):
                return ready
            if clock() - began > SOON:
                self._lively = False
                return select(seconds)
            _give_way()
        ready = select(seconds)
        self._lively = bool(ready) and clock() - began < 2 * SOON
        return ready

    def _wake_up(self, _now: float) -> None:
        self._awake.recv(4096)

    def _look(self) -> bool:
        """Take what has come where we also send; whether there was anything."""
        found = False
        for source, take in self._two_way:
            # One may have been closed by what came from another.
            if not source.closed and cast(int, _get(source, _EVENTS)) & _POLLIN:
                take(time.monotonic())
                found = True
        return found

    def _listen(self) -> None:
        """Listen to exactly the driver's sources."""
        self._version = self._driver.version
        heard, one_way = self._driver.sources, self._driver.one_way
        self._two_way = [(source, take) for source, take in heard.items() if source not in one_way]
        for source in [one for one in self._descriptors if one not in heard]:
            self._selector.unregister(self._descriptors.pop(source))
        for source, take in heard.items():
            if source not in self._descriptors:
                self._descriptors[source] = descriptor = int(_get(source, _FD))
                called = take if source in one_way else self._look_later
                self._selector.register(descriptor, _READ, called)
                if source in one_way:
                    take(time.monotonic())  # it tells of changes only after it was found empty

    def _look_later(self, _now: float) -> None:
        pass  # all of its kind are looked at in any case
