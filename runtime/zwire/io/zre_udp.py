"""Beacons on UDP: sent on every interface in use, and heard only from those."""

from __future__ import annotations

import logging
import socket
import struct
import sys
from collections.abc import Sequence

from zwire.errors import LocalError
from zwire.io.zre_interfaces import Interface

_log = logging.getLogger("zwire.node")

LONGEST = 256  # octets that are read of a datagram: more than any beacon has
_PACKET_INFO = 8  # IP_PKTINFO of Linux, which not every Python names
_ROOM = socket.CMSG_SPACE(32) if hasattr(socket, "CMSG_SPACE") else 0
_BUFFER = 1 << 20  # for beacons that come all at once


class Air:
    """One UDP port, shared with every other node of this host."""

    def __init__(self, interfaces: Sequence[Interface], port: int) -> None:
        self.port = port
        self.unsent = 0
        self._indexes = {one.index for one in interfaces} - {0}
        self._senders: list[tuple[socket.socket, tuple[str, int] | tuple[str, int, int, int]]] = []
        self.receivers: list[socket.socket] = []
        try:
            for family in (socket.AF_INET, socket.AF_INET6):
                sixes = family == socket.AF_INET6
                own = [one for one in interfaces if one.is_ipv6 == sixes]
                if own:
                    self.receivers.append(self._listen(family))
                for one in own:
                    self._senders.append(self._sender(one, family))
        except OSError as error:
            self.close()
            raise LocalError(f"no beacons on UDP port {port}: {error.strerror}") from error

    def _listen(self, family: socket.AddressFamily) -> socket.socket:
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
            listening.bind(("", self.port))
        except BaseException:
            listening.close()
            raise
        return listening

    def _sender(
        self, interface: Interface, family: socket.AddressFamily
    ) -> tuple[socket.socket, tuple[str, int] | tuple[str, int, int, int]]:
        sending = socket.socket(family, socket.SOCK_DGRAM)
        try:
            sending.setblocking(False)
            if family == socket.AF_INET6:
                scope = interface.index if interface.address.startswith("fe80") else 0
                sending.bind((interface.address, 0, 0, scope))
                # The node beside us on this host hears us too.
                sending.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_LOOP, 1)
                sending.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, interface.index)
                return sending, (interface.broadcast, self.port, 0, interface.index)
            sending.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            sending.bind((interface.address, 0))
        except BaseException:
            sending.close()
            raise
        return sending, (interface.broadcast, self.port)

    def send(self, octets: bytes) -> None:
        """Broadcast on every interface; one that is down now may be up for the next beacon."""
        for sending, target in self._senders:
            try:
                sending.sendto(octets, target)
            except OSError as error:
                self.unsent += 1
                _log.debug("no beacon to %s: %s", target[0], error.strerror)

    def receive(self, listening: socket.socket) -> tuple[bytes, str] | None:
        """The next datagram of an interface in use and who sent it; None: no more for now."""
        while True:
            try:
                octets, told, _flags, sender = listening.recvmsg(LONGEST, _ROOM)
            except (BlockingIOError, InterruptedError):
                return None
            except OSError as error:
                _log.debug("nothing heard on UDP port %s: %s", self.port, error.strerror)
                return None
            index = _interface_of(told)
            if not self._indexes or index == 0 or index in self._indexes:
                return octets, _written(sender)

    def close(self) -> None:
        for one in self.receivers:
            one.close()
        for one, _ in self._senders:
            one.close()


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
        return f"{host}%{socket.if_indextoname(sender[3])}"
    return host
