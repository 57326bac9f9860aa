"""The payload of a block: its rows, column by column, then their octets."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from operator import sub
from struct import Struct, error
from typing import TypeAlias

from zwire.capture.layout import Header, write_block
from zwire.capture.rows import Direction, Kind, Row

# Time, context, job, peer, frames, and the frames' own lengths where some were cut.
Noted: TypeAlias = tuple[int, bytes, int, bytes, Sequence[bytes], tuple[int, ...] | None]

_WIDTHS = {1: "B", 2: "H", 4: "I", 8: "Q"}
_SWAPPED = sys.byteorder == "big"
_COUNT = Struct("<I")
_TEXT = Struct("<H")
_LONGEST = 0xFFFF


def write_context(
    kind: Kind, direction: Direction, endpoint: str, protocol: str, role: str
) -> bytes:
    """What many rows share, as it stands in a block's table; texts are cut at 65,535 octets."""
    texts = (text.encode("utf-8", "replace")[:_LONGEST] for text in (endpoint, protocol, role))
    return bytes((kind, direction)) + b"".join(_TEXT.pack(len(text)) + text for text in texts)


def write_rows(rows: Sequence[Noted], recorder: int, sequence: int, behind: int = 0) -> bytes:
    """A block of these rows, the first of which has this sequence number.

    `behind` is what the rows' times lack to be nanoseconds since 1970.
    Raises an exception of its own or of Python's where a value is not what it should be.
    """
    times, contexts, jobs, peers, messages, lengths = zip(*rows, strict=True)
    frames = list(chain.from_iterable(messages))
    sizes = list(map(len, frames))
    cuts: list[int] = []
    if any(lengths):
        kept = sizes
        sizes = list(
            chain.from_iterable(
                map(len, message) if known is None else known
                for message, known in zip(messages, lengths, strict=True)
            )
        )
        cuts = list(map(sub, sizes, kept))
    table = {context: number for number, context in enumerate(dict.fromkeys(contexts))}
    earliest = min(times)
    payload = b"".join(
        (
            _column(list(map(table.__getitem__, contexts)), full=True),
            _column([time - earliest for time in times]),
            _column(jobs),
            _column(list(map(len, peers))),
            _column(list(map(len, messages))),
            _column(sizes, full=True),
            _column(cuts),
            _COUNT.pack(len(table)),
            *table,
            *peers,
            *frames,
        )
    )
    since_1970, latest = earliest + behind, max(times) + behind
    return write_block(payload, len(rows), recorder, sequence, since_1970, latest)


def _column(numbers: Sequence[int], *, full: bool = False) -> bytes:
    """The width of its numbers, then the numbers; the width 0 alone where all of them are 0.

    A full column is always written out: a reader sees by it that there are as many as it was told.
    """
    top = max(numbers, default=0)
    if top < 0x100:
        return b"\1" + bytes(numbers) if top or full else b"\0"
    width = 2 if top < 0x10000 else 4 if top < 0x100000000 else 8
    column = array(_WIDTHS[width], numbers)
    if _SWAPPED:
        column.byteswap()
    return b"%c%b" % (width, column.tobytes())


Context: TypeAlias = tuple[Kind, Direction, str, str, str]


@dataclass(frozen=True, slots=True)
class Columns:
    """A payload whose columns were found and fit together, before anything is made of its rows."""

    header: Header
    payload: bytes
    chosen: Sequence[int]
    """For each row the number of its context."""
    times: Sequence[int]
    """Nanoseconds behind the header's earliest."""
    jobs: Sequence[int]
    identities: Sequence[int]
    """How long each row's peer is."""
    counts: Sequence[int]
    """How many frames each row has."""
    lengths: Sequence[int]
    """How long each frame was, row by row."""
    kept: Sequence[int]
    """How many octets of it are there."""
    contexts: Sequence[Context]
    peers_at: int
    frames_at: int


def read_columns(header: Header, payload: bytes) -> Columns:
    """The columns of a payload; raises ValueError where it is none."""
    try:
        return _read_columns(header, payload)
    except (error, IndexError, KeyError, OverflowError, MemoryError):
        raise ValueError("malformed payload") from None


def _read_columns(header: Header, payload: bytes) -> Columns:
    count = header.rows
    at, chosen = _numbers(payload, 0, count, full=True)
    at, times = _numbers(payload, at, count)
    at, jobs = _numbers(payload, at, count)
    at, identities = _numbers(payload, at, count)
    at, counts = _numbers(payload, at, count)
    total = sum(counts)
    at, lengths = _numbers(payload, at, total, full=True)
    at, cuts = _numbers(payload, at, total)
    at, contexts = _contexts(payload, at)
    kept = (
        [length - cut for length, cut in zip(lengths, cuts, strict=True)] if any(cuts) else lengths
    )
    frames_at = at + sum(identities)
    if frames_at + sum(kept) != len(payload) or (kept and min(kept) < 0):
        raise ValueError("malformed payload")
    contexts[max(chosen)]  # each row has one
    return Columns(
        header, payload, chosen, times, jobs, identities, counts, lengths, kept, contexts, at, frames_at
    )  # fmt: skip


def read_rows(header: Header, payload: bytes) -> list[Row]:
    """The rows of a payload; raises ValueError where it is none."""
    found = read_columns(header, payload)
    peers = _pieces(payload, found.peers_at, found.identities)
    frames = _pieces(payload, found.frames_at, found.kept)
    lengths, contexts, recorder = found.lengths, found.contexts, header.recorder
    rows = []
    first = 0
    for index, (number, time, job, peer, many) in enumerate(
        zip(found.chosen, found.times, found.jobs, peers, found.counts, strict=True)
    ):
        kind, direction, endpoint, protocol, role = contexts[number]
        last = first + many
        rows.append(
            Row(
                kind,
                header.earliest + time,
                header.sequence + index,
                recorder,
                direction,
                endpoint,
                protocol,
                role,
                peer,
                job,
                tuple(frames[first:last]),
                tuple(lengths[first:last]),
            )
        )
        first = last
    return rows


def _numbers(
    payload: bytes, at: int, count: int, *, full: bool = False
) -> tuple[int, Sequence[int]]:
    """Where a column ends, and its numbers."""
    width = payload[at]
    at += 1
    if width == 0 and not full:
        return at, array("B", bytes(count))
    end = at + width * count
    if end > len(payload):
        raise ValueError("malformed payload")
    column = array(_WIDTHS[width], payload[at:end])
    if _SWAPPED:
        column.byteswap()
    return end, column


def _contexts(payload: bytes, at: int) -> tuple[int, list[Context]]:
    (count,) = _COUNT.unpack_from(payload, at)
    at += _COUNT.size
    contexts = []
    for _ in range(count):
        kind, direction = Kind(payload[at]), Direction(payload[at + 1])
        at += 2
        texts = []
        for _ in range(3):
            (length,) = _TEXT.unpack_from(payload, at)
            at += _TEXT.size + length
            if at > len(payload):
                raise ValueError("malformed payload")
            texts.append(payload[at - length : at].decode("utf-8", "replace"))
        contexts.append((kind, direction, *texts))
    return at, contexts  # type: ignore[return-value]  # three texts, as the loop says


def _pieces(payload: bytes, at: int, lengths: Iterable[int]) -> list[bytes]:
    return [payload[start:end] for start, end in pairwise(accumulate(lengths, initial=at))]
