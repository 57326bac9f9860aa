"""The client for asyncio: the same requests, streams and futures, awaited."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Self

from zwire.errors import Closed, ZwireError
from zwire.io.hosting_aio import LoopHost
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
    """Asks services through a broker: `async with Client("mdpx://127.0.0.1:5555") as client`.

    The dialect is the URL's scheme (mdpx, mdp01, mdp02, emqp, ppp), or an option beside a plain
    endpoint. It belongs to the loop in which it is first used.
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
        self._take(through_broker(url, dialect, settings, identity, curve, capture))

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
        self._take(straight_to_workers(endpoints, settings, curve, insecure, capture))
        return self

    def _take(self, opened: Opened) -> None:
        self.dialect = opened.name
        self.addresses = opened.addresses
        self._speech = opened.dialect
        self._driver = opened.driver
        self._context = opened.context
        self._host: LoopHost | None = None
        self._closed = False

    async def request(
        self,
        service: str,
        *body: bytes | str,
        timeout: float | None = None,
        request_id: bytes | None = None,
        headers: Headers = None,
    ) -> Reply:
        """Ask, and return the whole reply; raises NoAnswer when the time is over.

        Without a time-out that of the settings holds; `float("inf")` waits for ever. Cancelling
        the task that waits forgets the request.
        """
        return await self.submit(
            service, *body, timeout=timeout, request_id=request_id, headers=headers
        )

    def submit(
        self,
        service: str,
        *body: bytes | str,
        timeout: float | None = None,
        request_id: bytes | None = None,
        headers: Headers = None,
    ) -> asyncio.Future[Reply]:
        """Ask without waiting; many requests may be open at once. Cancelling forgets it."""
        asked = question(self._speech, service, body, timeout, request_id, headers)
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

        def finish(reply: Reply) -> None:
            if not future.done():
                future.set_result(reply)

        def refuse(error: ZwireError) -> None:
            if not future.done():
                future.set_exception(error)

        sink = WholeReply(asked, finish, refuse)
        self._submit(asked, sink)
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

    def _submit(self, asked: Question, sink: Sink) -> None:
        if self._closed:
            raise Closed("the client is closed; make a new one")
        if self._host is None:
            self._host = LoopHost(self._driver, self._context)
        self._host.post(lambda: self._driver.submit(sink, asked, time.monotonic()))

    def _forget(self, asked: Question, sink: Sink) -> None:
        if self._host is not None and not self._closed:
            self._host.post(lambda: self._driver.cancel(asked.request_id, sink, time.monotonic()))

    def _forget_soon(self, asked: Question, sink: Sink) -> None:
        """The same from a place where the driver may be at work: a stream that is collected."""
        if self._host is not None and not self._closed:
            self._host.post_from_thread(
                lambda: self._driver.cancel(asked.request_id, sink, time.monotonic())
            )

    async def close(self) -> None:
        """Let go of the sockets; requests that are open fail with Closed."""
        if self._closed:
            return
        self._closed = True
        await (self._host or LoopHost(self._driver, self._context)).close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


class Stream(AsyncIterator[Piece]):
    """The pieces of one reply, in order; closing it before the end forgets the request."""

    def __init__(self, client: Client, asked: Question) -> None:
        self.request_id = asked.request_id
        self._client = client
        self._asked = asked
        self._pieces: asyncio.Queue[Piece | ZwireError] = asyncio.Queue()
        self._sink = Pieces(self._pieces.put_nowait)
        self._over = False
        client._submit(asked, self._sink)

    async def __anext__(self) -> Piece:
        if self._over:
            raise StopAsyncIteration
        try:
            piece = await self._pieces.get()
        except asyncio.CancelledError:
            self.close()
            raise
        if isinstance(piece, ZwireError):
            self._over = True
            raise piece
        self._over = piece.final
        return piece

    def close(self) -> None:
        """Want no more of it."""
        if not self._over:
            self._over = True
            self._client._forget(self._asked, self._sink)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if not self._over:
            with contextlib.suppress(Closed):
                self._client._forget_soon(self._asked, self._sink)
