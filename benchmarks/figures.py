"""One figure of a benchmark: what zwire takes and what a peer takes for the same thing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """Times (or other costs, less is better) of ours and theirs in a unit; `goal` is the ratio
    that we aim for, where there is one."""

    name: str
    ours: float
    peer_name: str
    theirs: float
    unit: str
    goal: float | None = None

    @property
    def ratio(self) -> float:
        """How many times as fast as the peer we are."""
        return self.theirs / self.ours if self.ours else float("inf")
