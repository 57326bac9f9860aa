"""Following one request through captures: by its id, and by job numbers where the id changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from zwire.capture import Kind, Row
from zwire.captured import addresses_in, ids_in
from zwire.cli.captured import Shown, look_at, octets_of


class Trail:
    """What is known so far of one request: its ids, and its job numbers by recorder.

    A broker that bridges dialects, or whose worker holds the client's id already, gives the request
    a new id; its own job number is the same before and after. So the id leads to a job, the job to
    further ids, and those to what others recorded. An id learned on the way counts only where a row
    has no job of its own: such ids repeat, job numbers do not.
    """

    def __init__(self, wanted: str) -> None:
        job = wanted.removeprefix("job:")
        self._job = int(job) if job != wanted and job.isdecimal() else 0
        self._asked = set() if self._job else octets_of(wanted)
        self._learned: set[bytes] = set()
        self._jobs: set[tuple[int, int]] = set()
        self._recorders: set[int] = set()

    def learn(self, rows: Iterable[Row]) -> bool:
        """Go through all rows once; whether anything new was learned, so that it is worth again."""
        before = self._size()
        for row in rows:
            shown = look_at(row)
            if self.leads_to(shown):
                self._learned |= _ids(shown)
                if row.job:
                    self._jobs.add((row.recorder, row.job))
                    self._recorders.add(row.recorder)
        return self._size() > before

    def leads_to(self, shown: Shown) -> bool:
        """Whether this row belongs to the request, as far as is known."""
        row = shown.row
        if row.job and ((row.recorder, row.job) in self._jobs or row.job == self._job):
            return True
        ids = _ids(shown)
        if not self._asked.isdisjoint(ids | _addresses(shown)):
            return True
        others_job = row.job and row.recorder in self._recorders
        return not others_job and not self._learned.isdisjoint(ids)

    def _size(self) -> int:
        return len(self._learned) + len(self._jobs)


def trace(wanted: str, rows: Callable[[], Iterable[Row]]) -> Iterator[Shown]:
    """The rows of one request, in the order that `rows` gives each time it is called."""
    trail = Trail(wanted)
    while trail.learn(rows()):
        continue
    for row in rows():
        shown = look_at(row)
        if trail.leads_to(shown):
            yield shown


def _ids(shown: Shown) -> set[bytes]:
    if shown.row.kind is Kind.EVENT:
        told = shown.row.facts.get("request_id")
        return octets_of(told) if isinstance(told, str) and told else set()
    if shown.understood is None:
        return set()
    return ids_in(shown.understood, shown.row.role)


def _addresses(shown: Shown) -> set[bytes]:
    return set() if shown.understood is None else addresses_in(shown.understood)
