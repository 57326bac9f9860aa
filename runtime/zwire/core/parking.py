"""Replies that a full client could not take yet: kept in order, bounded, for a limited time.

Each client's are tried again together, after a pause that grows while the first of them comes back:
one that does not read at all costs less and less.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from zwire.core.effects import Reply
from zwire.core.policy import Limits
from zwire.core.state import Client, Job

RETRY_FIRST = 0.02  # seconds until a full client is tried again
RETRY_LONGEST = 0.32
NEVER = float("inf")


@dataclass(slots=True)
class _Turn:
    """When a client's replies are tried again, and how long it waited for that."""

    at: float
    pause: float
    head: Reply


class Parking:
    """The parked replies of all clients; each client's own line hangs on the client."""

    __slots__ = ("_limits", "_tried", "_turns", "count", "retry_at")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._turns: dict[Client, _Turn] = {}  # of those with something parked
        self._tried: dict[Client, _Turn] = {}  # what was taken out last
        self.count = 0
        self.retry_at = NEVER

    def park(self, reply: Reply, now: float) -> bool:
        """Keep a reply behind its client's others; False when there is no room for it."""
        client = reply.job.client
        full = len(client.parked) >= self._limits.max_parked
        if full or self.count >= self._limits.max_parked_total:
            return False
        if reply.until is None:
            reply = replace(reply, until=now + self._limits.parked_for)
        if client not in self._turns:
            self._set_turn(client, reply, now)
        client.parked.append(reply)
        self.count += 1
        return True

    def _set_turn(self, client: Client, head: Reply, now: float) -> None:
        before = self._tried.pop(client, None)
        pause = RETRY_FIRST
        if before is not None and before.head is head:
            pause = min(2 * before.pause, RETRY_LONGEST)
        at = now + pause
        if head.until is not None:
            at = min(at, max(head.until, now))
        self._turns[client] = _Turn(at, pause, head)
        self.retry_at = min(self.retry_at, at)

    def release(self, now: float = NEVER) -> Iterator[Reply]:
        """Take out what is due, each client's in order: to be sent, parked again, or given up."""
        due = {client: turn for client, turn in self._turns.items() if turn.at <= now}
        for client in due:
            del self._turns[client]
        self._tried = due
        self.retry_at = min((turn.at for turn in self._turns.values()), default=NEVER)
        for client in due:
            yield from self._take(client)

    def forget(self, client: Client) -> list[Reply]:
        """Take out what is parked for one client."""
        self._turns.pop(client, None)
        return self._take(client)

    def withdraw(self, job: Job) -> list[Reply]:
        """Take out what is parked of one reply that will never be whole."""
        client = job.client
        parked = self._take(client)
        client.parked.extend(reply for reply in parked if reply.job is not job)
        self.count += len(client.parked)
        if not client.parked:
            self._turns.pop(client, None)
        return [reply for reply in parked if reply.job is job]

    def _take(self, client: Client) -> list[Reply]:
        parked = list(client.parked)
        client.parked.clear()
        self.count -= len(parked)
        return parked
