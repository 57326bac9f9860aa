"""Beacons on UDP: sent on every interface in use, and heard only from those."""

from __future__ import annotations

import logging
import socket
from collections.abc import Sequence

from zwire.errors import LocalError
from zwire.io.zre_ether import Ether, Overhear
from zwire.io.zre_interfaces import Interface

_log = logging.getLogger("zwire.node")


class Air:
    """What one node sends by UDP and hears there; the port is shared with all nodes of this host."""

    def __init__(self, interfaces: Sequence[Interface], port: int) -> None:
        self.port = port
        self.unsent = 0
        self._interfaces = interfaces
        self._senders: list[tuple[socket.socket, tuple[str, int] | tuple[str, int, int, int]]] = []
        self._ethers: list[Ether] = []
        self._overhear: Overhear | None = None
        try:
            for one in interfaces:
                self._senders.append(self._sender(one, _family(one)))
        except OSError as error:
            self.close()
            raise self._refused(error) from error

    def listen(self, overhear: Overhear) -> None:
        """Have this called, in another thread, with every datagram that comes by an interface in use."""
        self._overhear = overhear
        indexes = frozenset(one.index for one in self._interfaces) - {0}
        try:
            for family in dict.fromkeys(_family(one) for one in self._interfaces):
                self._ethers.append(Ether.listen(family, self.port, indexes, overhear))
        except OSError as error:
            raise self._refused(error) from error

    def _refused(self, error: OSError) -> LocalError:
        return LocalError(f"no beacons on UDP port {self.port}: {error.strerror}")

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

    def close(self) -> None:
        """Neither send nor hear any more."""
        for ether in self._ethers:
            if self._overhear is not None:
                ether.leave(self._overhear)
        self._ethers.clear()
        for one, _ in self._senders:
            one.close()


def _family(interface: Interface) -> socket.AddressFamily:
    return socket.AF_INET6 if interface.is_ipv6 else socket.AF_INET
