"""Following captures while they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from zwire.capture.columns import read_rows
from zwire.capture.losses import Losses
from zwire.capture.reader import NotACapture, captures_in, open_capture
from zwire.capture.rows import Row
from zwire.capture.scanning import Scan


def follow(
    path: Path | str, wait: Callable[[], bool], losses: Losses | None = None
) -> Iterator[Row]:
    """The rows of a file, or of all captures in a folder, and those that are still to come.

    Whenever nothing more is there it calls `wait`, which takes its time and says whether to go on.
    A block that is not complete yet is waited for; only at the end it counts as torn.
    """
    path = Path(path)
    if not path.exists():
        raise NotACapture(f"{path}: No such file or directory")
    tails: dict[Path, _Tail] = {}
    going_on = True
    while going_on:
        fresh = False
        for row in _news(path, tails, losses, final=False):
            fresh = True
            yield row
        going_on = fresh or wait()
    yield from _news(path, tails, losses, final=True)


def _news(
    path: Path, tails: dict[Path, _Tail], losses: Losses | None, *, final: bool
) -> Iterator[Row]:
    for file in captures_in(path) if path.is_dir() else [path]:
        tail = tails.setdefault(file, _Tail(file, losses))
        yield from tail.news(final=final)


class _Tail:
    """How far a growing file was read; it is opened only while there is something to read."""

    def __init__(self, path: Path, losses: Losses | None) -> None:
        self._path = path
        self._losses = losses
        self._at = 0

    def news(self, *, final: bool) -> Iterator[Row]:
        """The rows that are there by now; at the end also what was lost with a torn block."""
        try:
            size = self._path.stat().st_size
        except OSError:
            return  # somebody has tidied up
        if size <= self._at:
            return
        with open_capture(self._path) as file:
            scan = Scan(self._path, file, read_rows)
            while self._at < scan.size:
                stretch = scan.stretch_from(self._at)
                settled = stretch.ends < scan.size or final or not stretch.losses
                if settled:
                    self._at = stretch.ends
                    if self._losses is not None:
                        self._losses.found += stretch.losses
                elif stretch.rows:
                    # A good block; what stands behind it may become the next.
                    self._at = stretch.losses[0].start
                yield from stretch.rows
                if not settled and not stretch.rows:
                    return
