"""How old a row is when it stands in a table, while messages keep coming at a steady rate."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from statistics import median

from pyarrow import parquet

from zwire.capture import Direction, Recorder
from zwire_protocols.mdpx import client
from zwire_spark.following import Seen, follow

RATE = 4_000
_SECONDS = 60.0
_WARM = 20.0  # the first batches carry the compilation of every query
_FRAMES = client.encode(client.Request("echo", b"0123456789abcdef", (b"x" * 64,)))


def age_of_rows(folder: Path) -> float:
    """Seconds from the recording of a batch's oldest row until its file is there; the median."""
    captures, live = folder / "live-captures", folder / "live"
    recorder = Recorder(captures, "live", hold=0.2)
    over = threading.Event()
    writer = threading.Thread(target=_record, args=(recorder, over))
    began = time.monotonic()
    writer.start()

    def go_on(seen: Seen) -> bool:
        return time.monotonic() - began < _WARM + _SECONDS

    try:
        follow([captures], live, go_on)
    finally:
        over.set()
        writer.join()
        recorder.close()
    files = sorted((live / "tables" / "rows").glob("*.parquet"))
    start = time.time() - (time.monotonic() - began) + _WARM
    ages = [_age(file) for file in files if file.stat().st_ctime > start]
    return median(ages)


def _record(recorder: Recorder, over: threading.Event) -> None:
    """A message every 250 µs on the average, in handfuls of ten milliseconds."""
    began, done = time.monotonic(), 0
    while not over.wait(0.01):
        due = int((time.monotonic() - began) * RATE)
        for number in range(done, due):
            peer = b"client-%d" % (number % 50)
            recorder.message(
                Direction.IN, "tcp://127.0.0.1:5555", "mdpx.client", "client", peer, _FRAMES
            )
        done = due


def _age(file: Path) -> float:
    """The file's arrival, less the earliest time in it."""
    found: list[int] = parquet.read_table(file, columns=["ts_ns"]).column("ts_ns").to_pylist()
    return file.stat().st_ctime - min(found) / 1e9
