"""The worker's driver: the serving engine with its dialect and one DEALER socket at a time."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import assert_never

from zwire.core.serving import (
    Answer,
    Connect,
    Disconnect,
    Drop,
    Goodbye,
    Offer,
    Perform,
    Pulse,
    Register,
    ServeEffect,
    Serving,
    Task,
)
from zwire.dialects.serving import WorkerDialect
from zwire.errors import RemoteError
from zwire.io.errors import Malformed
from zwire.io.hosting import Raw

_log = logging.getLogger("zwire.worker")


class ServingDriver:
    """One worker's conversations; what is to be done is handed to `perform`."""

    def __init__(
        self,
        serving: Serving,
        dialect: WorkerDialect,
        connect: Callable[[], Raw],
        perform: Callable[[Task], None],
    ) -> None:
        self._serving = serving
        self._dialect = dialect
        self._connect = connect
        self._perform = perform
        self._link: Raw | None = None
        self.registered = 0  # conversations begun
        self.performed = 0

    @property
    def links(self) -> Collection[Raw]:
        return () if self._link is None else (self._link,)

    @property
    def open(self) -> int:
        """Tasks that are not answered yet."""
        return len(self._serving.open)

    def start(self, now: float) -> None:
        """Connect and register."""
        self._carry_out(self._serving.start(now), now)

    def answer(self, task: Task, body: Sequence[bytes], final: bool, now: float) -> None:
        """Send a piece of a reply."""
        self._carry_out(self._serving.answer(task, body, final, now), now)

    def drain(self, now: float) -> None:
        """Finish what is open, then leave."""
        self._carry_out(self._serving.drain(now), now)

    def leave(self, now: float) -> None:
        """Leave at once."""
        self._carry_out(self._serving.stop(now), now)

    def readable(self, link: Raw, now: float) -> None:
        while link is self._link:
            try:
                frames = link.pull()
            except Malformed as error:
                _log.warning("dropped: %s", error)
                continue
            if frames is None:
                return
            try:
                effects = self._dialect.hear(self._serving, frames, now)
            except RemoteError as error:
                _log.warning("dropped: %s", error)
                continue
            self._carry_out(effects, now)

    def next_deadline(self) -> float | None:
        return self._serving.next_deadline()

    def tick(self, now: float) -> None:
        self._carry_out(self._serving.tick(now), now)

    def close(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None

    def _carry_out(self, effects: Iterable[ServeEffect], now: float) -> None:
        for effect in effects:
            match effect:
                case Perform(task):
                    self.performed += 1
                    self._perform(task)
                case Answer(task, body, final):
                    self._push(self._dialect.answer(task, body, final))
                case Pulse():
                    self._push(self._dialect.pulse())
                case Offer():
                    self._push(self._dialect.offer())
                case Connect():
                    self._link = self._connect()
                case Register():
                    self.registered += 1
                    self._push(self._dialect.register())
                case Goodbye():
                    self._push(self._dialect.goodbye())
                case Disconnect(why):
                    _log.info("conversation over: %s", why)
                    self.close()
                case Drop(_, final):
                    kind = "final" if final else "partial"
                    _log.info("a %s reply was dropped: its conversation is over", kind)
                case _:
                    assert_never(effect)

    def _push(self, frames: list[bytes]) -> None:
        # A queue towards the broker that is full means that it reads no more: its silence will end
        # this conversation, and what is lost here goes to another worker.
        if frames and self._link is not None and not self._link.push(frames):
            _log.warning("the queue to the broker is full; a message was dropped")
