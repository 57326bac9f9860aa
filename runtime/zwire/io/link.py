"""One ZeroMQ socket and all decisions about it, without ever waiting: it says what to wait for.

`sending` and `receiving` are generators: each yields a Wait until the operation is done and then
returns its result. The blocking sockets and the asyncio ones only differ in how they wait.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import zmq
import zmq.backend

from zwire.io.contexts import Context
from zwire.io.errors import (
    Impostor,
    Malformed,
    NoRoom,
    NothingReceived,
    NotSendable,
    NotSent,
    UnknownPeer,
)
from zwire.io.identities import Owners
from zwire.io.more import EVENTS, MORE_FRAMES, question
from zwire.io.options import Options, Undeliverable
from zwire.io.plug import Plug
from zwire.io.security import CurveServer
from zwire.io.speech import Codec

M = TypeVar("M")
T = TypeVar("T")

# "The time-out of the socket's options", where a call may give its own.
USUAL = -1.0

# The calls of the backend itself, with plain numbers: pyzmq's own wrapping of options and flags
# costs several times the call.
_send, _receive = zmq.backend.Socket.send, zmq.backend.Socket.recv
_LAST = int(zmq.NOBLOCK)
_MORE = int(zmq.NOBLOCK | zmq.SNDMORE)
_READABLE = int(zmq.POLLIN)
_SKIPPED = 5_000  # frames of an overlong message that are thrown away in one go


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait for these events (zmq.POLLIN or POLLOUT), for at most so many seconds; None: for ever."""

    events: int
    seconds: float | None


Steps = Generator[Wait, None, T]


class Link(Plug, Generic[M]):
    """A REQ, REP, DEALER or ROUTER socket that never blocks."""

    def __init__(
        self, kind: zmq.SocketType, codec: Codec[M], options: Options, context: Context | None
    ) -> None:
        super().__init__(kind, options, context)
        self.dropped = 0
        self._encode, self._decode = codec.encode, codec.decode
        # Under CURVE an identity belongs to the key that used it first.
        owned = kind is zmq.ROUTER and isinstance(options.curve, CurveServer)
        self._owners = Owners(options.known_owners) if owned else None
        self.source = ""  # the address that the last message came from, if that is noted
        self._notes_source = False
        self._plain = not owned  # nothing but its frames is asked of a message
        most = options.max_frames
        self._more = question(self.socket, MORE_FRAMES)
        self._has = question(self.socket, EVENTS)
        self._routes = kind is zmq.ROUTER
        self._limit = sys.maxsize if most is None else most + self._routes
        # What we keep of a message whose rest is being skipped: its first frames, and whose it is.
        self._overlong: tuple[list[bytes], str] | None = None
        self._excess = 0

    # ----- sending

    def sending(self, message: M, timeout: float | None = USUAL) -> Steps[None]:
        """Send one message, waiting for a peer with room where the kind of socket waits."""
        frames = self._frames_of(message)
        if self.push(frames):
            return
        if timeout == USUAL:
            timeout = self.options.send_timeout
        deadline = None if timeout is None else time.monotonic() + timeout
        # A send may put off what the I/O threads have to tell; asking for EVENTS never does.
        while not (self._events() & zmq.POLLOUT and self.push(frames)):
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise NoRoom(
                    "the message was not sent",
                    where=self._where,
                    expected="a connected peer with room in its queue",
                    got=f"none within {timeout:g} s",
                    remedy="check that the peer runs and reads, or wait longer",
                )
            yield Wait(zmq.POLLOUT, left)

    def route(self, peer: bytes, message: M) -> bool:
        """Send to one peer of a ROUTER, now or not at all; whether it was queued."""
        frames = [peer, *self._frames_of(message)]
        problem = self._offer(frames)
        if problem is not None and self._events() >= 0:
            # The first try may have missed what the I/O threads had to tell.
            problem = self._offer(frames)
        if problem is None:
            return True
        if self.options.undeliverable is Undeliverable.RAISE:
            raise problem
        self.dropped += 1
        return False

    def _offer(self, frames: Sequence[bytes]) -> NotSent | None:
        try:
            if self.push(frames):
                return None
        except UnknownPeer as error:
            return error
        return NoRoom(
            "the message was not sent",
            where=self._where,
            expected="room in the peer's queue",
            got=f"a full queue for {frames[0].hex()}",
            remedy="let the peer read first, or allow longer queues",
        )

    def _frames_of(self, message: M) -> Sequence[bytes]:
        try:
            frames = self._encode(message)
        except ValueError as error:
            raise NotSendable(
                "the codec refuses the message", where=self._where, got=str(error)
            ) from error
        if not frames:
            raise NotSendable(
                "a message without frames",
                where=self._where,
                expected="at least one data frame",
                got="none",
                remedy="send an empty frame where there is nothing to say",
            )
        for place, frame in enumerate(frames):
            # Noticed before anything has left: half a message would spoil the next one.
            if not isinstance(frame, bytes):
                raise NotSendable(
                    f"frame {place} is not made of octets",
                    where=self._where,
                    expected="bytes",
                    got=type(frame).__name__,
                )
        return frames

    def push(self, frames: Sequence[bytes]) -> bool:
        """Send these frames now; False when there is no room. UnknownPeer: a ROUTER knows nobody."""
        socket = self.socket
        left = len(frames)
        try:
            for frame in frames:
                left -= 1
                _send(socket, frame, _MORE if left else _LAST)
        except zmq.Again:
            # The peer went away in the middle of a message. libzmq drops what follows up to the
            # last frame: without giving it that, the whole next message would be dropped instead.
            if left < len(frames) - 1:
                for frame in frames[len(frames) - left :]:
                    left -= 1
                    _send(socket, frame, _MORE if left else _LAST)
            return False
        except zmq.ZMQError as error:
            self._explain(error, "send", frames)
        return True

    # ----- receiving

    def receiving(self, timeout: float | None = USUAL) -> Steps[M]:
        """Receive one message of REQ, REP or DEALER."""
        return self._understood((yield from self._pulling(timeout)), None)

    def receiving_from(self, timeout: float | None = USUAL) -> Steps[tuple[bytes, M]]:
        """Receive one message of a ROUTER, with the identity of its sender."""
        peer, *frames = yield from self._pulling(timeout)
        return peer, self._understood(frames, peer)

    def _pulling(self, timeout: float | None) -> Steps[list[bytes]]:
        frames = self.pull()
        if frames is not None:
            return frames
        if timeout == USUAL:
            timeout = self.options.receive_timeout
        deadline = None if timeout is None else time.monotonic() + timeout
        while (frames := self.pull()) is None:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise NothingReceived(
                    "nothing was received",
                    where=self._where,
                    expected="a message",
                    got=f"none within {timeout:g} s",
                    remedy="check that the peer runs, or wait longer",
                )
            yield Wait(zmq.POLLIN, left)
        return frames

    def pull(self) -> list[bytes] | None:
        """The frames of the next message, with a ROUTER's identity; None when there is none."""
        if self._overlong is not None:
            self._skip(*self._overlong)
            return None
        socket, limit = self.socket, self._limit
        ask, handle, option, place, size, more = self._more
        key = ""
        try:
            if self._plain:
                frames = [_receive(socket, _LAST)]
            else:
                first = _receive(socket, _LAST, False)
                frames, key = [first.bytes], self._noted(first)
            if self._routes:
                # An identity is always followed by what its owner said: no need to ask.
                frames.append(_receive(socket, _LAST))
            ask(handle, option, place, size)
            while more.value:
                if len(frames) == limit:
                    self._overlong = (frames, key)
                    self._skip(frames, key)
                    return None
                frames.append(_receive(socket, _LAST))
                ask(handle, option, place, size)
        except zmq.Again:
            return None
        except zmq.ZMQError as error:
            self._explain(error, "receive", ())
        if self._owners is not None:
            self._check_owner(self._owners, frames, key)
        return frames

    def note_source(self, wanted: bool) -> None:
        """Have `source` tell where messages come from; each then costs a little more."""
        self._notes_source = wanted
        self._plain = self._owners is None and not wanted

    def _noted(self, first: zmq.Frame) -> str:
        """The key of who sent this, where keys matter; and where it came from, if that is noted."""
        if self._notes_source:
            try:
                self.source = str(first.get("Peer-Address")).removeprefix("::ffff:")
            except zmq.ZMQError:
                self.source = ""  # of this same process
        return "" if self._owners is None else str(first.get("User-Id"))

    @property
    def skipping(self) -> bool:
        """Whether `pull` gave nothing because it is in the middle of an endless message."""
        return self._overlong is not None

    def has_next(self) -> bool:
        """Whether there is something to pull; this costs a fraction of a pull that finds nothing."""
        ask, handle, option, place, size, events = self._has
        ask(handle, option, place, size)
        return bool(events.value & _READABLE)

    def _skip(self, frames: list[bytes], key: str) -> None:
        """Throw away what follows the first frames of a message with too many; in the end Malformed.

        Millions of frames cost a peer next to nothing: after some of them others have their turn.
        """
        ask, handle, option, place, size, more = self._more
        try:
            for _ in range(_SKIPPED):
                _receive(self.socket, _LAST)
                self._excess += 1
                ask(handle, option, place, size)
                if not more.value:
                    break
            else:
                return
        except zmq.ZMQError as error:
            self._explain(error, "receive", ())
        self._overlong = None
        excess, self._excess = self._excess, 0
        if self._owners is not None:
            self._check_owner(self._owners, frames, key)
        raise Malformed(
            "a message with too many frames",
            where=self._where,
            expected=f"at most {self.options.max_frames}",
            got=f"{excess} more",
            remedy="the rest was thrown away",
            frames=tuple(frames),
            peer=self._peer_in(frames),
        )

    def _check_owner(self, owners: Owners, frames: list[bytes], key: str) -> None:
        if not owners.owns(frames[0], key):
            raise Impostor(
                "the identity belongs to the holder of another key",
                where=self._where,
                got=f"identity {frames[0].hex()} from the key {key}",
                remedy="the message was thrown away",
                frames=tuple(frames),
                peer=frames[0],
            )

    def _peer_in(self, frames: list[bytes]) -> bytes | None:
        return frames[0] if self._routes else None

    def _understood(self, frames: list[bytes], peer: bytes | None) -> M:
        try:
            return self._decode(frames)
        except ValueError as error:
            raise Malformed(
                "not a message",
                where=self._where,
                got=str(error),
                remedy="a REP still owes an answer" if self.kind is zmq.REP else "drop it",
                frames=tuple(frames),
                peer=peer,
            ) from error
