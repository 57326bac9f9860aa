"""Captures for tests: a clock that ticks by itself, rows by chance, files of chosen blocks."""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from pathlib import Path

from hypothesis import strategies as st

from zwire.capture import Direction, Kind, Losses, Row, read
from zwire.capture.columns import Noted, write_context, write_rows
from zwire.capture.layout import MARKER
from zwire.capture.series import File, open_new

START = 1_700_000_000_000_000_000
RECORDER = 0x1234


class Ticking:
    """A clock that goes on by a microsecond whenever somebody looks."""

    def __init__(self, step: int = 1_000) -> None:
        self.now = START
        self.step = step

    def __call__(self) -> int:
        self.now += self.step
        return self.now


def noted(*frames: bytes, time: int = START, peer: bytes = b"peer", job: int = 0) -> Noted:
    """A message as the recorder notes it."""
    context = write_context(Kind.MESSAGE, Direction.IN, "tcp://here", "mdpx.client", "client")
    return (time, context, job, peer, frames, None)


def write_capture(path: Path, *blocks: Sequence[Noted]) -> list[int]:
    """A file of these blocks; returns where each begins."""
    sequence, octets, starts = 1, b"", []
    for rows in blocks:
        starts.append(len(octets))
        octets += write_rows(rows, RECORDER, sequence)
        sequence += len(rows)
    path.write_bytes(octets)
    return starts


def rows_and_losses(path: Path, start: int = 0, end: int | None = None) -> tuple[list[Row], Losses]:
    losses = Losses()
    return list(read(path, start, end, losses)), losses


# Frames in which markers, halves of markers and what keeps them apart turn up all the time.
_SHARDS = st.sampled_from([MARKER, MARKER[:-1], MARKER[:4], MARKER[4:], MARKER[-1:], b"\0"])
FRAMES = st.one_of(st.binary(max_size=40), st.lists(_SHARDS, max_size=5).map(b"".join))
NUMBERS = st.one_of(st.integers(0, 300), st.integers(0, 2**64 - 1))


@st.composite
def noted_rows(draw: st.DrawFn) -> Noted:
    """Any row that a recorder may note, some of it cut."""
    frames = tuple(draw(st.lists(FRAMES, max_size=5)))
    lengths = None
    if draw(st.booleans()):
        lengths = tuple(len(frame) + draw(NUMBERS) % 2**40 for frame in frames)
    context = write_context(
        draw(st.sampled_from(Kind)),
        draw(st.sampled_from(Direction)),
        draw(st.sampled_from(["", "tcp://127.0.0.1:5555", "ipc://täglich"])),
        draw(st.sampled_from(["", "mdpx.client", "ppp"])),
        draw(st.sampled_from(["client", "worker"])),
    )
    time = START + draw(st.integers(-(10**12), 10**12))
    return (time, context, draw(NUMBERS), draw(FRAMES), frames, lengths)


BLOCKS = st.lists(st.lists(noted_rows(), min_size=1, max_size=4), min_size=1, max_size=4)


class SmallDisk:
    """Opens files on a disk with this many octets of room, then full for good."""

    def __init__(self, room: int) -> None:
        self.room = room

    def __call__(self, path: Path) -> File:
        return _SmallFile(open_new(path), self)


class _SmallFile:
    def __init__(self, file: File, disk: SmallDisk) -> None:
        self._file = file
        self._disk = disk

    def write(self, octets: bytes | memoryview, /) -> int | None:
        if not self._disk.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        fitting = octets[: self._disk.room]
        self._disk.room -= len(fitting)
        return self._file.write(fitting)

    def fileno(self) -> int:
        return self._file.fileno()

    def truncate(self, size: int, /) -> int:
        return self._file.truncate(size)

    def close(self) -> None:
        self._file.close()


def waits(*actions: Callable[[], object]) -> Callable[[], bool]:
    """A wait that does one thing after the other, and then says that it is over."""
    left = list(actions)

    def wait() -> bool:
        if not left:
            return False
        left.pop(0)()
        return True

    return wait
