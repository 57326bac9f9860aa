"""What can be set at a socket before it is opened."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import ceil

import zmq

from zwire.io.errors import BadOptions
from zwire.io.identities import check_identity
from zwire.io.security import CurveClient, CurveServer

_TRIES = 3  # to hear of a connection that may be dead


class Undeliverable(Enum):
    """What a ROUTER does with a message for a peer that is unknown or whose queue is full."""

    RAISE = "raise"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Options:
    """The settings of one socket; times are seconds, None is no limit."""

    identity: bytes | None = None
    """Our own identity towards ROUTER peers; without one each of them makes one up."""
    send_queue: int = 1000
    """Messages that wait for one peer, at most (28/REQREP asks for a limit, so 0 is refused)."""
    receive_queue: int = 1000
    send_timeout: float | None = None
    receive_timeout: float | None = None
    linger: float | None = 1.0
    """How long a closed socket still tries to get rid of what was sent."""
    max_frame_size: int | None = None
    """Octets in one frame; a peer that sends a longer one is cut off."""
    max_frames: int | None = None
    """Frames in one message; a message with more is malformed."""
    undeliverable: Undeliverable = Undeliverable.RAISE
    curve: CurveServer | CurveClient | None = None
    insecure: bool = False
    """Allows binding beyond loopback without CURVE."""
    heartbeat: float | None = None
    """ZMTP heartbeats. Off unless asked for: to libzmq 4.3.5 a peer whose messages we leave unread is
    silent, and is cut off with all that it had sent; and it was seen to abort with them on."""
    keepalive: float | None = 15.0
    """A TCP connection silent for so long is tried by the system, and given up after as long again:
    a machine that is gone without a word does not hold a descriptor for ever."""
    handshake: float | None = None
    """Seconds that a connection has to introduce itself, else it is closed; None: libzmq's own."""
    reconnect: float = 0.1
    reconnect_max: float | None = None
    ipv6: bool = False
    known_owners: int = 65536
    """Identities of which a CURVE ROUTER remembers the key."""

    def __post_init__(self) -> None:
        if self.identity is not None:
            check_identity(self.identity, "options")
        if mistakes := self._mistakes():
            raise BadOptions("; ".join(mistakes), where="options")

    def _mistakes(self) -> list[str]:
        mistakes = []
        for name in ("send_queue", "receive_queue", "max_frame_size", "max_frames", "known_owners"):
            value = getattr(self, name)
            if value is not None and value < 1:
                mistakes.append(f"{name} must be at least 1, not {value}")
        for name in ("send_timeout", "receive_timeout", "linger"):
            value = getattr(self, name)
            if value is not None and value < 0:
                mistakes.append(f"{name} must not be negative ({value}); None is no limit")
        for name in ("heartbeat", "keepalive", "handshake", "reconnect", "reconnect_max"):
            value = getattr(self, name)
            if value is not None and value < 0.001:
                mistakes.append(f"{name} must be at least a millisecond, not {value}")
        if self.reconnect_max is not None and self.reconnect_max < self.reconnect:
            mistakes.append(f"reconnect_max ({self.reconnect_max}) is below reconnect")
        return mistakes

    def apply(self, socket: zmq.Socket[bytes]) -> None:
        """Set everything but CURVE on a new socket."""
        socket.setsockopt(zmq.SNDHWM, self.send_queue)
        socket.setsockopt(zmq.RCVHWM, self.receive_queue)
        socket.setsockopt(zmq.LINGER, milliseconds(self.linger))
        socket.setsockopt(zmq.RECONNECT_IVL, milliseconds(self.reconnect))
        if self.reconnect_max is not None:
            socket.setsockopt(zmq.RECONNECT_IVL_MAX, milliseconds(self.reconnect_max))
        if self.max_frame_size is not None:
            socket.setsockopt(zmq.MAXMSGSIZE, self.max_frame_size)
        if self.identity is not None:
            socket.setsockopt(zmq.ROUTING_ID, self.identity)
        if self.heartbeat is not None:
            socket.setsockopt(zmq.HEARTBEAT_IVL, milliseconds(self.heartbeat))
        if self.handshake is not None:
            socket.setsockopt(zmq.HANDSHAKE_IVL, milliseconds(self.handshake))
        if self.keepalive is not None:
            seconds = ceil(self.keepalive)
            socket.setsockopt(zmq.TCP_KEEPALIVE, 1)
            socket.setsockopt(zmq.TCP_KEEPALIVE_IDLE, seconds)
            socket.setsockopt(zmq.TCP_KEEPALIVE_INTVL, ceil(seconds / _TRIES))
            socket.setsockopt(zmq.TCP_KEEPALIVE_CNT, _TRIES)
        if self.ipv6:
            socket.setsockopt(zmq.IPV6, 1)


def milliseconds(seconds: float | None) -> int:
    """Seconds as libzmq counts them, rounded up; -1 is no limit."""
    return -1 if seconds is None else int(-(-seconds * 1000 // 1))


DEFAULTS = Options()
