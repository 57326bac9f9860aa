"""The requests that wait for a worker of one service, in the order in which they are to be served.

Redelivered requests come first, oldest first. The others are taken in turns among the clients, so
that one that floods the service delays itself and not the rest; within a client, first come first
served.
"""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zwire.core.state import Client, Job


class FairQueue:
    """Waiting jobs, as many as `count`."""

    __slots__ = ("_lines", "_turns", "_urgent", "count")

    def __init__(self) -> None:
        self.count = 0
        self._urgent: list[Job] = []
        self._lines: dict[Client, deque[Job]] = {}  # none is empty
        self._turns: deque[deque[Job]] = deque()  # the same lines, the next one first

    def __iter__(self) -> Iterator[Job]:
        """All jobs: the redelivered ones, then client by client."""
        yield from self._urgent
        for line in self._turns:
            yield from line

    def append(self, job: Job) -> None:
        """A new job queues up behind its client's others."""
        self.count += 1
        line = self._lines.get(job.client)
        if line is None:
            line = self._lines[job.client] = deque()
            self._turns.append(line)
        line.append(job)

    def readmit(self, job: Job) -> None:
        """A job that a worker gave back goes before all that never had one."""
        self.count += 1
        insort(self._urgent, job, key=_number)

    def take(self, frames: int | None = None) -> Job | None:
        """The job whose turn it is; with a number, the first whose body has so many frames."""
        if not self.count:
            return None
        if self._urgent or (frames is not None and len(self._turns[0][0].body) != frames):
            return self._take_by_search(frames)
        self.count -= 1
        turns = self._turns
        line = turns[0]
        job = line.popleft()
        if line:
            turns.rotate(-1)
        else:
            turns.popleft()
            del self._lines[job.client]
        return job

    def peek(self) -> Job:
        """The job whose turn it is, left where it is."""
        return self._urgent[0] if self._urgent else self._turns[0][0]

    def _take_by_search(self, frames: int | None) -> Job | None:
        for job in self:
            if frames is None or len(job.body) == frames:
                self.remove(job)
                return job
        return None

    def remove(self, job: Job) -> None:
        """Take a job out of its place: it has ended, or was chosen out of turn."""
        self.count -= 1
        if job in self._urgent:
            self._urgent.remove(job)
            return
        line = self._lines[job.client]
        line.remove(job)
        if not line:
            self._turns.remove(line)
            del self._lines[job.client]


def _number(job: Job) -> int:
    return job.number
