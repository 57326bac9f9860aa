"""Files on disk against files as rendered: write what differs, or tell the difference."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path

SHOWN_LINES = 60  # of a difference, by file; more helps nobody


def write(files: Mapping[str, str], root: Path, owned: Sequence[str] | None) -> tuple[int, int]:
    """Write what differs below `root`; in `owned` folders remove what is rendered no more.

    Returns how many files were written and removed.
    """
    written = 0
    for name, text in files.items():
        path = root / name
        if _text(path) == text:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        written += 1
    strays = _strays(files, root, owned)
    for path in strays:
        path.unlink()
    return written, len(strays)


def differences(files: Mapping[str, str], root: Path, owned: Sequence[str] | None) -> list[str]:
    """The difference between disk and rendering as unified diffs; empty where there is none."""
    told: list[str] = []
    for name, text in files.items():
        path = root / name
        present = _text(path)
        if present == text:
            continue
        if present is None:
            told.append(f"{path}: is missing")
            continue
        lines = list(
            difflib.unified_diff(
                present.splitlines(),
                text.splitlines(),
                str(path),
                f"{path} (generated)",
                lineterm="",
            )
        )
        told += lines[:SHOWN_LINES]
        if len(lines) > SHOWN_LINES:
            told.append(f"… and {len(lines) - SHOWN_LINES} further lines")
    told += [f"{path}: comes from no document" for path in _strays(files, root, owned)]
    return told


def _text(path: Path) -> str | None:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return file.read()
    except (FileNotFoundError, UnicodeDecodeError):
        return None


def _strays(files: Mapping[str, str], root: Path, owned: Sequence[str] | None) -> list[Path]:
    expected = {root / name for name in files}
    return [
        path
        for folder in owned or ()
        for path in sorted((root / folder).rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts and path not in expected
    ]
