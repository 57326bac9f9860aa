"""The recorder and the reader of captures: what a message costs, beside the codecs' own work on it."""

from __future__ import annotations

import gc
import tempfile
from pathlib import Path
from statistics import median
from time import thread_time

from figures import Figure

from zwire.capture import Direction, Recorder, read_all
from zwire.captured import body_at
from zwire_protocols.mdpx import client

_MESSAGES = 20_000
_FRAMES = [b"MDXC01", b"\x01", b"echo", bytes(range(16)), b"x" * 64]
_GOAL = 3.0  # microseconds that recording a message may take


def measure(rounds: int) -> list[Figure]:
    """Microseconds of processor time for a message of five frames: recorded, and read again.

    The peer is the goal where there is one, else the decoding of the same message.
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
        Figure("record, bodies cut", median(cut), "one decoding", median(decoded), "µs"),
        Figure("read", median(read), "one decoding", median(decoded), "µs"),
    ]


def _record(folder: Path, keep_body: int | None) -> float:
    recorder = Recorder(folder, hold=None, keep_body=keep_body, body_at=body_at)
    note = recorder.message
    gc.disable()
    began = thread_time()
    for number in range(_MESSAGES):
        note(
            Direction.IN, "tcp://127.0.0.1:5555", "mdpx.client", "client", b"a", _FRAMES, number
        )  # fmt: skip
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
