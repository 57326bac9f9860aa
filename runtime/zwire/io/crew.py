"""A crew: threads that run handlers beside the I/O, and never keep a program from ending."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable

_log = logging.getLogger("zwire.worker")


class Crew:
    """So many threads; what they are given beyond that waits."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._calls: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        # Daemons: a handler that blocks for good must not block the end of the program as well.
        for number in range(size):
            threading.Thread(target=self._run, name=f"zwire-handler-{number}", daemon=True).start()

    def give(self, call: Callable[[], None]) -> None:
        """Have this called by the next thread that is free."""
        self._calls.put(call)

    def dismiss(self) -> None:
        """Let the threads end after what they are at; nobody waits for them."""
        for _ in range(self._size):
            self._calls.put(None)

    def _run(self) -> None:
        while (call := self._calls.get()) is not None:
            try:
                call()
            except BaseException:
                _log.exception("a call given to a thread failed")
