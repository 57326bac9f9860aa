"""What the tables of ZRE must say: peers, groups, gaps, log records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from uuid import UUID

from support.oracle import WAYS, Heard, Told, hear, micros, recording
from zwire.capture import Direction, Row


def nodes(rows: Iterable[Row]) -> dict[int, str]:
    """The UUID of each recording node."""
    return {row.recorder: UUID(row.facts["uuid"]).hex for row in rows if row.name == "node"}


def mesh(rows: Sequence[Row]) -> Iterator[Heard]:
    return (one for one in hear(rows) if one.part in ("zre.messages", "zre36.messages"))


def zre_peers(rows: Sequence[Row]) -> list[Told]:
    own = nodes(rows)
    names = {(row.recorder, row.peer): row.facts["name"] for row in rows if row.name == "entered"}
    edges: dict[tuple[int, bytes], Told] = {}
    for one in mesh(rows):
        row = one.row
        blank = dict.fromkeys(
            ("hellos", "messages_in", "messages_out", "octets_in", "octets_out"), 0
        )
        edge = edges.setdefault(
            (row.recorder, row.peer),
            {
                "recording": recording(row),
                "node": own[row.recorder],
                "peer": row.peer.hex(),
                "name": names.get((row.recorder, row.peer), ""),
                "first_ns": row.time,
                **blank,
            },
        )
        edge["protocol"], edge["last_ns"] = one.protocol, row.time
        way = WAYS[row.direction]
        edge[f"messages_{way}"] += 1
        edge[f"octets_{way}"] += row.octets
        if one.command == "HELLO" and way == "in":
            edge["hellos"] += 1
            edge["name"] = getattr(one.message, "name", "") or edge["name"]
    return list(edges.values())


def zre_groups(rows: Sequence[Row]) -> list[Told]:
    own = nodes(rows)
    opened: dict[tuple[int, bytes, str], Told] = {}
    told: list[Told] = []

    def join(row: Row, group: str) -> None:
        if (row.recorder, row.peer, group) not in opened:
            told.append(
                {
                    "recording": recording(row),
                    "node": own[row.recorder],
                    "peer": row.peer.hex(),
                    "group": group,
                    "seq": row.sequence,
                    "from_ns": row.time,
                    "to_ns": None,
                }
            )
            opened[row.recorder, row.peer, group] = told[-1]

    def leave(row: Row, *groups: str) -> None:
        for place in list(opened):
            if place[:2] == (row.recorder, row.peer) and (not groups or place[2] in groups):
                opened.pop(place)["to_ns"] = row.time

    for one in hear(rows):
        if one.row.name == "left":
            leave(one.row)
        if one.part not in ("zre.messages", "zre36.messages") or one.row.direction is Direction.OUT:
            continue
        match one.command:
            case "HELLO":
                leave(one.row)
                for group in one.message.groups:
                    join(one.row, group)
            case "JOIN":
                join(one.row, one.message.group)
            case "LEAVE":
                leave(one.row, one.message.group)
            case "GOODBYE":
                leave(one.row)
    return told


def zre_gaps(rows: Sequence[Row]) -> list[Told]:
    own = nodes(rows)
    numbers: dict[tuple[int, bytes, Direction, str], int] = {}
    told = []
    for one in mesh(rows):
        row = one.row
        link = (row.recorder, row.peer, row.direction, one.protocol)
        before, got = numbers.get(link), one.message.sequence
        numbers[link] = got
        if one.command == "HELLO":
            expected = 1
        elif before is None or (one.protocol == "zre36" and (before, got) == (65535, 1)):
            continue
        else:
            expected = (before + 1) % 65536
        if got == expected:
            continue
        ends = (row.peer.hex(), own[row.recorder])
        sender, receiver = ends if row.direction is Direction.IN else ends[::-1]
        ahead = (got - expected) % 65536
        told.append(
            {
                "recording": recording(row),
                "sender": sender,
                "receiver": receiver,
                "protocol": one.protocol,
                "seq": row.sequence,
                "ts_ns": row.time,
                "time": micros(row.time),
                "command": one.command,
                "expected": expected,
                "got": got,
                "missing": ahead if ahead < 32768 else 0,
            }
        )
    return told


def zre_logs(rows: Sequence[Row]) -> list[Told]:
    return [
        {
            "recording": recording(one.row),
            "seq": one.row.sequence,
            "ts_ns": one.row.time,
            "direction": WAYS[one.row.direction],
            "level": one.message.level.name,
            "event": one.message.event.name,
            "node": f"{one.message.node:04x}" if one.message.node else "",
            "peer": f"{one.message.peer:04x}" if one.message.peer else "",
            "logged": one.message.time * 1000 if one.message.time < 253_402_300_800_000 else None,
            "text": one.message.data,
        }
        for one in hear(rows)
        if one.command == "LOG"
    ]
