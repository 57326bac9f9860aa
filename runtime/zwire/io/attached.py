"""What the blocking sockets and the asyncio ones have in common: all but the waiting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic

import zmq

from zwire.io.contexts import Context
from zwire.io.link import Link
from zwire.io.options import DEFAULTS, Options
from zwire.io.speech import FRAMES, Codec

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    # A socket without a codec speaks lists of frames.
    M = TypeVar("M", default=list[bytes])
else:
    from typing import TypeVar

    M = TypeVar("M")


class Attached(Generic[M]):
    """A socket that speaks messages of a codec, or lists of frames without one.

    Without a context it makes one of its own and ends it when it is closed. Like all ZeroMQ
    sockets it belongs to one thread.
    """

    KIND: ClassVar[zmq.SocketType]

    def __init__(
        self,
        *,
        codec: Codec[M] | None = None,
        options: Options = DEFAULTS,
        context: Context | None = None,
    ) -> None:
        chosen: Codec[Any] = FRAMES if codec is None else codec
        self._link: Link[M] = Link(self.KIND, chosen, options, context)

    def bind(self, endpoint: str) -> str:
        """Bind, and the endpoint that was really bound; beyond loopback only with CURVE."""
        return self._link.bind(endpoint)

    def connect(self, endpoint: str) -> None:
        """Connect; libzmq connects again by itself whenever the connection is lost."""
        self._link.connect(endpoint)

    def unbind(self, endpoint: str) -> None:
        """Stop listening there; connections that stand go on."""
        self._link.unbind(endpoint)

    def disconnect(self, endpoint: str) -> None:
        """End the connection to this endpoint."""
        self._link.disconnect(endpoint)

    @property
    def underlying(self) -> zmq.Socket[bytes]:
        """The pyzmq socket, for pollers and monitors."""
        return self._link.socket

    @property
    def closed(self) -> bool:
        return self._link.closed

    def __repr__(self) -> str:
        state = ", closed" if self.closed else ""
        return f"<{type(self).__name__} {self._link.where}{state}>"
