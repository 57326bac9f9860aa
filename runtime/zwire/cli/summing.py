"""The sums of captures: by protocol and command, by event, by recording."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zwire.capture import Kind, Row
from zwire.cli.captured import look_at, printable, when

if TYPE_CHECKING:
    from rich.table import Table

_UNREAD = "not decoded"


@dataclass(slots=True)
class Traffic:
    """Messages of one command in one direction."""

    messages: int = 0
    octets: int = 0
    largest: int = 0

    def add(self, octets: int) -> None:
        self.messages += 1
        self.octets += octets
        self.largest = max(self.largest, octets)


@dataclass(slots=True)
class Recording:
    """The rows of one recorder, by number and time."""

    name: str = ""
    rows: int = 0
    first: int = 0
    last: int = 0
    began: int = 0
    ended: int = 0

    def add(self, row: Row) -> None:
        if not self.rows:
            self.first, self.began = row.sequence, row.time
        self.rows += 1
        self.first, self.last = min(self.first, row.sequence), max(self.last, row.sequence)
        self.began, self.ended = min(self.began, row.time), max(self.ended, row.time)
        if row.name == "recording-began":
            self.name = str(row.facts.get("name", ""))

    @property
    def missing(self) -> int:
        """Rows between the first and the last that are not there; of a copy, none is."""
        return max(0, self.last - self.first + 1 - self.rows)


class Sums:
    """Takes rows in any order."""

    def __init__(self) -> None:
        self._traffic: dict[tuple[str, str, str], Traffic] = {}
        self._events: Counter[str] = Counter()
        self._recordings: dict[int, Recording] = {}

    def add(self, row: Row) -> None:
        """Count the row."""
        self._recordings.setdefault(row.recorder, Recording()).add(row)
        if row.kind is Kind.EVENT:
            self._events[row.name] += 1
            return
        command = look_at(row).command or _UNREAD
        key = (row.protocol, command, row.direction.name.lower())
        self._traffic.setdefault(key, Traffic()).add(row.octets)

    def as_json(self) -> dict[str, Any]:
        """All sums, for programs."""
        return {
            "traffic": [
                {
                    "protocol": protocol,
                    "command": command,
                    "direction": direction,
                    "messages": one.messages,
                    "octets": one.octets,
                    "largest": one.largest,
                }
                for (protocol, command, direction), one in sorted(self._traffic.items())
            ],
            "events": dict(sorted(self._events.items())),
            "recordings": [
                {
                    "recorder": f"{recorder:016x}",
                    "name": one.name,
                    "rows": one.rows,
                    "missing": one.missing,
                    "began": when(one.began),
                    "ended": when(one.ended),
                }
                for recorder, one in sorted(self._recordings.items())
            ],
        }

    def as_tables(self) -> Iterator[Table]:
        """All sums, for people: a table for each kind that there is something of."""
        sums = self.as_json()
        headings = ("Protocol", "Command", "Direction", "Messages", "Octets", "Largest")
        yield from _table("Traffic", headings, [[*one.values()] for one in sums["traffic"]])
        events = [[name, count] for name, count in sums["events"].items()]
        yield from _table("Events", ("Event", "Count"), events)
        headings = ("Recorder", "Name", "Rows", "Missing", "From", "To")
        rows = [[*one.values()] for one in sums["recordings"]]
        yield from _table("Recordings", headings, rows)


def _table(title: str, headings: tuple[str, ...], rows: list[list[Any]]) -> Iterator[Table]:
    """A table of texts and numbers; none without rows."""
    from rich.table import Table
    from rich.text import Text

    if not rows:
        return
    table = Table(title=title, title_justify="left")
    for number, heading in enumerate(headings):
        words = isinstance(rows[0][number], str)
        table.add_column(heading, justify="left" if words else "right", overflow="fold")
    for row in rows:
        cells = (f"{cell:,}" if isinstance(cell, int) else printable(cell) for cell in row)
        table.add_row(*map(Text, cells))
    yield table
