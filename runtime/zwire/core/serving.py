"""The worker engine: one conversation with the broker after another, heartbeats, open jobs.

A conversation begins on a new socket with a registration and lasts until the broker sends us away,
is silent for too long, or we leave. Then comes a pause, longer after each failure in a row, and a new
conversation. What was open belongs to the old one: the broker gives it to somebody else, so its
answer is dropped here. Inside a conversation each task gets any number of partial answers and exactly
one final one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from zwire.core.policy import BeatStyle, ServingRules
from zwire.core.record import record
from zwire.core.state import NO_FRAMES, Tag
from zwire.errors import LocalError

NEVER = float("inf")


class Phase(Enum):
    """Where the worker stands."""

    NEW = "new"
    TALKING = "talking"
    PAUSING = "pausing"
    CLOSED = "closed"


class Turn(Enum):
    """What moves it on."""

    CONNECT = "connect"
    LOSE = "lose"
    CLOSE = "close"


TRANSITIONS: dict[tuple[Phase, Turn], Phase] = {
    (Phase.NEW, Turn.CONNECT): Phase.TALKING,
    (Phase.TALKING, Turn.LOSE): Phase.PAUSING,
    (Phase.PAUSING, Turn.CONNECT): Phase.TALKING,
    (Phase.NEW, Turn.CLOSE): Phase.CLOSED,
    (Phase.TALKING, Turn.CLOSE): Phase.CLOSED,
    (Phase.PAUSING, Turn.CLOSE): Phase.CLOSED,
}


@dataclass(slots=True, eq=False)
class Task:
    """A request in this worker's hands."""

    tag: Tag
    body: Sequence[bytes]
    envelope: Sequence[bytes]
    conversation: int
    answered: bool = False
    gathered: list[bytes] = field(default_factory=list)
    number: int = 0  # counts the tasks of this worker


@record
class Connect:
    """Make a new socket with a fresh identity and connect it."""


@record
class Register:
    """Send the registration."""


@record
class Offer:
    """Send that one more request can be taken."""


@record
class Perform:
    """Hand the task to the code that does the work."""

    task: Task


@record
class Answer:
    """Send a partial or the final reply to a task."""

    task: Task
    body: Sequence[bytes]
    final: bool


@record
class Pulse:
    """Send a heartbeat."""


@record
class Goodbye:
    """Send that we leave."""


@record
class Disconnect:
    """Close the socket; what is queued on it for the broker may still go out if we leave for good."""

    why: str


@record
class Renounce:
    """Close the socket, drop what is queued on it, and send our goodbye by another under its identity."""

    why: str


@record
class Drop:
    """Log that an answer went nowhere, since its conversation is over."""

    task: Task
    final: bool


ServeEffect: TypeAlias = (
    Connect | Register | Offer | Perform | Answer | Pulse | Goodbye | Disconnect | Renounce | Drop
)


class Serving:
    """One worker's side of its conversations."""

    def __init__(self, rules: ServingRules | None = None) -> None:
        self.rules = rules or ServingRules()
        self.phase = Phase.NEW
        self.conversation = 0  # counted from 1
        self.open: set[Task] = set()
        self._failures = 0
        self._heard = self._sent = self._beaten = -NEVER
        self._reconnect_at = NEVER
        self._draining = False
        self._number = 0

    # What happens

    def start(self, now: float) -> Sequence[ServeEffect]:
        """Begin the first conversation."""
        return self._converse(now)

    def assign(
        self, tag: Tag, body: Sequence[bytes], now: float, envelope: Sequence[bytes] = NO_FRAMES
    ) -> Sequence[ServeEffect]:
        """The broker sent a request."""
        if self.phase is not Phase.TALKING:
            return ()
        self._hear(now)
        if self._draining:
            return ()  # given before the broker knows that we leave: it gives it to somebody else
        self._number += 1
        task = Task(tag, body, envelope, self.conversation, number=self._number)
        self.open.add(task)
        return [Perform(task)]

    def pulse(self, now: float) -> Sequence[ServeEffect]:
        """The broker gave a sign of life."""
        if self.phase is Phase.TALKING:
            self._hear(now)
        return ()

    def dismiss(self, now: float) -> Sequence[ServeEffect]:
        """The broker sent us away: not a word more on this socket."""
        if self.phase is not Phase.TALKING:
            return ()
        return self._lose("the broker sent us away", now)

    def interrupt(self, now: float) -> Sequence[ServeEffect]:
        """The connection broke, and stands again or will.

        A task or a reply may have been lost with it. The broker would wait for that reply, and we
        for that task, as long as both of us live: only a new conversation clears it up, and a word
        to the broker that the old one is over. What is still queued must not follow that which was
        lost, lest a part of a reply is missing in the middle.
        """
        if self.phase is not Phase.TALKING:
            return ()
        lost = self._lose("the connection broke", now)
        return [Renounce("the connection broke")] if self.rules.says_goodbye else lost

    def answer(
        self, task: Task, body: Sequence[bytes], final: bool, now: float
    ) -> Sequence[ServeEffect]:
        """The work on a task yielded a part of the reply, or the last of it."""
        if task.answered:
            raise LocalError("the final reply to this request has been sent already")
        task.answered = final
        if self.phase is not Phase.TALKING or task.conversation != self.conversation:
            return [Drop(task, final)]
        if not self.rules.partials:
            if not final:
                task.gathered.extend(body)
                return ()
            body = [*task.gathered, *body] if task.gathered else body
        self._sent = now
        effects: list[ServeEffect] = [Answer(task, body, final)]
        if final:
            self.open.discard(task)
            if self._draining and not self.open:
                effects.extend(self.stop(now))
            elif self.rules.offers_slots and not self._draining:
                effects.append(Offer())
        return effects

    def drain(self, now: float) -> Sequence[ServeEffect]:
        """Finish the open tasks, then leave."""
        self._draining = True
        return () if self.open and self.phase is Phase.TALKING else self.stop(now)

    def stop(self, now: float) -> Sequence[ServeEffect]:
        """Leave at once; what is open goes to somebody else."""
        if self.phase is Phase.CLOSED:
            return ()
        talking = self.phase is Phase.TALKING
        self._turn(Turn.CLOSE)
        self.open.clear()
        self._reconnect_at = NEVER
        if not talking:
            return ()
        goodbye: list[ServeEffect] = [Goodbye()] if self.rules.says_goodbye else []
        return [*goodbye, Disconnect("we leave")]

    # Time

    def next_deadline(self) -> float | None:
        """When `tick` is next needed; None: not until something happens."""
        if self.phase is Phase.PAUSING:
            return self._reconnect_at
        if self.phase is not Phase.TALKING:
            return None
        return min(self._beat_due(), self._heard + self.rules.heartbeat.patience)

    def tick(self, now: float, drained: bool = True) -> Sequence[ServeEffect]:
        """Do what is due: a heartbeat, giving the broker up, or a new conversation.

        With `drained` false the broker is not given up: it may have spoken while the shell slept.
        """
        if self.phase is Phase.PAUSING and now >= self._reconnect_at:
            return self._converse(now)
        if self.phase is not Phase.TALKING:
            return ()
        if drained and now >= self._heard + self.rules.heartbeat.patience:
            return self._lose("the broker is silent", now)
        if now >= self._beat_due():
            self._sent = self._beaten = now
            return [Pulse()]
        return ()

    def _beat_due(self) -> float:
        interval, style = self.rules.heartbeat.interval, self.rules.heartbeat.style
        if style is BeatStyle.STEADY:
            return self._beaten + interval
        if style is BeatStyle.QUIET:
            return self._sent + interval
        # Asking is for either direction that was quiet; a question without an answer yet does not
        # hold back the next one, nor does it bring it forward.
        return max(min(self._sent, self._heard), self._beaten) + interval

    # Conversations

    def _converse(self, now: float) -> Sequence[ServeEffect]:
        self._turn(Turn.CONNECT)
        self.conversation += 1
        self._heard = self._sent = self._beaten = now
        slots = self.rules.slots if self.rules.offers_slots else 0
        return [Connect(), Register(), *(Offer() for _ in range(slots))]

    def _lose(self, why: str, now: float) -> Sequence[ServeEffect]:
        self._turn(Turn.LOSE)
        self.open.clear()
        if self._draining:
            self._turn(Turn.CLOSE)
            return [Disconnect(why)]
        self._reconnect_at = now + self.rules.reconnect.pause(self._failures)
        self._failures += 1
        return [Disconnect(why)]

    def _hear(self, now: float) -> None:
        self._heard = now
        self._failures = 0

    def _turn(self, turn: Turn) -> None:
        phase = TRANSITIONS.get((self.phase, turn))
        if phase is None:
            raise LocalError(f"a worker that is {self.phase.value} cannot {turn.value}")
        self.phase = phase
