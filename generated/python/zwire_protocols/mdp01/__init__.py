"""A broker of named services with one reply to a request, for REQ clients.

Made by `zwire generate` from mdp01.md; do not edit.
"""

from __future__ import annotations

from . import client, worker

__all__ = [
    "client",
    "worker",
]
