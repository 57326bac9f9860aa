"""What libzmq tells of a socket's connections: one socket beside it, on which events come."""

from __future__ import annotations

import struct
from itertools import count
from typing import Protocol

import zmq

from zwire.io.contexts import Context

_numbers = count()
_event = struct.Struct("=HI").unpack_from


class HasSocket(Protocol):
    """A link, or whatever else is around a socket."""

    @property
    def socket(self) -> zmq.Socket[bytes]: ...


def listen_to(link: HasSocket, events: int) -> zmq.Socket[bytes]:
    """A socket that tells these events of a link; to be drained now and then."""
    # Not by pyzmq's get_monitor_socket: its names follow descriptors, which are used again at once,
    # while libzmq takes its time to give up a name.
    name = f"inproc://zwire-monitor-{next(_numbers)}"
    link.socket.monitor(name, events)
    context: Context = link.socket.context
    monitor = context.socket(zmq.PAIR)
    monitor.connect(name)
    # A descriptor tells of a change only after its socket was found empty; unheard, the events pile up
    # until libzmq waits for room and does nothing else.
    drain(monitor)
    return monitor


def end_listening(link: HasSocket, monitor: zmq.Socket[bytes]) -> None:
    """Close what `listen_to` gave; before the link is closed."""
    link.socket.disable_monitor()
    monitor.close(0)


def drain(monitor: zmq.Socket[bytes]) -> list[tuple[int, int]]:
    """The events that a monitor has told since it was last asked, each with its value."""
    events: list[tuple[int, int]] = []
    while True:
        try:
            facts, *_ = monitor.recv_multipart(zmq.NOBLOCK)
        except zmq.Again:
            return events
        events.append(_event(facts))
