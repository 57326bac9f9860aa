"""The events of a node on their way to its user, in threads: many may wait, but not without end.

They travel in batches, so that the thread that serves and the one that reads do not fight for each.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Sequence

from zwire.zre.events import NodeEvent

LOOK: Sequence[NodeEvent] = ()  # in the place of a batch: another reader's has more than one event


class Inbox:
    """Events in their order. Nobody who reads misses one: a full inbox makes the mailbox wait.

    A node whose user never reads keeps the newest events and drops the oldest.
    """

    def __init__(self, most: int) -> None:
        self.ready: deque[NodeEvent] = deque()  # taken from a batch that somebody has begun
        self.dropped = 0
        self._most = most
        self._read = False  # whether anybody has asked for an event yet
        self._unread: deque[NodeEvent] = deque(maxlen=most)
        self._batches: queue.SimpleQueue[Sequence[NodeEvent] | None] = queue.SimpleQueue()
        self._waiting = 0  # events in batches
        self._readers = 0  # that wait for a batch
        self._lock = threading.Lock()

    def put(self, events: Sequence[NodeEvent]) -> bool:
        """Take events; whether there is room for more."""
        with self._lock:
            if not self._read:
                self.dropped += max(0, len(self._unread) + len(events) - self._most)
                self._unread.extend(events)
                return True
            self._waiting += len(events)
        self._batches.put(events)
        return self._waiting < self._most

    @property
    def has_room(self) -> bool:
        """Whether so much was read that the mailbox may go on."""
        return self._waiting <= self._most // 2

    def end(self) -> None:
        """No more events will come; who waits is woken."""
        self._batches.put(None)

    def there(self) -> bool:
        """Whether an event, or the end, can be had at once; who asks is going to read."""
        if not self._read:
            self._begin()
        return bool(self.ready) or not self._batches.empty()

    def get(self, timeout: float | None) -> NodeEvent | None:
        """The next event; None when the node has stopped and all were read. Empty: none in time."""
        if not self._read:
            self._begin()
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            try:
                return self.ready.popleft()
            except IndexError:
                events = self._next_batch(deadline)
            if events is None:
                self._batches.put(None)  # others may wait too
                return None
            if events:
                self._open(events)

    def _next_batch(self, deadline: float | None) -> Sequence[NodeEvent] | None:
        left = remaining(deadline)
        with self._lock:
            if self.ready:
                return LOOK
            self._readers += 1
        try:
            return self._batches.get_nowait() if left == 0.0 else self._batches.get(timeout=left)
        finally:
            with self._lock:
                self._readers -= 1

    def _open(self, events: Sequence[NodeEvent]) -> None:
        """Lay a batch out for all who read; who waits for the next one is told to look here."""
        with self._lock:
            self._waiting -= len(events)
            self.ready.extend(events)
            others = min(self._readers, len(events) - 1)
        for _ in range(others):
            self._batches.put(LOOK)

    def _begin(self) -> None:
        with self._lock:
            self._read = True
            self.ready.extend(self._unread)
            self._unread.clear()


def remaining(deadline: float | None) -> float | None:
    """Seconds until then, as queues and events take them."""
    return None if deadline is None else max(0.0, deadline - time.monotonic())
