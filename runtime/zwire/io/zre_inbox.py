"""The events of a node on their way to its user, in threads: many may wait, but not without end."""

from __future__ import annotations

import queue
import time

from zwire.zre.events import NodeEvent


class Inbox:
    """Events in their order. Nobody who reads misses one: a full inbox makes the mailbox wait.

    A node whose user never reads keeps the newest events and drops the oldest.
    """

    def __init__(self, most: int) -> None:
        self._events: queue.SimpleQueue[NodeEvent | None] = queue.SimpleQueue()
        self._most = most
        self.read = False  # whether anybody has asked for an event yet
        self.over = False
        self.dropped = 0

    def put(self, event: NodeEvent) -> bool:
        """Take an event; whether there is room for more."""
        events = self._events
        events.put(event)
        if events.qsize() < self._most:
            return True
        if self.read:
            return False
        self.dropped += 1
        events.get()
        return True

    @property
    def has_room(self) -> bool:
        """Whether so much was read that the mailbox may go on."""
        return self._events.qsize() <= self._most // 2

    def end(self) -> None:
        """No more events will come; who waits is woken."""
        self.over = True
        self._events.put(None)

    def get(self, timeout: float | None) -> NodeEvent | None:
        """The next event; None when the node has stopped and all were read. Empty: none in time."""
        self.read = True
        if timeout is not None and timeout <= 0:
            event = self._events.get_nowait()
        else:
            event = self._events.get(timeout=timeout)
        if event is None:
            self._events.put(None)  # others may wait too
        return event


def remaining(deadline: float | None) -> float | None:
    """Seconds until then, as queues and events take them."""
    return None if deadline is None else max(0.0, deadline - time.monotonic())
