"""Turns at a node: the thread that serves its sockets always gets its own, whoever else is busy.

A thread that takes a plain lock again as soon as it let go of it can keep others out for long: Python's
locks are not fair. Here, whoever calls from outside stands back while the serving thread waits.
"""

from __future__ import annotations

import threading
from types import TracebackType


class Turns:
    """A lock with two doors: `with turns:` for callers, `with turns.first:` for who serves."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.gate = threading.Lock()  # held by who serves while it waits for the lock
        self.first = _First(self)

    def __enter__(self) -> None:
        self.stand_back()
        self.lock.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.lock.release()

    def stand_back(self) -> None:
        """Let who serves go first; then `with turns.lock:` is the quick way for a caller."""
        gate = self.gate
        if gate.locked():
            with gate:
                pass


class _First:
    """The door of the thread that serves."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns

    def __enter__(self) -> None:
        turns = self._turns
        if not turns.lock.acquire(blocking=False):
            with turns.gate:
                turns.lock.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._turns.lock.release()
