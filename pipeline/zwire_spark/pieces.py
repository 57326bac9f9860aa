"""Pieces of capture files: what one task of Spark reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pyarrow as pa

from zwire.capture.columns import Columns, read_columns
from zwire.capture.layout import Header
from zwire.capture.losses import Loss
from zwire.capture.reader import open_capture
from zwire.capture.scanning import Scan, Stretch
from zwire_spark.copies import copies_in
from zwire_spark.rows import batch_of, batch_of_losses, between

# Of a fixed size, whatever the machine: the same capture always gives the same pieces.
PIECE = 32 * 1024 * 1024
_SMALL = 1024 * 1024  # pieces of less than this together are one task's: each task takes its time

COPY = "a copy of what was read already"
CLASH = "other rows under numbers that the recording has already"


@dataclass(frozen=True, slots=True)
class Piece:
    """Octets of a file from `start` up to `end`, read as if the file ended at `size`.

    `settled` says that the piece before it ended here, so that no marker has to be looked for.
    """

    path: str
    start: int
    end: int
    size: int
    settled: bool = False
    copies: tuple[tuple[int, int], ...] = ()
    """Where blocks begin that are not to be read, and how many rows are lost with them."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rows to read: from `since` on, before `until`, and whether to tell what was lost."""

    since: int | None = None
    until: int | None = None
    losses: bool = False

    def overlaps(self, header: Header) -> bool:
        """Whether a block can have any of them."""
        early = self.since is not None and header.latest < self.since
        return not early and (self.until is None or header.earliest < self.until)


def pieces_of(
    path: Path,
    start: int,
    end: int,
    piece: int = PIECE,
    copies: Mapping[int, int] = MappingProxyType({}),
) -> Iterator[Piece]:
    """The range of a file, shared out."""
    for at in range(start, end, piece):
        until = min(at + piece, end)
        inside = tuple((place, lost) for place, lost in copies.items() if at <= place < until)
        yield Piece(str(path), at, until, end, settled=at == start, copies=inside)


def shared_out(files: Iterable[Path], piece: int = PIECE) -> list[tuple[Piece, ...]]:
    """All of these files, in what each task reads; what is there twice is not read again."""
    files = list(files)
    copies = copies_in(files)
    pieces = (
        one
        for path in files
        for one in pieces_of(path, 0, path.stat().st_size, piece, copies.get(path, {}))
    )
    return list(packed(pieces))


def packed(pieces: Iterable[Piece]) -> Iterator[tuple[Piece, ...]]:
    """The same pieces, small ones together."""
    together: list[Piece] = []
    room = _SMALL
    for piece in pieces:
        size = piece.end - piece.start
        if together and size > room:
            yield tuple(together)
            together, room = [], _SMALL
        together.append(piece)
        room -= size
    if together:
        yield tuple(together)


def read_pieces(pieces: Iterable[Piece], wanted: Wanted) -> Iterator[pa.RecordBatch]:
    """The rows of several pieces."""
    for piece in pieces:
        yield from read_piece(piece, wanted)


def read_piece(piece: Piece, wanted: Wanted) -> Iterator[pa.RecordBatch]:
    """The rows of all blocks that begin in the piece; any split gives the same rows and losses."""
    path = Path(piece.path)
    copies = dict(piece.copies)
    found: list[Loss] = []
    with open_capture(path) as file:
        scan = Scan(path, file, _only_columns)
        if scan.size < piece.size:
            raise OSError(f"{path}: {piece.size} octets were there, now there are {scan.size}")
        scan.size = piece.size
        for stretch in _stretches(scan, piece):
            found += stretch.losses
            if stretch.starts in copies:
                lost = copies[stretch.starts]
                why = CLASH if lost else COPY
                found.append(Loss(path, stretch.starts, stretch.ends, why, lost))
            else:
                yield from _batches(stretch.rows, path.name, wanted)
    if wanted.losses and found:
        yield batch_of_losses(found)


def _only_columns(header: Header, payload: bytes) -> list[Columns]:
    return [read_columns(header, payload)]


def _stretches(scan: Scan[Columns], piece: Piece) -> Iterator[Stretch[Columns]]:
    if not piece.settled:
        yield from scan.stretches(piece.start, piece.end)
        return
    at = piece.start
    while at < piece.end:
        stretch = scan.stretch_from(at)
        yield stretch
        at = stretch.ends


def _batches(blocks: Iterable[Columns], file: str, wanted: Wanted) -> Iterator[pa.RecordBatch]:
    for block in blocks:
        if not wanted.overlaps(block.header):
            continue
        batch = between(batch_of(block, file), wanted.since, wanted.until)
        if batch.num_rows:
            yield batch
