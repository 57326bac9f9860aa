"""Endpoints as people write them: which of them others can reach, and whether to bind or connect."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

from zwire.io.errors import BadEndpoint

CONNECT_PREFIX = "connect:"
PLAIN_PREFIX = "plain:"
_LOCAL_TRANSPORTS = ("ipc", "inproc")
_TRANSPORTS = ("tcp", *_LOCAL_TRANSPORTS)
_LOCAL_HOSTS = ("localhost", "lo")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address, whether we connect to it or bind it, and whether it does without CURVE."""

    address: str
    connects: bool = False
    plain: bool = False  # even where keys are given for all others

    def __str__(self) -> str:
        plain = PLAIN_PREFIX if self.plain else ""
        return f"{plain}{CONNECT_PREFIX if self.connects else ''}{self.address}"


def read_endpoint(text: str) -> Endpoint:
    """`connect:tcp://host:port` or `tcp://host:port` as an Endpoint; BadEndpoint otherwise."""
    endpoint = as_endpoint(text)
    address, connects = endpoint.address, endpoint.connects
    transport, separator, rest = address.partition("://")
    if not separator or transport not in _TRANSPORTS or not rest:
        raise BadEndpoint(
            "not an endpoint",
            where=repr(text),
            expected="tcp://host:port, ipc://path or inproc://name",
            remedy="write connect: in front to connect instead of bind",
        )
    if transport == "tcp":
        host, colon, port = rest.rpartition(":")
        wild = port in ("*", "!") and not connects
        if not colon or not host or not (wild or (port.isdecimal() and int(port) <= 65535)):
            raise BadEndpoint(
                "a tcp endpoint without a host and a port",
                where=repr(text),
                expected="tcp://host:port with a port of 0 to 65535",
                got=repr(rest),
                remedy="use * as port to bind any free one" if not connects else "name the port",
            )
    return endpoint


def as_endpoint(text: str) -> Endpoint:
    """An endpoint as it is written, with or without sense."""
    plain = text.startswith(PLAIN_PREFIX)
    rest = text.removeprefix(PLAIN_PREFIX).strip()
    return Endpoint(
        rest.removeprefix(CONNECT_PREFIX).strip(), rest.startswith(CONNECT_PREFIX), plain
    )


def is_loopback(endpoint: str) -> bool:
    """Whether only programs on this machine can reach the endpoint; unsure means no."""
    transport, _, rest = endpoint.partition("://")
    if transport in _LOCAL_TRANSPORTS:
        return True
    if transport != "tcp":
        return False
    host = rest.rpartition(":")[0].strip("[]")
    if host in _LOCAL_HOSTS:
        return True
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped.is_loopback
    return address.is_loopback
