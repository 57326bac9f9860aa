"""Keys and values, passed on from node to node until all have them.

Made by `zwire generate` from zgossip.md; do not edit.
"""

from __future__ import annotations

from .messages import (
    DECODERS,
    MESSAGES,
    SIGNATURE,
    Hello,
    Invalid,
    Message,
    Ping,
    Pong,
    Publish,
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
    "SIGNATURE",
    "Hello",
    "Invalid",
    "Message",
    "Ping",
    "Pong",
    "Publish",
    "decode",
    "dump",
    "encode",
    "from_dict",
    "summary",
    "to_dict",
]
