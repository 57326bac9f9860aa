"""One DEALER for each peer, as the protocol has it: only sent on, never received from.

Peers of the same process are reached by inproc, all others by the endpoint that the engine names.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

import zmq

from zwire.io.errors import SocketError
from zwire.io.hosting import Raw
from zwire.io.keys import KeyPair
from zwire.io.options import Options
from zwire.io.security import CurveClient
from zwire.io.speech import FRAMES
from zwire.io.zre_meeting import MeetingPlace
from zwire.io.zre_monitor import USUALLY, Watches
from zwire.io.zre_settings import NodeSettings
from zwire.io.zre_taps import NodeTap
from zwire.zre import Node
from zwire.zre.effects import Connect, Effect
from zwire.zre.keys import z85_encode
from zwire.zre.peer import NEVER, Peer

_log = logging.getLogger("zwire.node")


class Dealers:
    """The links to all peers."""

    def __init__(
        self,
        place: MeetingPlace,
        settings: NodeSettings,
        pair: KeyPair | None,
        ipv6: bool,
        tap: NodeTap | None = None,
    ) -> None:
        self._tap = tap
        self._place = place
        self._settings = settings
        self._pair = pair
        self._ipv6 = ipv6
        self.links: dict[Peer, Raw] = {}
        self.watches = Watches()
        self._neighbours: dict[Peer, str] = {}  # of this process, and where they were
        self._look_at = NEVER

    def connect(self, order: Connect, now: float) -> bool:
        """Make the DEALER of a peer, in place of any before; False: it cannot be reached."""
        self.disconnect(order.peer, linger=False)
        if self._pair is not None and not order.server_key:
            _log.warning("no key of %s is known: it is not spoken to in the clear", order.endpoint)
            return False
        try:
            self._open(order, now)
        except (SocketError, zmq.ZMQError) as error:  # the latter when descriptors have run out
            _log.warning("cannot reach a peer at %s: %s", order.endpoint, error)
            return False
        return True

    def _open(self, order: Connect, now: float) -> None:
        settings, peer = self._settings, order.peer
        curve = None
        if self._pair is not None:
            curve = CurveClient(self._pair, z85_encode(order.server_key).encode("ascii"))
        options = Options(
            identity=order.identity,
            send_queue=settings.send_queue,
            receive_queue=1,  # nothing is ever received on it
            linger=settings.linger,
            curve=curve,
            reconnect_max=2.0,
            ipv6=self._ipv6,
        )
        link: Raw = Raw(zmq.DEALER, FRAMES, options, self._place.context)
        if self._tap is not None:
            self._tap.dealer(link, order)
        here = self._place.find(peer.key) if settings.inproc and curve is None else None
        self.links[peer] = link
        try:
            if here is not None:
                self._neighbours[peer] = here
                if self._look_at == NEVER:
                    self._look_at = now + USUALLY
            else:
                self.watches.begin(peer, link, now)
            link.connect(here or order.endpoint)
        except (SocketError, zmq.ZMQError):
            self.disconnect(peer, linger=False)
            raise

    def disconnect(self, peer: Peer, *, linger: bool) -> None:
        """Close the DEALER of a peer, if it has one."""
        link = self.links.pop(peer, None)
        if link is not None:
            self.watches.end(peer)
            self._neighbours.pop(peer, None)
            link.close(at_once=not linger)

    def next_deadline(self) -> float:
        """When to look for peers that are gone."""
        return min(self.watches.look_at, self._look_at)

    def news(self, engine: Node, now: float, *, held_up: bool) -> Iterator[Sequence[Effect]]:
        """Tell the engine what has become of the links; what it orders, each time."""
        for peer in () if held_up else self._gone(now):
            yield engine.vanish(peer, now)
        while self.watches.broken:
            engine.interrupt(self.watches.broken.pop())
        yield from self.ends(engine, now)

    def ends(self, engine: Node, now: float) -> Iterator[Sequence[Effect]]:
        """Tell the engine where the links end of which it knows nothing else; what it orders."""
        for peer, endpoint in self.watches.ends(now) if engine.seeking else ():
            yield engine.reach(peer, endpoint, now)

    def _gone(self, now: float) -> Iterator[Peer]:
        """The peers whose process or node is no longer there."""
        yield from self.watches.gone(now)
        if now >= self._look_at:
            self._look_at = now + USUALLY if self._neighbours else NEVER
            for peer, here in list(self._neighbours.items()):
                if self._place.find(peer.key) != here:
                    yield peer

    def close(self) -> None:
        for peer in list(self.links):
            self.disconnect(peer, linger=True)
