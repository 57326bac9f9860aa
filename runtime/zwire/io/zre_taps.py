"""What a node says and hears, recorded: messages, beacons, gossip and log records, and its events.

Links are listened in on only where somebody records: a node that is not recorded pays nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias
from uuid import UUID

from zwire.capture import Direction
from zwire.capture.recorder import Note
from zwire.dialects.speech import Spoken
from zwire.io.errors import Malformed
from zwire.io.hosting import Raw
from zwire.io.taps import Recording
from zwire.io.zre_ether import Overhear
from zwire.io.zre_gossip import GossipSockets
from zwire.io.zre_udp import Air
from zwire.zre.effects import Connect
from zwire.zre.events import NodeEvent, Shouted, Whispered
from zwire.zre.telling import event_told
from zwire.zre.wire import BY_IDENTITY_LENGTH, WIRE20, WIRE36, Wire

# Frames, and when by the recorder's clock.
Noting: TypeAlias = Callable[[Sequence[bytes], int], None]
Tell: TypeAlias = Callable[[Sequence[NodeEvent]], bool]

_PARTS = {WIRE20: "zre.messages", WIRE36: "zre36.messages"}
_PING_OK = 7
_MANY = 1_000
_BEACON, _BEACON_WITH_KEY = Spoken("zre.beacon", "node"), Spoken("zre36.beacon3", "node")
_GOODBYE = Spoken("zre36.beacon", "node")  # only that dialect has one, with the port 0
_WITH_KEY = b"ZRE\3"
_LOG = Spoken("zrelog.messages", "node")
_MEMBER, _HUB = Spoken("zgossip.messages", "client"), Spoken("zgossip.messages", "server")


class NodeTap:
    """The recording of one node; `out` is what this node said, whose UUID the event `node` tells."""

    def __init__(self, recording: Recording, uuid: UUID, name: str, endpoint: str) -> None:
        self._recording = recording
        self._endpoint = endpoint
        self._key = uuid.bytes
        self._clock = recording.recorder.clock
        self._notes: dict[tuple[Direction, str, Spoken], Note] = {}
        facts = {"uuid": str(uuid), "name": name, "endpoint": endpoint}
        recording.recorder.event("node", facts, endpoint=endpoint)

    def close(self) -> None:
        """Complete the recording."""
        self._recording.close()

    def telling(self, tell: Tell) -> Tell:
        """The same, noting what happens; messages to the user are rows of their own already."""
        event = self._recording.recorder.event

        def note_and_tell(events: Sequence[NodeEvent]) -> bool:
            for one in events:
                if not isinstance(one, Whispered | Shouted):
                    facts = event_told(one)
                    peer = getattr(one, "peer", None)
                    octets = peer.bytes if isinstance(peer, UUID) else b""
                    event(facts.pop("event"), facts, endpoint=self._endpoint, peer=octets)
            return tell(events)

        return note_and_tell

    # ---------------------------------------------------------------- messages

    def mailbox(self, link: Raw) -> None:
        """Note what peers say to us."""

        def heard(frames: Sequence[bytes], at: int) -> None:
            identity = frames[0]
            wire = BY_IDENTITY_LENGTH.get(len(identity), WIRE20)
            spoken = _spoken(wire, frames[1:])
            self._note(Direction.IN, self._endpoint, spoken, identity[-16:], frames[1:], at)

        _listen_in(link, self._clock, heard, None)

    def dealer(self, link: Raw, order: Connect) -> None:
        """Note what we say to a peer."""
        wire, peer = BY_IDENTITY_LENGTH[len(order.identity)], order.peer

        def said(frames: Sequence[bytes], at: int) -> None:
            spoken = _spoken(wire, frames)
            self._note(Direction.OUT, order.endpoint, spoken, peer.key, frames, at)

        _listen_in(link, self._clock, None, said)

    def log(self, link: Raw, endpoint: str) -> None:
        """Note what we report to a collector."""

        def said(frames: Sequence[bytes], at: int) -> None:
            self._note(Direction.OUT, endpoint, _LOG, b"", frames, at)

        _listen_in(link, self._clock, None, said)

    def gossip(self, sockets: GossipSockets) -> None:
        """Note what is gossiped."""
        if sockets.hub is not None:
            self._gossip(sockets.hub, sockets.bound or "", _MEMBER, _HUB, routed=1)
        for endpoint, link in sockets.members.items():
            self._gossip(link, endpoint, _HUB, _MEMBER, routed=0)

    def _gossip(self, link: Raw, where: str, others: Spoken, own: Spoken, *, routed: int) -> None:
        def heard(frames: Sequence[bytes], at: int) -> None:
            peer = b"".join(frames[:routed])
            self._note(Direction.IN, where, others, peer, frames[routed:], at)

        def said(frames: Sequence[bytes], at: int) -> None:
            peer = b"".join(frames[:routed])
            self._note(Direction.OUT, where, own, peer, frames[routed:], at)

        _listen_in(link, self._clock, heard, said)

    # ---------------------------------------------------------------- beacons

    def air(self, air: Air) -> None:
        """Note beacons, but for the echo of our own."""
        listen, send, where = air.listen, air.send, f"udp://*:{air.port}"

        def listen_and_note(overhear: Overhear) -> None:
            def note_heard(octets: bytes, address: str, now: float) -> None:
                if octets[4:20] != self._key:
                    self._beacon(Direction.IN, where, octets)
                overhear(octets, address, now)

            listen(note_heard)

        def note_sent(octets: bytes) -> None:
            self._beacon(Direction.OUT, where, octets)
            send(octets)

        air.listen = listen_and_note  # type: ignore[method-assign]
        air.send = note_sent  # type: ignore[method-assign]

    def _beacon(self, direction: Direction, where: str, octets: bytes) -> None:
        spoken = _GOODBYE if octets[20:] == b"\0\0" else _BEACON
        if octets.startswith(_WITH_KEY):
            spoken = _BEACON_WITH_KEY
        peer = octets[4:20] if direction is Direction.IN else b""
        self._note(direction, where, spoken, peer, [octets], self._clock())

    def _note(
        self,
        direction: Direction,
        where: str,
        spoken: Spoken,
        peer: bytes,
        frames: Sequence[bytes],
        at: int,
    ) -> None:
        note = self._notes.get((direction, where, spoken))
        if note is None:
            if len(self._notes) >= _MANY:
                self._notes.clear()  # of peers that came and went
            note = self._recording.tap(direction, where, spoken)
            self._notes[direction, where, spoken] = note
        note(peer, frames, 0, at)


def _spoken(wire: Wire, frames: Sequence[bytes]) -> Spoken:
    """Who says it: all is said by the sender of a link, but for the answer to its PING."""
    head = frames[0] if frames else b""
    answer = len(head) > wire.command_at and head[wire.command_at] == _PING_OK
    return Spoken(_PARTS[wire], "recipient" if answer else "sender")


def _listen_in(
    link: Raw, clock: Callable[[], int], heard: Noting | None, said: Noting | None
) -> None:
    """Have all that a link receives and sends noted, by standing in for its two methods."""
    pull, push = link.pull, link.push

    def note_pulled() -> list[bytes] | None:
        try:
            frames = pull()
        except Malformed as error:
            if heard is not None and error.frames:
                heard(error.frames, clock())
            raise
        if frames is not None and heard is not None:
            heard(frames, clock())
        return frames

    def note_pushed(frames: Sequence[bytes]) -> bool:
        at = clock()
        sent = push(frames)
        if sent and said is not None:
            said(frames, at)
        return sent

    if heard is not None:
        link.pull = note_pulled  # type: ignore[method-assign]
    if said is not None:
        link.push = note_pushed  # type: ignore[method-assign]
