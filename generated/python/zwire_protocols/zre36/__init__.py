"""Discovery, groups and messages among the nodes of a local network, as zyre speaks it.

Made by `zwire generate` from zre36.md; do not edit.
"""

from __future__ import annotations

from . import beacon, beacon3, messages

__all__ = [
    "beacon",
    "beacon3",
    "messages",
]
