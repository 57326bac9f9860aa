"""What workers with threads and workers in a loop have in common: all but the waiting."""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TypeVar, overload

import zmq

from zwire.core.serving import Serving, Task
from zwire.dialects.serving import worker_dialect
from zwire.errors import Closed, LocalError
from zwire.io.attaching import attach
from zwire.io.contexts import Context, OwnContext
from zwire.io.crew import Crew
from zwire.io.endpoints import Endpoint
from zwire.io.handlers import Abandoned, Craft, Handler, Job, OnError
from zwire.io.hosting import Call, Raw
from zwire.io.identities import fresh_identity
from zwire.io.options import Options
from zwire.io.security import CurveClient, CurveServer
from zwire.io.serving_driver import ServingDriver
from zwire.io.taps import Capture, Recording, Tap
from zwire.io.urls import read_url
from zwire.io.worker_settings import WorkerEvent, WorkerSettings

_log = logging.getLogger("zwire.worker")
H = TypeVar("H", bound=Handler)

WINDOW = 64  # pieces of one reply that may be on their way to the socket


class WorkerBase(ABC):
    """A worker's dialect, driver and handlers."""

    def __init__(
        self,
        url: str,
        *services: str,
        dialect: str | None = None,
        settings: WorkerSettings | None = None,
        on_error: OnError | None = None,
        on_event: Callable[[WorkerEvent], None] | None = None,
        curve: CurveClient | CurveServer | None = None,
        bind: bool = False,
        insecure: bool = False,
        capture: Capture | None = None,
    ) -> None:
        """`capture` records all traffic: into a folder, or by a recorder that stays its owner's."""
        self._capture = capture
        self.settings = settings or WorkerSettings()
        self.services = services
        self.dialect, self.address = read_url(url, dialect, binds=bind)
        if bind and self.dialect != "ppp":
            raise LocalError(f"only a PPP worker may bind; in {self.dialect} the broker does")
        self._binds = bind
        self._curve = curve
        self._insecure = insecure
        self._on_error = on_error
        self._on_event = on_event
        self._crafts: dict[str | None, Craft] = {}
        self._crew: Crew | None = None
        self._closed = False
        self._speech = worker_dialect(self.dialect, services)
        manners = self._speech.manners
        serving = Serving(self.settings.rules(manners, binds=bind))
        self._one_frame = manners.one_frame
        self._context: Context = OwnContext()
        self._first: Raw | None = None
        self._driver = ServingDriver(
            serving, self._speech, self._connect, self._perform, self._tell, keeps=bind
        )
        self._set_up()

    @abstractmethod
    def _set_up(self) -> None:
        """Make what each kind of worker needs beside this."""

    # ---------------------------------------------------------------- handlers

    @overload
    def handler(self, function: H, /) -> H: ...

    @overload
    def handler(self, function: str, /) -> Callable[[H], H]: ...

    def handler(self, function: H | str, /) -> H | Callable[[H], H]:
        """Decorate what does the work: a function, a generator or a coroutine function.

        `@worker.handler("emails")` is for one of several eMQP queues, `@worker.handler` for all
        that have none of their own.
        """
        if not isinstance(function, str):
            self._crafts[None] = self._craft(function)
            return function
        service = function
        if service not in self.services:
            raise LocalError(f"the worker does not serve {service!r}: {', '.join(self.services)}")

        def decorate(own: H) -> H:
            self._crafts[service] = self._craft(own)
            return own

        return decorate

    def _craft(self, function: Handler) -> Craft:
        return Craft(function, self._on_error, self._one_frame)

    def _craft_for(self, service: str) -> Craft:
        return self._crafts.get(service) or self._crafts[None]

    # ---------------------------------------------------------------- starting

    def _prepare(self) -> None:
        """Check that all is there, and open the first socket: its mistakes are the caller's."""
        if self._closed:
            raise Closed("the worker is closed; make a new one")
        missing = [name for name in self.services or ("",) if name not in self._crafts]
        if missing and None not in self._crafts:
            raise LocalError("give the worker a handler first: @worker.handler")
        self._first = self._connect()
        if self._capture is not None:
            self._driver.tap = self._open_tap(self._capture)
        self._crew = Crew(self.settings.slots)

    def _open_tap(self, capture: Capture) -> Tap:
        try:
            recording = Recording(capture, "worker")
        except BaseException:
            if self._first is not None:
                self._first.close()
                self._first = None
            raise
        return Tap(recording, self.address, self._speech.heard, self._speech.said)

    def _connect(self, identity: bytes | None = None) -> Raw:
        if self._first is not None:
            first, self._first = self._first, None
            return first
        # A worker takes a fresh identity for every socket: the broker must not take it for the
        # worker that it has just given up.
        options = Options(
            identity=identity or fresh_identity(),
            curve=self._curve,
            insecure=self._insecure,
            linger=1.0,
            reconnect_max=2.0,
        )
        place = Endpoint(self.address, connects=not self._binds)
        link, (self.address,) = attach(
            zmq.DEALER, [place], options, self._context, watched=not self._binds
        )
        return link

    def _tell(self, event: WorkerEvent) -> None:
        if self._driver.tap is not None:
            facts = {"dialect": self.dialect, "services": list(self.services), "why": event.why}
            self._driver.tap.event(event.what, facts)
        if event.what == "left":
            self._over()
        if self._on_event is not None:
            try:
                self._on_event(event)
            except Exception:
                _log.exception("on_event raised")

    @abstractmethod
    def _over(self) -> None:
        """The worker has left the broker."""

    # ---------------------------------------------------------------- working

    def _perform(self, task: Task) -> None:
        assert self._crew is not None
        self._crew.give(lambda: self._work(task))

    def _work(self, task: Task) -> None:
        """Run a handler in this thread, if somebody still waits for it."""
        window = threading.Semaphore(WINDOW)

        def hand_over(frames: tuple[bytes, ...], final: bool) -> None:
            if not self._driver.holds(task):
                raise Abandoned
            window.acquire()
            try:
                self._post(
                    lambda: self._driver.answer(
                        task, frames, final, time.monotonic(), window.release
                    )
                )
            except Closed:
                raise Abandoned from None

        if not self._driver.holds(task):
            return
        job = self._job(task)
        try:
            final = self._craft_for(job.service).work(job, lambda piece: hand_over(piece, False))
            hand_over(final, True)
        except Abandoned:
            _log.info("a reply was dropped: its conversation is over")

    def _job(self, task: Task) -> Job:
        origin = self._speech.origin(task)
        return Job(origin.service, tuple(task.body), origin.request_id, origin.headers)

    @abstractmethod
    def _post(self, call: Call) -> None:
        """Have this called where the driver lives; from any thread."""
