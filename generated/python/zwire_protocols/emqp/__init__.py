"""Requests through named queues of a broker to workers that ask for as many as they can take.

Made by `zwire generate` from emqp.md; do not edit.
"""

from __future__ import annotations

from . import client, worker

__all__ = [
    "client",
    "worker",
]
