"""The worker's driver: the serving engine with its dialect and one DEALER socket at a time."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import assert_never

import zmq

from zwire.core.serving import (
    Answer,
    Connect,
    Disconnect,
    Drop,
    Goodbye,
    Offer,
    Perform,
    Phase,
    Pulse,
    Register,
    Renounce,
    ServeEffect,
    Serving,
    Task,
)
from zwire.dialects.serving import WorkerDialect
from zwire.errors import RemoteError, ZwireError
from zwire.io.hosting import BATCH, Call, Raw
from zwire.io.taps import Tap
from zwire.io.worker_settings import WorkerEvent

_log = logging.getLogger("zwire.worker")


class ServingDriver:
    """One worker's conversations; what is to be done is handed to `perform`.

    `keeps` is for a worker that binds: one socket for all its conversations.
    """

    def __init__(
        self,
        serving: Serving,
        dialect: WorkerDialect,
        connect: Callable[[bytes | None], Raw],
        perform: Callable[[Task], None],
        tell: Callable[[WorkerEvent], None],
        *,
        keeps: bool = False,
    ) -> None:
        self._serving = serving
        self._dialect = dialect
        self._connect = connect
        self._perform = perform
        self._tell = tell
        self._keeps = keeps
        self.tap: Tap | None = None
        self._link: Raw | None = None
        # What found no room, in order, with its task's number; a call among it is made when all
        # before it has gone.
        self._outbox: deque[tuple[list[bytes], int] | Call] = deque()
        self._left = False

    def start(self, now: float) -> None:
        """Connect and register."""
        self._carry_out(self._serving.start(now))

    def holds(self, task: Task) -> bool:
        """Whether somebody waits for the reply to this task; may be asked from any thread."""
        serving = self._serving
        return serving.phase is Phase.TALKING and serving.conversation == task.conversation

    def answer(
        self, task: Task, body: Sequence[bytes], final: bool, now: float, gone: Call
    ) -> None:
        """Send a piece of a reply; `gone` is called when it has left, or is not wanted."""
        self._carry_out(self._serving.answer(task, body, final, now))
        if self._outbox:
            self._outbox.append(gone)
        else:
            gone()

    def drain(self, now: float) -> None:
        """Finish what is open, then leave."""
        self._tell(WorkerEvent("draining"))
        self._carry_out(self._serving.drain(now))
        self._leave_if_over()

    def leave(self, now: float) -> None:
        """Leave at once."""
        self._carry_out(self._serving.stop(now))
        self._leave_if_over()

    # ---------------------------------------------------------------- what the host calls

    @property
    def links(self) -> Collection[Raw]:
        return () if self._link is None else (self._link,)

    @property
    def congested(self) -> Collection[Raw]:
        return self.links if self._outbox else ()

    def readable(self, link: Raw, now: float) -> None:
        for _ in range(BATCH):
            if link is not self._link:
                return
            if (frames := link.pull()) is None:
                if link.broken():
                    self._carry_out(self._serving.interrupt(now))
                return
            effects: Sequence[ServeEffect] = ()
            try:
                effects = self._dialect.hear(self._serving, frames, now)
            except RemoteError as error:
                _log.warning("dropped: %s", error)
            if self.tap is not None:
                given = [one.task.number for one in effects if isinstance(one, Perform)]
                self.tap.heard(b"", frames, sum(given), self.tap.clock())
            self._carry_out(effects)

    def writable(self, link: Raw, now: float) -> None:
        while self._outbox and link is self._link:
            first = self._outbox[0]
            if isinstance(first, tuple):
                if not self._say(link, *first):
                    return
                self._outbox.popleft()
            else:
                self._outbox.popleft()
                first()
        self._leave_if_over()

    def next_deadline(self) -> float | None:
        return self._serving.next_deadline()

    def tick(self, now: float) -> None:
        self._carry_out(self._serving.tick(now))
        self._leave_if_over()

    def close(self) -> None:
        self._hang_up(at_once=False)
        self._part("closed")
        if self.tap is not None:
            self.tap.close()

    # ---------------------------------------------------------------- what the engine orders

    def _carry_out(self, effects: Iterable[ServeEffect]) -> None:
        for effect in effects:
            match effect:
                case Perform(task):
                    self._perform(task)
                case Answer(task, body, final):
                    self._push(self._dialect.answer(task, body, final), task.number)
                case Pulse():
                    self._push(self._dialect.pulse())
                case Offer():
                    self._push(self._dialect.offer())
                case Connect():
                    self._open()
                case Register():
                    self._push(self._dialect.register())
                    self._tell(WorkerEvent("ready"))
                case Goodbye():
                    self._push(self._dialect.goodbye())
                case Disconnect(why):
                    if self._serving.phase is Phase.CLOSED:
                        self._leave_if_over()
                    else:
                        self._lose(why)
                case Renounce(why):
                    self._renounce(self._link)
                    self._lose(why)
                    self._leave_if_over()
                case Drop(_, final):
                    kind = "final" if final else "partial"
                    _log.info("a %s reply was dropped: its conversation is over", kind)
                case _:
                    assert_never(effect)

    def _open(self) -> None:
        if self._link is not None:
            return  # it is kept
        try:
            self._link = self._connect(None)
            self._note_identity(self._link)
        except (ZwireError, zmq.ZMQError) as error:
            # Without a socket nothing is heard: this conversation ends by silence.
            _log.error("no socket for a new conversation: %s", error)

    def _push(self, frames: list[bytes], task: int = 0) -> None:
        if not frames or self._link is None:
            return
        if self._outbox or not self._say(self._link, frames, task):
            self._outbox.append((frames, task))

    def _say(self, link: Raw, frames: list[bytes], task: int) -> bool:
        at = 0 if self.tap is None else self.tap.clock()
        sent = link.push(frames)
        if sent and self.tap is not None:
            self.tap.said(b"", frames, task, at)
        return sent

    def _note_identity(self, link: Raw) -> None:
        if self.tap is not None:
            self.tap.event("worker", {"identity": (link.options.identity or b"").hex()})

    def _renounce(self, link: Raw | None) -> None:
        if link is None:
            return
        link.close(at_once=True)
        try:
            messenger = self._connect(link.options.identity)
        except (ZwireError, zmq.ZMQError) as error:
            _log.error("no socket for a goodbye: %s", error)
            return
        self._say(messenger, self._dialect.goodbye(), 0)
        messenger.close()

    def _lose(self, why: str) -> None:
        _log.info("conversation over: %s", why)
        if self._keeps:
            self._forget_outbox()
        else:
            # What is still unsent belongs to the old conversation: a broker that comes back must
            # not take a worker on that is gone.
            self._hang_up(at_once=True)
        self._tell(WorkerEvent("lost", why))

    def _leave_if_over(self) -> None:
        """After the last word has found room, let go of the socket."""
        if self._serving.phase is Phase.CLOSED and not self._outbox:
            self._hang_up(at_once=False)
            self._part("")

    def _part(self, why: str) -> None:
        if not self._left:
            self._left = True
            self._tell(WorkerEvent("left", why))

    def _hang_up(self, *, at_once: bool) -> None:
        if self._link is not None:
            self._link.close(at_once=at_once)
            self._link = None
        self._forget_outbox()

    def _forget_outbox(self) -> None:
        unsent, self._outbox = self._outbox, deque()
        for item in unsent:
            if not isinstance(item, tuple):
                item()
