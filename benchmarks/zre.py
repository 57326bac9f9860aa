"""Nodes: zwire's against pyre's, each node in a process of its own, in turn and round by round."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from figures import Figure

PROGRAM = Path(__file__).with_name("zre_process.py")
LIBRARIES = ("zwire", "pyre")
# what, listeners, command (verb, times, block), goal
LOADS = (
    ("WHISPER of 100 octets", 1, ("whisper", 6_000, 500), 5.0),
    ("SHOUT to 10 nodes", 10, ("shout", 600, 100), 4.0),
    ("SHOUT to 50 nodes", 50, ("shout", 120, 20), 4.0),
)
TRIPS = 400
TRIP_GOAL = 2.5  # at most 0.4 of pyre's time
STARTS = 3  # in each round
LOSSY_STARTS = 18
THEIR_SHARE = 9  # pyre takes seconds where beacons are lost: one start for so many of ours
RESIDENTS = 8
LOST = 0.3
LIMIT = 400.0  # ms until a peer is found at 99 % of the starts, though beacons are lost
IDLE_LIMIT = 0.2  # % of a core
IDLE_MESHES = (2, 10)
CROWD = 100
REST = 10  # seconds
PATIENCE = 60  # seconds until a process has ended that was told to


def measure(rounds: int) -> list[Figure]:
    """Medians of interleaved rounds: microseconds a message, ms until found, % of a core when idle."""
    rounds = max(3, rounds // 2)
    figures: list[Figure] = []
    for name, listeners, command, goal in LOADS:
        figures.extend(_load(rounds, name, listeners, command, goal))
    return [*figures, *_discovery(rounds), *_idle()]


class Part:
    """A process of the benchmark, which answers each line with a line."""

    def __init__(self, *arguments: object) -> None:
        command = [sys.executable, str(PROGRAM), *map(str, arguments)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ready(self) -> None:
        """Wait until it is."""
        self._read()

    def ask(self, *words: object) -> Any:
        """Give an order; what it answers."""
        assert self._process.stdin is not None
        print(*words, file=self._process.stdin, flush=True)
        return self._read()

    def _read(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            sys.exit(f"{' '.join(map(str, self._process.args[1:]))} ended early")  # type: ignore[index]
        return json.loads(line)

    def end(self) -> None:
        """A listener ends with its input; all others may be ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


@contextmanager
def _parts(*plans: tuple[object, ...]) -> Iterator[list[Part]]:
    """These processes, each begun when the one before is ready."""
    parts: list[Part] = []
    try:
        for plan in plans:
            parts.append(Part(*plan))
            parts[-1].ready()
        yield parts
    finally:
        for part in reversed(parts):
            part.end()


def _free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.bind(("", 0))
        port: int = asking.getsockname()[1]
        return port


def _mesh(library: str, listeners: int) -> list[tuple[object, ...]]:
    port = _free_port()
    return [(library, port, "listen", listeners), (library, port, "talk", listeners)]


def _load(
    rounds: int, name: str, listeners: int, command: tuple[str, int, int], goal: float
) -> Iterator[Figure]:
    _, times, _ = command
    with _parts(*_mesh("zwire", listeners), *_mesh("pyre", listeners)) as parts:
        talkers = dict(zip(LIBRARIES, parts[1::2], strict=True))
        wall: dict[str, list[float]] = {library: [] for library in LIBRARIES}
        processor: dict[str, list[float]] = {library: [] for library in LIBRARIES}
        trips: dict[str, list[float]] = {library: [] for library in LIBRARIES}
        for _ in range(rounds):
            for library, talker in talkers.items():
                told = talker.ask(*command)
                wall[library].append(told["seconds"] / times * 1e6)
                processor[library].append(told["processor"] / times * 1e6)
            if listeners == 1:
                for library, talker in talkers.items():
                    trips[library].append(talker.ask("trips", TRIPS, 0)["median"] * 1e6)
    yield _against_pyre(name, wall, "µs", goal)
    yield _against_pyre(f"{name}, processor time of all", processor, "µs", None)
    if listeners == 1:
        yield _against_pyre("round trip of 100 octets, p50", trips, "µs", TRIP_GOAL)


def _against_pyre(
    name: str, found: dict[str, list[float]], unit: str, goal: float | None
) -> Figure:
    ours, theirs = (median(found[library]) for library in LIBRARIES)
    return Figure(name, ours, "pyre", theirs, unit, goal)


def _discovery(rounds: int) -> Iterator[Figure]:
    found = _starts(rounds * STARTS, 1)
    yield _against_pyre("until a peer has entered, p50", found, "ms", 1.0)
    found = _starts(rounds * LOSSY_STARTS, RESIDENTS, LOST)
    ours, theirs = (quantiles(found[library], n=100)[98] for library in LIBRARIES)
    name = f"the same, p99, {LOST:.0%} of beacons lost"
    yield Figure(name, ours, "pyre", theirs, "ms")
    yield Figure(name, ours, "the limit", LIMIT, "ms", 1.0)


def _starts(starts: int, residents: int, *lost: float) -> dict[str, list[float]]:
    """Milliseconds from the making of a node until each of so many others has entered."""
    ports = {library: _free_port() for library in LIBRARIES}
    plans: list[tuple[object, ...]] = []
    for library, port in ports.items():
        plans.append((library, port, "listen", residents, *lost))
        plans.append((library, port, "come", residents, *lost))
    with _parts(*plans) as parts:
        newcomers = dict(zip(LIBRARIES, parts[1::2], strict=True))
        for newcomer in newcomers.values():
            newcomer.ask("warm up")
        found: dict[str, list[float]] = {library: [] for library in LIBRARIES}
        for start in range(starts):
            for library, newcomer in newcomers.items():
                if lost and library == "pyre" and start % THEIR_SHARE:
                    continue
                found[library].extend(seconds * 1e3 for seconds in newcomer.ask("come"))
    return found


def _idle() -> Iterator[Figure]:
    for nodes in IDLE_MESHES:
        with _parts(*_mesh("zwire", nodes - 1), *_mesh("pyre", nodes - 1)) as parts:
            used = []
            for talker in parts[1::2]:
                told = talker.ask("rest", REST, 0)
                used.append(told["processor"] / told["seconds"] / nodes * 100)
        yield Figure(f"idle node, mesh of {nodes}", used[0], "pyre", used[1], "% of a core")
        yield Figure(
            f"idle node, mesh of {nodes}", used[0], "the limit", IDLE_LIMIT, "% of a core", 1.0
        )
    with _parts(("zwire", _free_port(), "crowd", CROWD)) as (crowd,):
        told = crowd.ask(REST)
    share = told["processor"] / told["seconds"] / CROWD * 100
    name = f"idle node, {CROWD} in one process"
    yield Figure(name, share, "the limit", IDLE_LIMIT, "% of a core", 1.0)
