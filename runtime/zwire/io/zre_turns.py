"""Turns at a node: the thread that serves its sockets always gets its own, whoever else is busy.

A thread that takes a plain lock again as soon as it let go of it can keep others out for long: Python's
locks are not fair. Here, whoever calls from outside stands back while the serving thread has or wants
its turn.

A signal handler may raise (KeyboardInterrupt does) after every call that Python makes. Hence the locks
are given to `with` as they are, which takes them and remembers to let go of them in one step: a lock
taken by a function of ours would now and then stay taken for ever.
"""

from __future__ import annotations

import threading
from typing import Any, cast


class Turns:
    """A lock with two doors: `with turns.next():` for callers, `with turns.gate, turns.lock:` for who serves."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.gate = threading.Lock()  # held by who serves while it waits for the lock, and has it

    def next(self) -> threading.RLock:
        """The lock, for a caller, once who serves has had its turn."""
        self.stand_back()
        return self.lock

    def stand_back(self) -> None:
        """Let who serves go first; then `with turns.lock:` is the quick way for a caller."""
        gate = self.gate
        if gate.locked() and not self.mine():
            with gate:
                pass

    def mine(self) -> bool:
        """Whether this thread has its turn: so it is for a signal handler that broke into it."""
        return bool(cast(Any, self.lock)._is_owned())
