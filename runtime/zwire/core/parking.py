"""Replies that a full client could not take yet: kept in order, bounded, for a limited time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from zwire.core.effects import Reply
from zwire.core.policy import Limits
from zwire.core.state import Client

RETRY_EVERY = 0.02  # seconds until a full client is tried again


class Parking:
    """The parked replies of all clients; each client's own line hangs on the client."""

    __slots__ = ("_clients", "_limits", "count", "retry_at")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._clients: dict[Client, None] = {}
        self.count = 0
        self.retry_at = float("inf")

    def park(self, reply: Reply, now: float) -> bool:
        """Keep a reply behind its client's others; False when there is no room for it."""
        client = reply.job.client
        full = len(client.parked) >= self._limits.max_parked
        if full or self.count >= self._limits.max_parked_total:
            return False
        if reply.until is None:
            reply = replace(reply, until=now + self._limits.parked_for)
        client.parked.append(reply)
        self._clients[client] = None
        self.count += 1
        self.retry_at = min(self.retry_at, now + RETRY_EVERY)
        return True

    def release(self) -> Iterator[Reply]:
        """Take out everything, each client's in order: to be sent, parked again, or given up."""
        clients, self._clients = self._clients, {}
        self.retry_at = float("inf")
        for client in clients:
            yield from self.forget(client)

    def forget(self, client: Client) -> list[Reply]:
        """Take out what is parked for one client."""
        self._clients.pop(client, None)
        parked = list(client.parked)
        client.parked.clear()
        self.count -= len(parked)
        return parked
