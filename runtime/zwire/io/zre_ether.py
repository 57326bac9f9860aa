"""One UDP port of this process: read once, by one thread, for all its nodes.

Who has a hundred nodes in one process would otherwise read each beacon a hundred times. What a node
has heard before costs it next to nothing, and does not wake it.
"""

from __future__ import annotations

import logging
import os
import selectors
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import TypeAlias

_log = logging.getLogger("zwire.node")

Overhear: TypeAlias = Callable[[bytes, str, float], None]  # octets, who sent them, when
LONGEST = 256  # octets that are read of a datagram: more than any beacon has
BATCH = 100  # datagrams that are read before somebody may end us
_PACKET_INFO = 8  # IP_PKTINFO of Linux, which not every Python names
_ROOM = socket.CMSG_SPACE(32) if hasattr(socket, "CMSG_SPACE") else 0
_BUFFER = 1 << 20  # for beacons that come all at once


class Ether:
    """A port of one family of addresses, as long as somebody listens."""

    _standing: dict[tuple[int, int, int], Ether] = {}
    _lock = threading.Lock()

    def __init__(self, family: socket.AddressFamily, port: int) -> None:
        self._port = port
        self._place = (os.getpid(), int(family), port)
        self._listeners: dict[Overhear, frozenset[int]] = {}
        self._socket = _listening(family, port)
        self._ending = False
        self._awake, self._waker = socket.socketpair()
        name = f"zwire-beacons-{port}"
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    @classmethod
    def listen(
        cls,
        family: socket.AddressFamily,
        port: int,
        interfaces: frozenset[int],
        overhear: Overhear,
    ) -> Ether:
        """Have this called, in another thread, with every datagram of these interfaces; none: of all."""
        with cls._lock:
            place = (os.getpid(), int(family), port)
            ether = cls._standing.get(place)
            if ether is None:
                ether = cls._standing[place] = cls(family, port)
            # Replaced and never changed: the thread goes through it without the lock.
            ether._listeners = {**ether._listeners, overhear: interfaces}
            return ether

    def leave(self, overhear: Overhear) -> None:
        """Call this no longer; the last to leave ends the thread and closes the port."""
        with self._lock:
            kept = {one: where for one, where in self._listeners.items() if one != overhear}
            self._listeners = kept
            if kept or self._ending:
                return
            self._ending = True
            del self._standing[self._place]
        self._waker.send(b"e")
        self._thread.join()
        for one in (self._socket, self._awake, self._waker):
            one.close()

    def _run(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_READ)
            selector.register(self._awake, selectors.EVENT_READ)
            while not self._ending:
                selector.select()
                self._read()

    def _read(self) -> None:
        receive = self._socket.recvmsg
        for _ in range(BATCH):
            try:
                octets, told, _flags, sender = receive(LONGEST, _ROOM)
            except (BlockingIOError, InterruptedError):
                return
            except OSError as error:
                _log.debug("nothing heard on UDP port %s: %s", self._port, error.strerror)
                return
            index, host, now = _interface_of(told), _written(sender), time.monotonic()
            for overhear, interfaces in self._listeners.items():
                if not interfaces or index in interfaces or index == 0:
                    overhear(octets, host, now)


def _listening(family: socket.AddressFamily, port: int) -> socket.socket:
    listening = socket.socket(family, socket.SOCK_DGRAM)
    try:
        listening.setblocking(False)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if sys.platform != "linux" and hasattr(socket, "SO_REUSEPORT"):
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
        if family == socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_RECVPKTINFO, 1)
        elif sys.platform == "linux":
            listening.setsockopt(socket.IPPROTO_IP, _PACKET_INFO, 1)
        listening.bind(("", port))
    except BaseException:
        listening.close()
        raise
    return listening


def _interface_of(told: Sequence[tuple[int, int, bytes]]) -> int:
    """The interface that a datagram came in by; 0 where the system does not tell."""
    for level, kind, octets in told:
        if level == socket.IPPROTO_IP and kind == _PACKET_INFO:
            found: int = struct.unpack_from("=I", octets)[0]
            return found
        if level == socket.IPPROTO_IPV6 and kind == socket.IPV6_PKTINFO:
            found = struct.unpack_from("=I", octets, 16)[0]
            return found
    return 0


def _written(sender: tuple[str, int] | tuple[str, int, int, int]) -> str:
    host = sender[0]
    if len(sender) == 4 and sender[3] and "%" not in host:
        try:
            return f"{host}%{socket.if_indextoname(sender[3])}"
        except OSError:
            return host  # the interface is gone meanwhile
    return host
