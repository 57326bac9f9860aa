"""What the tables of workers, peers and traffic must say, told by plain loops over the rows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from support.oracle import SECOND, WAYS, Heard, Told, hear, micros, name_of, nearest, recording
from zwire.capture import Direction, Kind, Row

_GONE = {"worker left": "left", "worker lost": "lost", "worker dismissed": "dismissed"}
MESH = ("zre", "zre36")


def recordings(rows: Sequence[Row]) -> list[Told]:
    told = []
    for recorder in {row.recorder for row in rows}:
        own = [row for row in rows if row.recorder == recorder]
        began = next((row.facts for row in own if row.name == "recording-began"), {})
        node = next((row.facts for row in own if row.name == "node"), {})
        times = [row.time for row in own]
        numbers = [row.sequence for row in own]
        ended = any(row.name == "recording-ended" for row in own)
        told.append(
            {
                "recording": f"{recorder:016x}",
                "name": began.get("name", ""),
                "host": began.get("host", ""),
                "pid": began.get("pid"),
                "node": node.get("uuid", ""),
                "node_name": node.get("name", ""),
                "first_ns": min(times),
                "last_ns": max(times),
                "first_time": micros(min(times)),
                "last_time": micros(max(times)),
                "rows": len(own),
                "events": sum(row.kind is Kind.EVENT for row in own),
                "first_seq": min(numbers),
                "last_seq": max(numbers),
                "complete": ended and sorted(numbers) == list(range(1, len(own) + 1)),
            }
        )
    return told


def events(rows: Sequence[Row]) -> list[Told]:
    return [
        {
            "recording": recording(row),
            "ts_ns": row.time,
            "time": micros(row.time),
            "seq": row.sequence,
            "event": row.name,
            "endpoint": row.endpoint,
            "peer": name_of(row.peer),
            "service": row.facts.get("service", ""),
            "job": row.job or None,
            "request_id": row.facts.get("request_id", ""),
            "detail": row.facts.get("detail", ""),
            "facts": row.frames[1].decode(),
        }
        for row in rows
        if row.kind is Kind.EVENT
    ]


def acts(rows: Sequence[Row]) -> list[Told]:
    """Without the thread, which is a name that only has to be the same for the same request."""
    return [
        {
            "recorder": one.row.recorder,
            "seq": one.row.sequence,
            "ts_ns": one.row.time,
            "direction": WAYS[one.row.direction],
            "endpoint": one.row.endpoint,
            "protocol": one.protocol,
            "part": one.part.partition(".")[2],
            "role": one.row.role,
            "peer": one.row.peer or None,
            "job": one.row.job or None,
            "octets": one.row.octets,
            "side": one.side,
            "act": one.act,
            "service": one.service,
            "id": one.id,
        }
        for one in hear(rows)
        if one.act
    ]


def traffic(rows: Sequence[Row]) -> list[Told]:
    sizes: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for one in hear(rows):
        if one.command:
            protocol, _, part = one.part.partition(".")
            minute = micros(one.row.time, 60 * SECOND)
            way = WAYS[one.row.direction]
            sizes[recording(one.row), protocol, part, one.command, way, minute].append(
                one.row.octets
            )
    names = ("recording", "protocol", "part", "command", "direction", "minute")
    return [
        {
            **dict(zip(names, place, strict=True)),
            "messages": len(found),
            "octets": sum(found),
            "p50_octets": nearest(found, 50),
            "max_octets": max(found),
        }
        for place, found in sizes.items()
    ]


def heartbeats(rows: Sequence[Row]) -> list[Told]:
    times: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for one in hear(rows):
        protocol, _, part = one.part.partition(".")
        pings = protocol in MESH and one.command in ("PING", "PING-OK")
        if one.act == "heartbeat" or pings or part.startswith("beacon"):
            announced = one.message.uuid.bytes if part.startswith("beacon") else b""
            peer = name_of(one.row.peer or announced)
            place = (recording(one.row), protocol, one.row.endpoint, peer, WAYS[one.row.direction])
            times[place].append(one.row.time)
    names = ("recording", "protocol", "endpoint", "peer", "direction")
    told = []
    for beating, found in times.items():
        gaps = [after - before for before, after in pairwise(found)]
        usual = nearest(gaps, 50)
        told.append(
            {
                **dict(zip(names, beating, strict=True)),
                "beats": len(found),
                "first_ns": min(found),
                "last_ns": max(found),
                "usual_ns": usual,
                "max_gap_ns": max(gaps, default=None),
                "late": sum(gap > 2 * usual for gap in gaps) if usual is not None else 0,
            }
        )
    return told


@dataclass
class _Life:
    """One interval in which somebody was there."""

    start: int
    protocol: str = ""
    name: str = ""
    heard: int = 0
    signs: int = 0
    ended_by: str = ""
    greeted: bool = False


@dataclass
class _Watched:
    lives: list[_Life] = field(default_factory=list)
    silence: int = 0
    seen: int | None = None

    def hear(self, time: int, mark: str, how: str, protocol: str, name: str, telling: bool) -> None:
        gap = None if self.seen is None else time - self.seen
        first, self.seen = self.seen is None, time
        life = self.lives[-1] if self.lives else None
        running = life is not None and not life.ended_by
        if mark == "end":
            if running and life:
                life.heard, life.ended_by = time, how
                life.signs += 1
            return
        if running and life and gap is not None and gap > self.silence and not telling:
            life.ended_by, running = "silence", False
            begins = True
        elif running and life:
            begins = mark == "hello" and life.greeted
            if begins:
                life.ended_by = "restarted"
        else:
            begins = first or mark in ("begin", "hello")
        if begins:
            # who greets again after a silence, without a goodbye, began anew
            greeted = life is not None and life.ended_by == "silence" and life.greeted
            life = _Life(time, greeted=greeted)
            self.lives.append(life)
        elif not running:
            return
        assert life is not None
        life.heard = time
        life.signs += 1
        life.greeted = life.greeted or mark == "hello"
        life.protocol = protocol or life.protocol
        life.name = name or life.name


def liveness(rows: Sequence[Row]) -> list[Told]:
    telling = {row.recorder for row in rows if row.name in ("worker joined", "entered")}
    last = {one["recording"]: one["last_ns"] for one in recordings(rows)}
    watched: dict[tuple[int, str, str, bytes], _Watched] = {}
    for one in hear(rows):
        for family, endpoint, peer, mark, how, protocol, name in _signs(one):
            place = (one.row.recorder, family, endpoint, peer)
            silence = (30 if family == "nodes" else 10) * SECOND
            somebody = watched.setdefault(place, _Watched(silence=silence))
            somebody.hear(one.row.time, mark, how, protocol, name, one.row.recorder in telling)
    told = []
    for (recorder, _, endpoint, peer), somebody in watched.items():
        for life in somebody.lives:
            end = last[f"{recorder:016x}"]
            quiet = recorder not in telling and end - life.heard > somebody.silence
            ended_by = life.ended_by or ("silence" if quiet else "recording ended")
            told.append(
                {
                    "recording": f"{recorder:016x}",
                    "protocol": life.protocol,
                    "endpoint": endpoint,
                    "peer": name_of(peer),
                    "name": life.name,
                    "time": micros(life.start),
                    "from_ns": life.start,
                    "to_ns": end if ended_by == "recording ended" else life.heard,
                    "ended_by": ended_by,
                    "signs": life.signs,
                }
            )
    return told


def _signs(one: Heard) -> Iterator[tuple[str, str, bytes, str, str, str, str]]:
    row = one.row
    protocol, _, part = one.part.partition(".")
    if row.kind is Kind.EVENT:
        name = str(row.facts.get("service", ""))
        if row.name in _GONE:
            yield "workers", row.endpoint, row.peer, "end", _GONE[row.name], "", name
        elif row.name == "worker joined":
            yield "workers", row.endpoint, row.peer, "sign", "", "", name
        elif row.name in ("left", "entered") and row.peer:
            mark, how = ("end", row.facts["why"]) if row.name == "left" else ("sign", "")
            yield "nodes", "", row.peer, mark, how, "", str(row.facts.get("name", ""))
    elif one.side == "worker":
        by_worker = row.role == "worker"
        if one.act == "disconnect":
            how = "disconnect" if by_worker else "sent away"
            yield "workers", row.endpoint, row.peer, "end", how, protocol, ""
        elif by_worker:
            mark = "begin" if one.act == "ready" else "sign"
            service = (one.service or "") if one.act == "ready" else ""
            yield "workers", row.endpoint, row.peer, mark, "", protocol, service
    elif protocol in MESH and row.direction is Direction.IN:
        if part == "messages":
            mark = {"HELLO": "hello", "GOODBYE": "end"}.get(one.command, "sign")
            name = getattr(one.message, "name", "")
            yield "nodes", "", row.peer, mark, "goodbye", protocol, name
        else:
            mark = "sign" if one.message.port else "end"
            peer = row.peer or one.message.uuid.bytes
            yield "nodes", "", peer, mark, "goodbye", protocol, ""


def churn(rows: Sequence[Row]) -> list[Told]:
    joined: Counter[tuple[str, str, int]] = Counter()
    left: Counter[tuple[str, str, int]] = Counter()
    for life in liveness(rows):
        place = (life["recording"], life["protocol"])
        joined[(*place, micros(life["from_ns"], 60 * SECOND))] += 1
        if life["ended_by"] != "recording ended":
            left[(*place, micros(life["to_ns"], 60 * SECOND))] += 1
    names = ("recording", "protocol", "minute")
    return [
        {**dict(zip(names, place, strict=True)), "joined": joined[place], "left": left[place]}
        for place in joined.keys() | left.keys()
    ]


def peer_churn(rows: Sequence[Row]) -> list[Told]:
    lives: dict[tuple[str, str, str], list[Told]] = defaultdict(list)
    for life in sorted(liveness(rows), key=lambda life: (life["from_ns"], life["to_ns"])):
        lives[life["recording"], life["endpoint"], life["peer"]].append(life)
    told = []
    for (recorder, endpoint, peer), own in lives.items():
        away = [max(0, after["from_ns"] - before["to_ns"]) for before, after in pairwise(own)]
        again = [before["ended_by"] == "restarted" for before, _ in pairwise(own)]
        told.append(
            {
                "recording": recorder,
                "endpoint": endpoint,
                "peer": peer,
                "protocol": next((one["protocol"] for one in own[::-1] if one["protocol"]), ""),
                "name": next((one["name"] for one in own[::-1] if one["name"]), ""),
                "first_ns": own[0]["from_ns"],
                "last_ns": own[-1]["to_ns"],
                "arrivals": len(own),
                "departures": sum(one["ended_by"] != "recording ended" for one in own),
                "returns": again.count(False),
                "restarts": again.count(True),
                "present_ns": sum(one["to_ns"] - one["from_ns"] for one in own),
                "longest_absence_ns": max(away, default=None),
                "ended_by": own[-1]["ended_by"],
            }
        )
    return told
