"""Percentiles of groups, exact by nearest rank as in the tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

Longs = NDArray[numpy.int64]

PERCENTS = (50, 90, 99, 100)


@dataclass(frozen=True, slots=True)
class Ranked:
    """How many values a group has, and which of them so many percent do not exceed."""

    count: int
    p50: int
    p90: int
    p99: int
    most: int


def ranked(groups: Longs, values: Longs) -> dict[int, Ranked]:
    """The percentiles of each group's values, by the number of the group."""
    order = numpy.lexsort((values, groups))
    sorted_values, sorted_groups = values[order], groups[order]
    names, starts, counts = numpy.unique(sorted_groups, return_index=True, return_counts=True)
    found = {}
    for name, start, count in zip(names.tolist(), starts.tolist(), counts.tolist(), strict=True):
        p50, p90, p99, most = (
            int(sorted_values[start + -(-count * percent // 100) - 1]) for percent in PERCENTS
        )
        found[name] = Ranked(count, p50, p90, p99, most)
    return found
