"""The network interfaces of this host: their addresses, and where a beacon reaches their neighbours.

On Linux an interface may be called by its name; elsewhere it is written as address and prefix length,
`192.168.0.7/24`, which tells all that is needed.
"""

from __future__ import annotations

import socket
import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Interface, NetmaskValueError, ip_network
from pathlib import Path

from zwire.errors import LocalError
from zwire.zre.doors import Door

LOOPBACK = "loopback"
ALL_NODES = "ff02::1"  # the multicast group in which all nodes of a link are without joining it

_UP, _BROADCAST, _LOOPBACK_FLAG = 0x1, 0x2, 0x8
# Questions to Linux
_GET_FLAGS, _GET_ADDRESS, _GET_BROADCAST, _GET_NETMASK = 0x8913, 0x8915, 0x8919, 0x891B
_ADDRESSES6 = Path("/proc/net/if_inet6")


@dataclass(frozen=True, slots=True)
class Interface:
    """One address of this host; index 0 where the system did not tell which interface has it."""

    name: str
    index: int
    address: str
    broadcast: str
    loopback: bool
    prefix: int  # how many bits of the address are the network's

    def door(self, endpoint: str) -> Door:
        """An endpoint at this address, and who reaches it."""
        network = ip_network(f"{self.address}/{self.prefix}", strict=False)
        return Door(endpoint, network, self.name if self._is_link_local else "")

    @property
    def is_ipv6(self) -> bool:
        return ":" in self.address

    @property
    def host(self) -> str:
        """The address as others on this host write it to connect to it."""
        return f"{self.address}%{self.name}" if self._is_link_local else self.address

    @property
    def _is_link_local(self) -> bool:
        return self.is_ipv6 and self.address.startswith("fe80")


THE_LOOPBACK = Interface("lo", 0, "127.0.0.1", "127.255.255.255", True, 8)


def choose_interfaces(wanted: Sequence[str] = (), ipv6: bool = False) -> list[Interface]:
    """The interfaces of these names or addresses; without any all that reach neighbours, else loopback."""
    present = _present(ipv6=ipv6 or bool(wanted))
    if not wanted:
        found = [one for one in present if not one.loopback and (ipv6 or not one.is_ipv6)]
        return _in_order(found) or [_loopback(present)]
    found = []
    for text in wanted:
        found.extend(_called(text, present, ipv6))
    return _in_order(list(dict.fromkeys(found)))


def _in_order(found: list[Interface]) -> list[Interface]:
    return sorted(found, key=lambda one: one.is_ipv6)  # the first is what we are known by


def _called(text: str, present: Sequence[Interface], ipv6: bool) -> list[Interface]:
    if text in (LOOPBACK, "localhost"):
        text = _loopback(present).name
    by_address = [one for one in present if text in (one.address, one.host)]
    if by_address:
        return by_address
    named = [one for one in present if one.name == text]
    if named:
        plain = [one for one in named if not one.is_ipv6]
        return named if ipv6 or not plain else plain
    if text in (THE_LOOPBACK.name, THE_LOOPBACK.address):
        return [THE_LOOPBACK]
    if "/" in text:
        return [_written(text)]
    known = ", ".join(sorted({one.name for one in present})) or "none is known"
    raise LocalError(f"no interface {text!r} that is up and has an address: {known}, or ADDRESS/24")


def _written(text: str) -> Interface:
    try:
        found = IPv4Interface(text)
    except (AddressValueError, NetmaskValueError, ValueError) as error:
        raise LocalError(f"{text!r} is no address with a prefix length: {error}") from error
    network = found.network
    return Interface(
        text, 0, str(found.ip), str(network.broadcast_address), False, network.prefixlen
    )


def _loopback(present: Sequence[Interface]) -> Interface:
    here = (one for one in present if one.loopback and not one.is_ipv6)
    return next(here, THE_LOOPBACK)


def _present(*, ipv6: bool) -> list[Interface]:
    if sys.platform != "linux":
        return []
    found: list[Interface] = []
    sixes = _present6() if ipv6 else {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for index, name in socket.if_nameindex():
            flags = _ask(asking, _GET_FLAGS, name)
            if flags is None:
                continue
            (bits,) = struct.unpack_from("=H", flags, 16)
            if not bits & _UP:
                continue
            loopback = bool(bits & _LOOPBACK_FLAG)
            address = _ask(asking, _GET_ADDRESS, name)
            if address is not None and (loopback or bits & _BROADCAST):
                told = THE_LOOPBACK.broadcast if loopback else _broadcast(asking, name)
                prefix = _prefix(asking, name)
                found.append(Interface(name, index, _dotted(address), told, loopback, prefix))
            for six, prefix in sixes.get(name, ()):
                found.append(Interface(name, index, six, ALL_NODES, loopback, prefix))
    return found


def _broadcast(asking: socket.socket, name: str) -> str:
    told = _ask(asking, _GET_BROADCAST, name)
    return "255.255.255.255" if told is None else _dotted(told)


def _prefix(asking: socket.socket, name: str) -> int:
    told = _ask(asking, _GET_NETMASK, name)
    return 32 if told is None else int.from_bytes(told[20:24], "big").bit_count()


def _ask(asking: socket.socket, question: int, name: str) -> bytes | None:
    from fcntl import ioctl

    try:
        return ioctl(asking.fileno(), question, struct.pack("256s", name.encode()[:15]))
    except OSError:
        return None  # it has none


def _dotted(answer: bytes) -> str:
    return socket.inet_ntoa(answer[20:24])


def _present6() -> dict[str, list[tuple[str, int]]]:
    """For each interface the address that its multicast comes from: link-local, or loopback's own."""
    found: dict[str, list[tuple[str, int]]] = {}
    if not _ADDRESSES6.exists():
        return found
    for line in _ADDRESSES6.read_text().splitlines():
        octets, _index, prefix, scope, _flags, name = line.split()
        if scope in ("20", "10"):  # link-local; loopback
            text = socket.inet_ntop(socket.AF_INET6, bytes.fromhex(octets))
            found.setdefault(name, [(text, int(prefix, 16))])
    return found
