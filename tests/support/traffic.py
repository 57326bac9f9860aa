"""Made-up recordings: rows as brokers, proxies and nodes would have noted them, by a seed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from zwire.capture import Direction, Kind, Row
from zwire.capture.columns import write_context, write_rows

START = 1_700_000_040_000_000_000  # a full minute
MS = 1_000_000
SECOND = 1_000 * MS

_WAYS = {"in": Direction.IN, "out": Direction.OUT, "": Direction.NONE}


class Scribe:
    """Notes what happens when, in any order; afterwards it is one recording."""

    def __init__(self, recorder: int, name: str, **facts: object) -> None:
        self.recorder = recorder
        self._noted: list[tuple[int, int, dict[str, Any]]] = []
        self.event(0, "recording-began", {"name": name, "host": "here", "pid": recorder, **facts})

    def message(
        self,
        at: int,
        direction: str,
        endpoint: str,
        protocol: str,
        role: str,
        peer: bytes,
        frames: Sequence[bytes],
        job: int = 0,
    ) -> None:
        """A message, so many nanoseconds after the start."""
        self._note(at, Kind.MESSAGE, direction, endpoint, protocol, role, peer, job, frames)

    def event(
        self,
        at: int,
        name: str,
        facts: Mapping[str, object],
        endpoint: str = "",
        peer: bytes = b"",
        job: int = 0,
    ) -> None:
        told = (name.encode(), json.dumps(facts).encode())
        self._note(at, Kind.EVENT, "", endpoint, "", "", peer, job, told)

    def _note(
        self,
        at: int,
        kind: Kind,
        direction: str,
        endpoint: str,
        protocol: str,
        role: str,
        peer: bytes,
        job: int,
        frames: Sequence[bytes],
    ) -> None:
        noted = {
            "kind": kind,
            "direction": _WAYS[direction],
            "endpoint": endpoint,
            "protocol": protocol,
            "role": role,
            "peer": peer,
            "job": job,
            "frames": tuple(frames),
        }
        self._noted.append((at, len(self._noted), noted))

    def rows(self, *, ended: bool = True, first: int = 1) -> list[Row]:
        """All rows in the order of their times; `first` leaves out what was before that one."""
        noted = sorted(self._noted, key=lambda one: one[:2])
        if ended:
            last = {**noted[0][2], "frames": (b"recording-ended", b'{"rows": 0}')}
            noted.append((noted[-1][0] + MS, len(noted), last))
        rows = [
            Row(
                time=START + at,
                sequence=number,
                recorder=self.recorder,
                lengths=tuple(map(len, facts["frames"])),
                **facts,
            )
            for number, (at, _, facts) in enumerate(noted, 1)
        ]
        return rows[first - 1 :]


def write_zcap(rows: Sequence[Row], folder: Path) -> None:
    """One file for each recording."""
    for recorder in sorted({row.recorder for row in rows}):
        own = [row for row in rows if row.recorder == recorder]
        noted = [
            (
                row.time,
                write_context(row.kind, row.direction, row.endpoint, row.protocol, row.role),
                row.job,
                row.peer,
                row.frames,
                None,
            )
            for row in own
        ]
        (folder / f"{recorder:016x}.zcap").write_bytes(write_rows(noted, recorder, own[0].sequence))
