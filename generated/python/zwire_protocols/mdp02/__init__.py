"""A broker of named services with streamed replies, for DEALER clients.

Made by `zwire generate` from mdp02.md; do not edit.
"""

from __future__ import annotations

from . import client, worker

__all__ = [
    "client",
    "worker",
]
