"""The worker for programs with threads: handlers run beside the I/O thread that keeps it alive."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Self, TypeVar

import zmq

from zwire.core.policy import Backoff, BeatStyle, Heartbeat, ServingRules
from zwire.core.serving import Serving, Task
from zwire.dialects.serving import worker_dialect
from zwire.errors import Closed, LocalError
from zwire.io.handlers import Handler, Job, OnError, is_async, run
from zwire.io.hosting import Raw, ThreadHost
from zwire.io.identities import fresh_identity
from zwire.io.options import Options
from zwire.io.security import Context, CurveClient
from zwire.io.serving_driver import ServingDriver
from zwire.io.speech import FRAMES
from zwire.io.urls import read_url

_log = logging.getLogger("zwire.worker")
H = TypeVar("H", bound=Handler)
_STYLES = {"mdpx": BeatStyle.ANSWER, "ppp": BeatStyle.STEADY}
_NO_PARTIALS = ("mdp01", "emqp", "ppp")


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """How a worker keeps its conversation; times are in seconds.

    `slots` is how many requests it works at side by side: over eMQP it offers them, elsewhere the
    broker must be told to give it credit. After a lost conversation it waits `reconnect` seconds,
    doubling up to `reconnect_longest`.
    """

    interval: float = 2.5
    liveness: float = 4.0
    slots: int = 1
    reconnect: float = 1.0
    reconnect_longest: float = 32.0

    def rules(self, dialect: str) -> ServingRules:
        """The same, as the engine reads it."""
        if self.slots < 1:
            raise LocalError(f"a worker has at least one slot, not {self.slots}")
        return ServingRules(
            Heartbeat(self.interval, self.liveness, _STYLES.get(dialect, BeatStyle.QUIET)),
            Backoff(self.reconnect, 2.0, self.reconnect_longest),
            offers_slots=dialect == "emqp",
            slots=self.slots,
            partials=dialect not in _NO_PARTIALS,
            says_goodbye=dialect != "ppp",
        )


def connecting(address: str, curve: CurveClient | None, context: Context) -> Callable[[], Raw]:
    """What makes a new socket for each conversation, under an identity nobody had before."""

    def connect() -> Raw:
        options = Options(identity=fresh_identity(), curve=curve, linger=1.0, reconnect_max=2.0)
        link = Raw(zmq.DEALER, FRAMES, options, context)
        link.connect(address)
        return link

    return connect


def job_of(task: Task, services: Sequence[str]) -> Job:
    """A task as handlers see it; eMQP says for which of its queues it came, and the headers."""
    if len(task.envelope) == 2 and len(services) > 0 and not isinstance(task.tag, tuple):
        queue, headers = task.envelope
        name = queue.decode("utf-8", "replace")
        if name in services:
            return Job(name, tuple(task.body), headers)
    return Job(services[0] if services else "", tuple(task.body))


class Worker:
    """Serves requests: `Worker("mdpx://127.0.0.1:5556", "echo")`.

    Give it a handler, then `run()` in this thread or `start()` in others. A handler gets the frames
    of the body as arguments (or, when its only parameter is called `job`, the job), and returns the
    reply: bytes, text, a list of them, or None. A generator yields partial replies. A handler that
    raises still sends exactly one final reply: what `on_error` makes of the exception, or one empty
    frame. However long it blocks, heartbeats go on.
    """

    def __init__(
        self,
        url: str,
        *services: str,
        dialect: str | None = None,
        settings: WorkerSettings | None = None,
        on_error: OnError | None = None,
        curve: CurveClient | None = None,
    ) -> None:
        self.settings = settings or WorkerSettings()
        self.dialect, address = read_url(url, dialect)
        self.services = services
        self._on_error = on_error
        self._handler: Handler | None = None
        self._host: ThreadHost | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._stopping = threading.Event()
        self._closed = False
        rules = self.settings.rules(self.dialect)
        speech = worker_dialect(self.dialect, services)
        self._context: Context = zmq.Context()
        self._driver = ServingDriver(
            Serving(rules), speech, connecting(address, curve, self._context), self._perform
        )

    def handler(self, function: H) -> H:
        """Decorate the function, generator or coroutine function that does the work."""
        self._handler = function
        return function

    def start(self) -> Self:
        """Connect, register, and serve in threads of its own."""
        if self._closed:
            raise Closed("the worker is closed; make a new one")
        if self._handler is None:
            raise LocalError("give the worker a handler first: @worker.handler")
        if self._host is not None:
            raise LocalError("the worker runs already")
        self._pool = ThreadPoolExecutor(self.settings.slots, thread_name_prefix="zwire-handler")
        self._host = ThreadHost(self._driver, "zwire-worker")
        self._host.post(lambda: self._driver.start(time.monotonic()))
        return self

    def run(self) -> None:
        """Serve until somebody calls `stop()`, from another thread or a signal handler."""
        self.start()
        try:
            self._stopping.wait()
        finally:
            self.close()

    def stop(self) -> None:
        """Have `run()` end."""
        self._stopping.set()

    def _perform(self, task: Task) -> None:
        if self._pool is not None:
            self._pool.submit(self._work, task)

    def _work(self, task: Task) -> None:
        assert self._handler is not None
        job = job_of(task, self.services)
        handler = _awaited(self._handler) if is_async(self._handler) else self._handler
        for part in run(handler, job, self._heard_error):
            self._send(task, part.frames, part.final)

    def _send(self, task: Task, frames: tuple[bytes, ...], final: bool) -> None:
        if self._host is not None:
            try:
                self._host.post(lambda: self._driver.answer(task, frames, final, time.monotonic()))
            except Closed:
                _log.info("a reply was dropped: the worker was closed")

    def _heard_error(self, error: BaseException) -> object:
        _log.error("the handler raised %r", error, exc_info=error)
        return None if self._on_error is None else self._on_error(error)

    def close(self, drain: float = 0.0) -> None:
        """Leave the broker and let go of the socket; with `drain`, finish what is open first."""
        if self._closed:
            return
        self._closed = True
        self._stopping.set()
        if self._host is not None:
            if drain > 0:
                self._finish(drain)
            self._host.close(lambda: self._driver.leave(time.monotonic()))
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._context.term()

    def _finish(self, seconds: float) -> None:
        """Wait until nothing is open, but not for longer than this."""
        assert self._host is not None
        done = threading.Event()

        def look() -> None:
            if self._driver.open == 0:
                done.set()

        self._host.post(lambda: self._driver.drain(time.monotonic()))
        deadline = time.monotonic() + seconds
        while not done.is_set() and time.monotonic() < deadline:
            self._host.post(look)
            done.wait(0.02)

    def __enter__(self) -> Self:
        return self.start() if self._handler is not None else self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _awaited(handler: Handler) -> Handler:
    """A coroutine function or asynchronous generator as one that threads can call."""
    import asyncio

    from zwire.io.handlers import call, run_async, takes_job

    def partials(job: Job):  # type: ignore[no-untyped-def]  # a generator of bodies
        async def next_of(parts):  # type: ignore[no-untyped-def]
            return await anext(parts, None)

        with asyncio.Runner() as runner:
            parts = run_async(lambda job: call(handler, job), job, _raise)
            while (part := runner.run(next_of(parts))) is not None:
                if part.final:
                    return part.frames
                yield part.frames

    assert takes_job(partials)
    return partials


def _raise(error: BaseException) -> None:
    raise error
