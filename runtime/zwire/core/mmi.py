"""The services that a Majordomo broker answers itself: 8/MMI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zwire.core.state import Service

PREFIX = b"mmi."


def answer(name: bytes, body: Sequence[bytes], services: Mapping[bytes, Service]) -> bytes:
    """The return code for a request to a service of the broker's own."""
    if name != b"mmi.service":
        return b"501"  # not implemented
    service = services.get(body[-1]) if body else None
    return b"200" if service is not None and service.workers else b"404"
