"""Where the nodes of one process meet: one context for all, in which they reach each other by inproc.

A pair of nodes that meets here needs two descriptors instead of ten, and no port of the host between them.
"""

from __future__ import annotations

import os
import threading
from itertools import count

import zmq

from zwire.io.contexts import Context, OwnContext
from zwire.io.security import Guard

MOST_SOCKETS = 65_000  # of one context; libzmq's own limit is hardly more


class MeetingPlace:
    """The context that the nodes of this process share, and who is there."""

    _standing: dict[int, MeetingPlace] = {}
    _lock = threading.Lock()

    def __init__(self) -> None:
        self.context: Context = OwnContext()
        self.context.set(zmq.MAX_SOCKETS, MOST_SOCKETS)
        self._holders = 0
        self._guard: Guard | None = None
        self._numbers = count()
        self._present: dict[bytes, str] = {}
        self._process = os.getpid()

    @classmethod
    def hold(cls) -> MeetingPlace:
        """The place of this process, made for the first who comes; not that of a parent process."""
        with cls._lock:
            place = cls._standing.get(os.getpid())
            if place is None:
                place = cls._standing[os.getpid()] = cls()
            place._holders += 1
            return place

    def term(self) -> None:
        """Let go of the place; the last to do so ends it, and waits until what was sent is out."""
        with self._lock:
            self._holders -= 1
            if self._holders:
                return
            del self._standing[self._process]
        if self._guard is not None:
            self._guard.release()
        self.context.term()

    def come(self, key: bytes) -> str:
        """Where a node is to be reached from now on; its key is the 16 octets of its UUID."""
        with self._lock:
            # A name of its own each time: one that was given up is not free at once.
            endpoint = f"inproc://zre-{key.hex()}-{next(self._numbers)}"
            self._present[key] = endpoint
            return endpoint

    def keep_guard(self) -> None:
        """Have the guard of CURVE stay as long as the place: it cannot come back at once."""
        with self._lock:
            if self._guard is None:
                self._guard = Guard.hold(self.context)

    def go(self, key: bytes) -> None:
        """A node is here no longer."""
        with self._lock:
            self._present.pop(key, None)

    def find(self, key: bytes) -> str | None:
        """Where to reach a node that is here."""
        return self._present.get(key)
