"""Folders that last as long as this process: Spark reads from them at any time."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path


def lasting_folder(purpose: str) -> Path:
    """A new folder for nobody else, removed when this process ends."""
    folder = Path(tempfile.mkdtemp(prefix=f"zwire-{purpose}-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
