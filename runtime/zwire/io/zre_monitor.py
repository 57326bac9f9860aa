"""Noticing that a peer's process is gone: its connection breaks, and then it refuses a new one.

Each DEALER over TCP has a monitor of libzmq. They are not listened to one by one, for there may be many:
who is gone also breaks its connection to our mailbox, whose one monitor then has all of them looked at.
"""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass

import zmq

from zwire.io.hosting import Raw
from zwire.io.monitors import drain, end_listening, listen_to
from zwire.zre.endpoints import tcp_endpoint
from zwire.zre.peer import NEVER, Peer

# libzmq tries again after one to two of its intervals.
LOOK_EVERY = 0.05
LOOK_FOR = 1.5
USUALLY = 1.0  # seconds between two looks when nothing has happened
# A peer that was reached refuses once when it is gone; one that never was may be about to begin.
REFUSALS_AT_FIRST = 3
RELEASED_WITHIN = 1000  # milliseconds

_CONNECTED = int(zmq.Event.CONNECTED)
_CLOSED = int(zmq.Event.CLOSED)
_DISCONNECTED = int(zmq.Event.DISCONNECTED)


@dataclass(slots=True)
class _Watched:
    link: Raw
    monitor: zmq.Socket[bytes]
    connected: bool = False
    refusals: int = 0
    descriptor: int = -1  # of the connection, until somebody asks where it ends


class Watches:
    """The monitors of all DEALERs, and when to look at them."""

    def __init__(self) -> None:
        self._watched: dict[Peer, _Watched] = {}
        self.broken: set[Peer] = set()  # links that broke, until somebody takes notice
        self._look_until = 0.0
        self.look_at = NEVER

    def begin(self, peer: Peer, link: Raw, now: float) -> None:
        """Watch the link to a peer; before it connects."""
        events = _CONNECTED | _CLOSED | _DISCONNECTED
        self._watched[peer] = _Watched(link, listen_to(link, events))
        if self.look_at == NEVER:
            self.look_at = now + USUALLY

    def end(self, peer: Peer) -> None:
        """Watch a peer's link no longer; before it is closed."""
        watched = self._watched.pop(peer, None)
        self.broken.discard(peer)
        if watched is not None:
            end_listening(watched.link, watched.monitor)
        if not self._watched:
            self.look_at = NEVER

    def hint(self, now: float) -> None:
        """A connection broke: look at once, and closely for a while."""
        self._look_until = now + LOOK_FOR
        if self._watched:
            self.look_at = min(self.look_at, now)

    def gone(self, now: float) -> list[Peer]:
        """Look at all monitors, if it is time: the peers whose process refuses us."""
        if now < self.look_at:
            return []
        found = [one for one, watched in self._watched.items() if self._refuses(one, watched, now)]
        self.look_at = now + (LOOK_EVERY if now < self._look_until else USUALLY)
        return found

    def ends(self, now: float) -> list[tuple[Peer, str]]:
        """Where the links to peers of whom we know nothing else end, as far as it is new."""
        found = []
        for peer, watched in self._watched.items():
            if not peer.key:
                self._note(peer, watched, now)
                if watched.descriptor >= 0 and (endpoint := _far_end(watched.descriptor)):
                    found.append((peer, endpoint))
                watched.descriptor = -1
        return found

    def _refuses(self, peer: Peer, watched: _Watched, now: float) -> bool:
        self._note(peer, watched, now)
        return watched.refusals >= (1 if watched.connected else REFUSALS_AT_FIRST)

    def _note(self, peer: Peer, watched: _Watched, now: float) -> None:
        for event, value in drain(watched.monitor):
            if event == _CONNECTED:
                watched.connected = True
                watched.refusals = 0
                watched.descriptor = value
            elif event == _DISCONNECTED:
                self.broken.add(peer)
                self._look_until = max(self._look_until, now + LOOK_FOR)
            elif event == _CLOSED:  # an attempt to connect failed
                watched.refusals += 1


def _far_end(descriptor: int) -> str:
    """The endpoint at the other end of a connection of libzmq's; empty where it is over already."""
    try:
        with socket.socket(fileno=os.dup(descriptor)) as connection:
            host, port, *_ = connection.getpeername()
    except OSError:
        return ""
    return tcp_endpoint(host.removeprefix("::ffff:"), port)


def release(link: Raw, endpoint: str) -> None:
    """Stop listening at a TCP endpoint and wait until another may; libzmq does it on its own time."""
    if not endpoint.startswith("tcp://"):
        return
    monitor = listen_to(link, _CLOSED)
    link.unbind(endpoint)
    monitor.poll(RELEASED_WITHIN)
    end_listening(link, monitor)
