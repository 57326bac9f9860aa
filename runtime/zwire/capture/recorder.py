"""The recorder: notes messages and events, and writes them to files in blocks.

It never gets in the way of whoever it listens to: noting a message costs a microsecond or so, and when
the disk is full or gone it stops, says so once, and raises nothing.
"""

from __future__ import annotations

import json
import logging
import os
import platform
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias

from zwire.capture.columns import Noted, write_context, write_rows
from zwire.capture.rotation import Rotation
from zwire.capture.rows import Direction, Kind
from zwire.capture.series import File, Series, Sync, open_new
from zwire.errors import LocalError

_log = logging.getLogger("zwire.capture")
_ROW = 40  # octets that a row takes beside its frames, roughly
_FRAME = 4
_USUAL = Rotation()
_MANY = 10_000  # taps remembered; who has more begins to remember anew

# Told when recording stops: what happened, and its facts.
OnEvent: TypeAlias = Callable[[str, Mapping[str, Any]], None]
# Protocol, role, frames: the number of the first frame that belongs to the body.
BodyAt: TypeAlias = Callable[[str, str, Sequence[bytes]], int]
# The same for messages of one kind that are known to be good ones.
Begins: TypeAlias = Callable[[Sequence[bytes]], int]
# Peer, frames, job, time by the recorder's clock: note a message.
Note: TypeAlias = Callable[[bytes, Sequence[bytes], int, int], None]


class Recorder:
    """Records what is sent and received into a folder. All methods may be called from any thread.

    `keep_body` is how many octets of each body frame are kept (None: all, 0: bodies are left out);
    `body_at` tells where a message's body begins, without it all frames count as body. Rows are
    written when a block is full, or after `hold` seconds by a thread of the recorder's own (None: no
    thread, only full blocks and `flush`). A file is followed by the next after `max_size` octets or
    `max_age` seconds.
    """

    def __init__(
        self,
        folder: Path | str,
        name: str = "zwire",
        *,
        keep_body: int | None = None,
        body_at: BodyAt | None = None,
        block: int = 256 * 1024,
        hold: float | None = 1.0,
        max_size: int = _USUAL.size,
        max_age: float = _USUAL.every,
        sync: Sync = Sync.FILE,
        on_event: OnEvent | None = None,
        clock: Callable[[], int] | None = None,
        identity: int | None = None,
        opener: Callable[[Path], File] = open_new,
    ) -> None:
        if not name or not name.replace("-", "").replace("_", "").isalnum():
            raise LocalError(f"a recording's name has letters, digits, - and _; got {name!r}")
        if min(block, max_size, max_age) <= 0 or (hold is not None and hold <= 0):
            raise LocalError("block, hold, max_size and max_age must be above 0")
        if keep_body is not None and keep_body < 0:
            raise LocalError(f"keep_body: expected 0 or more, got {keep_body}")
        self.folder = Path(folder)
        self.name = name
        self.identity = secrets.randbits(63) if identity is None else identity
        """Tells this recording's rows from those of all others."""
        self.failure: str = ""
        """Why recording stopped before it was closed; empty while all is well."""
        self._keep_body, self._body_at = keep_body, body_at
        # Noted times come from a clock that nobody can set back; what it lacks is added in writing.
        self.clock = clock or time.monotonic_ns
        """Nanoseconds, as `tap` wants them."""
        self._steady = clock is None
        self._behind = 0
        self._on_event = on_event
        self._taps: dict[tuple[Direction, str, str, str], Note] = {}
        self._noted: list[Noted] = []
        self._block = self._room = block
        self._sequence = 1
        self._closed = False
        # Noting takes no lock: appending to a list is one step, and so is taking its beginning.
        # The holder may take this one again: a signal's handler may want to note something.
        self._writing = threading.RLock()
        self._series = Series(
            self.folder, name, max_size=max_size, max_age=max_age, sync=sync, opener=opener
        )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._begin_file(self.clock())
        except OSError as error:
            raise LocalError(f"cannot record into {self.folder}: {error.strerror}") from error
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        if hold is not None:
            self._thread = threading.Thread(
                target=self._flush_now_and_then, args=(hold,), name="zwire-recorder", daemon=True
            )
            self._thread.start()

    # ---------------------------------------------------------------- noting

    def message(
        self,
        direction: Direction,
        endpoint: str,
        protocol: str,
        role: str,
        peer: bytes,
        frames: Sequence[bytes],
        job: int = 0,
    ) -> None:
        """Note a message that `role` said, in frames without the routing identity."""
        note = self._taps.get((direction, endpoint, protocol, role))
        if note is None:
            if len(self._taps) >= _MANY:
                self._taps.clear()
            note = self.tap(direction, endpoint, protocol, role)
            self._taps[direction, endpoint, protocol, role] = note
        note(peer, frames, job, self.clock())

    def tap(
        self,
        direction: Direction,
        endpoint: str,
        protocol: str,
        role: str,
        begins: Begins | None = None,
    ) -> Note:
        """What notes messages of one kind: `note(peer, frames, job, clock())`.

        That is for whoever has many of them, or sends first and notes what has gone out. A message
        that belongs to a job is a good one: `begins` may find its body without reading it.
        """
        context = write_context(Kind.MESSAGE, direction, endpoint, protocol, role)
        append, limit = self._noted.append, self._keep_body

        def note(peer: bytes, frames: Sequence[bytes], job: int, at: int) -> None:
            if self._closed:
                return
            kept = tuple(frames)
            append((at, context, job, peer, kept, None))
            self._room -= sum(map(len, kept)) + _FRAME * len(kept) + _ROW
            if self._room <= 0:
                self.flush()

        if limit is None:
            return note

        def note_cut(peer: bytes, frames: Sequence[bytes], job: int, at: int) -> None:
            if job and begins is not None:
                first = begins(frames)
            else:
                first = self._find_body(protocol, role, frames)
            if self._closed:
                return
            kept = list(frames)
            if first == len(kept) - 1:  # as most bodies are
                kept[first] = kept[first][:limit]
            else:
                kept[first:] = [frame[:limit] for frame in kept[first:]]
            if kept == frames:
                note(peer, frames, job, at)
                return
            append((at, context, job, peer, kept, tuple(map(len, frames))))
            self._room -= sum(map(len, kept)) + _FRAME * len(kept) + _ROW
            if self._room <= 0:
                self.flush()

        return note_cut

    def _find_body(self, protocol: str, role: str, frames: Sequence[bytes]) -> int:
        """Where the body begins; what cannot be understood may be anything: all of it is cut."""
        if self._body_at is None:
            return 0
        try:
            return self._body_at(protocol, role, frames)
        except Exception:
            _log.debug("no body found in a message of %s", protocol, exc_info=True)
            return 0

    def event(
        self,
        name: str,
        facts: Mapping[str, Any],
        *,
        endpoint: str = "",
        protocol: str = "",
        role: str = "",
        peer: bytes = b"",
        job: int = 0,
    ) -> None:
        """Note a happening; its facts are anything that JSON can hold, else their `str`."""
        if self._closed:
            return
        frames = _told(name, facts)
        context = write_context(Kind.EVENT, Direction.NONE, endpoint, protocol, role)
        self._room -= sum(map(len, frames)) + _ROW
        self._noted.append((self.clock(), context, job, peer, frames, None))
        if self._room <= 0:
            self.flush()

    # ---------------------------------------------------------------- writing

    def flush(self) -> None:
        """Write what was noted so far."""
        with self._writing:
            self._write_noted()

    def _write_noted(self) -> None:
        rows = self._noted[:]
        del self._noted[: len(rows)]
        self._room = self._block
        if not rows or self.failure:
            return
        try:
            self._set_clock()
            if self._series.due(rows[-1][0] + self._behind):
                self._begin_file(rows[0][0])
            self._write(rows)
        except Exception as error:  # whoever is being recorded must not suffer from it
            self._stop(error, len(rows))

    def _begin_file(self, now: int) -> None:
        """Every file begins with an event that tells whose it is."""
        self._set_clock()
        self._series.turn(self.identity, now + self._behind)
        facts = {"name": self.name, "host": platform.node(), "pid": os.getpid()}
        self._write([self._own("recording-began", facts, now)])

    def _write(self, rows: Sequence[Noted]) -> None:
        self._series.write(write_rows(rows, self.identity, self._sequence, self._behind))
        self._sequence += len(rows)

    def _set_clock(self) -> None:
        """Forward only: somebody set the system's clock forward, or the machine slept."""
        if self._steady:
            self._behind = max(self._behind, time.time_ns() - time.monotonic_ns())

    def _own(self, name: str, facts: Mapping[str, Any], now: int) -> Noted:
        context = write_context(Kind.EVENT, Direction.NONE, "", "", "")
        return (now, context, 0, b"", _told(name, facts), None)

    def _stop(self, error: Exception, lost: int) -> None:
        self._closed = True
        reason = error.strerror if isinstance(error, OSError) else None
        self.failure = reason or f"{type(error).__name__}: {error}"
        facts = {"why": self.failure, "file": str(self._series.path or ""), "rows_lost": lost}
        _log.error("recording stopped: %s (%s)", self.failure, facts["file"])
        try:
            self._series.close()
        except OSError as second:
            _log.debug("nor could the file be closed: %s", second)
        if self._on_event is not None:
            try:
                self._on_event("recording-stopped", facts)
            except Exception:
                _log.exception("on_event failed")

    def _flush_now_and_then(self, hold: float) -> None:
        while not self._ending.wait(hold):
            if self._noted:
                self.flush()

    # ---------------------------------------------------------------- ending

    def close(self) -> None:
        """Write what is left and complete the file; what comes later is not recorded."""
        self._ending.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        with self._writing:
            if self._closed:
                return
            self._closed = True
            self._write_noted()
            if self.failure:
                return
            try:
                self._write([self._own("recording-ended", {"rows": self._sequence}, self.clock())])
                self._series.close()
            except Exception as error:
                self._stop(error, 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _told(name: str, facts: Mapping[str, Any]) -> tuple[bytes, ...]:
    try:
        told = json.dumps(facts, ensure_ascii=False, default=str, skipkeys=True)
    except Exception as error:  # a loop, or something that cannot even be told by `str`
        told = json.dumps({"unreadable": type(error).__name__})
    return (name.encode("utf-8", "replace"), told.encode("utf-8", "replace"))
