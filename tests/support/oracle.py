"""What the tables of requests must say, told by plain loops over the rows of a capture."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from zwire.capture import Direction, Kind, Row
from zwire.captured import NoCodec, understand
from zwire_protocols.errors import DecodeError

Told = dict[str, Any]

SECOND = 1_000_000_000
WAYS = {Direction.NONE: "", Direction.IN: "in", Direction.OUT: "out"}
ENDS = {
    "request expired": "expired",
    "request failed": "failed",
    "request refused": "refused",
    "client gone": "gone",
    "no answer": "lost",
}


@dataclass
class Heard:
    """A row with what it means."""

    row: Row
    command: str = ""
    message: Any = None
    side: str = ""
    act: str = ""
    service: str | None = None
    id: bytes | None = None
    key: tuple[bytes, ...] = ()

    @property
    def part(self) -> str:
        return self.row.protocol

    @property
    def protocol(self) -> str:
        return self.row.protocol.partition(".")[0]


def name_of(octets: bytes) -> str:
    if octets and all(0x20 < octet < 0x7F for octet in octets):
        return octets.decode()
    return octets.hex()


def recording(row: Row) -> str:
    return f"{row.recorder:016x}"


def micros(nanoseconds: int, unit: int = 1000) -> int:
    """The time, or the second or minute that it is in, as Spark counts."""
    return nanoseconds // unit * unit // 1000


def hear(rows: Iterable[Row]) -> list[Heard]:
    """All rows with their meaning, recording by recording in their order."""
    heard = []
    for row in sorted(rows, key=lambda row: (row.recorder, row.sequence)):
        one = Heard(row)
        if row.kind is Kind.MESSAGE:
            try:
                understood = understand(row.protocol, row.role, row.frames)
            except (NoCodec, DecodeError):
                continue
            one.command, one.message = understood.name, understood.message
            _interpret(one)
        heard.append(one)
    return heard


def _interpret(one: Heard) -> None:
    protocol, _, part = one.part.partition(".")
    by_worker = one.row.role == "worker"
    if part == "worker" or protocol == "ppp":
        one.side = "worker"
        if one.command == "READY" and protocol == "emqp":
            one.act = "offer"
        elif one.command in ("READY", "INFORM"):
            one.act = "ready"
        elif one.command.startswith("DISCONNECT"):
            one.act = "disconnect"
        elif one.command in ("HEARTBEAT", "PING", "PONG"):
            one.act = "heartbeat"
        elif one.command == "REQUEST" and not by_worker:
            one.act = "request"
        elif by_worker:
            one.act = "partial" if one.command == "PARTIAL" else "final"
    elif part == "client" or protocol == "reqrep":
        one.side = "client"
        acts = {"REQUEST": "request", "PARTIAL": "partial", "FINAL": "final", "REPLY": "final"}
        one.act = acts[one.command]
    else:
        return
    message = one.message
    stack = getattr(message, "stack", None) or getattr(message, "envelope", None) or ()
    named = getattr(message, "request_id", None) or getattr(message, "msgid", None)
    one.id = named or (stack[0] if stack else None)
    one.service = getattr(message, "service", None) or getattr(message, "queue_name", None)
    address = getattr(message, "client_address", None)
    one.key = tuple(stack) or tuple(octets for octets in (address, named) if octets)


def threads(rows: Sequence[Row]) -> dict[tuple[Any, ...], list[Heard]]:
    """The rows of each request: messages and what was told of them."""
    found: dict[tuple[Any, ...], list[Heard]] = defaultdict(list)
    finals: dict[tuple[Any, ...], int] = defaultdict(int)
    asked: dict[tuple[Any, ...], int] = defaultdict(int)
    current: dict[tuple[Any, ...], int | None] = {}
    for one in hear(rows):
        row = one.row
        if row.kind is Kind.EVENT:
            if row.job:
                found[row.recorder, row.job].append(one)
            continue
        if one.act not in ("request", "partial", "final"):
            continue
        if row.job:
            found[row.recorder, row.job].append(one)
            continue
        service = "" if one.key else one.service or ""
        place = (row.recorder, row.endpoint, row.protocol, row.peer, one.key, service)
        number: int | None
        if one.key:
            if one.act == "request":
                current[place] = finals[place]
            number = current.get(place)
        elif one.act == "request":
            number = asked[place]
            asked[place] += 1
        else:
            number = finals[place]
        if one.act == "final":
            finals[place] += 1
        found[(*place, number)].append(one)
    return found


def requests(rows: Sequence[Row]) -> list[Told]:
    """One row a request, by following it step by step."""
    last: dict[int, int] = defaultdict(int)
    services: dict[tuple[int, str, bytes], str] = {}
    refusals = set()
    for one in hear(rows):
        row = one.row
        last[row.recorder] = max(last[row.recorder], row.time)
        if one.act == "ready" and one.service:
            services[row.recorder, row.endpoint, row.peer] = one.service
        if row.name == "worker joined" and row.facts.get("service"):
            services[row.recorder, row.endpoint, row.peer] = row.facts["service"]
        if row.name == "ready":  # a worker tells it of itself
            services[row.recorder, row.endpoint, row.peer] = row.facts["services"][0]
        if row.name == "request refused" and not row.job:
            refusals.add((row.recorder, row.endpoint, row.peer, row.facts.get("request_id", "")))
    told = []
    for steps in threads(rows).values():
        if any(one.act == "request" for one in steps):
            told.append(_follow(steps, last, services, refusals))
    return told


def _follow(
    steps: Sequence[Heard],
    last: dict[int, int],
    services: dict[tuple[int, str, bytes], str],
    refusals: set[tuple[Any, ...]],
) -> Told:
    def first(side: str, *acts: str) -> Heard | None:
        return next((one for one in steps if one.side == side and one.act in acts), None)

    def all_of(side: str, *acts: str) -> list[Heard]:
        return [one for one in steps if one.side == side and one.act in acts]

    def time(one: Heard | None) -> int | None:
        return one.row.time if one else None

    def between(start: int | None, end: int | None) -> int | None:
        return None if start is None or end is None else end - start

    events = [one.row.name for one in steps if one.row.kind is Kind.EVENT]
    opening = next(one for one in steps if one.act == "request")
    row = opening.row
    asked, given = all_of("client", "request"), all_of("worker", "request")
    finished, answered = first("worker", "final"), first("client", "final")
    worker = finished or (given[-1] if given else None)
    id = next((one.id for one in steps if one.id), None)
    service = next(
        (
            name
            for one in steps
            if (
                name := one.service
                or (one.row.facts.get("service") if one.row.name in _TELLING else None)
            )
        ),
        None,
    )
    if service is None and worker:
        service = services.get((row.recorder, worker.row.endpoint, worker.row.peer))
    ended = next((ENDS[event] for event in events if event in ENDS), None)
    refused = not row.job and any(
        (row.recorder, row.endpoint, row.peer, told) in refusals
        for told in ("", name_of(id or b""))
    )
    delivered = [one.row.time for one in given]
    work_from = None
    if finished and delivered:
        work_from = delivered[-1] if delivered[-1] <= finished.row.time else delivered[0]
    passed = all_of("client", "partial", "final")
    pieces = all_of("worker", "partial", "final")
    received, assigned = (time(one[0]) if one else None for one in (asked, given))
    touched = max(
        one.row.time for one in steps if one.row.kind is Kind.MESSAGE or one.row.name in _TELLING
    )
    if answered:
        outcome = "answered"
    elif ended:
        outcome = ended
    elif refused:
        outcome = "refused"
    elif finished and not asked:
        outcome = "answered"
    elif finished or last[row.recorder] - touched >= 60 * SECOND:
        outcome = "lost"
    else:
        outcome = "open"
    return {
        "recording": recording(row),
        "seq": row.sequence,
        "job": row.job or None,
        "request_key": (
            name_of(id) if id else f"job:{row.job}" if row.job else f"row:{row.sequence}"
        ),
        "service": service or "",
        "seen_at": _vantage(asked, given),
        "client_protocol": asked[0].protocol if asked else "",
        "client_peer": name_of(asked[0].row.peer) if asked else "",
        "client_endpoint": asked[0].row.endpoint if asked else "",
        "worker_protocol": worker.protocol if worker else "",
        "worker_peer": name_of(worker.row.peer) if worker else "",
        "worker_endpoint": worker.row.endpoint if worker else "",
        "time": micros(row.time),
        "received_ns": received,
        "assigned_ns": assigned,
        "first_reply_ns": time(passed[0] if passed else pieces[0] if pieces else None),
        "finished_ns": time(finished),
        "answered_ns": time(answered),
        "latency_ns": (
            between(received, time(answered)) if asked else between(assigned, time(finished))
        ),
        "queued_ns": between(received, assigned),
        "work_ns": between(work_from, time(finished)),
        "partials": len(all_of("worker" if given else "client", "partial")),
        "deliveries": len(given),
        "redeliveries": max(len(given) - 1, 0),
        "retries": max(len(asked) - 1, 0),
        "repeated": "finished request repeated" in events,
        "duplicate_replies": max(len(all_of("client", "final")) - 1, 0),
        "late_replies": max(
            events.count("late reply discarded"), len(all_of("worker", "final")) - 1, 0
        ),
        "request_octets": (asked or given)[0].row.octets,
        "reply_octets": sum(one.row.octets for one in (passed or pieces)),
        "outcome": outcome,
    }


_TELLING = {*ENDS, "late reply discarded", "request redelivered", "finished request repeated"}


def _vantage(asked: list[Heard], given: list[Heard]) -> str:
    if asked:
        return "client" if asked[0].row.direction is Direction.OUT else "broker"
    if given[0].row.direction is Direction.IN:
        return "worker"
    return "client" if given[0].protocol == "ppp" else "broker"


def nearest(values: Sequence[int], percent: int) -> int | None:
    """The percentile by nearest rank."""
    ordered = sorted(values)
    return ordered[max(ceil(percent * len(ordered) / 100), 1) - 1] if ordered else None
