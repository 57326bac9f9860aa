"""Who serves a node: the thread that waits for its events, or else a thread of its own.

A message that arrives then wakes exactly the thread that wants it. While nobody waits, the node's own
thread serves, so that beacons and answers go out however busy others are.
"""

from __future__ import annotations

import logging
import socket as sockets
import threading
import time
from collections.abc import Callable

from zwire.io.zre_driver import NodeDriver
from zwire.io.zre_meeting import MeetingPlace
from zwire.io.zre_rounds import Rounds

_log = logging.getLogger("zwire.node")

THREAD = "thread"
AWAY = 0.005  # seconds without a guest after which the node's own thread serves again
OFTEN = 0.1  # the same, where guests have kept coming back


class NodeThread:
    """Runs a driver until it is ended; then the node takes leave and everything is closed."""

    def __init__(
        self, driver: NodeDriver, place: MeetingPlace, name: str, over: Callable[[], None]
    ) -> None:
        self._driver = driver
        self._place = place
        self._over = over
        self._awake, self._waker = sockets.socketpair()
        self._awake.setblocking(False)
        self._waker.setblocking(False)
        self._rounds = Rounds(driver, self._awake)
        self._ending = False
        self.failure: BaseException | None = None
        # A guest is a thread that serves while it waits for events: one at a time, and it goes first.
        self._guest: dict[str, int] = {}  # its number under THREAD; empty while there is none
        self._floor = threading.Lock()  # held by who serves, in rounds
        self._left_at = 0.0  # when the last one left
        self._dozing = False
        self._nudge = threading.Event()
        driver.wake = self.wake
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        try:
            driver.start(time.monotonic())
        except Exception as error:
            self._fail(error)
        self._left_at = time.monotonic()  # whoever started the node may be about to read
        self._thread.start()

    @property
    def ended(self) -> bool:
        """Whether the node has stopped, or is about to."""
        return self._ending or not self._thread.is_alive()

    def wake(self) -> None:
        """Have whoever serves look at what is due; from any thread."""
        try:
            self._waker.send(b"w")
        except OSError:
            return  # full: it is awake; closed: it has ended

    def end(self) -> None:
        """Stop the node; waits until that is done.

        A signal handler that broke into this node's own work does not wait: what it interrupted goes first.
        """
        self._ending = True
        self._nudge.set()
        self.wake()
        own = threading.current_thread() is self._thread
        if not (own or self._is_guest() or self._driver.turns.mine()):
            self._thread.join()

    # ---------------------------------------------------------------- the guest

    def serve_until(self, there: Callable[[], bool], deadline: float | None) -> None:
        """Serve the node in the caller's thread, until this is so or it is too late.

        Returns at once where another thread does so already, or the node ends.
        """
        if self._ending or self._guest:
            return
        try:
            # In one step, so that a signal handler that raises leaves no guest behind.
            if self._guest.setdefault(THREAD, threading.get_ident()) == threading.get_ident():
                if self._floor.locked():
                    self.wake()
                with self._floor:
                    self._serve_guest(there, deadline)
        finally:
            if self._is_guest():
                self._left_at = time.monotonic()
                self._guest.clear()
                if self._dozing:
                    self._nudge.set()

    def _is_guest(self) -> bool:
        return self._guest.get(THREAD) == threading.get_ident()

    def _serve_guest(self, there: Callable[[], bool], deadline: float | None) -> None:
        serve = self._rounds.serve
        try:
            while not (self._ending or there()):
                if deadline is not None and deadline <= time.monotonic():
                    return
                serve(deadline, eager=True)
        except Exception as error:
            self._fail(error)

    # ---------------------------------------------------------------- the thread

    def _run(self) -> None:
        driver = self._driver
        try:
            self._loop()
            driver.stop(time.monotonic())
        except BaseException as error:
            self._fail(error)
        self._ending = True
        with self._floor:
            self._close()

    def _close(self) -> None:
        driver, closed = self._driver, False
        self._rounds.close()
        try:
            driver.close()
            closed = True
        except BaseException as error:
            self._fail(error)
        self._over()
        self._awake.close()
        self._waker.close()
        if closed:  # else a socket may still be open, and this would wait for it
            self._place.term()
        driver.vanish()

    def _fail(self, error: BaseException) -> None:
        self.failure = error
        self._ending = True
        self._nudge.set()
        _log.exception("%s failed and was stopped", self._thread.name)

    def _loop(self) -> None:
        serve = self._rounds.serve
        while not self._ending:
            self._doze()
            with self._floor:
                while not (self._guest or self._ending):
                    serve()

    def _doze(self) -> None:
        """Wait until there has been no guest for a while."""
        away = AWAY
        while not self._ending:
            self._nudge.clear()
            self._dozing = True
            if self._guest:
                self._nudge.wait()
            self._dozing = False
            # Guests come and go with every event: they are not to wake us each time.
            time.sleep(away)
            if not self._guest and time.monotonic() - self._left_at >= away:
                return
            away = min(2 * away, OFTEN)
