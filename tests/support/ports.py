"""TCP ports for tests: one that refuses every connection until somebody is let in to listen."""

from __future__ import annotations

import socket
from types import TracebackType
from typing import Self

ANY_PORT = "tcp://127.0.0.1:*"


class ReservedPort:
    """A port that nobody else gets and at which nobody listens, until a test binds it.

    It is held by a socket that is bound but does not listen: connections are refused, and a
    listener that reuses addresses, as libzmq's do, can still take the port.
    """

    def __init__(self) -> None:
        self._holder = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._holder.bind(("127.0.0.1", 0))
        self.number: int = self._holder.getsockname()[1]

    @property
    def endpoint(self) -> str:
        return f"tcp://127.0.0.1:{self.number}"

    def close(self) -> None:
        self._holder.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
