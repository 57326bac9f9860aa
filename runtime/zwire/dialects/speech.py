"""How the broker's shell talks to dialects: frames in become effects, effects become frames.

Frames that are heard begin with the sender's identity, frames that are said with the receiver's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from zwire.core.effects import Effect
from zwire.core.state import Endpoint, Job, Tag, Worker
from zwire_protocols.errors import DecodeError

Frames: TypeAlias = list[bytes]
Hear: TypeAlias = Callable[[Frames, float], Sequence[Effect]]
Decoder: TypeAlias = Callable[[Sequence[bytes]], object]


def complaint(decode: Decoder, frames: Frames) -> str:
    """What is wrong with a message that was heard, in the decoder's words; empty if nothing."""
    try:
        decode(frames[1:])
    except DecodeError as error:
        return str(error)
    return ""


class Spoken(NamedTuple):
    """Whose words they are, as those who record them call it."""

    part: str  # of a protocol: `mdpx.client`
    role: str  # of whoever says them


class Speech(Protocol):
    """One side of a dialect at one endpoint."""

    @property
    def heard(self) -> Spoken:
        """What peers say here."""

    @property
    def said(self) -> Spoken:
        """What we say here."""

    def hear(self, frames: Frames, now: float) -> Sequence[Effect]:
        """Tell the engine what a peer said."""


class ToClients(Speech, Protocol):
    """What a dialect says to clients."""

    def reply(self, job: Job, body: Sequence[bytes], final: bool) -> Frames:
        """A partial or final reply as the client is to get it."""


class ToWorkers(Speech, Protocol):
    """What a dialect says to workers."""

    def assign(self, worker: Worker, job: Job, tag: Tag) -> Frames:
        """The request as the worker is to get it."""

    def beat(self, worker: Worker) -> Frames:
        """A heartbeat, or the answer to one."""

    def dismiss(self, identity: bytes) -> Frames:
        """The word that ends a worker's conversation; empty where the dialect has none."""


@dataclass(frozen=True, slots=True)
class Voice:
    """What is said at one endpoint of the engine."""

    clients: ToClients | None = None
    workers: ToWorkers | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Ear:
    """One socket: what hears its messages, and the endpoints of the engine that speak through it.

    One socket may serve several endpoints: MDP 0.1 and 0.2 share theirs.
    """

    hear: Hear
    voices: Mapping[Endpoint, Voice]
    speech: Callable[[Frames], Speech]  # whose business a message is

    @property
    def shared(self) -> bool:
        """Whether workers speak here, so that the socket must never be paused."""
        return any(voice.workers is not None for voice in self.voices.values())
