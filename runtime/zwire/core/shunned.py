"""A bounded, timed record of identities that are not heard: the invalid and the dismissed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zwire.core.state import Client


class Shunned:
    """Identities with the time at which they are forgiven; the oldest entry makes room."""

    __slots__ = ("_limit", "_until")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._until: dict[bytes, tuple[float, Client | None]] = {}

    def __len__(self) -> int:
        return len(self._until)

    def add(self, identity: bytes, until: float, client: Client | None = None) -> None:
        """Stop hearing an identity; a client with open requests is kept to be found again."""
        if client is None and identity in self._until:
            client = self._until[identity][1]
        self._until.pop(identity, None)
        self._until[identity] = (until, client)
        while len(self._until) > self._limit:
            del self._until[next(iter(self._until))]

    def holds(self, identity: bytes, now: float) -> bool:
        """Whether the identity is still not to be heard."""
        entry = self._until.get(identity)
        return entry is not None and now < entry[0]

    def forgive(self, identity: bytes) -> Client | None:
        """Strike the identity off the record; the client that was kept with it, if any."""
        entry = self._until.pop(identity, None)
        return None if entry is None else entry[1]

    def kept(self, identity: bytes) -> Client | None:
        """The client that is kept with a shunned identity."""
        entry = self._until.get(identity)
        return None if entry is None else entry[1]
