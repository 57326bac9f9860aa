"""The axis of values: where a value is between bottom and top, and the marks beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass

_WIDE = 30.0
"""Where the largest value is so many times the smallest, decades are as high as each other."""


@dataclass(frozen=True, slots=True)
class Scale:
    """From `bottom` to `top`, plainly or by decades."""

    bottom: float
    top: float
    marks: tuple[float, ...]
    by_decades: bool = False

    def place(self, value: float) -> float:
        """From 0 at the bottom to 1 at the top."""
        if self.by_decades:
            low, high = math.log10(self.bottom), math.log10(self.top)
            return (math.log10(max(value, self.bottom)) - low) / (high - low)
        return (value - self.bottom) / (self.top - self.bottom)


def plain(largest: float, *, whole: bool = False) -> Scale:
    """From nought to a round number above the largest value; `whole` marks whole numbers only."""
    step = _round_up((largest or 1.0) / 4)
    if whole:
        step = max(1.0, step)
    steps = max(1, math.ceil(largest / step - 1e-9))
    return Scale(0.0, steps * step, tuple(number * step for number in range(steps + 1)))


def fitting(smallest: float, largest: float) -> Scale:
    """By decades where values differ much, else plain."""
    if smallest <= 0 or largest < smallest * _WIDE:
        return plain(largest)
    low, high = math.floor(math.log10(smallest)), math.ceil(math.log10(largest) - 1e-9)
    every = -(-(high - low) // 5)
    marks = tuple(10.0**power for power in range(low, high + 1, every))
    return Scale(10.0**low, 10.0**high, marks, by_decades=True)


def _round_up(number: float) -> float:
    power: float = 10.0 ** math.floor(math.log10(number))
    return next(times * power for times in (1.0, 2.0, 2.5, 5.0, 10.0) if times * power >= number)
