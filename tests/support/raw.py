"""Raw peers: plain pyzmq sockets that stand on the other side of what is tested, and are patient."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self

import zmq
from zmq.utils.monitor import recv_monitor_message

# Seconds to wait for what must come; a machine may stall for a while.
PATIENCE = 30.0

Context = zmq.Context[zmq.Socket[bytes]]


class Watch:
    """Counts what libzmq's monitor tells of a socket; made before the socket is attached."""

    def __init__(self, socket: zmq.Socket[bytes]) -> None:
        self._socket = socket
        self._monitor = socket.get_monitor_socket()
        self._seen: Counter[int] = Counter()

    def wait_for(self, event: zmq.Event, times: int = 1) -> None:
        """Wait until the event has come so often since the watch began."""
        limit = time.monotonic() + PATIENCE
        while self._seen[event] < times:
            left = limit - time.monotonic()
            if left <= 0 or not self._monitor.poll(int(left * 1000)):
                raise AssertionError(
                    f"{event.name} came {self._seen[event]} times, not {times}: {self._seen}"
                )
            self._seen[recv_monitor_message(self._monitor)["event"]] += 1
        # Makes the socket take notice of what its I/O thread has told it.
        self._socket.getsockopt(zmq.EVENTS)

    def count(self, event: zmq.Event) -> int:
        """How often the event has come so far."""
        while self._monitor.poll(0):
            self._seen[recv_monitor_message(self._monitor)["event"]] += 1
        return self._seen[event]

    def connected(self, times: int = 1) -> None:
        self.wait_for(zmq.Event.HANDSHAKE_SUCCEEDED, times)

    def disconnected(self, times: int = 1) -> None:
        self.wait_for(zmq.Event.DISCONNECTED, times)

    def close(self) -> None:
        if not self._socket.closed:
            self._socket.disable_monitor()
        self._monitor.close(0)


class Raw:
    """A scripted peer: it sends what it is told and waits with patience for what should come."""

    def __init__(
        self,
        kind: zmq.SocketType,
        context: Context,
        *,
        identity: bytes | None = None,
        queue: int | None = None,
        reconnects: bool = True,
    ) -> None:
        self.socket = context.socket(kind)
        self.socket.setsockopt(zmq.LINGER, 0)
        if identity is not None:
            self.socket.setsockopt(zmq.ROUTING_ID, identity)
        if queue is not None:
            self.socket.setsockopt(zmq.SNDHWM, queue)
            self.socket.setsockopt(zmq.RCVHWM, queue)
        if not reconnects:
            self.socket.setsockopt(zmq.RECONNECT_IVL, -1)
        self._watch: Watch | None = None

    def watch(self) -> Watch:
        """The watch over this socket; to be asked for before it is bound or connected."""
        if self._watch is None:
            self._watch = Watch(self.socket)
        return self._watch

    def bind(self, endpoint: str) -> str:
        self.socket.bind(endpoint)
        return self.socket.getsockopt_string(zmq.LAST_ENDPOINT)

    def connect(self, endpoint: str, *, peer: bytes | None = None) -> None:
        if peer is not None:
            self.socket.setsockopt(zmq.CONNECT_ROUTING_ID, peer)
        self.socket.connect(endpoint)

    def send(self, *frames: bytes) -> None:
        assert self.socket.poll(int(PATIENCE * 1000), zmq.POLLOUT), "no room to send"
        self.socket.send_multipart(frames)

    def send_if_admitted(self, *frames: bytes) -> None:
        """Send, unless the other side has refused us already: libzmq then has no room ever again."""
        with suppress(zmq.Again):
            self.socket.send_multipart(frames, zmq.NOBLOCK)

    def receive(self) -> list[bytes]:
        assert self.socket.poll(int(PATIENCE * 1000), zmq.POLLIN), "nothing came"
        return self.socket.recv_multipart()

    def waiting(self) -> bool:
        """Whether a message is there already."""
        return bool(self.socket.poll(0, zmq.POLLIN))

    def drain(self) -> list[list[bytes]]:
        """All messages that are there already."""
        found = []
        while self.waiting():
            found.append(self.socket.recv_multipart())
        return found

    def close(self) -> None:
        if self._watch is not None:
            self._watch.close()
        self.socket.close(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def whoever_hears(peers: Sequence[Raw]) -> Raw:
    """The peer that has a message, as soon as one of them has."""
    poller = zmq.Poller()
    for peer in peers:
        poller.register(peer.socket, zmq.POLLIN)
    ready = dict(poller.poll(int(PATIENCE * 1000)))
    assert ready, "nobody heard anything"
    return next(peer for peer in peers if peer.socket in ready)


def eventually(condition: Callable[[], bool], what: str) -> None:
    """Ask again and again until it is so; for what no message and no monitor tells."""
    limit = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < limit, f"never came true: {what}"
        zmq.Poller().poll(5)
