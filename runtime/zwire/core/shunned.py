"""A bounded, timed record of identities that are not heard: the invalid and the dismissed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zwire.core.state import Client


MOST_OCTETS = 1_000  # of names, that a postponed registration may have


@dataclass(slots=True)
class _Entry:
    until: float
    client: Client | None
    services: Sequence[bytes] = ()  # for which it registered meanwhile


class Shunned:
    """Identities with the time at which they are forgiven; the oldest entry makes room."""

    __slots__ = ("_entries", "_limit")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._entries: dict[bytes, _Entry] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, identity: bytes, until: float, client: Client | None = None) -> None:
        """Stop hearing an identity; a client with open requests is kept to be found again."""
        before = self._entries.pop(identity, None)
        if client is None and before is not None:
            client = before.client
        self._entries[identity] = _Entry(until, client)
        while len(self._entries) > self._limit:
            del self._entries[next(iter(self._entries))]

    def holds(self, identity: bytes, now: float) -> bool:
        """Whether the identity is still not to be heard."""
        entry = self._entries.get(identity)
        return entry is not None and now < entry.until

    def forgive(self, identity: bytes) -> Client | None:
        """Strike the identity off the record; the client that was kept with it, if any."""
        entry = self._entries.pop(identity, None)
        return None if entry is None else entry.client

    def kept(self, identity: bytes) -> Client | None:
        """The client that is kept with a shunned identity."""
        entry = self._entries.get(identity)
        return None if entry is None else entry.client

    def postpone(self, identity: bytes, services: Sequence[bytes]) -> None:
        """Remember that a shunned worker has registered: it counts when it is heard again."""
        if sum(map(len, services)) <= MOST_OCTETS:
            self._entries[identity].services = services

    def postponed(self, identity: bytes, now: float) -> Sequence[bytes]:
        """What an identity that may be heard again registered for meanwhile; told once."""
        entry = self._entries.get(identity)
        if entry is None or now < entry.until:
            return ()
        services, entry.services = entry.services, ()
        return services
