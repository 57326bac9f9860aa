"""The files of one recording: one after the other, each begun anew by size or by age."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Protocol

SUFFIX = ".zcap"


class Sync(Enum):
    """When the operating system is told to bring a file to the disk (fsync)."""

    NEVER = "never"
    FILE = "file"  # when a file is complete
    BLOCK = "block"  # after every block: what was written survives a power failure


class File(Protocol):
    """What a series needs of a file; a raw file of Python's is one."""

    def write(self, octets: bytes | memoryview, /) -> int | None: ...
    def fileno(self) -> int: ...
    def truncate(self, size: int, /) -> int: ...
    def close(self) -> None: ...


def open_new(path: Path) -> File:
    """A file that was not there before, for nobody else to read: traffic may be private."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
    return open(os.open(path, flags, 0o600), "wb", buffering=0)


class Series:
    """Writes blocks to the files of a folder. Raises OSError as the operating system does.

    Names sort in the order of writing: `NAME-DATE-RECORDER-NUMBER.zcap`.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        *,
        max_size: int,
        max_age: float,
        sync: Sync,
        opener: Callable[[Path], File] = open_new,
    ) -> None:
        self._folder = folder
        self._name = name
        self._max_size = max_size
        self._max_age = int(max_age * 1e9)
        self._sync = sync
        self._opener = opener
        self._file: File | None = None
        self._size = 0
        self._began = 0
        self._number = 0
        self.path: Path | None = None
        """The file being written, or the last one."""

    def due(self, now: int) -> bool:
        """Whether a new file has to begin before the next block."""
        if self._file is None:
            return True
        return self._size >= self._max_size or now - self._began >= self._max_age

    def turn(self, recorder: int, now: int) -> None:
        """Complete the file, if there is one, and begin the next."""
        self.close()
        self._number += 1
        date = datetime.fromtimestamp(now // 1_000_000_000, UTC).strftime("%Y%m%dT%H%M%SZ")
        path = self._folder / f"{self._name}-{date}-{recorder:016x}-{self._number:06}{SUFFIX}"
        self._file = self._opener(path)
        self.path, self._size, self._began = path, 0, now
        if self._sync is not Sync.NEVER:
            _sync_folder(self._folder)

    def write(self, block: bytes) -> None:
        """Write a block; what fits of one that does not fit is taken back."""
        file = self._file
        if file is None:
            raise OSError("no file is open")
        rest = memoryview(block)
        try:
            while rest:
                written = file.write(rest)
                if not written:
                    raise OSError(errno.EIO, "nothing could be written")
                rest = rest[written:]
        except OSError:
            self._take_back(file)
            raise
        self._size += len(block)
        if self._sync is Sync.BLOCK:
            os.fsync(file.fileno())

    def _take_back(self, file: File) -> None:
        try:
            file.truncate(self._size)
        except OSError:
            return  # a torn tail then, which readers step over

    def close(self) -> None:
        """Complete the file being written."""
        file, self._file = self._file, None
        if file is None:
            return
        try:
            if self._sync is not Sync.NEVER:
                os.fsync(file.fileno())
        finally:
            file.close()


def _sync_folder(folder: Path) -> None:
    """Bring the new file's name to the disk too, where folders can be opened at all."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
