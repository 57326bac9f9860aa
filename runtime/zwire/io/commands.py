"""Shell commands as handlers: the request on standard input, standard output as the reply."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from zwire.errors import ZwireError
from zwire.io.guardian import Guardian
from zwire.io.handlers import Job

_TAIL = 500  # octets of the complaint that go into the reply


class CommandFailed(ZwireError):
    """A command ended with another exit code than 0; the text says which, and its last words."""


class Commands:
    """Runs one shell command for each request.

    Frames of the body are lines of its standard input. ZWIRE_SERVICE, ZWIRE_REQUEST_ID (hex) and
    ZWIRE_HEADERS are in its environment.
    """

    def __init__(self, command: str) -> None:
        self._command = command
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._guardian: Guardian | None = None  # from the first command on
        self._killed = False

    def whole(self, job: Job) -> bytes:
        """All that the command writes, as the reply."""
        with self._running_for(job) as process:
            reply, complaint = process.communicate(b"\n".join(job.body))
        _check(process, complaint)
        return reply

    def lines(self, job: Job) -> Iterator[bytes]:
        """Each line that the command writes, as a piece of the reply."""
        complaint: list[bytes] = []
        with self._running_for(job) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stderr is not None
            # A command may write before it has read all: both directions go on side by side.
            beside = [
                threading.Thread(target=_feed, args=(process.stdin, b"\n".join(job.body))),
                threading.Thread(target=_gather, args=(process.stderr, complaint)),
            ]
            for thread in beside:
                thread.start()
            for line in process.stdout:
                yield line.removesuffix(b"\n")
            for thread in beside:
                thread.join()
        _check(process, b"".join(complaint))

    def kill(self) -> None:
        """End the commands that run, with all that they have started."""
        with self._lock:
            self._killed = True
            running = list(self._running)
            guardian, self._guardian = self._guardian, None
        for process in running:
            _kill(process)
        if guardian is not None:
            guardian.close()

    @contextmanager
    def _running_for(self, job: Job) -> Iterator[subprocess.Popen[bytes]]:
        """The command, which has ended when this is left: killed if nobody wants the rest."""
        process = self._start(job)
        try:
            with process:
                try:
                    yield process
                except BaseException:
                    _kill(process)
                    raise
        finally:
            with self._lock:
                self._running.discard(process)
                if self._guardian is not None:
                    self._guardian.release(process.pid)

    def _start(self, job: Job) -> subprocess.Popen[bytes]:
        facts = {
            "ZWIRE_SERVICE": job.service,
            "ZWIRE_REQUEST_ID": job.request_id.hex(),
            "ZWIRE_HEADERS": job.headers.decode("utf-8", "replace").replace("\0", ""),
        }
        with self._lock:
            if self._killed:
                raise CommandFailed("the worker stops")
            process = subprocess.Popen(
                self._command,
                shell=True,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, **facts},
                # Away from the terminal's signals: what is begun is finished when we are stopped.
                start_new_session=True,
            )
            self._running.add(process)
            if self._guardian is None:
                self._guardian = Guardian()
            self._guardian.watch(process.pid)
        return process


def _check(process: subprocess.Popen[bytes], complaint: bytes) -> None:
    if process.returncode:
        words = complaint[-_TAIL:].decode("utf-8", "replace").strip()
        code = process.returncode
        how = f"exit code {code}" if code > 0 else f"signal {-code}"
        raise CommandFailed(f"the command ended with {how}" + (f": {words}" if words else ""))


def _feed(pipe: IO[bytes], octets: bytes) -> None:
    try:
        with pipe:
            pipe.write(octets)
    except OSError:
        return  # it does not read: that is its own affair


def _gather(pipe: IO[bytes], into: list[bytes]) -> None:
    with pipe:
        into.extend(pipe)


def _kill(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
