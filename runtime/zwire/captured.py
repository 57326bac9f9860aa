"""What the codecs make of captured frames: the message, where its body begins, the ids in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from zwire.codecs import Codec, find_codecs
from zwire_protocols.errors import DecodeError

# How the specifications call what they carry for others.
_BODIES = ("body", "content", "data", "msg")
# The number of the first frame of the body, by part and, where it matters, by who said it.
_FIRST = {
    ("mdpx.client", ""): 4,
    ("mdpx.worker", ""): 5,
    ("mdp01.client", ""): 3,
    ("mdp01.worker", ""): 5,
    ("mdp02.client", ""): 3,
    ("mdp02.worker", ""): 4,
    ("emqp.client", "client"): 6,
    ("emqp.client", "broker"): 4,
    ("emqp.worker", "worker"): 4,
    ("emqp.worker", "broker"): 6,
}
_BEHIND_DELIMITER = ("ppp.messages", "reqrep.rep")


@dataclass(frozen=True, slots=True)
class Understood:
    """A message with the codec that could read it."""

    codec: Codec
    message: Any

    @property
    def told(self) -> dict[str, Any]:
        """Its name and fields as JSON has them."""
        return self.codec.to_dict(self.message)

    @property
    def summary(self) -> str:
        """The message in one line."""
        return self.codec.summary(self.message)

    @property
    def name(self) -> str:
        """The command, as the specification writes it."""
        return _names(self.codec.protocol, self.codec.part)[type(self.message)]


class NoCodec(LookupError):
    """Nothing is known about this protocol, or about this role in it."""


def understand(protocol: str, role: str, frames: Sequence[bytes]) -> Understood:
    """The message that this role said; raises DecodeError, or NoCodec for an unknown protocol."""
    refusal: DecodeError | None = None
    for codec in _codecs(protocol, role):
        try:
            return Understood(codec, codec.decode(frames))
        except DecodeError as error:
            # Of several parts the one that read furthest says best what is wrong.
            if refusal is None or _depth(error) > _depth(refusal):
                refusal = error
    if refusal is None:
        raise NoCodec(f"no codec for {protocol or 'no protocol'}, said by {role or 'nobody'}")
    raise refusal


def body_at(protocol: str, role: str, frames: Sequence[bytes]) -> int:
    """The number of the first frame of a message's body; behind its last frame where it has none.

    What cannot be understood may be anything: all of it counts as body.
    """
    for codec in _codecs(protocol, role):
        try:
            message = codec.decode(frames)
        except DecodeError:
            continue
        name = _body_name(message.__class__)
        body = getattr(message, name) if name else ()
        if isinstance(body, tuple):
            return len(frames) - len(body)
        # A text stands in the middle of a frame: it cannot be cut without the rest.
        return len(frames) - isinstance(body, bytes)
    return 0


def body_begins(protocol: str, role: str) -> Callable[[Sequence[bytes]], int] | None:
    """How to find the body of requests and replies without reading them; None where only that helps.

    For messages that are known to be good ones, and to carry a body.
    """
    if protocol in _BEHIND_DELIMITER:
        return _behind_delimiter
    first = _FIRST.get((protocol, role), _FIRST.get((protocol, "")))
    return None if first is None else lambda frames: first


def _behind_delimiter(frames: Sequence[bytes]) -> int:
    return frames.index(b"") + 1 if b"" in frames else 0


def ids_in(understood: Understood, role: str) -> set[bytes]:
    """What tells its request from others: the ids that it names, or the top of its stack."""
    codec, message = understood.codec, understood.message
    keys = _keys(codec.protocol, codec.part).get((role, understood.name), ())
    named = (getattr(message, key) for key in keys if not key.endswith("address"))
    ids = {one for one in named if isinstance(one, bytes)}
    ids.update((getattr(message, "stack", None) or ())[:1])
    return ids


def addresses_in(understood: Understood) -> set[bytes]:
    """All addresses of its stack or envelope, among which a client may have put an id."""
    message = understood.message
    return {*(getattr(message, "stack", None) or getattr(message, "envelope", None) or ())}


def _depth(error: DecodeError) -> tuple[int, int]:
    return error.frame or 0, error.offset or 0


@cache
def _body_name(kind: type) -> str:
    """The field in which messages of this type carry what is not theirs; empty without one."""
    return next((name for name in _BODIES if name in kind.__slots__), "")  # type: ignore[attr-defined]


@lru_cache(maxsize=256)
def _codecs(protocol: str, role: str) -> tuple[Codec, ...]:
    """Those of the protocol's parts in which this role speaks; all that need no role without one."""
    codecs = find_codecs(protocol)
    spoken = [codec.spoken_by(role) for codec in codecs if role in codec.roles]
    return tuple(spoken or [codec for codec in codecs if not codec.needs_role and not role])


@lru_cache(maxsize=256)
def _keys(protocol: str, part: str) -> dict[tuple[str, str], tuple[str, ...]]:
    """Who says what, and the fields that tell one request from the others."""
    try:
        dialogs = import_module(f"zwire_protocols.{protocol}.{part}_dialogs")
    except ModuleNotFoundError:
        return {}
    keys: dict[tuple[str, str], tuple[str, ...]] = dialogs.COMMANDS
    return keys


@lru_cache(maxsize=256)
def _names(protocol: str, part: str) -> dict[type, str]:
    (codec,) = find_codecs(f"{protocol}.{part}")
    return {kind: name for name, kind in codec.messages.items()}
