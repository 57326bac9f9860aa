"""Processor time and memory of this process and of all that it has started, from /proc."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


def spent() -> float:
    """Seconds of processor time so far; what ended children took is with their parents."""
    return sum(sum(map(int, fields[11:15])) for fields in _family()) / _TICKS


def resident() -> int:
    """Octets of memory in use now; what processes share counts for each."""
    return sum(int(fields[21]) for fields in _family()) * _PAGE


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


def _family() -> list[list[str]]:
    """The fields of /proc/PID/stat behind the name, of this process and all below it."""
    all_: dict[int, list[str]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = path.read_text()
        except OSError:
            continue  # it has ended
        all_[int(path.parent.name)] = text[text.rindex(")") + 2 :].split()
    ours = {os.getpid()}
    grown = True
    while grown:
        more = {pid for pid, fields in all_.items() if int(fields[1]) in ours} - ours
        grown = bool(more)
        ours |= more
    return [all_[pid] for pid in ours if pid in all_]
