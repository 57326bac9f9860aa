"""The same sockets for asyncio: REQ, REP, DEALER and ROUTER whose calls are awaited."""

from __future__ import annotations

import asyncio
from functools import cached_property
from types import TracebackType
from typing import Self, TypeVar

import zmq

from zwire.io.attached import Attached, M
from zwire.io.bell import Bell
from zwire.io.link import USUAL, Steps

T = TypeVar("T")

# So many calls in a row that need not wait, then other tasks have their turn.
_TURN = 64


class _Awaited(Attached[M]):
    """Waits on the socket's file descriptor, which is far quicker than zmq.asyncio."""

    _calls = 0

    @cached_property
    def _bell(self) -> Bell:
        return Bell(self._link.socket)

    async def _run(self, steps: Steps[T]) -> T:
        self._calls += 1
        if self._calls % _TURN == 0:
            await asyncio.sleep(0)
        try:
            while True:
                await self._bell.wait(next(steps))
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            self._bell.look()

    async def close(self) -> None:
        """Close the socket, and its context if it is its own, without holding up other tasks."""
        if not self.closed:
            self._bell.take_down()
            self._link.close()
            await asyncio.to_thread(self._link.end_context)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


class _Conversing(_Awaited[M]):
    async def send(self, message: M, *, timeout: float | None = USUAL) -> None:
        """Send one message; NoRoom when no peer can take it in time."""
        await self._run(self._link.sending(message, timeout))

    async def receive(self, *, timeout: float | None = USUAL) -> M:
        """The next message; NothingReceived when none comes in time."""
        return await self._run(self._link.receiving(timeout))


class Req(_Conversing[M]):
    """Asks one connected peer after the other: one request, then one reply."""

    KIND = zmq.REQ

    async def request(self, message: M, *, timeout: float | None = USUAL) -> M:
        """Send a request and return its reply; the time-out counts for each of the two."""
        await self.send(message, timeout=timeout)
        return await self.receive(timeout=timeout)


class Rep(_Conversing[M]):
    """Answers: one request, then one reply, which goes back to whoever asked."""

    KIND = zmq.REP


class Dealer(_Conversing[M]):
    """Sends to its peers in turn and hears all of them, in any order.

    Towards REP peers it needs `dealer_to_rep` or a codec made with `towards_rep`.
    """

    KIND = zmq.DEALER


class Router(_Awaited[M]):
    """Hears all peers and sends to the one that is named; it never waits to send."""

    KIND = zmq.ROUTER

    def connect(self, endpoint: str, *, peer: bytes | None = None) -> None:
        """Connect; a peer that is given a name here can be sent to at once."""
        self._link.connect(endpoint, peer)

    async def send(self, peer: bytes, message: M) -> bool:
        """Send to one peer now; whether it was queued.

        A peer that is unknown or full raises UnknownPeer or NoRoom, or the message is dropped
        and False returned, as the options say.
        """
        try:
            return self._link.route(peer, message)
        finally:
            self._bell.look()

    async def receive(self, *, timeout: float | None = USUAL) -> tuple[bytes, M]:
        """The next message and the identity of its sender."""
        return await self._run(self._link.receiving_from(timeout))

    @property
    def dropped(self) -> int:
        """How many messages were dropped because their peer was unknown or full."""
        return self._link.dropped
