"""Recording of traffic into .zcap files, and reading it again; needs the standard library alone."""

from __future__ import annotations

from zwire.capture.following import follow
from zwire.capture.losses import Loss, Losses
from zwire.capture.reader import NotACapture, find_files, read, read_all
from zwire.capture.recorder import Recorder
from zwire.capture.rotation import Rotation
from zwire.capture.rows import Direction, Kind, Row
from zwire.capture.series import Sync

__all__ = [
    "Direction",
    "Kind",
    "Loss",
    "Losses",
    "NotACapture",
    "Recorder",
    "Rotation",
    "Row",
    "Sync",
    "find_files",
    "follow",
    "read",
    "read_all",
]
