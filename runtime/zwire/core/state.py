"""What the broker engine remembers: endpoints, clients, workers, services and jobs.

These are plain slotted objects compared by identity, and not written out field by field: each leads to
all the others. The engine alone changes them; dialects and shells read them when they carry out an
effect.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from zwire.core.finished import FinishedIds
from zwire.core.policy import ClientRules, EndpointRules, ServiceRules, WorkerRules
from zwire.core.queueing import FairQueue
from zwire.core.shunned import Shunned

if TYPE_CHECKING:
    from zwire.core.effects import Reply

Tag: TypeAlias = tuple[bytes, bytes] | bytes

NO_FRAMES: Sequence[bytes] = ()


@dataclass(slots=True, eq=False, repr=False)
class Endpoint:
    """One socket of the broker, with the peers that are known there by their identities."""

    rules: EndpointRules
    shunned: Shunned
    finished: FinishedIds
    family: str
    clients: dict[bytes, Client] = field(default_factory=dict)
    workers: dict[bytes, Worker] = field(default_factory=dict)
    beside: list[Endpoint] = field(default_factory=list)  # all that share its socket, itself too
    next_scan: float = float("inf")  # when the workers' signs of life are looked at again

    @property
    def name(self) -> str:
        """The name by which events and logs call this endpoint."""
        return self.rules.name

    @property
    def shared(self) -> bool:
        """Whether clients and workers use the same socket, which therefore must never pause."""
        return self.rules.clients is not None and self.rules.workers is not None


@dataclass(slots=True, eq=False, repr=False)
class Client:
    """Somebody who asks."""

    endpoint: Endpoint
    identity: bytes
    rules: ClientRules
    seen: float
    jobs: dict[Hashable, Job] = field(default_factory=dict)
    parked: deque[Reply] = field(default_factory=deque)


@dataclass(slots=True, eq=False, repr=False)
class Worker:
    """Somebody who answers."""

    endpoint: Endpoint
    identity: bytes
    rules: WorkerRules
    services: tuple[Service, ...]
    free: int  # requests it can take now
    heard: float
    sent: float  # when it was last sent anything
    beaten: float  # when it was last sent a heartbeat
    frames: int | None  # what its dialect can carry, copied from the rules
    only: Service | None  # its one service, when it has but one
    waiting: bool = False  # stands in the waiting line of each of its services
    jobs: dict[Tag, Job] = field(default_factory=dict)


@dataclass(slots=True, eq=False, repr=False)
class Service:
    """A name, the workers that serve it and the requests for it."""

    name: bytes
    rules: ServiceRules
    queue: FairQueue = field(default_factory=FairQueue)
    waiting: deque[Worker] = field(default_factory=deque)  # least recently used first
    workers: set[Worker] = field(default_factory=set)
    picky: int = 0  # how many of them carry only bodies of a certain number of frames
    open: dict[int, Job] = field(default_factory=dict)  # by number, hence by age


@dataclass(slots=True, eq=False, repr=False)
class Job:
    """One accepted request on its way to its one end.

    It waits (no worker), is held (a worker and a tag) or has ended. An ended job may still stand in
    the table of the worker that has not yet replied.
    """

    number: int
    client: Client
    key: Hashable  # under which the client's table knows it
    request_id: bytes  # what the client called it; empty where it has no ids
    service: Service
    body: Sequence[bytes]
    envelope: Sequence[bytes]
    expires: float
    worker: Worker | None = None
    tag: Tag = b""
    deliveries: int = 0
    streamed: bool = False  # a partial reply has gone to the client
    ended: bool = False
    muted: bool = False  # it ended without its final reply: parts still to be sent are dropped
    gathered: list[bytes] | None = None  # partial replies kept back until the final one
