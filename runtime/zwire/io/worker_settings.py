"""How a worker keeps its conversation, and what it tells about it."""

from __future__ import annotations

from dataclasses import dataclass

from zwire.core.policy import Backoff, Heartbeat, ServingRules
from zwire.dialects.serving import Manners
from zwire.errors import LocalError


@dataclass(frozen=True, slots=True)
class WorkerEvent:
    """Something that happened to a worker, and why.

    `ready`: it has registered; `lost`: its conversation is over and a new one follows; `draining`:
    it finishes what is open; `left`: it has ended.
    """

    what: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """How a worker keeps its conversation; times are in seconds.

    Heartbeats go every `interval`, and a broker that is silent for `liveness` of them is gone;
    without either, what is usual in the dialect: 2.5 seconds and 4, in PPP 1 second and 3. `slots`
    is how many requests it works at side by side: over eMQP it offers them, elsewhere the broker
    must be told to give it credit. After a lost conversation it waits `reconnect` seconds, twice as
    long after each failure in a row, up to `reconnect_longest`.
    """

    interval: float | None = None
    liveness: float | None = None
    slots: int = 1
    reconnect: float = 1.0
    reconnect_longest: float = 32.0

    def __post_init__(self) -> None:
        mistakes = []
        if self.interval is not None and not self.interval > 0:
            mistakes.append(f"interval is more than 0, not {self.interval}")
        if self.liveness is not None and not self.liveness >= 1:
            mistakes.append(f"liveness is at least 1, not {self.liveness}")
        if self.slots < 1:
            mistakes.append(f"a worker has at least one slot, not {self.slots}")
        if not 0 < self.reconnect <= self.reconnect_longest:
            mistakes.append("reconnect is more than 0 and not above reconnect_longest")
        if mistakes:
            raise LocalError("; ".join(mistakes))

    def rules(self, manners: Manners, *, binds: bool = False) -> ServingRules:
        """The same, as the engine reads it."""
        usual = manners.heartbeat
        heartbeat = Heartbeat(
            usual.interval if self.interval is None else self.interval,
            usual.liveness if self.liveness is None else self.liveness,
            usual.style,
        )
        # A worker that binds burdens nobody by being ready again: it need not hold back.
        factor = 1.0 if binds else 2.0
        return ServingRules(
            heartbeat,
            Backoff(self.reconnect, factor, self.reconnect_longest),
            offers_slots=manners.offers_slots,
            slots=self.slots,
            partials=manners.partials,
            says_goodbye=manners.says_goodbye,
        )
