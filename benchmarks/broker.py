"""Brokers: requests through zwire's, majortomo's and a bare zmq.proxy, loaded by a program in C."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

import zmq
from broker_servers import SERVERS
from figures import Figure

HERE = Path(__file__).parent
# workers, window, requests in one round, goal against majortomo, goal against zmq.proxy
LOADS = ((16, 100, 20_000, 1.5, 0.06), (64, 1_000, 20_000, 2.0, 0.08))
FEW = ((1, 100, 8_000), (4, 100, 20_000))  # workers, window, requests: what credit is meant for
CREDIT_GOAL = 2.0
ROUND_TRIP_GOAL = 0.25  # at most four times the time of a bare echo: four hops against two
ROUND_TRIPS = 1_500
PATIENCE = 60


def measure(rounds: int) -> list[Figure]:
    """Medians of interleaved rounds: microseconds a request, then a round trip, then memory."""
    rounds = max(3, rounds // 2)
    with tempfile.TemporaryDirectory() as folder:
        load = build_load(Path(folder))
        figures = [figure for plan in LOADS for figure in _throughput(load, rounds, *plan)]
        figures += [_credit(load, rounds, *plan) for plan in FEW]
        figures.append(_round_trip(load, rounds))
    return [*figures, *_memory()]


def build_load(folder: Path) -> Path:
    """The load program, compiled."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        sys.exit("the broker benchmark needs a C compiler and libzmq's headers (libzmq3-dev)")
    program = folder / "broker_load"
    command = [compiler, "-O2", str(HERE / "broker_load.c"), "-lzmq", "-o", str(program)]
    if subprocess.run(command, check=False).returncode:
        sys.exit("the load program does not build: install libzmq's headers (libzmq3-dev)")
    return program


@contextmanager
def process(*command: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process that says a first line once it is ready; ended at the end."""
    started = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert started.stdout is not None
        yield started, started.stdout.readline().strip()
    finally:
        started.kill()
        started.wait()
        if started.stdout is not None:
            started.stdout.close()


def server(stack: ExitStack, name: str, folder: str = "") -> tuple[str, str, int]:
    """A server's addresses for clients and workers, and its process id; it may record into a folder."""
    path = f"import sys; sys.path.insert(0, {str(HERE)!r})"
    code = f"{path}; import broker_servers as b; b.run({name!r}, {folder!r})"
    started, line = stack.enter_context(process(sys.executable, "-c", code))
    front, back = line.split()
    return front, back, started.pid


def _throughput(
    load: Path, rounds: int, workers: int, window: int, total: int, goal: float, share: float
) -> Iterator[Figure]:
    """Ours strict and with credit against majortomo and the proxy."""
    names = [name for name in SERVERS if name != "echo"]
    us = _in_turn(load, rounds, names, workers, window, total)
    title = f"{workers} workers, window {window}"
    yield Figure(title, us["zwire"], "majortomo", us["majortomo"], "µs", goal)
    yield Figure(title, us["zwire"], "zmq.proxy", us["proxy"], "µs", share)
    yield _against_strict(title, us)


def _credit(load: Path, rounds: int, workers: int, window: int, total: int) -> Figure:
    """Ours with credit against ours without, where workers are few and each waits for its next."""
    us = _in_turn(load, rounds, ["zwire", "credit"], workers, window, total)
    return _against_strict(f"{workers} workers, window {window}", us)


def _against_strict(title: str, us: dict[str, float]) -> Figure:
    name = f"{title}, credit 32".replace("1 workers", "1 worker")
    return Figure(name, us["credit"], "zwire strict", us["zwire"], "µs", CREDIT_GOAL)


def _in_turn(
    load: Path, rounds: int, names: Sequence[str], workers: int, window: int, total: int
) -> dict[str, float]:
    """Microseconds a request through each of these servers, in turn, round by round; medians."""
    with ExitStack() as stack:
        fronts: dict[str, str] = {}
        for name in names:
            front, back, _ = server(stack, name)
            stack.enter_context(process(str(load), "workers", SERVERS[name], back, str(workers)))
            fronts[name] = front
        times: dict[str, list[float]] = {name: [] for name in fronts}
        for _ in range(rounds):
            for name, front in fronts.items():
                spent = load_client(load, SERVERS[name], front, window, total)
                times[name].append(spent / total * 1e6)
    return {name: median(found) for name, found in times.items()}


def load_client(load: Path, dialect: str, front: str, window: int, total: int) -> float:
    """Seconds that so many requests took."""
    done = subprocess.run(
        [str(load), "client", dialect, front, str(window), str(total)],
        capture_output=True,
        text=True,
        timeout=PATIENCE * 5,
        check=True,
    )
    return float(done.stdout)


def _round_trip(load: Path, rounds: int) -> Figure:
    """One request at a time: client, broker, worker and back, against a ROUTER that echoes."""
    with ExitStack() as stack:
        front, back, _ = server(stack, "zwire")
        stack.enter_context(process(str(load), "workers", "mdpx", back, "1"))
        bare, _, _ = server(stack, "echo")
        pairs = [
            (
                load_client(load, "mdpx", front, 1, ROUND_TRIPS),
                load_client(load, "plain", bare, 1, ROUND_TRIPS),
            )
            for _ in range(rounds)
        ]
    ours, theirs = (median(pair[side] for pair in pairs) for side in (0, 1))
    return Figure(
        "round trip, window 1, p50", ours, "bare ROUTER echo", theirs, "µs", ROUND_TRIP_GOAL
    )


def _memory() -> Iterator[Figure]:
    """The broker's memory with 1,000 workers, as requests pile up for a service without any."""
    with ExitStack() as stack:
        front, back, broker = server(stack, "zwire")
        context = stack.enter_context(zmq.Context())
        context.set(zmq.MAX_SOCKETS, 4_096)
        resident = _resident(broker)
        idle = resident()
        workers = [context.socket(zmq.DEALER) for _ in range(1_000)]
        for worker in workers:
            worker.linger = 0
            worker.connect(back)
            worker.send_multipart([b"MDXW01", b"\x01", b"other"])
        client = context.socket(zmq.DEALER)
        client.linger = 0
        client.set_hwm(0)
        client.connect(front)
        _settled(client, 1_000)
        with_workers = resident()
        sizes = [with_workers]
        for batch in range(2):
            for number in range(5_000):
                name = b"%d-%d" % (batch, number)
                client.send_multipart([b"MDXC01", b"\x01", b"nobody", name, bytes(64)])
            _settled(client, 1_000)
            sizes.append(resident())
        for socket in (*workers, client):
            socket.close()
    first, both = sizes[1] - sizes[0], sizes[2] - sizes[0]
    yield Figure("memory, 1,000 workers", with_workers, "no workers", idle, "MB")
    yield Figure("memory of 10,000 queued requests", both, "2 × that of 5,000", 2 * first, "MB")


def _resident(pid: int) -> Callable[[], float]:
    def look() -> float:
        fields = Path(f"/proc/{pid}/statm").read_text().split()
        return int(fields[1]) * 4096 / 1e6

    return look


def _settled(client: zmq.Socket[bytes], workers: int) -> None:
    """Wait until the broker has read all that was sent: it answers in order."""
    client.send_multipart([b"MDXC01", b"\x01", b"mmi.service", b"asked", b"other"])
    if not client.poll(PATIENCE * 1000):
        sys.exit("the broker does not answer")
    client.recv_multipart()
