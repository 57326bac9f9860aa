"""The section on violations: which rule was broken, by whom, the line that has it, the message itself."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from zwire_spark.report.blocks import folded, left_out, sentence
from zwire_spark.report.folder import equal, summed
from zwire_spark.report.markup import Html, el
from zwire_spark.report.sources import Section, Sources
from zwire_spark.report.telling import clipped, count, many, moment, short

KINDS = 40
_NAMED = 12  # peers of one kind
_ALIKE = ["protocol", "part", "role", "command", "source", "reason", "rule"]
_SOURCES = {
    "machine": "right in form, at the wrong time",
    "decode": "in no known form",
    "broker event": "so a broker said",
}


def section(sources: Sources) -> Section:
    """A block for each kind of violation, the most frequent first, with those who did it."""
    found = Section("violations", "Violations")
    rows = sources.folder.read("violations", [*_ALIKE, "recording", "peer", "name", "seq"])
    if not rows.num_rows:
        found.blocks.append(sentence("Nobody broke a rule of the specifications."))
        return found
    found.badge, found.alarm = rows.num_rows, many(rows.num_rows, "violation")
    by_peer = defaultdict(list)
    for one in summed(
        rows, [*_ALIKE, "recording", "peer", "name"], [("seq", "count"), ("seq", "min")]
    ).to_pylist():
        by_peer[tuple(one[name] for name in _ALIKE)].append(one)
    kinds = sorted(by_peer.values(), key=lambda peers: -sum(one["seq_count"] for one in peers))
    number = rows.group_by(["recording", "peer"]).aggregate([]).num_rows
    found.blocks.append(
        sentence(
            f"{many(rows.num_rows, 'violation')} of {many(len(kinds), 'kind')}, in conversations "
            f"with {many(number, 'peer')}. Each kind is shown with its first message."
        )
    )
    found.blocks += [_kind(sources, peers) for peers in kinds[:KINDS]]
    found.blocks.append(
        left_out(len(kinds), KINDS, "kind", "the rarest; the table violations has all")
    )
    return found


def _kind(sources: Sources, peers: list[dict[str, Any]]) -> Html:
    kind = min(peers, key=lambda one: (one["recording"], one["seq_min"]))
    first = _first(sources, kind)
    said = f"{kind['role']} {clipped(kind['command'], 60)}".strip() or "message"
    spoken = clipped(".".join(part for part in (kind["protocol"], kind["part"]) if part), 60)
    number = sum(one["seq_count"] for one in peers)
    facts: list[tuple[str, Html | str | None]] = [
        ("With", _who(sources, peers)),
        ("Rule", clipped(first["rule"], 600)),
        ("Expected", clipped(first["expected"], 600)),
        ("Specification", _specified(sources, first["place"])),
        (
            "First",
            f"{moment(first['ts_ns'], digits=6)} UTC at {clipped(first['endpoint'], 120)}, "
            f"row {kind['seq_min']} of {sources.label(kind['recording'])}",
        ),
    ]
    return el(
        "article",
        el(
            "h3",
            el("span", said, class_="tag bad"),
            " ",
            " · ".join(word for word in (spoken, kind["reason"]) if word),
            el("small", _SOURCES.get(kind["source"], kind["source"])),
            el("b", f"× {count(number)}") if number > 1 else None,
        ),
        el("dl", *((el("dt", name), el("dd", fact)) for name, fact in facts if fact)),
        (
            folded("The message, octet by octet", el("pre", first["dump"], tabindex=0))
            if first["dump"]
            else None
        ),
        class_="violation",
    )


def _who(sources: Sources, peers: list[dict[str, Any]]) -> str:
    """The peers by name, the most frequent first."""
    known = [
        f"{_called(one)} at {sources.label(one['recording'])}"
        + (f" × {count(one['seq_count'])}" if one["seq_count"] > 1 else "")
        for one in peers[:_NAMED]
    ]
    more = [f"{count(len(peers) - _NAMED)} more"] if len(peers) > _NAMED else []
    return ", ".join([*known, *more])


def _called(peer: dict[str, Any]) -> str:
    """Its identity, and what it calls itself."""
    identity = short(peer["peer"]) or "(no name)"
    return f"{identity} ({clipped(peer['name'], 60)})" if peer["name"] else identity


def _specified(sources: Sources, place: str) -> Html | None:
    if not place:
        return None
    quoted = sources.quote(place)
    return el("span", place, el("code", clipped(quoted, 200)) if quoted else None)


def _first(sources: Sources, kind: dict[str, Any]) -> dict[str, Any]:
    columns = ["ts_ns", "endpoint", "expected", "rule", "place", "dump"]
    where = (
        equal("recording", kind["recording"])
        & equal("source", kind["source"])
        & equal("seq", kind["seq_min"])
    )
    return sources.folder.rows("violations", columns, where)[0]
