"""Processor time and memory of this process and of all that it has started, from /proc."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


def spent() -> float:
    """Seconds of processor time so far, of all that were seen at work, also those that have ended."""
    return _watch.spent()


def resident() -> int:
    """Octets of memory in use now; what processes share counts for each."""
    return sum(int(fields[21]) for fields in _family().values()) * _PAGE


class _Watch:
    """Looks often enough at who is there to know what those took that have ended since.

    What a parent knows of its ended children is not enough: one that is killed takes that along.
    """

    def __init__(self) -> None:
        self._taken: dict[tuple[str, str], int] = {}  # ticks, by number and start of a process
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def spent(self) -> float:
        if self._thread is None:
            self._thread = threading.Thread(target=self._look_often, daemon=True)
            self._thread.start()
        self._look()
        return sum(self._taken.values()) / _TICKS

    def _look_often(self) -> None:
        while True:
            time.sleep(0.5)
            self._look()

    def _look(self) -> None:
        with self._lock:
            for pid, fields in _family().items():
                self._taken[pid, fields[19]] = int(fields[11]) + int(fields[12])


_watch = _Watch()


class Peak:
    """Looks at the memory while something runs."""

    def __init__(self) -> None:
        self.octets = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def _look(self) -> None:
        while not self._over.wait(0.5):
            self.octets = max(self.octets, resident())

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()


def _family() -> dict[str, list[str]]:
    """The fields of /proc/PID/stat behind the name, of this process and all below it."""
    all_: dict[str, list[str]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = path.read_text()
        except OSError:
            continue  # it has ended
        all_[path.parent.name] = text[text.rindex(")") + 2 :].split()
    ours = {str(os.getpid())}
    grown = True
    while grown:
        more = {pid for pid, fields in all_.items() if fields[1] in ours} - ours
        grown = bool(more)
        ours |= more
    return {pid: all_[pid] for pid in ours if pid in all_}
