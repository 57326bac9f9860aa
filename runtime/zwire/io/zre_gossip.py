"""The sockets of gossip: a ROUTER where this node is a hub, a DEALER for each hub it is a member of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import assert_never

import zmq

from zwire.errors import RemoteError
from zwire.io.contexts import Context
from zwire.io.errors import NotSent
from zwire.io.hosting import BATCH, Raw
from zwire.io.options import Options
from zwire.io.speech import FRAMES
from zwire.io.zre_monitor import release
from zwire.io.zre_settings import HANDSHAKE, NodeSettings
from zwire.zre.gossip import (
    Gossip,
    GossipEffect,
    Learn,
    ToHub,
    ToMember,
    Unlearn,
    read_node_pair,
)

MOST_FRAMES, MOST_OCTETS = 10, 1 << 20  # far more than any gossip

Found = Callable[[bytes, str, bytes], None]
Lost = Callable[[str], None]


class GossipSockets:
    """A gossip engine with its sockets; what it learns of nodes is handed on."""

    def __init__(
        self, context: Context, settings: NodeSettings, ipv6: bool, found: Found, lost: Lost
    ) -> None:
        self.engine = Gossip()
        self._found = found
        self._lost = lost
        self._known: dict[str, str] = {}  # the endpoint that a pair told of, by its key
        self.hub: Raw | None = None
        self.bound: str | None = None
        self.members: dict[str, Raw] = {}
        # Gossip tells where nodes are; the nodes themselves decide whom they let in.
        options = Options(
            ipv6=ipv6,
            insecure=True,
            linger=0.5,
            reconnect_max=1.0,
            max_frames=MOST_FRAMES,
            max_frame_size=MOST_OCTETS,
            handshake=HANDSHAKE,
        )
        try:
            if settings.gossip_bind is not None:
                self.hub = Raw(zmq.ROUTER, FRAMES, options, context)
                self.bound = self.hub.bind(settings.gossip_bind)
            for endpoint in settings.gossip_hubs:
                link: Raw = Raw(zmq.DEALER, FRAMES, options, context)
                self.members[endpoint] = link
                link.connect(endpoint)
        except BaseException:
            self.close()
            raise

    def start(self, key: str, value: str, now: float) -> None:
        """Tell all hubs of this node."""
        self._carry_out(self.engine.publish(key, value, now))
        for hub in self.members:
            self._carry_out(self.engine.join(hub, now))

    @property
    def sources(self) -> dict[zmq.Socket[bytes], Callable[[float], None]]:
        """What to listen to, and what to call when something came."""
        found: dict[zmq.Socket[bytes], Callable[[float], None]] = {}
        if self.hub is not None:
            found[self.hub.socket] = self.hear_member
        for hub, link in self.members.items():
            found[link.socket] = partial(self.hear_hub, hub)
        return found

    def hear_member(self, now: float) -> None:
        """Take what members said to this hub, at most a batch."""
        assert self.hub is not None
        for _ in range(BATCH):
            try:
                message = self.hub.pull()
            except RemoteError:
                continue
            if message is None:
                return
            self._carry_out(self.engine.hear_member(message[0], message[1:], now))

    def hear_hub(self, hub: str, now: float) -> None:
        """Take what a hub said, at most a batch."""
        for _ in range(BATCH):
            try:
                message = self.members[hub].pull()
            except RemoteError:
                continue
            if message is None:
                return
            self._carry_out(self.engine.hear_hub(hub, message, now))

    def next_deadline(self) -> float | None:
        return self.engine.next_deadline()

    def tick(self, now: float) -> None:
        due = self.engine.next_deadline()
        if due is not None and due <= now:
            self._carry_out(self.engine.tick(now))

    def _carry_out(self, effects: Iterable[GossipEffect]) -> None:
        for effect in effects:
            match effect:
                case ToMember(identity, frames):
                    self._tell(identity, frames)
                case ToHub(hub, frames):
                    # A queue that is full belongs to a hub that is gone; it is told all when it is back.
                    self.members[hub].push(frames)
                case Learn(key, value):
                    self._learn(key, value)
                case Unlearn(key, _):
                    self._unlearn(key)
                case _:
                    assert_never(effect)

    def _tell(self, identity: bytes, frames: list[bytes]) -> None:
        assert self.hub is not None
        try:
            self.hub.route(identity, frames)
        except NotSent:
            self.engine.lose_member(identity)

    def _learn(self, key: str, value: str) -> None:
        node = read_node_pair(key, value)
        if node is None:
            return
        uuid, endpoint, server_key = node
        if self._known.get(key) != endpoint:
            self._unlearn(key)
        self._known[key] = endpoint
        self._found(uuid, endpoint, server_key)

    def _unlearn(self, key: str) -> None:
        endpoint = self._known.pop(key, None)
        if endpoint is not None:
            self._lost(endpoint)

    def close(self) -> None:
        if self.hub is not None and self.bound is not None:
            release(self.hub, self.bound)
        for link in (*self.members.values(), *((self.hub,) if self.hub else ())):
            link.close()
