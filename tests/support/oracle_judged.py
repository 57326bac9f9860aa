"""What messages, quarantine, faults and violations must say, told by plain loops over the rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from support.oracle import WAYS, Heard, Told, hear, micros, name_of, recording
from support.oracle_peers import MESH
from zwire.capture import Kind, Row
from zwire.captured import NoCodec, Understood, understand
from zwire.cli.captured import octets_of
from zwire_protocols.errors import DecodeError
from zwire_spark.judging import Judge, Said

_GIVEN_UP = {"worker left", "worker lost", "worker dismissed", "left"}
_ENDED = {"request expired", "request failed", "request refused", "client gone", "no answer"}
_BLAMED = {"violation", "invalid message", "stranger spoke"}


def messages(rows: Sequence[Row]) -> dict[tuple[int, int], Understood]:
    """All that can be decoded, by recorder and number."""
    return {
        (row.recorder, row.sequence): found
        for row, found in _understood(rows)
        if isinstance(found, Understood)
    }


def quarantine(rows: Sequence[Row]) -> list[Told]:
    """What cannot be decoded, and what its codec has against it."""
    told = []
    for row, found in _understood(rows):
        if isinstance(found, Understood):
            continue
        why: dict[str, Any] = dict.fromkeys(
            ("wrong_message", "wrong_field", "wrong_frame", "wrong_offset")
        )
        why["code"] = "protocol"
        if isinstance(found, DecodeError):
            why = {
                "code": found.code if row.whole else "cut",
                "wrong_message": found.message,
                "wrong_field": found.field,
                "wrong_frame": found.frame,
                "wrong_offset": found.offset,
            }
        told.append(
            {
                "kind": "message",
                "ts_ns": row.time,
                "recorder": row.recorder,
                "seq": row.sequence,
                "direction": WAYS[row.direction],
                "endpoint": row.endpoint,
                "protocol": row.protocol,
                "role": row.role,
                "peer": row.peer or None,
                "job": row.job or None,
                "frames": list(row.frames),
                "lengths": list(row.lengths),
                "octets": row.octets,
                **why,
            }
        )
    return told


def faults(rows: Sequence[Row]) -> list[Told]:
    """One judge for each peer, who hears row after row."""
    first: dict[int, int] = {}
    for row in rows:
        first[row.recorder] = min(row.sequence, first.get(row.recorder, row.sequence))
    judges: dict[tuple[int, str, bytes], Judge] = {}
    found = []
    for one in hear(rows):
        said = _said(one)
        if said is None:
            continue
        row = one.row
        place = "" if one.protocol in MESH or (row.name == "left" and row.peer) else row.endpoint
        judge = judges.setdefault(
            (row.recorder, place, row.peer), Judge(midway=first[row.recorder] > 1)
        )
        fault = judge.hear(said)
        if fault is not None:
            found.append(
                {
                    "recorder": row.recorder,
                    "seq": row.sequence,
                    "part": row.protocol,
                    "role": row.role,
                    "command": one.command,
                    "reason": fault.reason,
                    "rule": f"{fault.dialog}: {fault.state}" if fault.dialog else fault.state,
                    "expected": ", ".join(f"{who} {what}" for who, what in fault.legal)
                    or "nothing",
                    "place": fault.line,
                }
            )
    return found


def violations(rows: Sequence[Row]) -> list[Told]:
    """Without the dump and the words of codecs, which are for people."""
    by_place = {(row.recorder, row.sequence): row for row in rows}
    names = _names(rows)
    told = []
    for fault in faults(rows):
        row = by_place[fault["recorder"], fault["seq"]]
        words = {name: fault[name] for name in ("command", "reason", "rule", "expected", "place")}
        told.append(_violation(row, names, "machine", **words))
    for refused in quarantine(rows):
        row = by_place[refused["recorder"], refused["seq"]]
        words = {"command": refused["wrong_message"] or "", "reason": refused["code"]}
        told.append(_violation(row, names, "decode", **words))
    for row in rows:
        if row.name in _BLAMED:
            words = {"command": "", "reason": row.name, "rule": row.facts.get("detail", "")}
            told.append(_violation(row, names, "broker event", **words))
    return told


def _violation(
    row: Row, names: dict[tuple[int, str, bytes], str], source: str, **words: str
) -> Told:
    protocol, _, part = row.protocol.partition(".")
    place = "" if protocol in MESH else row.endpoint
    event = row.kind is Kind.EVENT
    return {
        "recording": recording(row),
        "seq": row.sequence,
        "ts_ns": row.time,
        "time": micros(row.time),
        "protocol": "" if event else protocol,
        "part": "" if event else part,
        "endpoint": row.endpoint,
        "peer": name_of(row.peer),
        "name": names.get((row.recorder, place, row.peer), ""),
        "direction": "" if event else WAYS[row.direction],
        "role": "" if event else row.role,
        "source": source,
        **words,
    }


def _names(rows: Sequence[Row]) -> dict[tuple[int, str, bytes], str]:
    """What each peer called itself, or was called, last."""
    names: dict[tuple[int, str, bytes], str] = {}
    for one in hear(rows):
        row, facts = one.row, one.row.facts
        if row.name == "worker joined" or row.name in _GIVEN_UP - {"left"}:
            place, name = row.endpoint, facts.get("service")
        elif row.name in ("entered", "left"):
            place, name = "", facts.get("name")
        elif one.act == "ready" and row.role == "worker":
            place, name = row.endpoint, one.service
        elif one.protocol in MESH and row.direction.name == "IN":
            place, name = "", getattr(one.message, "name", None)
        else:
            continue
        if name and row.peer:
            names[row.recorder, place, row.peer] = name
    return names


def _said(one: Heard) -> Said | None:
    """What a judge hears of a row; nothing of what has no dialog or no bearing."""
    row = one.row
    if row.kind is Kind.EVENT:
        if row.name not in _GIVEN_UP | _ENDED | {"worker"}:
            return None
        id = row.facts.get("request_id")
        return Said("", "", "", row.name, tuple(sorted(octets_of(id))) if id else ())
    part = row.protocol.partition(".")[2]
    if part.startswith("beacon") or one.protocol == "zrelog":
        return None
    return Said(row.protocol, WAYS[row.direction], row.role, one.command, one.key)


def _understood(
    rows: Sequence[Row],
) -> Iterator[tuple[Row, Understood | DecodeError | NoCodec]]:
    for row in rows:
        if row.kind is Kind.MESSAGE:
            try:
                yield row, understand(row.protocol, row.role, row.frames)
            except (DecodeError, NoCodec) as error:
                yield row, error
