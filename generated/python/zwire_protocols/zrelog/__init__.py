"""Log events of ZRE nodes, published to a collector.

Made by `zwire generate` from zrelog.md; do not edit.
"""

from __future__ import annotations

from .messages import (
    DECODERS,
    MESSAGES,
    SERVICE,
    SIGNATURE,
    Event,
    Level,
    Log,
    Message,
    decode,
    dump,
    encode,
    from_dict,
    summary,
    to_dict,
)

__all__ = [
    "DECODERS",
    "MESSAGES",
    "SERVICE",
    "SIGNATURE",
    "Event",
    "Level",
    "Log",
    "Message",
    "decode",
    "dump",
    "encode",
    "from_dict",
    "summary",
    "to_dict",
]
