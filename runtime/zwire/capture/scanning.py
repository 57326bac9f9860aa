"""Stretches of a .zcap file: each begins at a marker and ends where the next one begins.

Which stretch an octet belongs to depends on the file alone, not on where reading began: so any split
of a file into ranges gives the same rows and the same losses as the whole.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Generic, TypeVar

from zwire.capture.layout import HEADER, MARKER, Header, read_header, read_payload
from zwire.capture.losses import Loss

_CHUNK = 1024 * 1024
_NONE = -1
_Taken = TypeVar("_Taken")


@dataclass(frozen=True, slots=True)
class Stretch(Generic[_Taken]):
    """What was taken from one stretch, and what of it was lost; `ends` is where the next begins."""

    rows: list[_Taken]
    losses: tuple[Loss, ...]
    starts: int
    ends: int


class Scan(Generic[_Taken]):
    """One open file. What is written to it after `refresh` is not seen before the next one.

    `take` makes of a block's payload what the reader wants, rows or columns of them; it raises
    ValueError where it is none. `size` may be set lower, to read as if the file ended there.
    """

    def __init__(
        self, path: Path, file: BinaryIO, take: Callable[[Header, bytes], list[_Taken]]
    ) -> None:
        self._path = path
        self._file = file
        self._make = take
        self.size = 0
        self.refresh()

    def refresh(self) -> None:
        """See how long the file is now."""
        self.size = os.fstat(self._file.fileno()).st_size

    def stretches(self, start: int, end: int) -> Iterator[Stretch[_Taken]]:
        """Those that begin in the range; what stands before the first marker begins at 0."""
        at = 0 if start == 0 else self._next(start)
        while at < min(end, self.size):
            stretch = self.stretch_from(at)
            yield stretch
            at = stretch.ends

    def stretch_from(self, at: int) -> Stretch[_Taken]:
        """The stretch that begins here: with a marker, or with octets that belong to no block."""
        if self._take(at, len(MARKER)) == MARKER:
            return self._block_from(at)
        ends = self._next(at)
        return Stretch([], (self._stray(at, ends),), at, ends)

    def _block_from(self, at: int) -> Stretch[_Taken]:
        header = read_header(self._take(at, HEADER))
        if isinstance(header, str):
            return self._lost(at, header, None)
        # A length that points behind the end is not worth reading for.
        behind = at + HEADER + header.size
        stored = self._take(at + HEADER, header.size) if behind <= self.size else b""
        payload = read_payload(header, stored)
        if isinstance(payload, str):
            return self._lost(at, payload, header.rows)
        try:
            rows = self._make(header, payload)
        except ValueError as error:
            return self._lost(at, str(error), header.rows)
        if behind == self.size or self._take(behind, len(MARKER)) == MARKER:
            return Stretch(rows, (), at, behind)
        ends = self._next(behind)
        return Stretch(rows, (self._stray(behind, ends),), at, ends)

    def find(self, at: int) -> int:
        """Where the next marker begins, from here on; -1 where there is none."""
        while at + len(MARKER) <= self.size:
            octets = self._take(at, _CHUNK)
            found = octets.find(MARKER)
            if found >= 0:
                return at + found
            if len(octets) < len(MARKER):
                return _NONE
            at += len(octets) - len(MARKER) + 1
        return _NONE

    def _lost(self, at: int, why: str, rows: int | None) -> Stretch[_Taken]:
        ends = self._next(at + len(MARKER))
        return Stretch([], (Loss(self._path, at, ends, why, rows),), at, ends)

    def _stray(self, start: int, end: int) -> Loss:
        """Octets that no marker leads in: a block whose own marker was damaged, or zeros."""
        at = start
        while at < end:
            octets = self._take(at, min(_CHUNK, end - at))
            if not octets or any(octets):
                return Loss(self._path, start, end, "octets that belong to no block")
            at += len(octets)
        return Loss(self._path, start, end, "zeros, where nothing was written", 0)

    def _next(self, at: int) -> int:
        found = self.find(at)
        return self.size if found == _NONE else found

    def _take(self, at: int, count: int) -> bytes:
        self._file.seek(at)
        return self._file.read(min(count, max(0, self.size - at)))
