"""Endpoints as peers write them: which are acceptable, and what they are made of."""

from __future__ import annotations

from ipaddress import ip_address

TRANSPORTS = ("tcp://", "inproc://", "ipc://")


def host_and_port(endpoint: str) -> tuple[str, int]:
    """The host and the port of a TCP endpoint; ("", 0) of any other."""
    if not endpoint.startswith("tcp://"):
        return "", 0
    host, _, port = endpoint[6:].rpartition(":")
    if not (port.isascii() and port.isdigit()) or len(port) > 5:
        return "", 0
    return host.removeprefix("[").removesuffix("]"), int(port)


def tcp_endpoint(host: str, port: int) -> str:
    """The TCP endpoint of a host, which may be an IPv6 address."""
    return f"tcp://[{host}]:{port}" if ":" in host else f"tcp://{host}:{port}"


def can_be_dialled(endpoint: str) -> bool:
    """Whether this is an endpoint to connect to."""
    if not endpoint.startswith(TRANSPORTS):
        return False
    if not endpoint.startswith("tcp://"):
        return len(endpoint) > len("inproc://")
    host, port = host_and_port(endpoint)
    return bool(host) and host != "*" and 0 < port < 65536


def can_be_believed(endpoint: str, own: str) -> bool:
    """Whether we would connect to an endpoint because a stranger says so; `own` is ours.

    A name of a host would have to be looked up, and everybody else would wait meanwhile. Sockets of
    this host and this process are no business of those who come by TCP.
    """
    if not can_be_dialled(endpoint):
        return False
    if not endpoint.startswith("tcp://"):
        return endpoint.partition(":")[0] == own.partition(":")[0]
    try:
        address = ip_address(host_and_port(endpoint)[0])
    except ValueError:
        return False
    return not (address.is_unspecified or address.is_multicast)
