"""A wire that can be cut: TCP connections led through us, broken when certain octets come by."""

from __future__ import annotations

import socket
import threading
from types import TracebackType
from typing import Self

from support.raw import PATIENCE


class Wire:
    """Listens on a port of its own and leads every connection on to another."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._server.getsockname()[1]
        self._ends: list[socket.socket] = []
        self._mark: tuple[bytes, bool] | None = None
        self._cut = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut_at(self, octets: bytes, *, inbound: bool) -> None:
        """Once these octets go to whoever connected, or come from there: lose them, and the connection.

        The next connections stand.
        """
        self._cut.clear()
        self._mark = (octets, inbound)

    def wait_for_cut(self) -> None:
        assert self._cut.wait(PATIENCE), f"{self._mark} never came by"

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
                mark = self._mark
                if mark is not None and mark[1] is inbound and mark[0] in octets:
                    self._mark = None
                    break
                target.sendall(octets)
        except OSError:
            pass
        _shut(source)
        _shut(target)
        if self._mark is None:
            self._cut.set()

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
