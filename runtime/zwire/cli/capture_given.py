"""The options by which a command is told to record its traffic."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from zwire.capture import Rotation, Sync
from zwire.capture.rotation import read_every, read_size
from zwire.cli.console import Exit, fail
from zwire.errors import LocalError

if TYPE_CHECKING:
    from zwire.capture import Recorder

T = TypeVar("T")

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


CaptureRotateSize = Annotated[
    str | None,
    typer.Option(
        "--capture-rotate-size",
        metavar="SIZE",
        help="Go on in the next file when one has this many octets: 64M, 500K, 1G. Default: 256M.",
    ),
]
CaptureRotateEvery = Annotated[
    str | None,
    typer.Option(
        "--capture-rotate-every",
        metavar="TIME",
        help="Go on in the next file when one is this old: 1h, 15m, 90s. Default: 1h.",
    ),
]


def rotation_given(
    size: str | None, every: str | None, into: Path | None, usual: Rotation | None = None
) -> Rotation:
    """When the next file begins; what was not given is as usual."""
    usual = usual or Rotation()
    return Rotation(
        _read("--capture-rotate-size", size, into, read_size, usual.size),
        _read("--capture-rotate-every", every, into, read_every, usual.every),
    )


def sync_given(sync: Sync | None, into: Path | None) -> Sync:
    """When to bring to the disk what is recorded."""
    if sync is not None and into is None:
        fail("--capture-sync goes with --capture DIR", Exit.USAGE)
    return sync or Sync.FILE


def bodies_given(bodies: str | None, into: Path | None) -> int | None:
    """How many octets of each body frame to keep; None: all."""
    from zwire.io.taps import read_bodies

    return _read("--capture-bodies", bodies, into, read_bodies, None)


def _read(
    option: str, text: str | None, into: Path | None, read: Callable[[str], T], usual: T
) -> T:
    if text is None:
        return usual
    if into is None:
        fail(f"{option} goes with --capture DIR", Exit.USAGE)
    try:
        return read(text)
    except LocalError as error:
        fail(f"{option}: {error}", Exit.USAGE)


def recorder_given(
    into: Path | None,
    bodies: str | None,
    sync: Sync | None,
    rotate_size: str | None,
    rotate_every: str | None,
    name: str,
) -> Recorder | None:
    """The recorder that these options ask for, to be closed by whoever asked."""
    keep = bodies_given(bodies, into)
    when = sync_given(sync, into)
    turn = rotation_given(rotate_size, rotate_every, into)
    if into is None:
        return None
    from zwire.io.taps import Recording

    return Recording(into, name, keep_body=keep, sync=when, rotation=turn).recorder
