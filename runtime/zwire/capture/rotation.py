"""When a recording goes on in the next file, in words such as `64M` and `1h`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from zwire.errors import LocalError

_OCTETS = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3, "T": 1024**4}
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_SIZE = re.compile(r"([0-9]{1,19})([KMGT]?)", re.ASCII | re.IGNORECASE)
_TIME = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,20})?)([smhd]?)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Rotation:
    """A file is followed by the next when it has so many octets, or is so many seconds old."""

    size: int = 256 * 1024 * 1024
    every: float = 3600.0


def read_size(text: str) -> int:
    """Octets: `64M`, `500K` (of 1024 each), or a plain number."""
    found = _SIZE.fullmatch(text)
    octets = int(found[1]) * _OCTETS[found[2].upper()] if found else 0
    if octets < 1:
        raise LocalError(f"expected a size such as 64M, 500K or 1G, got {text!r}")
    return octets


def read_every(text: str) -> float:
    """Seconds: `1h`, `15m`, `90s`, or a plain number; at least one."""
    found = _TIME.fullmatch(text)
    seconds = float(found[1]) * _SECONDS[found[2] or "s"] if found else 0.0
    if seconds < 1:
        raise LocalError(f"expected a time such as 1h, 15m or 90s, at least 1s, got {text!r}")
    return seconds


def write_size(octets: int) -> str:
    """The same the other way round."""
    unit = next(unit for unit in "TGMK " if octets % _OCTETS[unit.strip()] == 0)
    return f"{octets // _OCTETS[unit.strip()]}{unit.strip()}"


def write_every(seconds: float) -> str:
    """The same the other way round."""
    unit = next((unit for unit in "dhm" if seconds % _SECONDS[unit] == 0), "s")
    count = seconds / _SECONDS[unit]
    return f"{int(count) if count == int(count) else count}{unit}"
