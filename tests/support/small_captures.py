"""Small captures of real messages, with what is wrong in them known: for tests of the whole pipeline."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from support.captures import RECORDER, START
from zwire.capture import Direction, Kind
from zwire.capture.columns import Noted, write_context, write_rows
from zwire_protocols.mdpx import client, worker

PATIENCE = 600.0  # seconds: a Spark of its own has to come up, on a busy machine
ENDPOINT = "tcp://127.0.0.1:5555"


def patiently(told: Callable[[], object]) -> None:
    """Wait until something is so that only files and processes can tell."""
    deadline = time.monotonic() + PATIENCE
    while not told():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.1)


def said(
    number: int,
    frames: list[bytes],
    protocol: str = "mdpx.client",
    role: str = "client",
    lengths: tuple[int, ...] | None = None,
) -> Noted:
    """A message, so many microseconds after the start, from one of three peers."""
    context = write_context(Kind.MESSAGE, Direction.IN, ENDPOINT, protocol, role)
    peer = b"peer-%d" % (number % 3)
    return (START + number * 1000, context, number, peer, tuple(frames), lengths)


def request(number: int) -> Noted:
    """A good one."""
    asked = client.Request("echo", b"id-%d" % number, (b"hello", b"x" * (number % 7)))
    return said(number, client.encode(asked))


def ready(number: int) -> Noted:
    """A worker's good one."""
    return said(number, worker.encode(worker.Ready("echo")), "mdpx.worker", "worker")


def malformed(number: int) -> Noted:
    """An unknown command."""
    return said(number, [b"MDXC01", b"\xee", b"echo", b"id"])


def cut_short(number: int) -> Noted:
    """Good, but not all of its header was recorded."""
    return said(number, [b"MD", b"\x01", b"echo", b"id"], lengths=(6, 1, 4, 2))


def unknown(number: int) -> Noted:
    """Of a protocol that nobody knows, with a name that is no name of a folder."""
    return said(number, [b"?"], "../up/and: away")


def write_parts(folder: Path, rows: list[Noted], block: int = 10) -> Path:
    """A folder with these rows in one file, in blocks of so many."""
    folder.mkdir(parents=True, exist_ok=True)
    octets, sequence = b"", 1
    for at in range(0, len(rows), block):
        octets += write_rows(rows[at : at + block], RECORDER, sequence)
        sequence += len(rows[at : at + block])
    (folder / "some-000001.zcap").write_bytes(octets)
    return folder
