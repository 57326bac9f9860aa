"""Reading captures: whole files, ranges of them, and folders of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from heapq import merge
from pathlib import Path
from typing import BinaryIO, TypeAlias

from zwire.capture.columns import read_rows
from zwire.capture.losses import Losses
from zwire.capture.rows import Row
from zwire.capture.scanning import Scan, Stretch
from zwire.capture.series import SUFFIX
from zwire.errors import LocalError

# Told how many octets were passed by.
Passed: TypeAlias = Callable[[int], None]

_NUMBERED = re.compile(r"-\d{6,}$")
_OPEN = (
    100  # recordings read side by side with their files open; a process may have a thousand or so
)


class NotACapture(LocalError):
    """A file or folder that holds no capture at all, or that cannot be opened."""


def read(
    path: Path | str,
    start: int = 0,
    end: int | None = None,
    losses: Losses | None = None,
    passed: Passed | None = None,
) -> Iterator[Row]:
    """The rows of all blocks whose marker begins in the range, in the order of the file.

    The ranges of any split give together exactly the rows, and the losses, of the whole file. What
    cannot be read is stepped over and added to `losses`; `passed` is told the octets of each block.
    """
    path = Path(path)
    with open_capture(path) as file:
        scan = Scan(path, file, read_rows)
        for stretch in scan.stretches(max(start, 0), scan.size if end is None else end):
            yield from _rows_of(stretch, losses, passed)


def read_all(
    paths: Iterable[Path | str], losses: Losses | None = None, passed: Passed | None = None
) -> Iterator[Row]:
    """The rows of several files and folders, those of different recordings merged by time."""
    recordings: dict[str, list[Path]] = {}
    for path in find_files(paths):
        recordings.setdefault(_NUMBERED.sub("", str(path.with_suffix(""))), []).append(path)
    reading = read if len(recordings) <= _OPEN else _read_sparingly
    chained = (_chained(files, reading, losses, passed) for files in recordings.values())
    return merge(*chained, key=order)


def order(row: Row) -> tuple[int, int, int]:
    """What rows of several recordings are sorted by."""
    return row.time, row.recorder, row.sequence


def find_files(paths: Iterable[Path | str]) -> list[Path]:
    """The captures among these files and in these folders, each once, by name within a folder.

    Raises NotACapture for what is not there or cannot be opened, a folder without captures, and a
    foreign file.
    """
    found: dict[Path, None] = {}
    for path in map(Path, paths):
        if path.is_dir():
            inside = captures_in(path)
            if not inside:
                raise NotACapture(f"{path}: no captures (*{SUFFIX}) in this folder")
            for one in inside:
                open_capture(one).close()
            found.update(dict.fromkeys(inside))
        else:
            _refuse_foreign(path)
            found[path] = None
    return list(found)


def captures_in(folder: Path) -> list[Path]:
    """The captures of a folder, by name: those of one recording in the order of writing."""
    return sorted(path for path in folder.glob(f"*{SUFFIX}") if not path.is_dir())


def open_capture(path: Path) -> BinaryIO:
    """The file, to be read; raises NotACapture where it cannot be opened."""
    try:
        return path.open("rb")
    except OSError as error:
        raise NotACapture(f"{path}: {error.strerror}") from error


def _refuse_foreign(path: Path) -> None:
    """A file of another kind is a mistake of the caller's; a damaged capture is not."""
    with open_capture(path) as file:
        scan = Scan(path, file, read_rows)
        if path.suffix != SUFFIX and scan.size and scan.find(0) < 0:
            raise NotACapture(f"{path}: not a capture, it has no block of one")


def _chained(
    paths: Iterable[Path],
    reading: Callable[..., Iterator[Row]],
    losses: Losses | None,
    passed: Passed | None,
) -> Iterator[Row]:
    for path in paths:
        yield from reading(path, losses=losses, passed=passed)


def _read_sparingly(path: Path, losses: Losses | None, passed: Passed | None) -> Iterator[Row]:
    """As `read` does, with the file open only while a block is read: there are many others."""
    at, size = 0, path.stat().st_size
    while at < size:
        with open_capture(path) as file:
            scan = Scan(path, file, read_rows)
            scan.size = min(scan.size, size)
            stretch = scan.stretch_from(at)
        yield from _rows_of(stretch, losses, passed)
        if stretch.ends <= at:
            return  # somebody has shortened it meanwhile
        at = stretch.ends


def _rows_of(stretch: Stretch[Row], losses: Losses | None, passed: Passed | None) -> Iterator[Row]:
    if losses is not None:
        losses.found += stretch.losses
    if passed is not None:
        passed(stretch.ends - stretch.starts)
    yield from stretch.rows
