"""A broker of named services, with request ids, streamed replies and ping-pong heartbeats.

Made by `zwire generate` from mdpx.md; do not edit.
"""

from __future__ import annotations

from . import client, worker

__all__ = [
    "client",
    "worker",
]
