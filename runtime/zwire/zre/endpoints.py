"""Endpoints as peers write them: which are acceptable, and what they are made of."""

from __future__ import annotations

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
    """Whether an endpoint that a peer named is one that we would connect to."""
    if not endpoint.startswith(TRANSPORTS):
        return False
    if not endpoint.startswith("tcp://"):
        return len(endpoint) > len("inproc://")
    host, port = host_and_port(endpoint)
    return bool(host) and host != "*" and 0 < port < 65536
