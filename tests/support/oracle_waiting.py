"""What the tables of waiting must say: latency, partial streams, depth of queues."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from support.oracle import ENDS, SECOND, Told, micros, nearest, recording, requests, threads
from zwire.capture import Row


def latency(rows: Sequence[Row]) -> list[Told]:
    groups: dict[tuple[str, str, int], list[Told]] = defaultdict(list)
    for request in requests(rows):
        if request["latency_ns"] is None:
            continue
        minute = micros(request["answered_ns"] or request["finished_ns"], 60 * SECOND)
        for service in {request["service"], ""}:
            groups[request["seen_at"], service, minute].append(request)
    told = []
    for (seen_at, service, minute), group in groups.items():
        times = [request["latency_ns"] for request in group]
        queued = [request["queued_ns"] for request in group if request["queued_ns"] is not None]
        told.append(
            {
                "seen_at": seen_at,
                "service": service,
                "minute": minute,
                "requests": len(group),
                "p50_ns": nearest(times, 50),
                "p90_ns": nearest(times, 90),
                "p99_ns": nearest(times, 99),
                "max_ns": max(times),
                "queued_p50_ns": nearest(queued, 50),
                "queued_p99_ns": nearest(queued, 99),
                "per_second": len(group) / 60,
            }
        )
    return told


def streams(rows: Sequence[Row]) -> list[Told]:
    known = {(one["recording"], one["seq"]): one for one in requests(rows)}
    return list(_streams(rows, known))


def _streams(rows: Sequence[Row], known: dict[tuple[str, int], Told]) -> Iterator[Told]:
    for steps in threads(rows).values():
        opening = next((one for one in steps if one.act == "request"), None)
        if opening is None:
            continue
        request = known[recording(opening.row), opening.row.sequence]
        side = "worker" if any(one.side == "worker" for one in steps) else "client"
        pieces = [one for one in steps if one.side == side and one.act in ("partial", "final")]
        times = [one.row.time for one in pieces]
        partials = [one.row.time for one in pieces if one.act == "partial"]
        final = [one.row.time for one in pieces if one.act == "final"]
        if partials:
            yield {
                **{
                    name: request[name]
                    for name in ("recording", "seq", "job", "request_key", "service")
                },
                "pieces": len(partials),
                "first_ns": partials[0],
                "last_ns": partials[-1],
                "final_ns": final[0] if final else None,
                "max_gap_ns": max((b - a for a, b in pairwise(times)), default=None),
                "octets": sum(one.row.octets for one in pieces),
                "complete": bool(final),
            }


def queue_depth(rows: Sequence[Row]) -> list[Told]:
    """Every request is waiting, being worked on, or over: count them after each change."""
    known = {(one["recording"], one["seq"]): one for one in requests(rows)}
    changes: dict[tuple[str, str], list[tuple[int, int, int, str, str]]] = defaultdict(list)
    for number, steps in enumerate(threads(rows).values()):
        opening = next((one for one in steps if one.act == "request"), None)
        if opening is None:
            continue
        request = known[recording(opening.row), opening.row.sequence]
        if request["seen_at"] != "broker" or request["outcome"] == "refused":
            continue
        state = ""
        for one in steps:
            after = state
            if one.side == "client" and one.act == "request" and not state:
                after = "waiting"
            elif one.side == "worker" and one.act == "request":
                after = "working"
            elif one.row.name == "request redelivered":
                after = "waiting"
            elif one.act == "final" or one.row.name in ENDS:
                after = "over"
            if after != state:
                for service in {request["service"], ""}:
                    changes[request["recording"], service].append(
                        (one.row.sequence, number, one.row.time, state, after)
                    )
            state = after
            if state == "over":
                break
    return [level for place, found in changes.items() for level in _levels(*place, sorted(found))]


def _levels(
    name: str, service: str, changes: Sequence[tuple[int, int, int, str, str]]
) -> Iterator[Told]:
    seconds: dict[int, Told] = {}
    count = {"waiting": 0, "working": 0, "over": 0, "": 0}
    for _, _, time, before, after in changes:
        second = micros(time, SECOND)
        level = seconds.setdefault(second, {"max_depth": count["waiting"]})
        count[before] -= 1
        count[after] += 1
        level["max_depth"] = max(level["max_depth"], count["waiting"])
        level["depth"], level["in_flight"] = count["waiting"], count["working"]
    for second, level in seconds.items():
        yield {"recording": name, "service": service, "second": second, **level}
