"""Beacons: when ours are due, and what to make of those of others.

The header, the size and the port decide; what is wrong is dropped silently and counted. Version 3
carries a public key and is for those who speak under CURVE, version 1 for everybody else.
"""

from __future__ import annotations

from dataclasses import dataclass

from zwire.zre.options import Options
from zwire_protocols.zre36 import beacon as plain
from zwire_protocols.zre36 import beacon3 as keyed

LETTERS = b"ZRE"
PLAIN_SIZE, KEYED_SIZE = 22, 54


@dataclass(frozen=True, slots=True)
class Announcement:
    """What a good beacon says; port 0 is a goodbye."""

    key: bytes
    port: int
    public_key: bytes


def write_beacon(key: bytes, port: int, public_key: bytes) -> bytes:
    """The beacon of a node."""
    prefix = keyed.PREFIX if public_key else plain.PREFIX
    return prefix + key + port.to_bytes(2, "big") + public_key


def is_foreign(octets: bytes, secure: bool) -> bool:
    """Whether this is a beacon of another version than the one that we use."""
    wanted = keyed.PREFIX if secure else plain.PREFIX
    return octets[:3] == LETTERS and len(octets) > 3 and octets[:4] != wanted


def read_beacon(octets: bytes, secure: bool) -> Announcement | None:
    """What a datagram announces; None where it is no beacon of the version that we use."""
    if secure:
        if len(octets) != KEYED_SIZE or octets[:4] != keyed.PREFIX:
            return None
    elif len(octets) != PLAIN_SIZE or octets[:4] != plain.PREFIX:
        return None
    return Announcement(octets[4:20], int.from_bytes(octets[20:22], "big"), octets[22:])


class BeaconClock:
    """When the next beacon is due: a few in quick succession, then one at a time."""

    def __init__(self, options: Options, now: float) -> None:
        self._every = options.beacon_every
        self._starts = [now + start for start in options.beacon_starts]
        self.due = self._starts.pop(0) if self._starts else now

    def strike(self, now: float) -> bool:
        """Whether a beacon is due; the next one is then set. One that was missed is not made up for."""
        if now < self.due:
            return False
        late = now - self.due
        if late < self._every:
            # The quick ones keep their distance, or one who starts on a busy host would send few.
            self._starts = [start + late for start in self._starts]
        while self._starts and self._starts[0] <= now:
            self._starts.pop(0)
        if self._starts:
            self.due = self._starts.pop(0)
        else:
            self.due = max(self.due, now - self._every) + self._every
            if self.due <= now:
                self.due = now + self._every
        return True
