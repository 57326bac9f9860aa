"""A capture of any size for the benchmark of the pipeline: a broker's day, in three dialects."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from zwire.capture import Direction, Kind
from zwire.capture.columns import Noted, write_context, write_rows
from zwire_protocols.mdpx import client, worker
from zwire_protocols.zre import messages as zre

_START = 1_700_000_040_000_000_000
_BLOCK = 2_000
_FRONT, _BACK = "tcp://127.0.0.1:5555", "tcp://127.0.0.1:5556"
_BODY = (b"x" * 64,)
_NODE = b"\x01" * 16


def write_capture(folder: Path, messages: int) -> None:
    """About so many messages, 250 µs apart."""
    folder.mkdir(parents=True, exist_ok=True)
    sequence = 1
    rows: list[Noted] = []
    made = _conversation()
    with open(folder / "bench-000001.zcap", "wb") as file:
        while sequence + len(rows) <= messages:
            rows += next(made)
            if len(rows) >= _BLOCK:
                file.write(write_rows(rows, 0xBE7C4, sequence))
                sequence += len(rows)
                rows = []
        if rows:
            file.write(write_rows(rows, 0xBE7C4, sequence))


def _conversation() -> Iterator[list[Noted]]:
    """Requests one after the other, each with its way through the broker; now and then others."""
    asked = _context("in", _FRONT, "mdpx.client", "client")
    given = _context("out", _BACK, "mdpx.worker", "broker")
    done = _context("in", _BACK, "mdpx.worker", "worker")
    told = _context("out", _FRONT, "mdpx.client", "broker")
    beside = _context("in", "tcp://127.0.0.1:5670", "zre.messages", "sender")
    yield [
        _noted(0, _context("in", _BACK, "mdpx.worker", "worker"), 0, b"worker-%d" % number,
               worker.encode(worker.Ready("echo")))
        for number in range(10)
    ]  # fmt: skip
    greeting = zre.Hello(1, "127.0.0.1", 49152, ("CHAT",), 1, ())
    yield [_noted(0, beside, 0, _NODE, zre.encode(greeting))]
    job = 0
    while True:
        job += 1
        at = job * 1_250_000
        peer, busy, name = b"client-%d" % (job % 50), b"worker-%d" % (job % 10), b"%d" % job
        yield [
            _noted(at, asked, job, peer, client.encode(client.Request("echo", name, _BODY))),
            _noted(at + 250_000, given, job, busy,
                   worker.encode(worker.Request(peer, name, _BODY))),
            _noted(at + 500_000, done, job, busy,
                   worker.encode(worker.Final(peer, name, _BODY))),
            _noted(at + 750_000, told, job, peer,
                   client.encode(client.Final("echo", name, _BODY))),
            _noted(at + 1_000_000, beside, 0, _NODE,
                   zre.encode(zre.Shout((job + 1) & 0xFFFF, "CHAT", _BODY[0]))),
        ]  # fmt: skip


def _context(direction: str, endpoint: str, protocol: str, role: str) -> bytes:
    return write_context(Kind.MESSAGE, Direction[direction.upper()], endpoint, protocol, role)


def _noted(at: int, context: bytes, job: int, peer: bytes, frames: list[bytes]) -> Noted:
    return (_START + at, context, job, peer, tuple(frames), None)
