"""A stage for socket tests: our sockets, blocking or asyncio, and raw peers in one context."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from typing import Any

import zmq

from support.ports import ReservedPort
from support.raw import PATIENCE, Context, Raw, Watch
from zwire.io import sockets, sockets_aio
from zwire.io.errors import NoRoom
from zwire.io.options import Options

KINDS = ("blocking", "asyncio")


class Played:
    """One of our sockets, played by a test that blocks, whichever way the socket waits."""

    def __init__(self, socket: Any, settle: Callable[[Any], Any]) -> None:
        self._socket = socket
        self._settle = settle
        self._watch: Watch | None = None

    @property
    def underlying(self) -> zmq.Socket[bytes]:
        underlying: zmq.Socket[bytes] = self._socket.underlying
        return underlying

    def watch(self) -> Watch:
        """The watch over this socket; to be asked for before it is bound or connected."""
        if self._watch is None:
            self._watch = Watch(self.underlying)
        return self._watch

    def bind(self, endpoint: str) -> str:
        bound: str = self._socket.bind(endpoint)
        return bound

    def connect(self, endpoint: str, **settings: Any) -> None:
        self._socket.connect(endpoint, **settings)

    def send(self, *arguments: Any, timeout: float = PATIENCE) -> Any:
        if self.underlying.type == zmq.ROUTER:
            return self._settle(self._socket.send(*arguments))
        return self._settle(self._socket.send(*arguments, timeout=timeout))

    def receive(self, timeout: float = PATIENCE) -> Any:
        return self._settle(self._socket.receive(timeout=timeout))

    def close(self) -> None:
        if self._watch is not None:
            self._watch.close()
        self._settle(self._socket.close())


class Stage:
    """Everything one test opens; leaving it closes all."""

    def __init__(self, kind: str) -> None:
        self.context: Context = zmq.Context()
        self._loop = asyncio.new_event_loop() if kind == "asyncio" else None
        self._module: Any = sockets_aio if self._loop else sockets
        self._open: list[Any] = []
        self._names = itertools.count(1)

    def req(self, **options: Any) -> Played:
        return self._ours("Req", options)

    def rep(self, **options: Any) -> Played:
        return self._ours("Rep", options)

    def dealer(self, **options: Any) -> Played:
        return self._ours("Dealer", options)

    def router(self, **options: Any) -> Played:
        return self._ours("Router", options)

    def raw(self, kind: zmq.SocketType, **settings: Any) -> Raw:
        peer = Raw(kind, self.context, **settings)
        self._open.append(peer)
        return peer

    def port(self) -> ReservedPort:
        port = ReservedPort()
        self._open.append(port)
        return port

    def inproc(self) -> str:
        """A new name inside this context: what is sent there has arrived when send returns."""
        return f"inproc://stage-{next(self._names)}"

    def _ours(self, name: str, options: dict[str, Any]) -> Played:
        socket = getattr(self._module, name)(
            options=Options(**{"linger": 0.0, **options}), context=self.context
        )
        played = Played(socket, self._settle)
        self._open.append(played)
        return played

    def _settle(self, result: Any) -> Any:
        if self._loop is not None and asyncio.iscoroutine(result):
            return self._loop.run_until_complete(result)
        return result

    def close(self) -> None:
        for one in reversed(self._open):
            one.close()
        self.context.term()
        if self._loop is not None:
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()


def fill(send: Callable[[], Any], limit: int = 100_000) -> int:
    """Send until there is no room; how many were accepted."""
    for accepted in range(limit):
        try:
            send()
        except NoRoom:
            return accepted
    raise AssertionError(f"{limit} messages were accepted: the queue has no limit")
