"""The node for programs with threads."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Self
from uuid import UUID

from zwire.errors import NoAnswer
from zwire.io.zre_base import NodeBase, octets_of, uuid_of
from zwire.io.zre_driver import NodeDriver
from zwire.io.zre_inbox import Inbox, remaining
from zwire.io.zre_meeting import MeetingPlace
from zwire.io.zre_thread import NodeThread
from zwire.zre.effects import Effect
from zwire.zre.events import NodeEvent
from zwire.zre.node import Busy
from zwire.zre.peer import KnownPeer

PAUSE = 0.05  # seconds after which one who waits for room looks again, at the latest


class Node(NodeBase):
    """A node on the local network: `with Node("ann", groups=["chat"]) as node: ...`.

    It announces itself, meets others, and tells what happens: `for event in node`. All methods may be
    called from any thread. A thread of its own looks after the network, however busy yours are.
    """

    _thread: NodeThread | None = None

    def start(self) -> Self:
        """Open the mailbox and begin to announce ourselves."""
        self._check_new()
        place = MeetingPlace.hold()
        try:
            driver = self._open(place)
        except BaseException:
            place.term()
            raise
        self._inbox = Inbox(self.settings.max_events)
        self._room = threading.Event()
        driver.tell = self._noted(self._inbox.put)
        driver.made_room = self._room.set
        self._thread = NodeThread(driver, place, f"zwire-node-{self.name}", self._end)
        return self

    def stop(self) -> None:
        """Take leave of all peers and let go of the network; waits until that is done."""
        if self._forked:
            return  # it goes on in the process that started it
        self._stopped = True
        if self._thread is not None:
            self._thread.end()

    def _end(self) -> None:
        self._stopped = True
        self._inbox.end()
        self._room.set()

    # ---------------------------------------------------------------- what happens

    def receive(self, timeout: float | None = None) -> NodeEvent | None:
        """The next event; None when there will be no more. NoAnswer when none came in time."""
        driver, patience = self._driver, timeout
        if driver.paused and self._inbox.has_room:
            driver.resume()
            self._wake()
        inbox = self._inbox
        if timeout is None or timeout > 0:
            deadline = None if timeout is None else time.monotonic() + timeout
            if not inbox.there():
                assert self._thread is not None
                self._thread.serve_until(inbox.there, deadline)
                timeout = remaining(deadline)
        try:
            return inbox.get(timeout)
        except queue.Empty:
            raise NoAnswer(f"nothing happened within {patience:g} s") from None

    @property
    def events_dropped(self) -> int:
        """How many events were too old to be kept before anybody had asked for one."""
        return self._inbox.dropped if self._opened is not None else 0

    def __iter__(self) -> Iterator[NodeEvent]:
        """All events, until the node is stopped."""
        while (event := self.receive()) is not None:
            yield event
            while ready := self._inbox.ready:
                try:
                    event = ready.popleft()
                except IndexError:
                    break  # another thread was quicker
                yield event

    # ---------------------------------------------------------------- what is wanted

    def whisper(
        self, peer: UUID | KnownPeer, *content: bytes | str, timeout: float | None = None
    ) -> None:
        """Send a message to one peer.

        Where its queue is full and the policy is to wait, this waits for room; Busy when the time is over.
        """
        to, frames, driver = uuid_of(peer), octets_of(content), self._live
        try:
            driver.whisper(to, frames)
        except Busy:
            self._insist(lambda driver: driver.whisper(to, frames), timeout)
        if driver.full:
            self._wake()

    def shout(self, group: str, *content: bytes | str, timeout: float | None = None) -> None:
        """Send a message to every peer in a group; full queues are as with `whisper`."""
        frames, driver = octets_of(content), self._live
        try:
            driver.shout(group, frames)
        except Busy:
            self._insist(lambda driver: driver.shout(group, frames), timeout)
        if driver.full:
            self._wake()

    def join(self, group: str) -> None:
        """Join a group and tell all peers."""
        self._do(lambda now: self._driver.engine.join(group, now))

    def leave(self, group: str) -> None:
        """Leave a group and tell all peers."""
        self._do(lambda now: self._driver.engine.leave(group, now))

    def contest(self, group: str) -> None:
        """Stand for election in a group, now or as soon as we are in it (36/ZRE)."""
        self._do(lambda now: self._driver.engine.contest(group, now))

    def seek(self, endpoint: str) -> None:
        """Look for a static peer at an endpoint from now on; under CURVE it is written `ENDPOINT|KEY`."""
        self._do(lambda now: self._sought(endpoint, now))

    def _do(self, deed: Callable[[float], Iterable[Effect]]) -> None:
        self._live.do(deed)
        self._wake()

    def _insist(self, send: Callable[[NodeDriver], None], timeout: float | None) -> None:
        """Send when there is room; Busy when the time is over."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            if deadline is not None and time.monotonic() >= deadline:
                send(self._live)
                return
            self._wake()
            self._room.wait(min(PAUSE, remaining(deadline) or PAUSE))
            self._room.clear()
            try:
                send(self._live)
                return
            except Busy:
                continue

    def _wake(self) -> None:
        assert self._thread is not None
        self._thread.wake()

    def __enter__(self) -> Self:
        return self.start() if self._thread is None else self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
