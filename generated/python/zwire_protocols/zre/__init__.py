"""Discovery, groups and messages among the nodes of a local network, without a server.

Made by `zwire generate` from zre.md; do not edit.
"""

from __future__ import annotations

from . import beacon, messages

__all__ = [
    "beacon",
    "messages",
]
