"""What all sections of a report draw on: the tables, who recorded them, and the axis of time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from zwire_spark.report.asked import Asked, read_asked
from zwire_spark.report.folder import Folder, NotMade
from zwire_spark.report.markup import Html
from zwire_spark.report.telling import short
from zwire_spark.report.timeline import Timeline

COLOURS = tuple(f"c{number}" for number in range(8))
OTHERS = "c8"
"""The colours of things that have no order; what is left over shares the last."""


@dataclass(frozen=True, slots=True)
class Recording:
    """One of the recordings that the tables are made of."""

    recording: str
    name: str
    node: str
    node_name: str
    first_ns: int
    last_ns: int
    rows: int
    events: int
    complete: bool

    @property
    def label(self) -> str:
        return short(self.node_name or self.name) or f"…{self.recording[-6:]}"


@dataclass
class Sources:
    """The tables and what is known of all of them."""

    folder: Folder
    timeline: Timeline
    recordings: dict[str, Recording]
    quote: Callable[[str], str]
    """The line of a specification at a place such as `mdpx.md:53`; empty where it is not known."""

    @cached_property
    def asked(self) -> Asked:
        """The requests; raises NotMade."""
        return read_asked(self.folder)

    def label(self, recording: str) -> str:
        """What a recording calls itself."""
        known = self.recordings.get(recording)
        return known.label if known else recording


@dataclass(slots=True)
class Section:
    """A part of the page with a heading; `alarm` says what of it somebody should see."""

    anchor: str
    title: str
    blocks: list[Html | None] = field(default_factory=list)
    badge: int = 0
    """How many things that is about."""
    alarm: str = ""


def open_sources(folder: Folder, quote: Callable[[str], str]) -> Sources:
    """Look at what was recorded when."""
    columns = tuple(field for field in Recording.__slots__)
    try:
        rows = folder.rows("recordings", columns)
    except NotMade:
        rows = []
    known = {row["recording"]: Recording(**row) for row in rows}
    spans = [(one.first_ns, one.last_ns) for one in known.values()]
    return Sources(folder, Timeline(spans or _spans_of_messages(folder)), known, quote)


def _spans_of_messages(folder: Folder) -> list[tuple[int, int]]:
    """Without a table of recordings, what the messages say."""
    return [
        (int(times.min()), int(times.max()))
        for name in sorted(folder.tables)
        if name.startswith("messages_")
        for times in folder.batches(name, "ts_ns")
        if len(times)
    ]
