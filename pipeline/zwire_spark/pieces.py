"""Pieces of capture files: what one task of Spark reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from zwire.capture.columns import Columns, read_columns
from zwire.capture.layout import Header
from zwire.capture.losses import Loss
from zwire.capture.reader import open_capture
from zwire.capture.scanning import Scan, Stretch
from zwire_spark.rows import batch_of, batch_of_losses, between

# Of a fixed size, whatever the machine: the same capture always gives the same pieces.
PIECE = 32 * 1024 * 1024


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


def pieces_of(path: Path, start: int, end: int, piece: int = PIECE) -> Iterator[Piece]:
    """The range of a file, shared out."""
    for at in range(start, end, piece):
        yield Piece(str(path), at, min(at + piece, end), end, settled=at == start)


def read_piece(piece: Piece, wanted: Wanted) -> Iterator[pa.RecordBatch]:
    """The rows of all blocks that begin in the piece; any split gives the same rows and losses."""
    path = Path(piece.path)
    found: list[Loss] = []
    with open_capture(path) as file:
        scan = Scan(path, file, _only_columns)
        if scan.size < piece.size:
            raise OSError(f"{path}: {piece.size} octets were there, now there are {scan.size}")
        scan.size = piece.size
        for stretch in _stretches(scan, piece):
            found += stretch.losses
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
