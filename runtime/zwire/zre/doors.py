"""Doors: a host with several interfaces has several addresses, and tells a peer the one it can reach.

HELLO names one endpoint. A peer on the second network would be sent to an address of the first, which
it may have no way to; so each peer is told the address in its own network, and where there is none, the
first. Link-local addresses of IPv6 are the same in every network and are told apart by the interface.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address

from zwire.zre.endpoints import host_and_port, tcp_endpoint


@dataclass(frozen=True, slots=True)
class Door:
    """One endpoint of our mailbox, and the network whose members reach it."""

    endpoint: str
    network: IPv4Network | IPv6Network
    interface: str = ""  # of a link-local address


def door_for(peer: str, doors: Sequence[Door], usual: str) -> str:
    """The endpoint to tell a peer that we reach at this one."""
    if len(doors) < 2:
        return usual
    host = host_and_port(peer)[0]
    try:
        address = ip_address(host)
    except ValueError:
        return usual
    for door in doors:
        if address in door.network and _interface(host) in ("", door.interface):
            return door.endpoint
    return usual


def from_here(endpoint: str, doors: Sequence[Door]) -> str:
    """The endpoint of a peer as it is written on this host; empty where it is nowhere to be found.

    Only a link-local address is written otherwise: with the name of our interface, not of the peer's.
    """
    host, port = host_and_port(endpoint)
    try:
        address = ip_address(host)
    except ValueError:
        return endpoint
    if not (isinstance(address, IPv6Address) and address.is_link_local):
        return endpoint
    interfaces = {door.interface for door in doors if door.interface}
    if _interface(host) in interfaces:
        return endpoint
    if len(interfaces) != 1:
        return ""
    return tcp_endpoint(f"{host.partition('%')[0]}%{interfaces.pop()}", port)


def _interface(host: str) -> str:
    return host.partition("%")[2]
