"""The contexts that we make for sockets of our own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import zmq

Context = zmq.Context[zmq.Socket[bytes]]


class OwnContext(Context):
    """A context that closes its sockets before it ends, also when both are collected as garbage.

    pyzmq knows its sockets by weak references. Those are gone by the time that the collector ends a
    context, which then waits for ever for sockets that nobody closes: a forgotten `close()` would
    stop the program at some later time.
    """

    _held: Sequence[zmq.Socket[bytes]] = ()
    _most = 0  # held before those that were closed are let go: seldom, for there may be thousands

    def socket(self, *arguments: Any, **options: Any) -> zmq.Socket[bytes]:
        made = super().socket(*arguments, **options)
        if len(self._held) >= self._most:
            self._held = [one for one in self._held if not one.closed]
            self._most = 2 * len(self._held) + 100
        assert isinstance(self._held, list)
        self._held.append(made)
        return made

    def __del__(self) -> None:
        for socket in self._held:
            socket.close(0)
        super().__del__()
