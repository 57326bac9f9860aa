"""The section on what is missing: messages that could not be decoded, and rows that could not be read."""

from __future__ import annotations

from typing import Any

from zwire_spark.report.blocks import left_out, sentence, table
from zwire_spark.report.folder import equal, summed
from zwire_spark.report.markup import Html, el
from zwire_spark.report.sources import Section, Sources
from zwire_spark.report.telling import count, many, octets

KINDS = 30
_LOSSES = 30
_OCTETS = 48  # of each frame
_FRAMES = 6
_ALIKE = ["protocol", "code", "wrong_message", "wrong_field"]
_CODES = {
    "protocol": "no such protocol is known",
    "role": "nobody in this part is called so",
    "cut": "something is missing that was not recorded",
}


def section(sources: Sources) -> Section:
    """Quarantine and losses."""
    folder = sources.folder
    quarantined, losses = (folder.tables.get(name, 0) for name in ("quarantine", "losses"))
    alarms = [
        *([f"{many(quarantined, 'message')} in quarantine"] if quarantined else []),
        *([many(losses, "loss", "losses")] if losses else []),
    ]
    blocks: list[Html | None] = [_quarantine(sources), _losses(sources)]
    return Section(
        "refused", "Quarantine and losses", blocks, quarantined + losses, " and ".join(alarms)
    )


def _quarantine(sources: Sources) -> Html:
    rows = sources.folder.read("quarantine", [*_ALIKE, "recorder", "seq"])
    if not rows.num_rows:
        return sentence("Every recorded message could be decoded.")
    kinds = summed(rows, _ALIKE, [("seq", "count"), ("seq", "min")])
    shown = kinds.slice(0, KINDS).to_pylist()
    return el(
        "figure",
        el("figcaption", f"{many(rows.num_rows, 'message')} in quarantine, by reason"),
        table(
            ["Protocol", "Reason", "Where", "First of them", "Messages"],
            [
                [
                    kind["protocol"] or "(none)",
                    _reason(kind["code"]),
                    " ".join(word for word in (kind["wrong_message"], kind["wrong_field"]) if word),
                    _example(sources, kind),
                    count(kind["seq_count"]),
                ]
                for kind in shown
            ],
            "Messages in quarantine by reason",
            texts=4,
        ),
        left_out(kinds.num_rows, len(shown), "reason", "the table quarantine has all messages"),
        class_="chart",
    )


def _reason(code: str) -> str:
    return f"{code}: {_CODES[code]}" if code in _CODES else code


def _example(sources: Sources, kind: dict[str, Any]) -> Html:
    where = (
        equal("seq", kind["seq_min"])
        & equal("code", kind["code"])
        & equal("protocol", kind["protocol"])
    )
    first = sources.folder.rows("quarantine", ["frames", "file", "seq"], where)[0]
    frames = first["frames"] or []
    lines = [_hex(frame or b"") for frame in frames[:_FRAMES]]
    if len(frames) > _FRAMES:
        lines.append(f"… {many(len(frames) - _FRAMES, 'more frame')}")
    place = f"{first['file']}, row {first['seq']}"
    return el("details", el("summary", place), el("pre", "\n".join(lines), tabindex=0))


def _hex(frame: bytes) -> str:
    seen = frame[:_OCTETS]
    text = "".join(chr(octet) if 0x20 <= octet < 0x7F else "." for octet in seen)
    return f"{seen.hex(' ') or '(empty)'}{' …' if len(frame) > _OCTETS else ''}  {text}"


def _losses(sources: Sources) -> Html:
    rows = sources.folder.rows("losses", ["file", "offset", "octets", "rows", "why"])
    if not rows:
        return sentence("Nothing was lost: all of the captures could be read.")
    known = sum(row["rows"] or 0 for row in rows)
    return el(
        "figure",
        el(
            "figcaption",
            f"{many(len(rows), 'loss', 'losses')}, of which {many(known, 'row')} known",
        ),
        table(
            ["File", "What is wrong", "At", "Size", "Rows"],
            [
                [
                    row["file"],
                    row["why"],
                    count(row["offset"]),
                    octets(row["octets"]),
                    "unknown" if row["rows"] is None else count(row["rows"]),
                ]
                for row in rows[:_LOSSES]
            ],
            "What could not be read",
            texts=2,
        ),
        left_out(len(rows), _LOSSES, "loss", "the table losses has all", "losses"),
        class_="chart",
    )
