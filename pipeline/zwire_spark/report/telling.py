"""Numbers, times and names as people read them."""

from __future__ import annotations

from datetime import UTC, datetime

SECOND = 1_000_000_000

_OUTSIDE = "…"


def count(number: int) -> str:
    """1,234,567"""
    return f"{number:,}"


def brief(number: float) -> str:
    """About as many: 1.2 M."""
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e4, " k")):
        if abs(number) >= size:
            return _three(number / (1e3 if unit == " k" else size)) + unit
    return f"{number:,.0f}" if number == int(number) else _three(number)


def octets(number: float) -> str:
    """A size: 12.3 kB."""
    for size, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if number >= size:
            return f"{_three(number / size)} {unit}"
    return f"{number:,.0f} B"


def duration(ns: float) -> str:
    """How long: 3.71 ms."""
    if ns >= 3600 * SECOND:
        return f"{int(ns // (3600 * SECOND))} h {int(ns // (60 * SECOND)) % 60} min"
    if ns >= 120 * SECOND:
        return f"{int(ns // (60 * SECOND))} min {int(ns // SECOND) % 60} s"
    for size, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if ns >= size:
            return f"{_three(ns / size)} {unit}"
    return f"{ns:,.0f} ns"


def moment(ns: int, *, day: bool = True, digits: int = 0) -> str:
    """A time in UTC, with so many digits of its second."""
    try:
        told = datetime.fromtimestamp(ns // SECOND, UTC)
    except (OverflowError, ValueError, OSError):
        return f"{ns} ns"
    text = told.strftime("%Y-%m-%d %H:%M:%S" if day else "%H:%M:%S")
    return f"{text}.{ns % SECOND:09d}"[: len(text) + 1 + digits] if digits else text


def date(ns: int) -> str:
    """The day in UTC."""
    return moment(ns).split(" ")[0]


def short(name: str, most: int = 28) -> str:
    """A name that fits: the middle of a long one is left out."""
    if len(name) <= most:
        return name
    tail = most // 3
    return name[: most - tail - 1] + _OUTSIDE + name[-tail:]


def clipped(name: str, most: int = 300) -> str:
    """The beginning of what nobody should have made so long."""
    return name if len(name) <= most else name[:most] + _OUTSIDE


def many(number: int, one: str, more: str = "") -> str:
    """1 message, 2 messages."""
    return f"{count(number)} {one if number == 1 else more or one + 's'}"


def _three(number: float) -> str:
    """Three digits that matter."""
    digits = 2 if abs(number) < 10 else 1 if abs(number) < 100 else 0
    told = f"{number:,.{digits}f}"
    return told.rstrip("0").rstrip(".") if "." in told else told
