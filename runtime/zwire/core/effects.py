"""What the broker engine orders: the dialect puts it into frames, the shell sends or logs it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TypeAlias

from zwire.core.record import record
from zwire.core.state import Endpoint, Job, Tag, Worker


class What(Enum):
    """The kinds of happenings that are told, counted and logged."""

    WORKER_JOINED = "worker joined"
    WORKER_LEFT = "worker left"
    WORKER_LOST = "worker lost"
    WORKER_DISMISSED = "worker dismissed"
    WORKER_REFUSED = "worker refused"
    STRANGER = "stranger spoke"
    VIOLATION = "violation"
    INVALID = "invalid message"
    REFUSED = "request refused"
    RETRIED = "request retried"
    REPEATED = "finished request repeated"
    REDELIVERED = "request redelivered"
    EXPIRED = "request expired"
    FAILED = "request failed"
    CLIENT_GONE = "client gone"
    LATE_REPLY = "late reply discarded"
    REPLY_PARKED = "reply parked"
    REPLY_DROPPED = "reply dropped"
    RECORDING_STOPPED = "recording stopped"
    DRAINING = "draining"
    STOPPED = "stopped"


@record
class Assign:
    """Send the job's request to the worker, under the tag by which its replies will be known."""

    worker: Worker
    job: Job
    tag: Tag


@record
class Reply:
    """Send a partial or the final reply to the job's client.

    When the client's queue is full, or replies are parked for it already, the shell hands the reply
    back by `Broker.undelivered`; `until` is when one that was parked before is given up.
    """

    job: Job
    body: Sequence[bytes]
    final: bool
    until: float | None = None


@record
class Beat:
    """Send the worker a heartbeat, or the answer to its own."""

    worker: Worker


@record
class Dismiss:
    """Tell the peer at this endpoint to go; nothing follows."""

    endpoint: Endpoint
    identity: bytes


@record
class Tell:
    """Log and count that something happened; a happening that ends a request says so in `what`."""

    what: What
    endpoint: str = ""
    peer: bytes = b""
    service: bytes = b""
    job: int = 0
    request_id: bytes = b""
    why: str = ""


Effect: TypeAlias = Assign | Reply | Beat | Dismiss | Tell

NOTHING: Sequence[Effect] = ()

# Each accepted request ends by a final Reply or by exactly one of these.
ENDINGS = frozenset({What.EXPIRED, What.FAILED, What.CLIENT_GONE})
