"""The client for programs with threads: requests, streams and futures over any dialect."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from types import TracebackType
from typing import Self

import zmq

from zwire.errors import ZwireError
from zwire.io.asking_driver import AskingDriver, Sink
from zwire.io.direct_driver import DirectDriver
from zwire.io.hosting import ThreadHost
from zwire.io.requests import (
    Piece,
    Question,
    Reply,
    Settings,
    broker_driver,
    direct_driver,
    question,
)
from zwire.io.security import Context, CurveClient, CurveServer

Headers = Mapping[str, str] | bytes | None


class FutureSink:
    """Gathers the pieces of a reply into a future."""

    def __init__(
        self,
        asked: Question,
        finish: Callable[[Reply], None],
        refuse: Callable[[ZwireError], None],
    ) -> None:
        self._asked = asked
        self._finish = finish
        self._refuse = refuse
        self._partials: list[tuple[bytes, ...]] = []

    def deliver(self, body: Sequence[bytes], final: bool) -> None:
        if not final:
            self._partials.append(tuple(body))
            return
        asked = self._asked
        self._finish(Reply(asked.service, asked.request_id, tuple(body), tuple(self._partials)))

    def fail(self, error: ZwireError) -> None:
        self._refuse(error)


class PieceSink:
    """Hands the pieces of a reply on as they come."""

    def __init__(self, put: Callable[[Piece | ZwireError], object]) -> None:
        self._put = put

    def deliver(self, body: Sequence[bytes], final: bool) -> None:
        self._put(Piece(tuple(body), final))

    def fail(self, error: ZwireError) -> None:
        self._put(error)


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
        settings: Settings | None = None,
        identity: bytes | None = None,
        curve: CurveClient | None = None,
    ) -> None:
        self._context: Context = zmq.Context()
        self._settings = settings or Settings()
        try:
            self.dialect, driver = broker_driver(
                url, dialect, self._settings, identity, curve, self._context
            )
        except BaseException:
            self._context.term()
            raise
        self._drive(driver)

    @classmethod
    def direct(
        cls,
        endpoint: str,
        *,
        settings: Settings | None = None,
        curve: CurveServer | None = None,
        insecure: bool = False,
    ) -> Self:
        """A client that speaks PPP to its workers itself: binds there (or `connect:` connects)."""
        self = cls.__new__(cls)
        self._context = zmq.Context()
        self._settings = settings or Settings()
        self.dialect = "ppp"
        try:
            self.address, driver = direct_driver(
                endpoint, self._settings, curve, insecure, self._context
            )
        except BaseException:
            self._context.term()
            raise
        self._drive(driver)
        return self

    address = ""
    """Where a direct client listens to its workers."""

    def _drive(self, driver: AskingDriver | DirectDriver) -> None:
        self._driver = driver
        self._host = ThreadHost(driver, "zwire-client")

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
        future = self.submit(
            service, *body, timeout=timeout, request_id=request_id, headers=headers
        )
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def submit(
        self,
        service: str,
        *body: bytes | str,
        timeout: float | None = None,
        request_id: bytes | None = None,
        headers: Headers = None,
    ) -> Future[Reply]:
        """Ask without waiting; many requests may be open at once. Cancelling forgets it."""
        asked = question(self.dialect, service, body, timeout, request_id, headers)
        future: Future[Reply] = Future()

        def finish(reply: Reply) -> None:
            if future.set_running_or_notify_cancel():
                future.set_result(reply)

        def refuse(error: ZwireError) -> None:
            if future.set_running_or_notify_cancel():
                future.set_exception(error)

        def forget(ended: Future[Reply]) -> None:
            if ended.cancelled():
                self._forget(asked.request_id)

        self._submit(asked, FutureSink(asked, finish, refuse))
        future.add_done_callback(forget)
        return future

    def stream(
        self,
        service: str,
        *body: bytes | str,
        timeout: float | None = None,
        request_id: bytes | None = None,
        headers: Headers = None,
    ) -> Iterator[Piece]:
        """Ask, and yield the pieces of the reply as they come; the last one is final."""
        asked = question(self.dialect, service, body, timeout, request_id, headers)
        pieces: queue.SimpleQueue[Piece | ZwireError] = queue.SimpleQueue()
        self._submit(asked, PieceSink(pieces.put))
        return self._pieces(asked, pieces)

    def _pieces(
        self, asked: Question, pieces: queue.SimpleQueue[Piece | ZwireError]
    ) -> Iterator[Piece]:
        final = False
        try:
            while not final:
                piece = pieces.get()
                if isinstance(piece, ZwireError):
                    final = True
                    raise piece
                final = piece.final
                yield piece
        finally:
            if not final:
                self._forget(asked.request_id)

    def _submit(self, asked: Question, sink: Sink) -> None:
        self._host.post(
            lambda: self._driver.submit(
                sink,
                asked.request_id,
                asked.service.encode(),
                asked.body,
                asked.timeout,
                asked.envelope,
                time.monotonic(),
            )
        )

    def _forget(self, request_id: bytes) -> None:
        try:
            self._host.post(lambda: self._driver.cancel(request_id))
        except ZwireError:
            return  # closed: everything is forgotten

    def close(self) -> None:
        """Give up what is open and let go of the sockets."""
        self._host.close()
        self._context.term()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
