"""How a socket turns messages into frames: any codec will do, generated part modules among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from zwire.errors import LocalError
from zwire.io.envelopes import dealer_to_rep, rep_to_dealer

M = TypeVar("M")


class Codec(Protocol[M]):
    """Anything with encode and decode; decode raises ValueError for what is no message."""

    def encode(self, message: M, /) -> Sequence[bytes]: ...

    def decode(self, frames: Sequence[bytes], /) -> M: ...


class PartModule(Protocol):
    """A generated part module whose messages depend on who sent them."""

    @property
    def DECODERS(self) -> Mapping[str, Callable[[Sequence[bytes]], Any]]: ...

    def encode(self, message: Any, /) -> list[bytes]: ...


@dataclass(frozen=True, slots=True)
class Speech(Generic[M]):
    """A codec made of two functions."""

    encode: Callable[[M], Sequence[bytes]]
    decode: Callable[[Sequence[bytes]], M]


def heard_from(part: PartModule, role: str) -> Speech[Any]:
    """The codec of a part for a socket whose peers play this role."""
    if role not in part.DECODERS:
        known = ", ".join(sorted(part.DECODERS))
        raise LocalError(f"nobody called {role!r} sends messages of this part; roles: {known}")
    return Speech(part.encode, part.DECODERS[role])


def towards_rep(codec: Codec[M]) -> Speech[M]:
    """The codec for a DEALER that talks to REP sockets: the same messages behind a delimiter."""
    encode, decode = codec.encode, codec.decode

    def wrapped(message: M) -> list[bytes]:
        return dealer_to_rep(encode(message))

    def unwrapped(frames: Sequence[bytes]) -> M:
        return decode(rep_to_dealer(frames))

    return Speech(wrapped, unwrapped)


def _same(frames: Sequence[bytes]) -> list[bytes]:
    return list(frames)


FRAMES: Speech[list[bytes]] = Speech(_same, _same)
