"""REQ, REP, DEALER and ROUTER sockets that block until they are done."""

from __future__ import annotations

from types import TracebackType
from typing import Self, TypeVar

import zmq

from zwire.io.attached import Attached, M
from zwire.io.link import USUAL, Steps
from zwire.io.options import milliseconds

T = TypeVar("T")


class _Blocking(Attached[M]):
    """Waits in zmq's poll."""

    def _run(self, steps: Steps[T]) -> T:
        try:
            while True:
                wait = next(steps)
                self._link.socket.poll(milliseconds(wait.seconds), wait.events)
        except StopIteration as end:
            result: T = end.value
            return result

    def close(self) -> None:
        """Close the socket, and its context if it is its own; waits for the linger time at most."""
        self._link.close()
        self._link.end_context()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class _Conversing(_Blocking[M]):
    def send(self, message: M, *, timeout: float | None = USUAL) -> None:
        """Send one message; NoRoom when no peer can take it in time."""
        self._run(self._link.sending(message, timeout))

    def receive(self, *, timeout: float | None = USUAL) -> M:
        """The next message; NothingReceived when none comes in time."""
        return self._run(self._link.receiving(timeout))


class Req(_Conversing[M]):
    """Asks one connected peer after the other: one request, then one reply."""

    KIND = zmq.REQ

    def request(self, message: M, *, timeout: float | None = USUAL) -> M:
        """Send a request and return its reply; the time-out counts for each of the two."""
        self.send(message, timeout=timeout)
        return self.receive(timeout=timeout)


class Rep(_Conversing[M]):
    """Answers: one request, then one reply, which goes back to whoever asked."""

    KIND = zmq.REP


class Dealer(_Conversing[M]):
    """Sends to its peers in turn and hears all of them, in any order.

    Towards REP peers it needs `dealer_to_rep` or a codec made with `towards_rep`.
    """

    KIND = zmq.DEALER


class Router(_Blocking[M]):
    """Hears all peers and sends to the one that is named; it never waits to send."""

    KIND = zmq.ROUTER

    def connect(self, endpoint: str, *, peer: bytes | None = None) -> None:
        """Connect; a peer that is given a name here can be sent to at once."""
        self._link.connect(endpoint, peer)

    def send(self, peer: bytes, message: M) -> bool:
        """Send to one peer now; whether it was queued.

        A peer that is unknown or full raises UnknownPeer or NoRoom, or the message is dropped
        and False returned, as the options say.
        """
        return self._link.route(peer, message)

    def receive(self, *, timeout: float | None = USUAL) -> tuple[bytes, M]:
        """The next message and the identity of its sender."""
        return self._run(self._link.receiving_from(timeout))

    @property
    def dropped(self) -> int:
        """How many messages were dropped because their peer was unknown or full."""
        return self._link.dropped
