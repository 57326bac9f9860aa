"""A wire that can be cut: TCP connections led through us, with what we keep from the other side."""

from __future__ import annotations

import socket
import threading
from types import TracebackType
from typing import Self

from support.raw import eventually


class Wire:
    """Listens on a port of its own and leads every connection on to another."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._server.getsockname()[1]
        self._ends: list[socket.socket] = []
        self._kept = bytearray()
        self._keeps: bool | None = None  # what goes to whoever connected (True), or comes from it
        threading.Thread(target=self._accept, daemon=True).start()

    def keep(self, *, inbound: bool) -> None:
        """From now on swallow what goes to whoever connected, or else what comes from there."""
        self._keeps = inbound

    def cut_after(self, octets: bytes) -> None:
        """Break all connections once these octets are among what was swallowed; the next stand."""
        eventually(lambda: octets in self._kept, f"{octets!r} comes by")
        self._keeps = None
        ends, self._ends = self._ends, []
        for end in ends:
            _shut(end)

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._server.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self._target))
            self._ends += [near, far]
            for pair in ((far, near, True), (near, far, False)):
                threading.Thread(target=self._lead, args=pair, daemon=True).start()

    def _lead(self, source: socket.socket, target: socket.socket, inbound: bool) -> None:
        try:
            while octets := source.recv(65_536):
                if self._keeps is inbound:
                    self._kept += octets
                else:
                    target.sendall(octets)
        except OSError:
            pass
        _shut(source)
        _shut(target)

    def close(self) -> None:
        _shut(self._server)
        self._server.close()
        for end in self._ends:
            _shut(end)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _shut(end: socket.socket) -> None:
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # it is already
