"""The section on violations: who broke which rule, the line that has it, and the message itself."""

from __future__ import annotations

from typing import Any

from pyarrow import compute

from zwire_spark.report.blocks import left_out, sentence
from zwire_spark.report.folder import equal, summed
from zwire_spark.report.markup import Html, el
from zwire_spark.report.sources import Section, Sources
from zwire_spark.report.telling import clipped, count, many, moment, short

KINDS = 60
_ALIKE = ["recording", "protocol", "part", "peer", "role", "command", "source", "reason", "rule"]
_SOURCES = {
    "machine": "at the wrong time",
    "decode": "in no known form",
    "broker event": "so a broker said",
}


def section(sources: Sources) -> Section:
    """One block for each kind of violation and peer, the most frequent first."""
    found = Section("violations", "Violations")
    rows = sources.folder.read("violations", [*_ALIKE, "seq"])
    found.badge = rows.num_rows
    if not rows.num_rows:
        found.blocks.append(sentence("Nobody broke a rule of the specifications."))
        return found
    kinds = summed(rows, _ALIKE, [("seq", "count"), ("seq", "min")])
    peers = len(
        {(one["recording"], one["peer"]) for one in kinds.select(["recording", "peer"]).to_pylist()}
    )
    found.blocks.append(
        sentence(
            f"{many(rows.num_rows, 'violation')} in conversations with {many(peers, 'peer')}. "
            "Each kind is shown with its first message."
        )
    )
    shown = kinds.slice(0, KINDS).to_pylist()
    found.blocks += [_kind(sources, kind) for kind in shown]
    found.blocks.append(
        left_out(kinds.num_rows, len(shown), "kinds of violations", "the table violations has all")
    )
    return found


def _kind(sources: Sources, kind: dict[str, Any]) -> Html:
    first = _first(sources, kind)
    who = short(kind["peer"]) or "somebody"
    said_by = f"{kind['role']} " if kind["role"] else ""
    spoken = ".".join(part for part in (kind["protocol"], kind["part"]) if part)
    number = kind["seq_count"]
    quoted = sources.quote(first["place"]) if first["place"] else ""
    facts = [
        ("Rule", first["rule"]),
        ("Expected", first["expected"]),
        ("Specification", el("span", first["place"], el("code", quoted) if quoted else None)),
        (
            "Seen",
            f"{moment(first['ts_ns'], digits=6)} UTC by {sources.label(kind['recording'])}, "
            f"row {kind['seq_min']}, {first['endpoint']}",
        ),
    ]
    return el(
        "article",
        el(
            "h3",
            el("span", f"{said_by}{clipped(kind['command'], 60) or 'a message'}", class_="tag bad"),
            f" {who} · {clipped(spoken, 60)} · {kind['reason']}",
            el("small", f"{_SOURCES.get(kind['source'], kind['source'])}"),
            el("b", f"× {count(number)}") if number > 1 else None,
        ),
        el(
            "dl",
            *(
                (el("dt", name), el("dd", clipped(f, 600) if type(f) is str else f))
                for name, f in facts
                if f
            ),
        ),
        (
            el(
                "details",
                el("summary", "The message, octet by octet"),
                el("pre", first["dump"], tabindex=0),
            )
            if first["dump"]
            else None
        ),
        class_="violation",
    )


def _first(sources: Sources, kind: dict[str, Any]) -> dict[str, Any]:
    columns = ["ts_ns", "endpoint", "expected", "rule", "place", "dump"]
    where = (
        equal("recording", kind["recording"])
        & equal("source", kind["source"])
        & (compute.field("seq") == kind["seq_min"])
    )
    return sources.folder.rows("violations", columns, where)[0]
