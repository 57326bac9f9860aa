"""Whose words a message is that passes between others: found by the codecs, peer by peer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from zwire.capture import Direction
from zwire.captured import NoCodec, understand
from zwire.codecs import find_codecs
from zwire.dialects.speech import Spoken
from zwire.io.taps import Recording
from zwire_protocols.errors import DecodeError

# Roles of whoever has the ROUTER; in PPP that is the queue, which speaks as a client to workers.
_SERVERS = ("broker", "server", "rep")


class Listener:
    """Notes what one peer and its server say to each other.

    What the peer says first that can be read tells its part of the protocol: `mdpx` is spoken by
    clients and by workers. Until then, and for a protocol that nobody knows, no role is noted.
    """

    def __init__(self, recording: Recording, endpoint: str, protocol: str, peer: bytes) -> None:
        self._recording = recording
        self._endpoint = endpoint
        self._peer = peer
        self._parts = _parts(protocol)
        self._unknown = Spoken(protocol, "")
        self._chosen: tuple[Spoken, Spoken] | None = None
        if len(self._parts) == 1:
            (self._chosen,) = self._parts

    def note(self, direction: Direction, frames: Sequence[bytes]) -> None:
        """Note a message; `IN` is what the peer said."""
        said_by_peer = direction is Direction.IN
        if self._chosen is None and said_by_peer:
            self._chosen = next((one for one in self._parts if _is(one[0], frames)), None)
        if self._chosen is None:
            spoken = self._unknown
        else:
            spoken = self._chosen[0] if said_by_peer else self._chosen[1]
        recorder = self._recording.recorder
        recorder.message(direction, self._endpoint, *spoken, self._peer, frames)


def _is(spoken: Spoken, frames: Sequence[bytes]) -> bool:
    try:
        understand(*spoken, frames)
    except (DecodeError, NoCodec):
        return False
    return True


@lru_cache(maxsize=64)
def _parts(protocol: str) -> tuple[tuple[Spoken, Spoken], ...]:
    """The parts that are meant, each with what peers say and what the server says."""
    found = []
    for codec in find_codecs(protocol) if protocol else ():
        roles = codec.roles
        server = next((role for role in _SERVERS if role in roles), roles[0])
        # A DEALER may say all that a REQ may.
        peers = [role for role in roles if role != server]
        found.append((Spoken(codec.name, peers[-1]), Spoken(codec.name, server)))
    return tuple(found)
