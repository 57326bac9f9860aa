"""A transparent proxy that records: between programs that are not ours and the server they speak to.

In front a ROUTER takes the server's place. Behind it every peer has a DEALER of its own, under the
identity it chose, so that the server keeps them apart as before. Frames pass untouched. Where a
queue is full, whoever fills it waits: nothing is dropped but what is for a peer that has gone.
"""

from __future__ import annotations

import logging
import socket as sockets
import time
from dataclasses import dataclass, field

import zmq

from zwire.capture import Direction
from zwire.errors import RemoteError, ZwireError
from zwire.io.attaching import attach
from zwire.io.between_words import Listener
from zwire.io.contexts import Context, OwnContext
from zwire.io.endpoints import Endpoint
from zwire.io.errors import UnknownPeer
from zwire.io.hosting import BATCH, Raw
from zwire.io.options import Options
from zwire.io.taps import Recording

_log = logging.getLogger("zwire.capture")
_SWEEP = 1.0  # seconds between two looks for peers that are silent
_AGAIN = 0.02  # seconds after which a peer in front that had no room is tried again


@dataclass(slots=True, eq=False)
class _Peer:
    """Somebody in front, and the socket that speaks for it behind."""

    identity: bytes
    link: Raw
    listener: Listener
    seen: float
    unsent: list[bytes] = field(default_factory=list)  # for the server, whose queue is full
    undelivered: list[bytes] = field(default_factory=list)  # for the peer, whose queue is full


class Between:
    """Runs until stopped, in the thread that calls `run`; `stop` may be called from anywhere."""

    def __init__(
        self,
        front: Endpoint,
        back: Endpoint,
        recording: Recording,
        protocol: str = "",
        *,
        silence: float = 600.0,
        max_peers: int = 5_000,
        insecure: bool = False,
    ) -> None:
        self._back = back
        self._recording = recording
        self._protocol = protocol
        self._silence = silence
        self._max_peers = max_peers
        self._peers: dict[bytes, _Peer] = {}
        self._by_socket: dict[zmq.Socket[bytes], _Peer] = {}
        self._poller = zmq.Poller()
        self._blocked: _Peer | None = None  # the front waits for its message to find room
        self._full: set[_Peer] = set()  # in front, with something undelivered
        self._ending = False
        self._context: Context = OwnContext()
        self._context.set(zmq.MAX_SOCKETS, max_peers + 10)
        self._awake, self._waker = sockets.socketpair()
        self._waker.setblocking(False)
        try:
            options = Options(linger=1.0, insecure=insecure)
            self._front, (self.address,) = attach(zmq.ROUTER, [front], options, self._context)
        except BaseException:
            self._context.term()
            self._awake.close()
            self._waker.close()
            raise

    @property
    def peers(self) -> int:
        """How many peers are spoken for now."""
        return len(self._peers)

    def stop(self) -> None:
        """Have `run` end."""
        self._ending = True
        try:
            self._waker.send(b"s")
        except OSError:
            return  # full or closed: it has been asked already

    def run(self) -> None:
        """Pass messages on until stopped, then close."""
        poller = self._poller
        poller.register(self._awake, zmq.POLLIN)
        poller.register(self._front.socket, zmq.POLLIN)
        sweep_at = time.monotonic() + _SWEEP
        try:
            while not self._ending:
                ready = poller.poll(int((_AGAIN if self._full else _SWEEP) * 1000))
                now = time.monotonic()
                for socket, events in ready:
                    if socket is self._front.socket:
                        self._take_from_front(now)
                    elif (peer := self._by_socket.get(socket)) is not None:
                        self._serve(peer, events, now)
                for peer in list(self._full):
                    self._deliver(peer, peer.undelivered)
                if now >= sweep_at:
                    sweep_at = now + _SWEEP
                    self._let_go_of_silent(now)
        finally:
            self.close()

    def close(self) -> None:
        """Let go of all sockets; what was passed on may still go out."""
        if self._front.closed:
            return
        for peer in list(self._peers.values()):
            self._forget(peer, "")
        self._front.close()
        self._context.term()
        self._awake.close()
        self._waker.close()

    # ---------------------------------------------------------------- towards the server

    def _take_from_front(self, now: float) -> None:
        for _ in range(BATCH):
            if self._blocked is not None:
                return
            try:
                frames = self._front.pull()
            except RemoteError as error:
                _log.warning("dropped: %s", error)
                continue
            if frames is None:
                return
            if len(frames) > 1:
                peer = self._peers.get(frames[0]) or self._open(frames[0], now)
                if peer is not None:
                    peer.seen = now
                    peer.listener.note(Direction.IN, frames[1:])
                    self._pass_on(peer, frames[1:])

    def _pass_on(self, peer: _Peer, frames: list[bytes]) -> None:
        if peer.link.push(frames):
            return
        # The server does not read: the front waits, and so do its peers once their queues are full.
        peer.unsent = frames
        self._blocked = peer
        self._poller.modify(self._front.socket, 0)
        self._poller.modify(peer.link.socket, zmq.POLLIN | zmq.POLLOUT)

    def _open(self, identity: bytes, now: float) -> _Peer | None:
        """Speak for one more peer; a ROUTER's own names for peers without one begin with zero."""
        if len(self._peers) >= self._max_peers:
            self._tell("peer refused", identity, f"{self._max_peers} peers are there already")
            return None
        own = identity if identity[:1] not in (b"", b"\0") else None
        options = Options(identity=own, linger=1.0, reconnect_max=2.0)
        place = Endpoint(self._back.address, connects=True)
        try:
            link, _ = attach(zmq.DEALER, [place], options, self._context)
        except (ZwireError, zmq.ZMQError) as error:
            self._tell("peer refused", identity, str(error))
            return None
        listener = Listener(self._recording, self.address, self._protocol, identity)
        peer = _Peer(identity, link, listener, now)
        self._peers[identity] = self._by_socket[link.socket] = peer
        self._poller.register(link.socket, zmq.POLLIN)
        self._tell("peer came", identity)
        return peer

    # ---------------------------------------------------------------- towards the peer

    def _serve(self, peer: _Peer, events: int, now: float) -> None:
        if events & zmq.POLLOUT and peer.unsent and peer.link.push(peer.unsent):
            peer.unsent = []
            self._blocked = None
            self._poller.modify(self._front.socket, zmq.POLLIN)
            self._poller.modify(peer.link.socket, 0 if peer.undelivered else zmq.POLLIN)
        if events & zmq.POLLIN:
            for _ in range(BATCH):
                frames = None if peer.undelivered or peer.link.closed else peer.link.pull()
                if frames is None:
                    return
                peer.seen = now
                self._deliver(peer, frames)

    def _deliver(self, peer: _Peer, frames: list[bytes]) -> None:
        try:
            delivered = self._front.push([peer.identity, *frames])
        except (UnknownPeer, zmq.ZMQError):
            self._forget(peer, "it has gone")
            return
        waited = bool(peer.undelivered)
        peer.undelivered = [] if delivered else frames
        if delivered:
            peer.listener.note(Direction.OUT, frames)
        if waited is delivered:  # it waits no longer, or from now on
            (self._full.discard if delivered else self._full.add)(peer)
            flags = zmq.POLLIN if delivered else 0
            self._poller.modify(peer.link.socket, flags | (zmq.POLLOUT if peer.unsent else 0))

    # ---------------------------------------------------------------- leaving

    def _let_go_of_silent(self, now: float) -> None:
        for peer in list(self._peers.values()):
            if now - peer.seen > self._silence:
                self._forget(peer, f"silent for {self._silence:g} s")

    def _forget(self, peer: _Peer, why: str) -> None:
        del self._peers[peer.identity]
        del self._by_socket[peer.link.socket]
        self._poller.unregister(peer.link.socket)
        self._full.discard(peer)
        if self._blocked is peer:
            self._blocked = None
            self._poller.modify(self._front.socket, zmq.POLLIN)
        peer.link.close()
        self._tell("peer left", peer.identity, why)

    def _tell(self, what: str, identity: bytes, why: str = "") -> None:
        facts = {"detail": why} if why else {}
        self._recording.recorder.event(what, facts, endpoint=self.address, peer=identity)
        _log.info("%s: %s%s", what, identity.hex(), f" ({why})" if why else "")
