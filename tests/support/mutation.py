"""Frames changed at random, so that most of them are no message any more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

_TELLING = b"\x00\x01\x02\x06\x0a\x1f\x20\x7f\x80\xaa\xc3\xed\xf4\xff"


def mutated(
    frames: Sequence[bytes], others: Sequence[Sequence[bytes]], random: Random
) -> list[bytes]:
    """The frames with one to three things done to them; `others` lend pieces."""
    changed = list(frames)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if not changed or random.random() < 0.2:
            changed = _frames_changed(changed, random.choice(others), random)
        else:
            at = random.randrange(len(changed))
            change = random.choice(_CHANGES)
            changed[at] = change(changed[at], random)
    return changed


def _frames_changed(frames: list[bytes], other: Sequence[bytes], random: Random) -> list[bytes]:
    at = random.randint(0, len(frames))
    match random.randrange(6):
        case 0:
            return [*frames[:at], *frames[at + 1 :]]
        case 1:
            return [*frames[:at], b"", *frames[at:]]
        case 2:
            return [*frames[:at], random.choice((b"\x01", b"\x02", b"x")), *frames[at:]]
        case 3:
            return [*frames[:at], *other[at:]]
        case 4:
            return frames[:at]
        case _:
            return [*frames[at:], *frames[:at]]


def _flip(frame: bytes, random: Random) -> bytes:
    if not frame:
        return random.randbytes(1)
    at = random.randrange(len(frame))
    return frame[:at] + bytes([frame[at] ^ (1 << random.randrange(8))]) + frame[at + 1 :]


def _put(frame: bytes, random: Random) -> bytes:
    at = random.randrange(len(frame) + 1)
    return frame[:at] + bytes([random.choice(_TELLING)]) + frame[at + 1 :]


def _insert(frame: bytes, random: Random) -> bytes:
    at = random.randrange(len(frame) + 1)
    return frame[:at] + random.choice((b"\x00", b"\xff", random.randbytes(3))) + frame[at:]


def _delete(frame: bytes, random: Random) -> bytes:
    at = random.randrange(len(frame) + 1)
    return frame[:at] + frame[at + random.randint(1, 4) :]


def _cut(frame: bytes, random: Random) -> bytes:
    return frame[: random.randrange(len(frame) + 1)]


def _stretch(frame: bytes, random: Random) -> bytes:
    return frame + random.randbytes(random.randint(1, 3))


def _repeat(frame: bytes, random: Random) -> bytes:
    start = random.randrange(len(frame) + 1)
    stop = random.randint(start, len(frame))
    return frame[:stop] + frame[start:]


_CHANGES: tuple[Callable[[bytes, Random], bytes], ...] = (
    _flip,
    _put,
    _put,
    _insert,
    _delete,
    _cut,
    _stretch,
    _repeat,
)
