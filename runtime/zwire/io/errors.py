"""What can go wrong at a socket, as types: each says what, where, expected, got and what to do."""

from __future__ import annotations

from zwire.errors import Closed, LocalError, NoAnswer, RemoteError, ZwireError


class SocketError(ZwireError):
    """Something went wrong at a socket."""

    def __init__(
        self, what: str, *, where: str, expected: str = "", got: str = "", remedy: str = ""
    ) -> None:
        self.what = what
        self.where = where
        self.expected = expected
        self.got = got
        self.remedy = remedy
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        parts = [f"{self.where}: {self.what}"]
        if self.expected:
            parts.append(f"expected {self.expected}")
        if self.got:
            parts.append(f"got {self.got}")
        if self.remedy:
            parts.append(self.remedy)
        return "; ".join(parts)


class NotSent(SocketError):
    """A message was not accepted; nothing of it has left."""


class NoRoom(NotSent, TimeoutError):
    """No connected peer has room in its queue for the message (in the time that was given)."""


class UnknownPeer(NotSent):
    """A ROUTER was asked to send to an identity that is not connected."""


class NothingReceived(SocketError, NoAnswer):
    """No message came in the time that was given."""


class OutOfTurn(SocketError, LocalError):
    """REQ or REP was asked to send or to receive when it was the other's turn."""


class NotSendable(SocketError, LocalError):
    """What was to be sent is no message: no data frame, or the codec refuses it."""


class BadIdentity(SocketError, LocalError):
    """An identity that no socket may take."""


class BadOptions(SocketError, LocalError):
    """Options that contradict each other or are out of range; all mistakes at once."""


class BadEndpoint(SocketError, LocalError):
    """An endpoint that cannot be bound or connected."""


class Unprotected(SocketError, LocalError):
    """An endpoint that others can reach was to be bound without CURVE."""


class BadKeys(SocketError, LocalError):
    """Key files that are missing, damaged or readable by others."""


class SocketClosed(SocketError, Closed):
    """The socket or its context is closed."""


class Malformed(SocketError, RemoteError):
    """A peer sent frames that are no message of the codec, or too many of them.

    `frames` are the frames as they came (no more than the limit), `peer` the sender's identity
    where the socket knows it.
    """

    def __init__(
        self,
        what: str,
        *,
        where: str,
        expected: str = "",
        got: str = "",
        remedy: str = "",
        frames: tuple[bytes, ...] = (),
        peer: bytes | None = None,
    ) -> None:
        super().__init__(what, where=where, expected=expected, got=got, remedy=remedy)
        self.frames = frames
        self.peer = peer


class Impostor(Malformed):
    """A peer speaks under an identity that belongs to the holder of another key."""
