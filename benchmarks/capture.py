"""The recorder and the reader of captures: what a message costs, alone and in the broker."""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from time import thread_time

from broker import build_load, load_client, process, server
from figures import Figure

from zwire.capture import Direction, Recorder, read_all
from zwire.captured import body_at, body_begins
from zwire_protocols.mdpx import client

_MESSAGES = 20_000
_FRAMES = [b"MDXC01", b"\x01", b"echo", bytes(range(16)), b"x" * 64]
_GOAL = 3.0  # microseconds that recording a message may take
_WORKERS, _WINDOW, _REQUESTS = 16, 100, 20_000
_HOPS = 4  # messages to a request: in and out, and in and out again


def measure(rounds: int) -> list[Figure]:
    """Microseconds of processor time for a message of five frames: recorded, and read again.

    The peer is the goal where there is one, else the decoding of the same message. Then the broker.
    """
    whole, cut, read, decoded = [], [], [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            whole.append(_record(Path(folder, "whole"), None))
            cut.append(_record(Path(folder, "cut"), 16))
            read.append(_read(Path(folder, "whole")))
        decoded.append(_decode())
    return [
        Figure("record, bodies whole", median(whole), "the goal", _GOAL, "µs", 1.0),
        Figure("record, bodies cut", median(cut), "the goal", _GOAL, "µs", 1.0),
        Figure("read", median(read), "one decoding", median(decoded), "µs"),
        *_in_the_broker(max(3, rounds // 2)),
    ]


def _in_the_broker(rounds: int) -> Iterator[Figure]:
    """The same load on three brokers in turn; their own processor time tells what recording adds."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        load = build_load(Path(folder))
        fronts, ids = {}, {}
        for name in ("zwire", "recorded", "cut"):
            front, back, ids[name] = server(stack, name, folder)
            stack.enter_context(process(str(load), "workers", "mdpx", back, str(_WORKERS)))
            fronts[name] = front
        times: dict[str, list[float]] = {name: [] for name in fronts}
        spent: dict[str, list[float]] = {name: [] for name in fronts}
        for _ in range(rounds):
            for name, front in fronts.items():
                before = _processor_time(ids[name])
                took = load_client(load, "mdpx", front, _WINDOW, _REQUESTS)
                times[name].append(took / _REQUESTS * 1e6)
                spent[name].append((_processor_time(ids[name]) - before) / _REQUESTS * 1e6)
    us = {name: median(found) for name, found in times.items()}
    cpu = {name: median(found) for name, found in spent.items()}
    yield Figure("broker, a request, recorded", us["recorded"], "not recorded", us["zwire"], "µs")
    yield Figure("broker, a request, bodies cut", us["cut"], "not recorded", us["zwire"], "µs")
    for name, title in (("recorded", "whole"), ("cut", "cut")):
        added = (cpu[name] - cpu["zwire"]) / _HOPS
        yield Figure(f"broker, a message, bodies {title}", added, "the goal", _GOAL, "µs", 1.0)


def _processor_time(pid: int) -> float:
    """Seconds that the main thread of a process has had so far, libzmq's own threads apart."""
    nanoseconds = Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[0]
    return int(nanoseconds) / 1e9


def _record(folder: Path, keep_body: int | None) -> float:
    recorder = Recorder(folder, hold=None, keep_body=keep_body, body_at=body_at)
    kind = ("mdpx.client", "client")
    note = recorder.tap(Direction.IN, "tcp://127.0.0.1:5555", *kind, body_begins(*kind))
    clock = recorder.clock
    gc.disable()
    began = thread_time()
    for number in range(1, _MESSAGES + 1):
        note(b"a", _FRAMES, number, clock())
    recorder.flush()
    spent = thread_time() - began
    gc.enable()
    recorder.close()
    return spent / _MESSAGES * 1e6


def _read(folder: Path) -> float:
    began = thread_time()
    count = sum(1 for _ in read_all([folder]))
    return (thread_time() - began) / count * 1e6


def _decode() -> float:
    began = thread_time()
    for _ in range(_MESSAGES):
        client.decode(_FRAMES)
    return (thread_time() - began) / _MESSAGES * 1e6
