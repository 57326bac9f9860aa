"""The collector of ZRE/LOG: a node that announces where it takes records, and gathers them."""

from __future__ import annotations

import os
import socket as sockets
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Self

import zmq

from zwire.capture import Direction
from zwire.errors import Closed, LocalError, NoAnswer, RemoteError
from zwire.io.hosting import Raw
from zwire.io.options import Options
from zwire.io.security import CurveServer
from zwire.io.taps import Capture, Recording
from zwire.io.zre_inbox import remaining
from zwire.io.zre_interfaces import choose_interfaces
from zwire.io.zre_meeting import MeetingPlace
from zwire.io.zre_node import Node
from zwire.io.zre_opening import ANY, open_in_range
from zwire.io.zre_settings import HANDSHAKE, NodeSettings
from zwire.zre.endpoints import host_and_port
from zwire.zre.logs import Collector, uuid_hash
from zwire_protocols.zrelog import SERVICE, SIGNATURE, Level, Log

LONGEST = 1 << 16  # octets of a frame: far more than any record has


class LogCollector:
    """Gathers the log records of all nodes that it meets: `for record in collector`.

    It is read in one thread; `stop` may be called from any, and from signal handlers.
    """

    def __init__(
        self,
        name: str = "log",
        *,
        level: Level = Level.INFO,
        settings: NodeSettings | None = None,
        curve: CurveServer | None = None,
        capture: Capture | None = None,
    ) -> None:
        """`capture` records all that comes, whatever its level, and the traffic of its node."""
        self._capture = capture
        self._recording: Recording | None = None
        self._engine = Collector(level)
        self._settings = settings or NodeSettings()
        self._curve = curve
        self._name = name
        self._link: Raw | None = None
        self._node: Node | None = None
        self._stopping = False
        self._process = os.getpid()
        self._awake, self._waker = sockets.socketpair()
        self._awake.setblocking(False)
        self._waker.setblocking(False)
        self.endpoint = ""

    def start(self) -> Self:
        """Take records at a free port of the range, and have a node announce it."""
        if self._link is not None:
            raise LocalError("the collector runs already")
        interfaces = choose_interfaces(self._settings.interfaces, self._settings.ipv6)
        ipv6 = self._settings.ipv6 or any(one.is_ipv6 for one in interfaces)
        options = Options(
            insecure=True,
            curve=self._curve,
            ipv6=ipv6,
            receive_queue=10_000,
            max_frames=100,
            max_frame_size=LONGEST,
            handshake=HANDSHAKE,
        )
        hosts = self._own_hosts() or [one.host for one in interfaces]
        self._place = MeetingPlace.hold()
        try:
            link, endpoints = open_in_range(self._place, zmq.SUB, options, None, hosts)
            self.endpoint = endpoints[0]
            capture = None
            try:
                link.socket.setsockopt(zmq.SUBSCRIBE, SIGNATURE)
                if self._capture is not None:
                    self._recording = Recording(self._capture, "log")
                    capture = self._recording.recorder
                self._node = Node(
                    self._name,
                    headers={SERVICE: self.endpoint},
                    settings=self._settings,
                    curve=self._curve,
                    capture=capture,
                ).start()
            except BaseException:
                link.close(at_once=True)
                if self._recording is not None:
                    self._recording.close()
                raise
        except BaseException:
            self._place.term()
            raise
        self._link = link
        return self

    def _own_hosts(self) -> list[str]:
        """Where the mailbox is, if that is fixed: a collector is believed only beside its node."""
        host = host_and_port(self._settings.endpoint or "")[0]
        if host in ("", "*", *ANY):
            return []
        try:
            found = sockets.getaddrinfo(host, None, type=sockets.SOCK_STREAM)
            return [str(found[0][4][0])]
        except OSError as error:
            raise LocalError(f"{host!r} is no address of this host: {error.strerror}") from error

    @property
    def node(self) -> Node:
        """The node that announces this collector."""
        if self._node is None:
            raise LocalError("the collector has not been started")
        return self._node

    @property
    def discarded(self) -> int:
        """How many messages were no records."""
        return self._engine.discarded

    @property
    def filtered(self) -> int:
        """How many records were not important enough."""
        return self._engine.filtered

    def receive(self, timeout: float | None = None) -> Log | None:
        """The next record; None when the collector was stopped. NoAnswer when none came in time."""
        if self._link is None or os.getpid() != self._process:
            raise Closed("the collector does not run in this process")
        deadline = None if timeout is None else time.monotonic() + timeout
        poller = zmq.Poller()
        poller.register(self._link.socket, zmq.POLLIN)
        poller.register(self._awake, zmq.POLLIN)
        while not self._stopping:
            try:
                frames = self._link.pull()
            except RemoteError:
                self._engine.discarded += 1
                continue
            if frames is not None:
                if self._recording is not None:
                    noted = (self.endpoint, "zrelog.messages", "node", b"", frames)
                    self._recording.recorder.message(Direction.IN, *noted)
                record = self._engine.receive(frames)
                if record is not None:
                    return record
                continue
            left = remaining(deadline)
            if left == 0:
                raise NoAnswer(f"no record within {timeout:g} s")
            poller.poll(None if left is None else int(left * 1000) + 1)
        return None

    def __iter__(self) -> Iterator[Log]:
        """All records, until the collector is stopped."""
        while (record := self.receive()) is not None:
            yield record

    def name_of(self, number: int) -> str:
        """The name of the node that a record calls by this number; hexadecimal where it is not known."""
        node = self.node
        if number == uuid_hash(node.uuid.bytes):
            return node.name
        for peer in node.peers():
            if uuid_hash(peer.uuid.bytes) == number:
                return peer.name or str(peer.uuid)
        return f"{number:04x}"

    def stop(self) -> None:
        """Have whoever reads stop reading."""
        self._stopping = True
        try:
            self._waker.send(b"w")
        except OSError:
            return  # closed, or awake already

    def close(self) -> None:
        """Leave, and let go of the network; in the thread that reads."""
        if os.getpid() != self._process:
            return  # forked: it goes on in the process that started it
        self.stop()
        if self._node is not None:
            self._node.stop()
        if self._link is not None and not self._link.closed:
            self._link.close(at_once=True)
            self._place.term()
        if self._recording is not None:
            self._recording.close()
        self._awake.close()
        self._waker.close()

    def __enter__(self) -> Self:
        return self.start() if self._link is None else self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
