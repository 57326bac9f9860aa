"""The client for programs with threads: requests, streams and futures over any dialect."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from types import TracebackType
from typing import Self

from zwire.errors import Closed, LocalError, ZwireError
from zwire.io.hosting import ThreadHost
from zwire.io.opened import Opened, straight_to_workers, through_broker
from zwire.io.requests import (
    ClientSettings,
    Headers,
    Piece,
    Pieces,
    Question,
    Reply,
    Sink,
    WholeReply,
    question,
)
from zwire.io.security import CurveClient, CurveServer
from zwire.io.taps import Capture


class Client:
    """Asks services through a broker: `Client("mdpx://127.0.0.1:5555")`.

    The dialect is the URL's scheme (mdpx, mdp01, mdp02, emqp, ppp), or an option beside a plain
    endpoint. All methods may be called from any thread.
    """

    def __init__(
        self,
        url: str,
        *,
        dialect: str | None = None,
        settings: ClientSettings | None = None,
        identity: bytes | None = None,
        curve: CurveClient | None = None,
        capture: Capture | None = None,
    ) -> None:
        """`capture` records all traffic: into a folder, or by a recorder that stays its owner's."""
        self._run(through_broker(url, dialect, settings, identity, curve, capture))

    @classmethod
    def direct(
        cls,
        *endpoints: str,
        settings: ClientSettings | None = None,
        curve: CurveServer | CurveClient | None = None,
        insecure: bool = False,
        capture: Capture | None = None,
    ) -> Self:
        """A client that speaks PPP to its workers itself, without a queue.

        It binds the endpoints for its workers; `connect:` before one connects to a worker that
        binds. `addresses` tells where it really listens.
        """
        self = cls.__new__(cls)
        self._run(straight_to_workers(endpoints, settings, curve, insecure, capture))
        return self

    def _run(self, opened: Opened) -> None:
        self.dialect = opened.name
        self.addresses = opened.addresses
        self._speech = opened.dialect
        self._driver = opened.driver
        self._host = ThreadHost(opened.driver, opened.context, "zwire-client")

    def request(
        self,
        service: str,
        *body: bytes | str,
        timeout: float | None = None,
        request_id: bytes | None = None,
        headers: Headers = None,
    ) -> Reply:
        """Ask, and wait for the whole reply; raises NoAnswer when the time is over.

        Without a time-out that of the settings holds; `float("inf")` waits for ever.
        """
        self._check_may_wait()
        future = self.submit(
            service, *body, timeout=timeout, request_id=request_id, headers=headers
        )
        try:
            return future.result()
        finally:
            future.cancel()  # interrupted: nobody waits for it any more

    def submit(
        self,
        service: str,
        *body: bytes | str,
        timeout: float | None = None,
        request_id: bytes | None = None,
        headers: Headers = None,
    ) -> Future[Reply]:
        """Ask without waiting; many requests may be open at once. Cancelling forgets it."""
        asked = question(self._speech, service, body, timeout, request_id, headers)
        future: Future[Reply] = Future()

        def finish(reply: Reply) -> None:
            if future.set_running_or_notify_cancel():
                future.set_result(reply)

        def refuse(error: ZwireError) -> None:
            if future.set_running_or_notify_cancel():
                future.set_exception(error)

        sink = WholeReply(asked, finish, refuse)
        self._submit(asked, sink, future.cancelled)
        future.add_done_callback(
            lambda ended: self._forget(asked, sink) if ended.cancelled() else None
        )
        return future

    def stream(
        self,
        service: str,
        *body: bytes | str,
        timeout: float | None = None,
        request_id: bytes | None = None,
        headers: Headers = None,
    ) -> Stream:
        """Ask, and iterate over the pieces of the reply as they come; the last one is final."""
        asked = question(self._speech, service, body, timeout, request_id, headers)
        return Stream(self, asked)

    def _check_may_wait(self) -> None:
        if self._host.is_here:
            raise LocalError(
                "a future's callback runs in the client's own thread, and would wait there for ever: "
                "submit() in it, or wait in another thread"
            )

    def _submit(self, asked: Question, sink: Sink, unwanted: Callable[[], bool]) -> None:
        def submit() -> None:
            if not unwanted():  # else it was given up before our thread came to it
                self._driver.submit(sink, asked, time.monotonic())

        self._host.post(submit)

    def _forget(self, asked: Question, sink: Sink) -> None:
        try:
            self._host.post(lambda: self._driver.cancel(asked.request_id, sink, time.monotonic()))
        except Closed:
            return  # everything is forgotten

    def close(self) -> None:
        """Let go of the sockets; requests that are open fail with Closed."""
        self._host.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class Stream(Iterator[Piece]):
    """The pieces of one reply, in order; closing it before the end forgets the request."""

    def __init__(self, client: Client, asked: Question) -> None:
        self.request_id = asked.request_id
        self._client = client
        self._asked = asked
        self._pieces: queue.SimpleQueue[Piece | ZwireError] = queue.SimpleQueue()
        self._sink = Pieces(self._pieces.put)
        self._over = False
        # Apart from us: who asks for it must not keep a stream that everybody else has dropped.
        self._left = threading.Event()
        client._submit(asked, self._sink, self._left.is_set)

    def __next__(self) -> Piece:
        if self._over:
            raise StopIteration
        self._client._check_may_wait()
        piece = self._pieces.get()
        if isinstance(piece, ZwireError):
            self._over = True
            raise piece
        self._over = piece.final
        return piece

    def close(self) -> None:
        """Want no more of it."""
        if not self._over:
            self._over = True
            self._left.set()
            self._client._forget(self._asked, self._sink)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()
