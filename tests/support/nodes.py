"""Nodes that run, on loopback and on a UDP port of their own, and what they tell."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any, TypeVar
from uuid import UUID

import zmq

from support.raw import PATIENCE, Context, Raw, eventually
from zwire.io.security import CurveServer
from zwire.io.zre_node import Node
from zwire.io.zre_settings import NodeSettings
from zwire.zre.events import Entered, NodeEvent
from zwire_protocols.zre36 import messages as zre36

E = TypeVar("E")


@contextmanager
def beacon_port() -> Iterator[int]:
    """A UDP port for the beacons of one test: no other test gets it meanwhile."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as holder:
        holder.bind(("", 0))
        # From now on nodes may share it; before, nobody else could have got it.
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        yield holder.getsockname()[1]


def broadcast(octets: bytes, port: int, source: str = "127.0.0.1") -> None:
    """Send a datagram to every node on loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        sender.bind((source, 0))
        sender.sendto(octets, ("127.255.255.255", port))


class Listened:
    """A node and all events that it told so far."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.events: list[NodeEvent] = []

    def wait_for(self, kind: type[E], **facts: Any) -> E:
        """The first event of this kind with these facts, told or to be told."""
        seen = 0
        limit = time.monotonic() + PATIENCE
        while True:
            for event in self.events[seen:]:
                if isinstance(event, kind) and _fits(event, facts):
                    return event
            seen = len(self.events)
            left = limit - time.monotonic()
            assert left > 0, f"no {kind.__name__} {facts}: {self.events}"
            try:
                told = self.node.receive(left)
            except TimeoutError:
                continue
            assert told is not None, f"it stopped without {kind.__name__} {facts}: {self.events}"
            self.events.append(told)

    def met(self, *others: Listened) -> None:
        """Wait until it knows these nodes."""
        for other in others:
            self.wait_for(Entered, peer=other.node.uuid)

    def forget(self) -> None:
        """From now on only what is told later counts."""
        self.events.clear()


def _fits(event: object, facts: dict[str, Any]) -> bool:
    return all(getattr(event, name) == value for name, value in facts.items())


class Gathering:
    """The nodes of one test; leaving it stops all."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.settings = NodeSettings(interfaces=("loopback",), port=port)
        self._things = ExitStack()
        self._context: Context | None = None

    def node(
        self,
        name: str,
        *,
        groups: tuple[str, ...] = (),
        headers: dict[str, str] | None = None,
        curve: CurveServer | None = None,
        **settings: Any,
    ) -> Listened:
        """A node that runs."""
        chosen = replace(self.settings, **settings)
        node = Node(name, groups=groups, headers=headers, settings=chosen, curve=curve)
        return Listened(self._things.enter_context(node))

    def pair(self, **settings: Any) -> tuple[Listened, Listened]:
        """Two nodes that know each other."""
        ann, bob = self.node("ann", **settings), self.node("bob", **settings)
        ann.met(bob)
        bob.met(ann)
        return ann, bob

    def raw(self, number: int, **settings: Any) -> RawPeer:
        """A peer made of plain sockets."""
        peer = RawPeer(self.context, number, **settings)
        self._things.callback(peer.close)
        return peer

    @property
    def context(self) -> Context:
        """For the sockets of raw peers."""
        if self._context is None:
            self._context = zmq.Context()
            self._things.callback(self._context.term)
        return self._context

    def own(self, close: Callable[[], object]) -> None:
        """Have something called at the end."""
        self._things.callback(close)

    def close(self) -> None:
        self._things.close()


@contextmanager
def gathering() -> Iterator[Gathering]:
    """A network on loopback, with nobody there yet."""
    with beacon_port() as port:
        found = Gathering(port)
        try:
            yield found
        finally:
            found.close()


def counted(node: Node, name: str, least: int) -> None:
    """Wait until a counter of a node has got so far."""
    eventually(lambda: node.statistics()[name] >= least, f"{name} reaches {least}")


class RawPeer:
    """A peer of 36/ZRE made of plain sockets: it says and reads only what a test wants."""

    def __init__(self, context: Context, number: int, *, receive_queue: int = 1000) -> None:
        self.uuid = UUID(int=(0xA0 << 120) + number)
        self._identity = zre36.IDENTITY_PREFIX + self.uuid.bytes
        self.mailbox = Raw(zmq.ROUTER, context)
        self.mailbox.socket.setsockopt(zmq.RCVHWM, receive_queue)
        self.mailbox.socket.setsockopt(zmq.RCVBUF, 4096)
        self.endpoint = self.mailbox.bind("tcp://127.0.0.1:*")
        self._dealer = Raw(zmq.DEALER, context, identity=self._identity)
        self.watch = self._dealer.watch()
        self._sequence = 0
        self._connected = False

    def greet(self, node: Node, *groups: str) -> None:
        """Connect to a node and say HELLO."""
        self.greet_at(node.endpoint, *groups)

    def greet_at(self, endpoint: str, *groups: str) -> None:
        """Connect to the mailbox of a node and say HELLO."""
        self.connect(endpoint)
        self._sequence = 1
        name = f"raw {self.uuid.int & 0xFF}"
        self._dealer.send(*zre36.encode(zre36.Hello(1, self.endpoint, groups, 0, name, ())))

    def connect(self, endpoint: str) -> None:
        """Connect to the mailbox of a node and say nothing yet."""
        if not self._connected:
            self._connected = True
            self._dealer.connect(endpoint)

    def whisper(self, *content: bytes) -> None:
        """Say something to the node."""
        self._sequence += 1
        self._dealer.send(*zre36.encode(zre36.Whisper(self._sequence, content)))

    def goodbye(self) -> None:
        """Take leave."""
        self._sequence += 1
        self._dealer.send(*zre36.encode(zre36.Goodbye(self._sequence)))

    def send(self, *frames: bytes) -> None:
        """Say whatever it is."""
        self._dealer.send(*frames)

    def hear(self) -> zre36.Message:
        """The next message of the node."""
        _identity, *frames = self.mailbox.receive()
        return zre36.decode(frames)

    def close(self) -> None:
        self._dealer.close()
        self.mailbox.close()
