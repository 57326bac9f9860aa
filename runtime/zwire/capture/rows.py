"""Rows of a capture: one for each message, or for each happening beside the messages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from math import isfinite
from typing import Any


class Kind(IntEnum):
    """What a row is about."""

    MESSAGE = 1
    EVENT = 2


class Direction(IntEnum):
    """Which way a message went, as seen by whoever recorded it."""

    NONE = 0  # an event goes nowhere
    IN = 1
    OUT = 2


@dataclass(slots=True)
class Row:
    """One message or event, as it was recorded. Slotted, not frozen: readers make millions."""

    kind: Kind
    time: int
    """Nanoseconds since 1970 UTC."""
    sequence: int
    """Counts the rows of one recorder, from 1."""
    recorder: int
    """A number by chance that all rows of one recorder share; job numbers are unique under it."""
    direction: Direction
    endpoint: str
    protocol: str
    """With its part, as codecs are named: `mdpx.worker`."""
    role: str
    """The role of whoever said it."""
    peer: bytes
    """The identity of the other side, empty where it has none."""
    job: int
    """The broker's number of the request that it belongs to; 0: none, or not known."""
    frames: tuple[bytes, ...]
    """A message's frames, as far as they were kept, without the routing identity."""
    lengths: tuple[int, ...]
    """How long each frame was, kept whole or not."""

    @property
    def whole(self) -> bool:
        """Whether all octets of all frames were kept."""
        return self.lengths == tuple(map(len, self.frames))

    @property
    def octets(self) -> int:
        """The octets of all frames, kept or not."""
        return sum(self.lengths)

    @property
    def name(self) -> str:
        """The name of an event; empty for a message."""
        if self.kind is not Kind.EVENT or not self.frames:
            return ""
        return self.frames[0].decode("utf-8", "replace")

    @property
    def facts(self) -> Mapping[str, Any]:
        """What an event tells; nothing for a message, or where it cannot be read."""
        if self.kind is not Kind.EVENT or len(self.frames) < 2:
            return {}
        try:
            facts = json.loads(self.frames[1], parse_constant=str, parse_float=_finite)
        except (ValueError, RecursionError):
            return {}
        return facts if isinstance(facts, dict) else {}


def _finite(text: str) -> float | str:
    """What is no number to other readers of JSON stays a text: it may be written out again."""
    number = float(text)
    return number if isfinite(number) else text
