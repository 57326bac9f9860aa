"""Recordings of programs that ran: their messages, grouped by job, and their events."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from zwire.capture import Direction, Kind, Losses, Row, read_all
from zwire.captured import understand

IN, OUT = Direction.IN, Direction.OUT


def recorded(*folders: Path) -> list[Row]:
    """All rows of complete recordings, in their order; nothing was lost."""
    losses = Losses()
    rows = list(read_all(folders, losses))
    assert not losses, list(losses)
    return rows


def messages(rows: Iterable[Row]) -> list[Row]:
    return [row for row in rows if row.kind is Kind.MESSAGE]


def events(rows: Iterable[Row], name: str) -> list[Row]:
    return [row for row in rows if row.name == name]


def by_job(rows: Iterable[Row]) -> dict[int, list[Row]]:
    """The messages of each job, in their order."""
    found: dict[int, list[Row]] = defaultdict(list)
    for row in messages(rows):
        if row.job:
            found[row.job].append(row)
    return dict(found)


def hop(row: Row) -> tuple[Direction, str, str, str]:
    """What a message was: direction, part, who said it, and its name by the codec."""
    name = understand(row.protocol, row.role, row.frames).name
    return row.direction, row.protocol, row.role, name
