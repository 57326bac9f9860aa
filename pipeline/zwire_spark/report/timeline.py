"""The axis of time that all charts share: its episodes, its steps, and where a moment is on it.

Recordings may lie days apart. Long times in which nobody recorded are left out: the axis is then
made of episodes, one behind the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy
from numpy.typing import NDArray

from zwire_spark.report.telling import SECOND, date, moment

Longs = NDArray[numpy.int64]

MOST_STEPS = 96
_MOST_EPISODES = 6
_SHORTEST_BREAK = 60 * SECOND
_MS, _MINUTE, _HOUR, _DAY = SECOND // 1000, 60 * SECOND, 3600 * SECOND, 86400 * SECOND
_STEPS = [
    *(number * _MS for number in (10, 20, 50, 100, 200, 500)),
    *(number * SECOND for number in (1, 2, 5, 10, 15, 30)),
    *(number * _MINUTE for number in (1, 2, 5, 10, 15, 30)),
    *(number * _HOUR for number in (1, 2, 3, 6, 12)),
    *(number * _DAY for number in (1, 2, 7, 14, 28)),
]


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark below the axis; its place goes from 0 to 1."""

    place: float
    label: str


class Timeline:
    """Time in steps of equal length, from the first to the last that was recorded."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        """`spans` are what was recorded, each from when to when."""
        episodes = _episodes(sorted(spans))
        self.step = _step_for(episodes)
        self._starts = [begin - begin % self.step for begin, _ in episodes]
        self._lengths = [
            (end - start) // self.step + 1
            for (_, end), start in zip(episodes, self._starts, strict=True)
        ]
        self._offsets = [sum(self._lengths[:number]) for number in range(len(episodes))]
        self.steps = sum(self._lengths)

    @property
    def seconds(self) -> float:
        """The length of one step."""
        return self.step / SECOND

    @property
    def breaks(self) -> list[float]:
        """Where on the axis time was left out."""
        return [offset / self.steps for offset in self._offsets[1:]]

    def begin_of(self, step: int) -> int:
        """When a step begins."""
        episode = self.episode_of(step)
        return self._starts[episode] + (step - self._offsets[episode]) * self.step

    def episode_of(self, step: int) -> int:
        """In which episode a step is."""
        return max(n for n, offset in enumerate(self._offsets) if offset <= step)

    def steps_of(self, times: Longs) -> Longs:
        """In which step each time is; those in no episode are at the end of the one before."""
        starts = numpy.array(self._starts, numpy.int64)
        episode = numpy.clip(numpy.searchsorted(starts, times, "right") - 1, 0, None)
        within = (times - starts[episode]) // self.step
        most = numpy.array(self._lengths, numpy.int64)[episode] - 1
        steps = numpy.array(self._offsets, numpy.int64)[episode] + numpy.clip(within, 0, most)
        return numpy.asarray(steps, numpy.int64)

    def place(self, time: int) -> float:
        """Where on the axis a moment is, from 0 to 1."""
        episode = max((n for n, start in enumerate(self._starts) if start <= time), default=0)
        within = (time - self._starts[episode]) / self.step
        within = min(max(within, 0.0), float(self._lengths[episode]))
        return (self._offsets[episode] + within) / self.steps

    def ticks(self, most: int = 6) -> list[Tick]:
        """Marks at round times, and where an episode begins, with the day where it matters."""
        every = next(
            (
                one
                for one in _STEPS
                if one * most >= self.steps * self.step and one % self.step == 0
            ),
            self.step * -(-self.steps // most),
        )
        begins = set(self._offsets) if self.breaks else set()
        days = len({date(self.begin_of(step)) for step in (*self._offsets, self.steps - 1)}) > 1
        found = []
        for step in range(self.steps):
            time = self.begin_of(step)
            if step in begins and days:
                found.append(Tick(step / self.steps, date(time)))
            elif step in begins or time % every == 0:
                told = _told(time, every, day=days and not self.breaks)
                found.append(Tick(step / self.steps, told))
        return found

    def label(self, step: int) -> str:
        """When a step begins, no finer than the steps are."""
        return _told(self.begin_of(step), self.step, day=True)


def _told(time: int, step: int, *, day: bool) -> str:
    if step >= _DAY:
        return date(time)
    told = moment(time, day=day, digits=0 if step >= SECOND else 2)
    return told[:-3] if step >= _MINUTE else told


def _episodes(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for begin, end in spans:
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((begin, max(begin, end)))
    if not merged:
        return [(0, 0)]
    recorded = sum(end - begin for begin, end in merged)
    gaps = sorted((after[0] - before[1] for before, after in pairwise(merged)), reverse=True)
    least = max(_SHORTEST_BREAK, recorded // 4, *gaps[_MOST_EPISODES - 1 : _MOST_EPISODES], 0)
    episodes = [merged[0]]
    for begin, end in merged[1:]:
        if begin - episodes[-1][1] > least:
            episodes.append((begin, end))
        else:
            episodes[-1] = (episodes[-1][0], end)
    return episodes


def _step_for(episodes: Sequence[tuple[int, int]]) -> int:
    for step in _STEPS:
        if sum((end - begin) // step + 2 for begin, end in episodes) <= MOST_STEPS:
            return step
    lasted = sum(end - begin for begin, end in episodes)
    return (lasted // MOST_STEPS // _DAY + 1) * _DAY
