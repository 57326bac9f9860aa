"""What the broker engine is told: facts in the past tense, made by a dialect out of frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from zwire.core.record import record
from zwire.core.state import NO_FRAMES, Endpoint, Tag


@record
class Registered:
    """A worker opened a conversation and named what it serves."""

    endpoint: Endpoint
    identity: bytes
    services: Sequence[bytes]


@record
class Offered:
    """A worker can take one more request (only where slots are offered one by one)."""

    endpoint: Endpoint
    identity: bytes


@record
class Requested:
    """A client asked; `request_id` is None where the dialect has no ids.

    The envelope is whatever the client's dialect needs again for the reply, or a worker of the same
    family gets with the request: a stack of addresses, headers.
    """

    endpoint: Endpoint
    identity: bytes
    service: bytes
    request_id: bytes | None
    body: Sequence[bytes]
    envelope: Sequence[bytes] = NO_FRAMES


@record
class Answered:
    """A worker replied; a tag of None means "the one job you hold"."""

    endpoint: Endpoint
    identity: bytes
    tag: Tag | None
    body: Sequence[bytes]
    final: bool = True


@record
class Pulsed:
    """A worker gave a sign of life and nothing else."""

    endpoint: Endpoint
    identity: bytes


@record
class Departed:
    """A worker said goodbye."""

    endpoint: Endpoint
    identity: bytes


@record
class Strayed:
    """A worker said something valid that its conversation did not allow at that point."""

    endpoint: Endpoint
    identity: bytes
    why: str


@record
class Misspoke:
    """A peer said something that is no message of the dialect."""

    endpoint: Endpoint
    identity: bytes
    why: str


@record
class Vanished:
    """The transport cannot reach a peer any more."""

    endpoint: Endpoint
    identity: bytes


Event: TypeAlias = (
    Registered | Offered | Requested | Answered | Pulsed | Departed | Strayed | Misspoke | Vanished
)
