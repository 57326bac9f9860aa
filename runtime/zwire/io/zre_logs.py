"""The sockets on which a node publishes its log: one XPUB, connected, for each collector it has met.

They belong to the thread that serves the node; records that other threads cause wait for it.
"""

from __future__ import annotations

import logging
from collections import deque

import zmq

from zwire.io.contexts import Context
from zwire.io.errors import SocketError
from zwire.io.hosting import Raw
from zwire.io.keys import KeyPair
from zwire.io.options import Options
from zwire.io.security import CurveClient
from zwire.io.speech import FRAMES
from zwire.io.zre_taps import NodeTap
from zwire.zre.effects import OpenLog, SendLog
from zwire.zre.keys import z85_encode

_log = logging.getLogger("zwire.node")
DOMAIN = b"zwire-log"
SUBSCRIBED = 1  # the first octet of what an XPUB hears when somebody subscribes


class LogSockets:
    """The collectors that a node reports to."""

    def __init__(
        self, context: Context, pair: KeyPair | None, ipv6: bool, tap: NodeTap | None = None
    ) -> None:
        self._tap = tap
        self._context = context
        self._pair = pair
        self._ipv6 = ipv6
        self.links: dict[str, Raw] = {}
        self._waiting: deque[SendLog] = deque()

    def open(self, order: OpenLog) -> None:
        """Connect to a collector; under CURVE only to one whose key is known."""
        curve = None
        if self._pair is not None:
            if not order.server_key:
                return
            curve = CurveClient(self._pair, z85_encode(order.server_key).encode("ascii"))
        options = Options(linger=1.0, reconnect_max=2.0, ipv6=self._ipv6, curve=curve)
        try:
            link: Raw = Raw(zmq.XPUB, FRAMES, options, self._context)
        except zmq.ZMQError as error:  # descriptors have run out
            _log.warning("no socket for a log collector: %s", error)
            return
        try:
            if curve is None:
                # libzmq 4.3.5 aborts when a PUB or XPUB is closed just as something that speaks ZMTP 1
                # answers, or no ZMTP at all. One in a domain of authentication hangs up on these.
                link.socket.setsockopt(zmq.ZAP_DOMAIN, DOMAIN)
            link.connect(order.endpoint)
        except SocketError as error:
            _log.warning("cannot reach a log collector: %s", error)
            link.close(at_once=True)
            return
        if self._tap is not None:
            self._tap.log(link, order.endpoint)
        self.links[order.endpoint] = link

    def subscriptions(self, endpoint: str) -> bool:
        """Read what came from a collector; whether it has subscribed."""
        seen, link = False, self.links.get(endpoint)
        while link is not None and (frames := link.pull()) is not None:
            seen = seen or frames[0][:1] == bytes([SUBSCRIBED])
        return seen

    def send(self, order: SendLog) -> None:
        """Have a record published when the serving thread next has its turn."""
        self._waiting.append(order)

    def flush(self) -> None:
        """Publish what waits."""
        waiting = self._waiting
        while waiting:
            order = waiting.popleft()
            link = self.links.get(order.endpoint)
            if link is not None:
                link.push(order.frames)

    @property
    def waiting(self) -> bool:
        return bool(self._waiting)

    def close(self, endpoint: str) -> None:
        """Let go of a collector, after what waits for it."""
        self.flush()
        link = self.links.pop(endpoint, None)
        if link is not None:
            link.close()
