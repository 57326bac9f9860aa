"""The folder that an analysis writes: whose it is, and how a new result takes the old one's place."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from zwire.errors import LocalError

MARKER = "zwire.json"
FORMAT = "zwire tables 1"
ROWS, TABLES = "rows", "tables"
_NEXT, _OLD, _LOCK = ".next-", ".old", ".lock"


class ForeignFolder(LocalError):
    """A folder that is not ours to write to."""


@contextmanager
def claimed(folder: Path) -> Iterator[Path]:
    """The folder for ourselves: yields an empty one inside, to write to before `publish`.

    Raises ForeignFolder where it holds anything that no analysis has written, or while another
    analysis is writing there; nothing is touched then.
    """
    with _locked(folder, "batch", None):
        for leftover in (*folder.glob(f"{_NEXT}*"), folder / _OLD):
            shutil.rmtree(leftover, ignore_errors=True)
        # A name of its own: a cluster may still be writing for a run that was killed.
        following = folder / f"{_NEXT}{secrets.token_hex(4)}"
        following.mkdir()
        try:
            yield following
        finally:
            shutil.rmtree(following, ignore_errors=True)


@contextmanager
def claimed_for_following(folder: Path, inputs: list[str]) -> Iterator[Path]:
    """The folder for an analysis that goes on where it ended; it belongs to these inputs for good.

    Raises ForeignFolder as `claimed` does, and where it belongs to other inputs.
    """
    with _locked(folder, "follow", inputs):
        yield folder


@contextmanager
def _locked(folder: Path, mode: str, inputs: list[str] | None) -> Iterator[None]:
    try:
        _refuse_foreign(folder, mode, inputs)
        folder.mkdir(parents=True, exist_ok=True)
        opened = open(folder / _LOCK, "w", encoding="ascii")  # noqa: SIM115
    except OSError as error:
        raise ForeignFolder(f"{folder}: cannot be written to: {error.strerror}") from error
    with opened as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ForeignFolder(f"{folder}: another analysis is writing there") from None
        if not (folder / MARKER).exists():
            told = {"state": "begun", "mode": mode}
            write_marker(folder, told if inputs is None else {**told, "inputs": inputs})
        yield


def publish(folder: Path, following: Path, told: Mapping[str, Any]) -> None:
    """Put what was written in the place of what was there, and say in the marker what it is."""
    old = folder / _OLD
    old.mkdir()
    write_marker(folder, {"state": "begun", "mode": "batch"})  # should we be killed in between
    for name in (ROWS, TABLES):
        if (folder / name).exists():
            (folder / name).rename(old / name)
        (following / name).rename(folder / name)
    write_marker(folder, {"state": "complete", "mode": "batch", **told})
    shutil.rmtree(old, ignore_errors=True)


def write_marker(folder: Path, told: Mapping[str, Any]) -> None:
    """Replace the marker in one go."""
    beside = folder / f"{MARKER}.new"
    beside.write_text(json.dumps({"format": FORMAT, **told}, indent=2) + "\n", encoding="utf-8")
    os.replace(beside, folder / MARKER)


def read_marker(folder: Path) -> dict[str, Any]:
    """What the last analysis said of its result; raises ForeignFolder where there is none."""
    try:
        told = json.loads((folder / MARKER).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ForeignFolder(
            f"{folder}: no result of `zwire analyze` (it has no {MARKER})"
        ) from None
    except (OSError, ValueError) as error:
        raise ForeignFolder(f"{folder / MARKER}: cannot be read: {error}") from error
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise ForeignFolder(f"{folder / MARKER}: expected the format {FORMAT!r}")
    return told


def _refuse_foreign(folder: Path, mode: str, inputs: list[str] | None) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise ForeignFolder(f"{folder}: is a file, expected a folder")
    if not (folder / MARKER).exists():
        others = sorted(one.name for one in folder.iterdir() if one.name != _LOCK)
        if others:
            raise ForeignFolder(
                f"{folder}: holds {others[0]} and was not written by `zwire analyze`; "
                "nothing was changed: choose an empty folder or a new one"
            )
        return
    told = read_marker(folder)
    if told.get("mode") != mode:
        with_, now = ("with", "without") if mode == "batch" else ("without", "with")
        raise ForeignFolder(
            f"{folder}: was written {with_} --follow, and is asked for {now}: choose another folder"
        )
    if inputs is not None and told.get("inputs") != inputs:
        raise ForeignFolder(
            f"{folder}: follows {', '.join(told.get('inputs', []))}: choose another folder"
        )
