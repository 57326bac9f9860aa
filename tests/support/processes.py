"""Programs under test: started, listened to line by line, stopped by their own id, always reaped."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from support.raw import PATIENCE


class Program:
    """One running process; its output is read as it comes, so it never waits for us."""

    def __init__(
        self,
        *command: str,
        environment: Mapping[str, str] | None = None,
        typed: bool = False,
    ) -> None:
        """`typed` is for a program that is told what to do on its standard input."""
        self.command = command
        self.output: list[str] = []
        self.complaints: list[str] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE if typed else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **(environment or {})},
        )
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._readers = [
            threading.Thread(target=self._read_output, args=(self._process.stdout,), daemon=True),
            threading.Thread(
                target=self._read_complaints, args=(self._process.stderr,), daemon=True
            ),
        ]
        for reader in self._readers:
            reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def wait_for_line(self, text: str) -> str:
        """The next line of output that holds the text."""
        limit = time.monotonic() + PATIENCE
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, limit - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no line with {text!r}; {self._told()}") from None
            if line is None:
                self._lines.put(None)
                raise AssertionError(f"it ended without a line with {text!r}; {self._told()}")
            if text in line:
                return line

    def wait_for_json(self, **facts: Any) -> dict[str, Any]:
        """The next line of output that is a JSON object with these facts in it."""
        while True:
            line = self.wait_for_line("{")
            try:
                found = json.loads(line)
            except ValueError:
                continue
            if isinstance(found, dict) and all(found.get(k) == v for k, v in facts.items()):
                return found

    def type_in(self, line: str) -> None:
        """Write a line to its standard input."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            code = self._process.wait()
            self._stop_reading()
            raise AssertionError(f"it ended with {code}; {self._told()}") from None

    def signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def wait(self) -> int:
        """Wait until it ends by itself; its exit code."""
        try:
            code = self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it does not end; {self._told()}") from None
        self._stop_reading()
        return code

    def stop(self) -> int:
        """Ask it to end; its exit code."""
        if self.running:
            self.signal(signal.SIGTERM)
        return self.wait()

    def kill(self) -> None:
        """End it at once, whatever it is doing."""
        if self.running:
            self._process.kill()
        self._process.wait()
        self._stop_reading()

    def _stop_reading(self) -> None:
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):
                self._process.stdin.close()
        for reader in self._readers:
            reader.join(PATIENCE)

    def _read_output(self, stream: IO[str]) -> None:
        with stream:
            for line in stream:
                self.output.append(line)
                self._lines.put(line)
        self._lines.put(None)

    def _read_complaints(self, stream: IO[str]) -> None:
        with stream:
            self.complaints.extend(stream)

    def _told(self) -> str:
        last = "".join(self.output[-20:] + self.complaints[-20:])
        return f"{' '.join(self.command)} told:\n{last}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()


def zwire(*arguments: str, environment: Mapping[str, str] | None = None) -> Program:
    """Start the command line as it is installed beside the running Python."""
    return Program(
        str(Path(sys.executable).with_name("zwire")), *arguments, environment=environment
    )


def python(source: str, *arguments: str) -> Program:
    """Start a Python program given as text."""
    return Program(sys.executable, "-c", source, *arguments)
