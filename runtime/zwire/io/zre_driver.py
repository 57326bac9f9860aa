"""The driver of a node: its engine with all its sockets, served by one thread and called by any.

The sockets that are listened to (mailbox, log, gossip) belong to the thread that serves; it finds them
in `sources`. The DEALERs are only sent on, so that whoever whispers or shouts does so at once, in its
own thread and turn, without waking anybody. Beacons are overheard by a thread that all nodes share.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeAlias, assert_never, cast
from uuid import UUID

import zmq

from zwire.errors import RemoteError
from zwire.io.hosting import Raw
from zwire.io.monitors import drain, end_listening, listen_to
from zwire.io.zre_dealers import Dealers
from zwire.io.zre_gossip import GossipSockets
from zwire.io.zre_logs import LogSockets
from zwire.io.zre_meeting import MeetingPlace
from zwire.io.zre_monitor import release
from zwire.io.zre_taps import NodeTap
from zwire.io.zre_turns import Turns
from zwire.io.zre_udp import Air
from zwire.zre import Node
from zwire.zre.effects import (
    CloseLog,
    Connect,
    Disconnect,
    Effect,
    OpenLog,
    Send,
    SendBeacon,
    SendLog,
    Tell,
)
from zwire.zre.events import NodeEvent
from zwire.zre.gossip import node_pair
from zwire.zre.peer import NEVER, Peer

_log = logging.getLogger("zwire.node")

Source: TypeAlias = zmq.Socket[bytes]
Take: TypeAlias = Callable[[float], None]
BATCH = 100  # messages taken before others have their turn
MOST_BEACONS = 10_000  # that wait to be heard, the newest
FLUSH_EVERY = 0.001  # seconds between two tries to send what waits for room


def _ignored(_events: Sequence[NodeEvent]) -> bool:
    return True


class NodeDriver:
    """One node that runs."""

    def __init__(
        self,
        engine: Node,
        place: MeetingPlace,
        mailbox: Raw,
        air: Air | None,
        dealers: Dealers,
        logs: LogSockets,
        *,
        fixed: str = "",
    ) -> None:
        """`fixed` is the endpoint of a mailbox that was chosen, so that somebody may want it again."""
        self.engine = engine
        self.turns = Turns()
        self.refused = 0  # messages with too many frames, or under another's identity
        self.version = 0  # changes with `sources`
        self.tell: Callable[[Sequence[NodeEvent]], bool] = _ignored  # whether it has room for more
        self.made_room: Callable[[], None] = lambda: None
        self.wake: Callable[[], None] = lambda: None  # has who serves look again; from any thread
        self.overheard: deque[tuple[bytes, str]] = deque(maxlen=MOST_BEACONS)
        self._place = place
        self._mailbox = mailbox
        self._monitor = listen_to(mailbox, int(zmq.Event.DISCONNECTED))
        self.one_way: tuple[Source, ...] = (self._monitor, mailbox.socket)  # never sent on
        self._air = air
        self._dealers = dealers
        self._logs = logs
        self._fixed = fixed
        self.gossip: GossipSockets | None = None
        self.tap: NodeTap | None = None
        self._full: set[Peer] = set()  # with messages that wait for room
        self._unreachable: list[Peer] = []
        self._told: list[NodeEvent] = []
        self._paused = False
        self._drained = True
        self._farewell = b""

    # ---------------------------------------------------------------- what the host calls

    @property
    def sources(self) -> dict[Source, Take]:
        """What to listen to, and what to call when something came."""
        found: dict[Source, Take] = {self._monitor: self._take_hints}
        if not self._paused:
            found[self._mailbox.socket] = self.take_messages
        for endpoint, link in self._logs.links.items():
            found[link.socket] = partial(self._take_subscriptions, endpoint)
        if self.gossip is not None:
            found.update((one, self._in_turn(take)) for one, take in self.gossip.sources.items())
        return found

    def next_deadline(self) -> float | None:
        """When to be told the time."""
        with self.turns.lock:
            if self._logs.waiting:
                return 0.0
            due = self._dealers.next_deadline()
            planned = self.engine.next_deadline()
            if planned is not None and planned < due:
                due = planned
            if self.gossip is not None:
                planned = self.gossip.next_deadline()
                due = due if planned is None else min(due, planned)
            if self._full:
                due = min(due, time.monotonic() + FLUSH_EVERY)
            return None if due == NEVER else due

    def start(self, now: float) -> None:
        """Begin to announce ourselves."""
        with self.turns.gate, self.turns.lock:
            self._carry_out(self.engine.start(now), now)
            if self.gossip is not None:
                own, secret = self.engine.own, self.engine.options.public_key
                self.gossip.start(*node_pair(own.key, own.endpoint, secret), now)

    def tick(self, now: float, *, held_up: bool = False) -> None:
        """Do what is due; who was held up itself judges nobody yet."""
        with self.turns.gate, self.turns.lock:
            for effects in self._dealers.news(self.engine, now, held_up=held_up):
                self._carry_out(effects, now)
            if self._full:
                self._flush(now)
            due = self.engine.next_deadline()
            if due is not None and due <= now:
                drained = self._drained and not (self._paused or held_up)
                self._carry_out(self.engine.tick(now, drained), now)
            if self.gossip is not None:
                self.gossip.tick(now)
            self._logs.flush()

    def stop(self, now: float) -> None:
        """Take leave of everybody."""
        with self.turns.gate, self.turns.lock:
            effects = self.engine.stop(now)
            farewells = [one for one in effects if isinstance(one, SendBeacon)]
            self._farewell = farewells[0].octets if farewells else b""
            self._carry_out([one for one in effects if one not in farewells], now)

    def close(self) -> None:
        """Close all ZeroMQ sockets; what was said may still go out."""
        with self.turns.gate, self.turns.lock:
            self._place.go(self.engine.own.key)
            self._dealers.close()
            for endpoint in list(self._logs.links):
                self._logs.close(endpoint)
            if self.gossip is not None:
                self.gossip.close()
            end_listening(self._mailbox, self._monitor)
            if self._fixed:
                release(self._mailbox, self._fixed)
            self._mailbox.close()

    def vanish(self) -> None:
        """Say goodbye by beacon, after what was said by message has gone out, and fall silent."""
        if self._air is not None:
            if self._farewell:
                self._air.send(self._farewell)
            self._air.close()
            self._air = None
        if self.tap is not None:
            self.tap.close()

    # ---------------------------------------------------------------- what callers want

    def whisper(self, peer: UUID, content: Sequence[bytes]) -> None:
        """Send to one peer, now; Busy where too many messages wait for it already."""
        turns, now = self.turns, time.monotonic()
        turns.stand_back()
        with turns.lock:
            self._carry_out(self.engine.whisper(peer, content, now), now)

    def shout(self, group: str, content: Sequence[bytes]) -> None:
        """Send to every peer in a group, now; Busy where too many wait for one of them."""
        turns, now = self.turns, time.monotonic()
        turns.stand_back()
        with turns.lock:
            self._carry_out(self.engine.shout(group, content, now), now)

    def do(self, deed: Callable[[float], Iterable[Effect]]) -> None:
        """Have the engine do something, in the turn of the caller."""
        with self.turns.next():
            now = time.monotonic()
            self._carry_out(deed(now), now)

    @property
    def full(self) -> bool:
        """Whether something waits for room in a queue, so that the host has to look after it."""
        return bool(self._full)

    @property
    def beacons_unsent(self) -> int:
        """Beacons that an interface did not take."""
        return 0 if self._air is None else self._air.unsent

    @property
    def unread(self) -> bool:
        """Whether the mailbox may hold messages that nobody is going to be told of."""
        return not (self._drained or self._paused)

    @property
    def paused(self) -> bool:
        """Whether the mailbox waits for events to be read."""
        return self._paused

    def resume(self) -> None:
        """Enough events were read: hear what waits in the mailbox."""
        with self.turns.next():
            if self._paused:
                self._paused = False
                self._changed()

    # ---------------------------------------------------------------- what arrives

    def _in_turn(self, take: Take) -> Take:
        def taken(now: float) -> None:
            with self.turns.gate, self.turns.lock:
                take(now)

        return taken

    def take_messages(self, now: float) -> None:
        """Hear what is in the mailbox, at most a batch."""
        pull, work = self._mailbox.pull, self._work
        hear: Callable[[bytes, list[bytes], float], Sequence[Effect]] = self.engine.hear
        with self.turns.gate, self.turns.lock:
            seeking = self.engine.seeking
            self._mailbox.note_source(seeking)
            if seeking:
                hear = self._hear_from
                for effects in self._dealers.ends(self.engine, now):
                    work(effects, now)
            self._drained = False
            for turn in range(BATCH):
                if turn == 1 and not self._mailbox.has_next():
                    self._drained = True
                    break  # often one message comes alone
                try:
                    frames = pull()
                except RemoteError as error:
                    self.refused += 1
                    _log.debug("%s", error)
                    continue
                if frames is None:
                    self._drained = not self._mailbox.skipping
                    break
                effects = hear(frames[0], frames[1:], now)
                if effects:
                    work(effects, now)
            if self._told:
                self._hand_over()
            self._logs.flush()

    def _hear_from(self, identity: bytes, frames: list[bytes], now: float) -> Sequence[Effect]:
        return self.engine.hear(identity, frames, now, self._mailbox.source)

    def overhear(self, octets: bytes, address: str, now: float) -> None:
        """A datagram came, and another thread tells; only what is new has somebody woken."""
        lock = self.turns.lock
        if lock.acquire(blocking=False):
            try:
                if self.engine.overhear(octets, address, now):
                    return
            finally:
                lock.release()
        self.overheard.append((octets, address))
        self.wake()

    def take_beacons(self, now: float) -> None:
        """Hear the datagrams that wait."""
        overheard, statistics = self.overheard, self.engine.statistics
        with self.turns.gate, self.turns.lock:
            for _ in range(len(overheard)):
                malformed = statistics.beacons_malformed
                octets, address = overheard.popleft()
                if effects := self.engine.beacon(octets, address, now):
                    self._carry_out(effects, now)
                elif statistics.beacons_malformed > malformed:
                    _log.debug("%d octets from %s are no beacon", len(octets), address)
            self._logs.flush()

    def _take_hints(self, now: float) -> None:
        with self.turns.gate, self.turns.lock:
            if drain(self._monitor):
                self._dealers.watches.hint(now)

    def _take_subscriptions(self, endpoint: str, now: float) -> None:
        with self.turns.gate, self.turns.lock:
            if self._logs.subscriptions(endpoint):
                self._carry_out(self.engine.subscribed(endpoint), now)
            self._logs.flush()

    def discovered(self, key: bytes, endpoint: str, server_key: bytes) -> None:
        """Gossip told of a node, while it had its turn."""
        now = time.monotonic()
        self._carry_out(self.engine.discover(key, endpoint, now, server_key), now)

    # ---------------------------------------------------------------- what the engine orders

    def _carry_out(self, effects: Iterable[Effect], now: float) -> None:
        self._work(effects, now)
        if self._told:
            self._hand_over()

    def _hand_over(self) -> None:
        """Give the user what happened; a user who has no room for more is waited for."""
        told, self._told = self._told, []
        if not self.tell(told) and not self._paused:
            self._paused = True
            self._changed()

    def _work(self, effects: Iterable[Effect], now: float) -> None:
        links, told = self._dealers.links, self._told
        while effects:
            failed: dict[Peer, list[Send]] = {}
            for effect in effects:
                if type(effect) is Send:
                    peer = effect.peer
                    if peer in failed:
                        failed[peer].append(effect)
                    elif (link := links.get(peer)) is not None and not link.push(effect.frames):
                        failed[peer] = [effect]
                elif type(effect) is Tell:
                    told.append(effect.event)
                else:
                    self._obey(effect, failed, now)
            effects = []
            for peer, sends in failed.items():
                self._full.add(peer)
                effects.extend(self.engine.unsent(sends, now))
            while self._unreachable:
                effects.extend(self.engine.vanish(self._unreachable.pop(), now))

    def _obey(self, effect: Effect, failed: dict[Peer, list[Send]], now: float) -> None:
        match effect:
            case Connect(peer):
                failed.pop(peer, None)
                if not self._dealers.connect(effect, now):
                    self._unreachable.append(peer)
            case Disconnect(peer, linger):
                failed.pop(peer, None)
                self._full.discard(peer)
                self._dealers.disconnect(peer, linger=linger)
            case SendBeacon(octets):
                if self._air is not None:
                    self._air.send(octets)
            case OpenLog():
                self._logs.open(effect)
                self._changed()
            case SendLog():
                self._logs.send(effect)
            case CloseLog(endpoint):
                self._logs.close(endpoint)
                self._changed()
            case Send() | Tell():
                pass  # done by the caller of this
            case _:
                assert_never(effect)

    def _changed(self) -> None:
        self.version += 1

    def _flush(self, now: float) -> None:
        """Send what waited for room, as far as there is room now."""
        for peer in list(self._full):
            link = self._dealers.links.get(peer)
            while link is not None and peer.backlog and not peer.closed:
                # Asking for EVENTS makes a socket take notice of the room that it has again.
                if not cast(int, link.socket.getsockopt(zmq.EVENTS)) & zmq.POLLOUT:
                    break
                before = len(peer.backlog)
                self._carry_out(self.engine.writable(peer, now), now)
                if len(peer.backlog) >= before:
                    break
            if link is None or peer.closed or not peer.backlog:
                self._full.discard(peer)
        self.made_room()
