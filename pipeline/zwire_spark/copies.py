"""Blocks that are there twice: a copy of a capture beside it must not count again.

A recording numbers its rows, and a block's header says which numbers it holds. Of blocks that hold the
same ones the first counts, in the order in which the files are given. Another one that says all the
same of itself, its checksum too, is a copy; else its rows are lost.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from zwire.capture.layout import HEADER, MARKER, Header, read_header
from zwire.capture.reader import open_capture

_CHUNK = 1024 * 1024


class Numbers:
    """Numbers that were seen, as ranges that do not touch each other."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def add(self, start: int, end: int) -> int:
        """Add the numbers from `start` up to `end`; how many of them were there already."""
        first = bisect_left(self._ends, start)
        last = bisect_right(self._starts, end)
        touched = list(zip(self._starts[first:last], self._ends[first:last], strict=True))
        known = sum(max(0, min(end, b) - max(start, a)) for a, b in touched)
        self._starts[first:last] = [min([start, *(a for a, _ in touched)])]
        self._ends[first:last] = [max([end, *(b for _, b in touched)])]
        return known


def copies_in(paths: Iterable[Path]) -> dict[Path, dict[int, int]]:
    """Where blocks begin whose numbers were there before, and how many rows are lost with them."""
    seen: dict[int, Numbers] = {}
    blocks: set[Header] = set()
    found: dict[Path, dict[int, int]] = {}
    for path in paths:
        with open_capture(path) as file:
            for at, header in blocks_in(file):
                numbers = seen.setdefault(header.recorder, Numbers())
                if numbers.add(header.sequence, header.sequence + header.rows):
                    lost = 0 if header in blocks else header.rows
                    found.setdefault(path, {})[at] = lost
                blocks.add(header)
    return found


def blocks_in(file: BinaryIO) -> Iterator[tuple[int, Header]]:
    """All blocks by their headers, and where they begin; what lies between them is stepped over."""
    at, size = 0, file.seek(0, 2)
    while 0 <= at < size:
        file.seek(at)
        header = read_header(file.read(HEADER))
        if isinstance(header, str) or at + HEADER + header.size > size:
            at = find_marker(file, at + 1, size)
        else:
            yield at, header
            at += HEADER + header.size


def find_marker(file: BinaryIO, at: int, size: int) -> int:
    """Where the next marker begins, before `size`; -1 where there is none."""
    while at + len(MARKER) <= size:
        file.seek(at)
        octets = file.read(min(_CHUNK, size - at))
        found = octets.find(MARKER)
        if found >= 0:
            return at + found
        if len(octets) < len(MARKER):
            break
        at += len(octets) - len(MARKER) + 1
    return -1
