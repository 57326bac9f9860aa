"""What differs between dialects and installations, as values that the engines read."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class BeatStyle(Enum):
    """When a side sends heartbeats of its own accord."""

    ANSWER = "answer"  # the worker asks when either direction was quiet, the broker answers each
    QUIET = "quiet"  # a side that has sent nothing else for an interval
    STEADY = "steady"  # on a timer of their own, busy or idle


class Correlate(Enum):
    """By which octets a worker says which of its jobs a reply belongs to.

    Jobs from clients of another family, and jobs whose octets the worker holds already, get octets
    that the broker mints. The first and the third need clients of their family to have ids.
    """

    CLIENT_AND_ID = "client and id"  # the tag is (client address, request id)
    CLIENT = "client"  # the tag is the client address
    ID = "id"  # the tag is the request id
    MINTED = "minted"  # the tag is always an id of the broker's own


class Unexpected(Enum):
    """What becomes of a worker that says something valid at the wrong time."""

    DISMISS = "dismiss"  # it is told to go, and then heard no more
    IGNORE = "ignore"  # what it said is dropped


class Again(Enum):
    """What a second registration of a known worker means."""

    UNEXPECTED = "unexpected"
    RESTART = "restart"  # a new conversation: what it held goes to the next worker


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """How often a sign of life is due, and how many may be missed."""

    interval: float = 2.5
    liveness: float = 4.0
    style: BeatStyle = BeatStyle.QUIET

    @property
    def patience(self) -> float:
        """Seconds of silence after which the other side counts as gone."""
        return self.interval * self.liveness


@dataclass(frozen=True, slots=True)
class ClientRules:
    """What the clients of an endpoint can say and hear."""

    has_ids: bool = True  # its requests carry ids; without, each is a request of its own
    partials: bool = True  # it can hear partial replies; without, it gets all with the final one
    body_frames: int | None = None  # exactly so many frames to a body; None: any number
    mmi: bool = False  # it may ask the broker itself: the services named mmi.…


@dataclass(frozen=True, slots=True)
class WorkerRules:
    """What the workers of an endpoint can say and hear."""

    heartbeat: Heartbeat = field(default_factory=Heartbeat)
    correlate: Correlate = Correlate.CLIENT_AND_ID
    offers_slots: bool = False  # it says READY for each request it can take; else credit, renewed
    body_frames: int | None = None
    can_dismiss: bool = True  # the dialect has a word to send a worker away
    strangers: Unexpected = Unexpected.DISMISS  # a worker that speaks without having registered
    unexpected: Unexpected = Unexpected.DISMISS
    again: Again = Again.UNEXPECTED
    deaf_for: float = 10.0  # seconds for which a dismissed or departed identity is not heard


@dataclass(frozen=True, slots=True)
class EndpointRules:
    """One socket of the broker: which dialect it speaks, and to whom."""

    name: str
    family: str  # endpoints of one family hand ids and envelopes on as they came
    clients: ClientRules | None = None
    workers: WorkerRules | None = None


@dataclass(frozen=True, slots=True)
class ServiceRules:
    """How the requests for a service are kept and handed out."""

    credit: int = 1  # requests that one worker may hold at a time
    max_queued: int = 10_000
    expiry: float | None = 60.0  # seconds from acceptance; None: never
    max_redeliveries: int = 3


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on what peers can make the broker remember."""

    max_open: int = 50_000  # requests accepted and not ended: the mark at which sockets pause
    max_open_per_client: int = 10_000
    max_services: int = 10_000
    max_unserved: int = 1_000  # services of them that have requests and no worker
    max_services_per_worker: int = 250
    max_workers: int = 10_000
    max_clients: int = 50_000
    max_peers: int = 55_000  # workers and clients together
    max_slots: int = 1_000  # that one worker may offer
    max_shunned: int = 10_000  # identities on record as invalid or dismissed, for each endpoint
    invalid_for: float = 10.0  # seconds for which a peer that spoke nonsense is not heard
    max_parked: int = 1_000  # replies kept for one client whose queue is full
    max_parked_total: int = 20_000
    parked_for: float = 10.0
    max_gathered: int = 10_000  # frames of partial replies kept for a client that hears only one
    finished_ids: int = 8_192  # ended request ids remembered, to tell a repetition
    client_memory: float = 60.0  # seconds after which a client with nothing open is forgotten


@dataclass(frozen=True, slots=True)
class Backoff:
    """Growing pauses between attempts."""

    first: float = 1.0
    factor: float = 2.0
    longest: float = 32.0

    def pause(self, failures: int) -> float:
        """Seconds to wait after so many failures in a row, counted from zero."""
        pause = self.first
        for _ in range(failures):
            pause *= self.factor
            if pause >= self.longest:
                return self.longest
        return min(pause, self.longest)


@dataclass(frozen=True, slots=True)
class AskingRules:
    """How a client waits for its replies."""

    timeout: float | None = 30.0  # for the whole request; None: for ever
    retry: Backoff | None = field(default_factory=lambda: Backoff(2.5, 2.0, 20.0))  # None: never
    max_retries: int | None = None
    fresh_socket: bool = False  # a retry needs a new socket: the dialect has no ids
    max_open: int = 10_000


@dataclass(frozen=True, slots=True)
class ServingRules:
    """How a worker keeps its conversation with the broker."""

    heartbeat: Heartbeat = field(default_factory=Heartbeat)
    reconnect: Backoff = field(default_factory=Backoff)
    offers_slots: bool = False
    slots: int = 1  # requests to be held at a time; offered one by one when offers_slots
    partials: bool = True  # the dialect has partial replies; without, all go with the final one
    says_goodbye: bool = True  # the dialect has a word to leave
