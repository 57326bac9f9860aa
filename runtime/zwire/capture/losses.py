"""What a reader could not read: where it lies, why, and how many rows are known to be gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Loss:
    """Octets of a file that gave no rows, from `start` up to `end`."""

    path: Path
    start: int
    end: int
    why: str
    rows: int | None = None
    """How many rows were there; None where nobody can tell."""

    @property
    def octets(self) -> int:
        return self.end - self.start

    def __str__(self) -> str:
        known = {None: "an unknown number of rows", 0: "no rows", 1: "1 row"}
        rows = known.get(self.rows, f"{self.rows} rows")
        where = f"octets {self.start} to {self.end}"
        return f"{self.path}: {where}: {self.why}; {rows} lost"


@dataclass(slots=True)
class Losses:
    """Filled by a reader while it reads."""

    found: list[Loss] = field(default_factory=list)

    @property
    def rows(self) -> int:
        """The rows known to be lost; there may be more, where a loss does not know."""
        return sum(loss.rows or 0 for loss in self.found)

    @property
    def octets(self) -> int:
        return sum(loss.octets for loss in self.found)

    def __bool__(self) -> bool:
        return bool(self.found)

    def __iter__(self) -> Iterator[Loss]:
        return iter(self.found)
