"""Nodes of zwire and of pyre under the same few words, so that one program measures both."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Protocol
from uuid import UUID

GROUP = "measured"


class Talker(Protocol):
    """A node that runs, in the group in which everybody is."""

    def whisper(self, peer: UUID, octets: bytes) -> None:
        """Send to one."""

    def shout(self, octets: bytes) -> None:
        """Send to all."""

    def met(self) -> UUID:
        """Wait until one more peer has entered: who it is."""

    def joined(self) -> UUID:
        """Wait until one more peer is in the group: who it is."""

    def heard(self) -> Iterator[tuple[UUID, bytes]]:
        """All messages from now on, and who sent each."""

    def stop(self) -> None:
        """Leave."""


class Ours:
    """A zwire.Node."""

    def __init__(self, port: int, inproc: bool = False) -> None:
        from zwire import Node, NodeSettings

        settings = NodeSettings(port=port, inproc=inproc)
        self._node = Node(groups=[GROUP], settings=settings).start()

    def whisper(self, peer: UUID, octets: bytes) -> None:
        self._node.whisper(peer, octets)

    def shout(self, octets: bytes) -> None:
        self._node.shout(GROUP, octets)

    def met(self) -> UUID:
        from zwire import Entered

        return next(event.peer for event in self._node if isinstance(event, Entered))

    def joined(self) -> UUID:
        from zwire import JoinedGroup

        return next(event.peer for event in self._node if isinstance(event, JoinedGroup))

    def heard(self) -> Iterator[tuple[UUID, bytes]]:
        from zwire import Shouted, Whispered

        for event in self._node:
            if isinstance(event, Whispered | Shouted):
                yield event.peer, event.content[0]

    def stop(self) -> None:
        self._node.stop()


class Theirs:
    """A node of PyPI's zeromq-pyre, read by its own `recv`, which is quicker than its events."""

    def __init__(self, port: int) -> None:
        from pyre import Pyre

        self._node: Any = Pyre()
        self._node.set_port(str(port).encode())
        self._node.join(GROUP)
        self._node.start()

    def whisper(self, peer: UUID, octets: bytes) -> None:
        self._node.whisper(peer, octets)

    def shout(self, octets: bytes) -> None:
        self._node.shout(GROUP, octets)

    def met(self) -> UUID:
        return self._next(b"ENTER")

    def joined(self) -> UUID:
        return self._next(b"JOIN")

    def _next(self, kind: bytes) -> UUID:
        while (frames := self._node.recv())[0] != kind:
            continue
        return UUID(bytes=frames[1])

    def heard(self) -> Iterator[tuple[UUID, bytes]]:
        receive = self._node.recv
        while True:
            frames = receive()
            if frames[0] in (b"WHISPER", b"SHOUT"):
                yield UUID(bytes=frames[1]), frames[-1]

    def stop(self) -> None:
        self._node.stop()


TALKERS: dict[str, type[Ours] | type[Theirs]] = {"zwire": Ours, "pyre": Theirs}


def lose_beacons(share: float) -> None:
    """From now on this share of all beacons is lost on its way to each node of this process."""
    from pyre.zbeacon import ZBeacon

    from zwire.io.zre_driver import NodeDriver

    overhear, handle = NodeDriver.overhear, ZBeacon.handle_udp

    def overhear_some(self: NodeDriver, octets: bytes, address: str, now: float) -> None:
        if random.random() >= share:
            overhear(self, octets, address, now)

    def handle_some(self: Any) -> None:
        if random.random() >= share:
            handle(self)
        else:
            self.udpsock.recvfrom(255)

    NodeDriver.overhear = overhear_some  # type: ignore[method-assign]
    ZBeacon.handle_udp = handle_some
