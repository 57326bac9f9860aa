"""The request ids that ended lately, to flag one that is sent again."""

from __future__ import annotations

from hashlib import blake2b

_LONG = 64  # octets of an id that is remembered as it is


class FinishedIds:
    """Remembers at least the last `limit` and at most twice as many, in two generations."""

    __slots__ = ("_limit", "_old", "_young")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._young: set[tuple[bytes, bytes]] = set()
        self._old: set[tuple[bytes, bytes]] = set()

    def add(self, key: tuple[bytes, bytes]) -> None:
        """Note that the request of a client, by identity and id, has been answered."""
        self._young.add(_short(key) if len(key[1]) > _LONG else key)
        if len(self._young) > self._limit:
            self._old = self._young
            self._young = set()

    def __contains__(self, key: tuple[bytes, bytes]) -> bool:
        if len(key[1]) > _LONG:
            key = _short(key)
        return key in self._young or key in self._old


def _short(key: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    """What stands for an id so long that thousands of its like would fill the memory."""
    return key[0], blake2b(key[1]).digest()
