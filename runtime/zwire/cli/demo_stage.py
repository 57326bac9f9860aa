"""The processes of `zwire demo`: started, listened to, killed or stopped by their own ids."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType, TracebackType
from typing import IO, Any, Self

from zwire.cli.console import stop_signals
from zwire.errors import ZwireError

DIALECTS = ("mdpx", "mdp01", "mdp02", "emqp", "ppp")
HELD = "held"  # the service whose worker is killed

PATIENCE = 60.0  # seconds; a busy machine may take long to start a process
_ANYWHERE = "tcp://127.0.0.1:*"
_COMMAND = "from zwire.cli.main import run; run()"
# Short enough to see a killed worker missed, long enough for a machine that has other things to do.
_INTERVAL = "0.5"
_PACE = ("--interval", _INTERVAL, "--liveness", "4")


class DemoFailed(ZwireError):
    """A process of the demo did not do its part."""


class Actor:
    """One process that tells what happens in JSON lines."""

    def __init__(self, name: str, *arguments: str, typed: bool = False) -> None:
        """`typed` is for one that is told what to do on its standard input."""
        self.name = name
        self.told: list[dict[str, Any]] = []
        self._other: list[str] = []
        self._lines: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=subprocess.PIPE if typed else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        assert self._process.stdout is not None
        self._reader = threading.Thread(
            target=self._read, args=(self._process.stdout,), daemon=True
        )
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_for(self, event: str) -> dict[str, Any]:
        """The next happening of this kind."""
        limit = time.monotonic() + PATIENCE
        while True:
            told = self._next(event, limit)
            if told.get("event") == event:
                return told

    def find(self, event: str, **facts: Any) -> dict[str, Any]:
        """A happening of this kind with these facts, told already or to come."""
        limit = time.monotonic() + PATIENCE
        wanted = {"event": event, **facts}
        while True:
            for told in list(self.told):
                if wanted.items() <= told.items():
                    return told
            self._next(f"{event} {facts}", limit)

    def _next(self, awaited: str, limit: float) -> dict[str, Any]:
        try:
            told = self._lines.get(timeout=max(0.0, limit - time.monotonic()))
        except queue.Empty:
            raise DemoFailed(f"{self.name} did not tell {awaited!r} in time") from None
        if told is None:
            raise DemoFailed(
                f"{self.name} ended before it told {awaited!r}: {''.join(self._other[-20:])}"
            )
        return told

    def type_in(self, line: str) -> None:
        """Write a line to its standard input."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def stop(self) -> None:
        """Ask it to end as it should."""
        self._process.terminate()

    def wait_for_end(self) -> None:
        """Let it end by itself: what it records is written down then."""
        try:
            self._process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise DemoFailed(f"{self.name} did not end in time") from None

    def kill(self) -> None:
        """End it at once, in the middle of whatever it does; all that it told is there then."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):
                self._process.stdin.close()

    def _read(self, stream: IO[str]) -> None:
        with stream:
            for line in stream:
                try:
                    told = json.loads(line)
                except ValueError:
                    self._other.append(line)
                    continue
                self.told.append(told)
                self._lines.put(told)
        self._lines.put(None)


class Interruption:
    """Signals interrupt the demo, but never between a process and the note that it is ours."""

    def __init__(self) -> None:
        self._held = False
        self._asked = False
        for number in stop_signals():
            signal.signal(number, self._interrupt)

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        self._asked = True
        if not self._held:
            raise KeyboardInterrupt

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """Let this be finished first."""
        self._held = True
        try:
            yield
        finally:
            self._held = False
        if self._asked:
            raise KeyboardInterrupt


class Stage:
    """A broker that speaks everything, an echoing worker of each dialect, and nodes."""

    def __init__(self, captures: Path | None = None) -> None:
        """`captures` is the folder into which broker and nodes record."""
        self._recording = () if captures is None else ("--capture", str(captures))
        self._interruption = Interruption()
        self._actors = ExitStack()
        self.fronts: dict[str, str] = {}
        self.ppp_fronts: dict[str, str] = {}
        self._backs: dict[str, str] = {}

    def start_broker(self) -> Actor:
        """Start it on free ports, and learn where it listens."""
        # PPP names no service: its clients find each at an address of its own.
        services = [service_of(dialect) for dialect in DIALECTS]
        ppp = [
            text for service in services for text in ("--ppp", f"{_ANYWHERE},{_ANYWHERE}={service}")
        ]
        self.broker = self._start(
            "the broker",
            *("-c", _COMMAND, "broker", "--json", *_PACE, *self._recording),
            *("--mdpx", f"{_ANYWHERE},{_ANYWHERE}", "--emqp", _ANYWHERE, "--mdp", _ANYWHERE, *ppp),
        )
        for one in self.broker.wait_for("listening")["endpoints"]:
            front, back = (one[side].removeprefix("tcp://") for side in ("front", "back"))
            names = ("mdp01", "mdp02") if one["dialect"] == "mdp" else (one["dialect"],)
            for name in names:
                if name == "ppp":
                    self.ppp_fronts[one["service"]] = f"ppp://{front}"
                    if one["service"] != service_of("ppp"):
                        continue
                self.fronts[name] = f"{name}://{front}"
                self._backs[name] = f"{name}://{back}"
        return self.broker

    def start_workers(self) -> Sequence[Actor]:
        """One of each dialect, and the one that holds what it gets."""
        echoing = [self.start_echo(dialect, service_of(dialect)) for dialect in DIALECTS]
        self.holder = self._start(
            "the worker to be killed",
            *("-m", "zwire.cli.demo_worker", self._backs["mdpx"], HELD, _INTERVAL),
        )
        for worker in echoing:
            worker.wait_for("ready")
        return (*echoing, self.holder)

    def start_echo(self, dialect: str, service: str) -> Actor:
        """A worker that echoes; the broker keeps requests until it is ready."""
        return self._start(
            f"the {dialect} worker",
            *("-c", _COMMAND, "worker", service, "--echo", "--json"),
            *("--url", self._backs[dialect], *_PACE),
        )

    def stop(self) -> dict[str, int]:
        """Let the broker finish and end; its counters."""
        self.broker.stop()
        counts: dict[str, int] = self.broker.wait_for("ended")["statistics"]
        self.broker.wait_for_end()
        return counts

    def start_node(self, name: str, port: int) -> Actor:
        """A node on loopback that does what is typed in; nodes with one port of UDP meet."""
        return self._start(
            f"the node {name}",
            *("-c", _COMMAND, "node", name, "--json"),
            *("--interface", "loopback", "--port", str(port), *self._recording),
            typed=True,
        )

    def _start(self, name: str, *arguments: str, typed: bool = False) -> Actor:
        with self._interruption.held_back():
            actor = Actor(name, *arguments, typed=typed)
            self._actors.callback(actor.kill)
        return actor

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._interruption.held_back():
            self._actors.close()


def service_of(dialect: str) -> str:
    """The service that the worker of a dialect serves."""
    return f"echo-{dialect}"
