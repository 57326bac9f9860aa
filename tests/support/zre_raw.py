"""A peer of 20/ZRE made of plain sockets, and an ear for beacons: nothing of ours but the codec."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from uuid import UUID

import zmq

from support.nodes import Gathering, Listened, broadcast
from support.raw import PATIENCE, Raw
from zwire.io.zre_node import Node
from zwire.zre import Dialect, Options
from zwire.zre.events import Entered
from zwire_protocols.zre import messages as zre20

# Silence is no matter here: a test may be slow.
BOTH = Options(evasive_after=3600.0, silent_after=3600.0, expired_after=3600.0)
ONLY20 = replace(BOTH, dialects=(Dialect.ZRE20,))


class Raw20:
    """It says and reads only what a test wants."""

    def __init__(self, here: Gathering, number: int, host: str = "127.0.0.1") -> None:
        self.uuid = UUID(int=(0xB0 << 120) + number)
        self.host = host
        self._here = here
        context = here.context
        self.mailbox = Raw(zmq.ROUTER, context)
        self.watch = self.mailbox.watch()
        self.port = int(self.mailbox.bind(f"tcp://{host}:*").rpartition(":")[2])
        self.dealer = Raw(zmq.DEALER, context, identity=self.uuid.bytes)
        self.sequence = 0
        here.own(self.mailbox.close)
        here.own(self.dealer.close)

    def beacon(self, port: int | None = None) -> None:
        """Announce itself by one beacon."""
        port = self.port if port is None else port
        octets = b"ZRE\x01" + self.uuid.bytes + port.to_bytes(2, "big")
        broadcast(octets, self._here.port, self.host)

    def greet(self, node: Node, *groups: str, status: int = 0, headers: Iterable[str] = ()) -> None:
        """Connect to a node and say HELLO."""
        self.connect(node)
        self.sequence = 0
        self.say("Hello", self.host, self.port, groups, status, tuple(headers))

    def enter(self, node: Listened, *groups: str) -> None:
        """Greet and be entered, and hear the node's own greeting."""
        self.greet(node.node, *groups)
        node.wait_for(Entered, peer=self.uuid)
        while not isinstance(self.hear(), zre20.Hello):
            pass

    def connect(self, node: Node) -> None:
        """Connect to a node and say nothing yet."""
        self.dealer.connect(node.endpoint)

    def say(self, message: str, *fields: Any) -> None:
        """Say the next message, by the name of its class."""
        self.sequence = (self.sequence + 1) % 65536
        self.dealer.send(*zre20.encode(getattr(zre20, message)(self.sequence, *fields)))

    def hear_octets(self) -> list[bytes]:
        """The next message as it came, the identity of its sender first."""
        return self.mailbox.receive()

    def hear(self) -> zre20.Message:
        """The next message in 20/ZRE; a node that knows both may have begun in the other."""
        while True:
            identity, *frames = self.mailbox.receive()
            if len(identity) == 16:
                return zre20.decode(frames)


class Tap:
    """Hears all beacons on a port."""

    def __init__(self, here: Gathering) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind(("", here.port))
        here.own(self._socket.close)

    def hear(self, uuid: UUID) -> bytes:
        """The next beacon that carries a UUID."""
        limit = time.monotonic() + PATIENCE
        while (left := limit - time.monotonic()) > 0:
            self._socket.settimeout(left)
            octets = self._socket.recv(1000)
            if uuid.bytes in octets:
                return octets
        raise AssertionError(f"no beacon of {uuid}")
