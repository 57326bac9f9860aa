"""The client engine: open requests by id, retries on silence, time-outs, each answered once.

A request is sent, and sent again under the same id while nothing at all is heard about it, with
growing pauses; the broker knows an open id and does not queue it twice. Once a part of the reply has
come it is not sent again: a second run would repeat that part. The final reply, the time-out or the
caller's own word ends it, and whatever comes for it afterwards is reported and not delivered. When the
connection breaks, a reply that has begun is broken off: a part of it may be lost, and nobody could tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from zwire.core.policy import AskingRules
from zwire.core.record import record
from zwire.core.state import NO_FRAMES
from zwire.errors import LocalError

NEVER = float("inf")
GRAIN = 0.01  # seconds between two looks at all open requests


@dataclass(slots=True, eq=False)
class Ask:
    """One open request of this client."""

    request_id: bytes
    service: bytes
    body: Sequence[bytes]
    envelope: Sequence[bytes]
    started: float
    deadline: float
    retry_at: float
    retries: int = 0
    streamed: bool = False
    ended: bool = False
    number: int = 0  # counts the requests of this client


@record
class Send:
    """Send the request; `fresh` asks for a new socket, on which no old reply can arrive."""

    ask: Ask
    fresh: bool = False


@record
class Deliver:
    """Hand a partial or the final reply to the caller."""

    ask: Ask
    body: Sequence[bytes]
    final: bool


@record
class GiveUp:
    """Tell the caller that nobody answered in time."""

    ask: Ask
    waited: float


@record
class BreakOff:
    """Tell the caller that the rest of a reply that had begun may be lost."""

    ask: Ask


@record
class Discard:
    """Log that a reply to nothing open was dropped: a second final one, or one that came late."""

    request_id: bytes
    final: bool


AskEffect: TypeAlias = Send | Deliver | GiveUp | BreakOff | Discard


class Asking:
    """The requests that a client has open."""

    def __init__(self, rules: AskingRules | None = None) -> None:
        self.rules = rules or AskingRules()
        self.open: dict[bytes, Ask] = {}
        self.retried = 0
        self.discarded = 0
        self._look_at = NEVER
        self._number = 0

    def submit(
        self,
        request_id: bytes,
        service: bytes,
        body: Sequence[bytes],
        now: float,
        *,
        timeout: float | None = None,
        envelope: Sequence[bytes] = NO_FRAMES,
    ) -> Sequence[AskEffect]:
        """Open a request; its id must not be open already.

        Without a time-out that of the rules holds; infinity waits for ever.
        """
        if not request_id:
            raise LocalError("a request id must not be empty")
        if request_id in self.open:
            raise LocalError(f"a request with the id {request_id.hex()} is open already")
        if len(self.open) >= self.rules.max_open:
            raise LocalError(f"{len(self.open)} requests are open: no more are allowed")
        timeout = self.rules.timeout if timeout is None else timeout
        deadline = NEVER if timeout is None else now + timeout
        retry = self.rules.retry
        retry_at = NEVER if retry is None else now + retry.pause(0)
        self._number += 1
        ask = Ask(request_id, service, body, envelope, now, deadline, retry_at)
        ask.number = self._number
        self.open[request_id] = ask
        self._look_at = min(self._look_at, deadline, retry_at)
        return [Send(ask)]

    def reply(self, request_id: bytes, body: Sequence[bytes], final: bool) -> Sequence[AskEffect]:
        """A reply came from the broker."""
        ask = self.open.get(request_id)
        if ask is None:
            self.discarded += 1
            return [Discard(request_id, final)]
        ask.streamed = True
        if final:
            self._end(ask)
        return [Deliver(ask, body, final)]

    def interrupt(self, request_ids: Iterable[bytes]) -> Sequence[AskEffect]:
        """The connection over which these are asked broke."""
        begun = [ask for one in request_ids if (ask := self.open.get(one)) and ask.streamed]
        for ask in begun:
            self._end(ask)
        return [BreakOff(ask) for ask in begun]

    def cancel(self, request_id: bytes) -> bool:
        """The caller no longer wants the reply; False when nothing of that id is open."""
        ask = self.open.get(request_id)
        if ask is not None:
            self._end(ask)
        return ask is not None

    def next_deadline(self) -> float | None:
        """When `tick` is next needed; None: not until something is submitted."""
        return None if self._look_at == NEVER or not self.open else self._look_at

    def tick(self, now: float) -> Sequence[AskEffect]:
        """Give up what took too long and send again what nothing was heard of."""
        if now < self._look_at:
            return ()
        effects: list[AskEffect] = []
        earliest = NEVER
        for ask in list(self.open.values()):
            if ask.deadline <= now:
                effects.append(GiveUp(ask, now - ask.started))
                self._end(ask)
                continue
            if ask.retry_at <= now:
                self._retry(ask, now, effects)
            earliest = min(earliest, ask.deadline, ask.retry_at)
        self._look_at = max(earliest, now + GRAIN) if earliest < NEVER else NEVER
        return effects

    def _retry(self, ask: Ask, now: float, effects: list[AskEffect]) -> None:
        retry, most = self.rules.retry, self.rules.max_retries
        if retry is None or ask.streamed or (most is not None and ask.retries >= most):
            ask.retry_at = NEVER
            return
        ask.retries += 1
        self.retried += 1
        ask.retry_at = now + retry.pause(ask.retries)
        effects.append(Send(ask, fresh=self.rules.fresh_socket))

    def _end(self, ask: Ask) -> None:
        ask.ended = True
        del self.open[ask.request_id]
