"""The options by which a command is told to record its traffic."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zwire.capture import Sync
from zwire.cli.console import Exit, fail

if TYPE_CHECKING:
    from zwire.capture import Recorder

CaptureInto = Annotated[
    Path | None,
    typer.Option("--capture", metavar="DIR", help="Record all traffic into this folder."),
]
CaptureBodies = Annotated[
    str | None,
    typer.Option(
        "--capture-bodies",
        metavar="whole|N|none",
        help="Keep bodies whole, N octets of each frame, or none. Default: whole.",
    ),
]
CaptureSync = Annotated[
    Sync | None,
    typer.Option(
        "--capture-sync",
        help="Bring what was recorded to the disk (fsync) after each file, each block, or never."
        " Default: file.",
    ),
]


def sync_given(sync: Sync | None, into: Path | None) -> Sync:
    """When to bring to the disk what is recorded."""
    if sync is not None and into is None:
        fail("--capture-sync goes with --capture DIR", Exit.USAGE)
    return sync or Sync.FILE


def bodies_given(bodies: str | None, into: Path | None) -> int | None:
    """How many octets of each body frame to keep; None: all."""
    from zwire.errors import LocalError
    from zwire.io.taps import read_bodies

    if bodies is None:
        return None
    if into is None:
        fail("--capture-bodies goes with --capture DIR", Exit.USAGE)
    try:
        return read_bodies(bodies)
    except LocalError as error:
        fail(f"--capture-bodies: {error}", Exit.USAGE)


def recorder_given(
    into: Path | None, bodies: str | None, sync: Sync | None, name: str
) -> Recorder | None:
    """The recorder that these options ask for, to be closed by whoever asked."""
    keep = bodies_given(bodies, into)
    when = sync_given(sync, into)
    if into is None:
        return None
    from zwire.capture import Recorder
    from zwire.captured import body_at

    return Recorder(into, name, keep_body=keep, body_at=body_at, sync=when)
