"""Requests to a pool of workers that say when they are ready, with heartbeats both ways.

Made by `zwire generate` from ppp.md; do not edit.
"""

from __future__ import annotations

from .messages import (
    DECODERS,
    INTERVAL_MS,
    LIVENESS,
    MESSAGES,
    RECONNECT_MAX_MS,
    RECONNECT_MS,
    Heartbeat,
    Message,
    Ready,
    Reply,
    Request,
    decode_from_client,
    decode_from_worker,
    dump,
    encode,
    from_dict,
    join,
    split,
    summary,
    to_dict,
)

__all__ = [
    "DECODERS",
    "INTERVAL_MS",
    "LIVENESS",
    "MESSAGES",
    "RECONNECT_MAX_MS",
    "RECONNECT_MS",
    "Heartbeat",
    "Message",
    "Ready",
    "Reply",
    "Request",
    "decode_from_client",
    "decode_from_worker",
    "dump",
    "encode",
    "from_dict",
    "join",
    "split",
    "summary",
    "to_dict",
]
