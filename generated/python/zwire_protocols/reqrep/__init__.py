"""Requests and replies between REQ, REP, DEALER and ROUTER sockets, with their address envelope.

Made by `zwire generate` from reqrep.md; do not edit.
"""

from __future__ import annotations

from . import rep, req

__all__ = [
    "rep",
    "req",
]
