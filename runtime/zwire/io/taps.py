"""Where a program's traffic is recorded, if it is: a folder that it opens, or a recorder it is given."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from zwire.capture import Direction, Recorder, Rotation, Sync
from zwire.capture.recorder import Note, OnEvent
from zwire.captured import body_at, body_begins
from zwire.dialects.speech import Spoken
from zwire.errors import LocalError

# A folder, for a recording of one's own; a recorder that others may use too, and close.
Capture: TypeAlias = Path | str | Recorder


class Recording:
    """A recorder, and whether it is ours to close."""

    def __init__(
        self,
        capture: Capture,
        name: str,
        *,
        keep_body: int | None = None,
        sync: Sync = Sync.FILE,
        rotation: Rotation | None = None,
        on_event: OnEvent | None = None,
    ) -> None:
        self._own = not isinstance(capture, Recorder)
        if isinstance(capture, Recorder):
            self.recorder = capture
        else:
            turn = rotation or Rotation()
            self.recorder = Recorder(
                capture,
                name,
                keep_body=keep_body,
                body_at=body_at,
                max_size=turn.size,
                max_age=turn.every,
                sync=sync,
                on_event=on_event,
            )

    def tap(self, direction: Direction, endpoint: str, spoken: Spoken) -> Note:
        """What notes the messages of one speaker at one endpoint."""
        begins = body_begins(*spoken)
        return self.recorder.tap(direction, endpoint, *spoken, begins)

    def close(self) -> None:
        """Complete what we began."""
        if self._own:
            self.recorder.close()


class Tap:
    """What one socket hears and says: `heard(peer, frames, job, clock())`, and `said` likewise."""

    def __init__(self, recording: Recording, endpoint: str, heard: Spoken, said: Spoken) -> None:
        self.heard = recording.tap(Direction.IN, endpoint, heard)
        self.said = recording.tap(Direction.OUT, endpoint, said)
        self.clock = recording.recorder.clock
        self.endpoint = endpoint
        self._recording = recording

    def event(self, name: str, facts: Mapping[str, Any], job: int = 0) -> None:
        """Note a happening."""
        self._recording.recorder.event(name, facts, endpoint=self.endpoint, job=job)

    def close(self) -> None:
        self._recording.close()


def read_bodies(text: str) -> int | None:
    """How much of each body to keep: `whole` (None), a number of octets, or `none` (0)."""
    if text == "whole":
        return None
    if text == "none":
        return 0
    if text.isdecimal():
        return int(text)
    raise LocalError(f"expected whole, none or a number of octets, got {text!r}")


def write_bodies(keep: int | None) -> str | int:
    """The same the other way round."""
    return "whole" if keep is None else keep or "none"
