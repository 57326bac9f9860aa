"""The worker for programs with threads: handlers run beside the I/O thread that keeps it alive."""

from __future__ import annotations

import queue
import time
from enum import Enum
from types import TracebackType
from typing import Self

from zwire.errors import Closed, LocalError, ZwireError
from zwire.io.hosting import Call, ThreadHost
from zwire.io.worker_base import WorkerBase


class Order(Enum):
    """What whoever runs a worker is told."""

    STOP = "stop"
    AT_ONCE = "stop at once"
    OVER = "it has left"


class Worker(WorkerBase):
    """Serves requests: `Worker("mdpx://127.0.0.1:5556", "echo")`.

    Give it a handler, then `run()` in this thread or `start()` in others. A handler gets the frames
    of the body as arguments (or, when its only parameter is called `job`, the job), and returns the
    reply: bytes, text, a list of them, or None. A generator yields partial replies. A handler that
    raises still sends exactly one final reply: what `on_error` makes of the exception, or one empty
    frame. However long it blocks, heartbeats go on.
    """

    _host: ThreadHost | None = None

    def _set_up(self) -> None:
        # A kind of queue that signal handlers may put into, whatever they interrupt; made before
        # anybody can.
        self._orders: queue.SimpleQueue[Order] = queue.SimpleQueue()

    def start(self) -> Self:
        """Connect, register, and serve in threads of its own."""
        if self._host is not None:
            raise LocalError("the worker runs already")
        self._prepare()
        self._host = ThreadHost(self._driver, self._context, "zwire-worker")
        self._host.post(lambda: self._driver.start(time.monotonic()))
        return self

    def run(self, *, drain: float = 10.0) -> None:
        """Serve until somebody calls `stop()`, from another thread or a signal handler.

        What is open then gets `drain` seconds to finish.
        """
        if self._host is None:
            self.start()
        try:
            if self._next_order(None) is Order.STOP:
                self._finish(drain)
        finally:
            self.close()
        if self._host is not None and self._host.failure is not None:
            raise ZwireError("the worker failed") from self._host.failure

    def stop(self, *, at_once: bool = False) -> None:
        """Have `run()` end: after what is open, or (also while it waits for that) at once."""
        self._orders.put(Order.AT_ONCE if at_once else Order.STOP)

    def close(self, *, drain: float = 0.0) -> None:
        """Leave the broker and let go of the socket; with `drain`, finish what is open first."""
        if self._closed:
            return
        self._closed = True
        if self._host is None:
            self._context.term()
            return
        if drain > 0:
            self._finish(drain)
        self._host.close(lambda: self._driver.leave(time.monotonic()))
        if self._crew is not None:
            self._crew.dismiss()

    def _finish(self, seconds: float) -> None:
        """Wait until nothing is open, but not for longer than this."""
        try:
            self._post(lambda: self._driver.drain(time.monotonic()))
        except Closed:
            return
        deadline = time.monotonic() + seconds
        while self._next_order(deadline) is Order.STOP:
            pass

    def _next_order(self, deadline: float | None) -> Order:
        """The next order; when the time is over, to do it at once."""
        wait = None if deadline is None else max(0.0, deadline - time.monotonic())
        try:
            order = self._orders.get(timeout=wait)
        except queue.Empty:
            return Order.AT_ONCE
        if order is Order.OVER:
            self._orders.put(order)  # others may wait for it too
        return order

    def _over(self) -> None:
        self._orders.put(Order.OVER)

    def _post(self, call: Call) -> None:
        assert self._host is not None
        self._host.post(call)

    def __enter__(self) -> Self:
        return self.start() if self._host is None else self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
