"""Reading captures while they grow: how far each file is complete, and what came since.

An offset is a number of octets for each file. A block that is not complete yet lies behind it, so
that a range between two offsets always holds the same rows, however often it is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxBytes,
    SupportsTriggerAvailableNow,
)

from zwire.capture.layout import HEADER, read_header
from zwire.capture.reader import NotACapture, captures_in, open_capture
from zwire_spark.copies import find_marker
from zwire_spark.pieces import Wanted, packed, pieces_of, read_pieces

if TYPE_CHECKING:
    from typing import BinaryIO

    import pyarrow as pa

_MOST = 64 * 1024 * 1024  # octets that one micro-batch takes while it catches up


class TailReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Files and folders that grow; new files of a folder are taken up as they appear."""

    def __init__(self, paths: Sequence[Path], wanted: Wanted) -> None:
        self._paths = list(paths)
        self._wanted = wanted
        self._last: dict[str, int] | None = None

    def initialOffset(self) -> dict[str, int]:
        return {}

    def getDefaultReadLimit(self) -> ReadLimit:
        return ReadMaxBytes(_MOST)

    def prepareForTriggerAvailableNow(self) -> None:
        self._last = self._complete({})

    def latestOffset(self, start: dict[str, int], limit: ReadLimit) -> dict[str, int]:
        now = self._complete(start) if self._last is None else self._last
        room = limit.max_bytes if isinstance(limit, ReadMaxBytes) else None
        if room is None or isinstance(limit, ReadAllAvailable):
            return {**start, **now}
        return limited(start, now, room)

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> Sequence[InputPartition]:
        return [
            InputPartition(pieces)
            for pieces in packed(
                piece
                for path, until in sorted(end.items())
                for piece in pieces_of(Path(path), start.get(path, 0), until)
            )
        ]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return read_pieces(partition.value or (), self._wanted)

    def _complete(self, start: Mapping[str, int]) -> dict[str, int]:
        found = {}
        for path in self._paths:
            for file in captures_in(path) if path.is_dir() else [path]:
                known = start.get(str(file), 0)
                found[str(file)] = max(known, complete_until(file, known))
        return found


def limited(start: Mapping[str, int], now: Mapping[str, int], room: int) -> dict[str, int]:
    """As far as about so many octets bring us, the oldest files of each recording first.

    Offsets lie between blocks, so a file is taken up to where it is complete, or not at all.
    """
    reached = dict(start)
    for path in sorted(now):
        if room <= 0:
            break
        room -= now[path] - reached.get(path, 0)
        reached[path] = now[path]
    return reached


def complete_until(path: Path, start: int) -> int:
    """Where the last complete block of a file ends, from `start` on, which is such a place too."""
    try:
        size = path.stat().st_size
        if size <= start:
            return start
        with open_capture(path) as file:
            return _walk(file, start, size)
    except FileNotFoundError:
        return start  # somebody has tidied up


def first_of(path: Path) -> tuple[str, int] | None:
    """Whose file it is, in 16 hex digits, and the number of its first row; None where it is torn."""
    try:
        with open_capture(path) as file:
            header = read_header(file.read(HEADER))
    except NotACapture:
        return None
    return None if isinstance(header, str) else (f"{header.recorder:016x}", header.sequence)


def _walk(file: BinaryIO, at: int, size: int) -> int:
    """Steps from block to block by their headers; what is damaged counts when a block follows."""
    while at < size:
        file.seek(at)
        header = read_header(file.read(HEADER))
        behind = size + 1 if isinstance(header, str) else at + HEADER + header.size
        if behind > size:
            following = find_marker(file, at + 1, size)
            if following < 0:
                return at
            behind = following
        at = behind
    return at
