"""The section on traffic: which messages there were, how many and how large."""

from __future__ import annotations

from zwire_spark.report.blocks import Bar, bars, folded, left_out, sentence, table
from zwire_spark.report.folder import summed
from zwire_spark.report.markup import el
from zwire_spark.report.sources import COLOURS, OTHERS, Section, Sources
from zwire_spark.report.telling import count, octets

KINDS = 20
_IN_TABLE = 120


def section(sources: Sources) -> Section:
    """All about traffic."""
    found = Section("traffic", "Traffic by protocol and command")
    keys = ["protocol", "part", "command", "direction"]
    rows = sources.folder.read("traffic", [*keys, "messages", "octets", "max_octets"])
    if not rows.num_rows:
        found.blocks.append(sentence("No message was recorded that could be decoded."))
        return found
    sums = [("messages", "sum"), ("octets", "sum")]
    spoken = [row["protocol"] for row in summed(rows, ["protocol"], sums).to_pylist()]
    colours = dict(zip(spoken, COLOURS, strict=False))
    kinds = summed(rows, keys[:3], sums)
    shown = kinds.slice(0, KINDS).to_pylist()
    parts = summed(rows, keys, [*sums, ("max_octets", "max")]).slice(0, _IN_TABLE).to_pylist()
    found.blocks.append(
        el(
            "figure",
            el("figcaption", "Messages by protocol and command"),
            bars(
                [
                    Bar(
                        f"{row['protocol']}.{row['part']} {row['command']}",
                        row["messages_sum"],
                        f"{count(row['messages_sum'])} · {octets(row['octets_sum'])}",
                        colours.get(row["protocol"], OTHERS),
                    )
                    for row in shown
                ],
                "Messages by protocol and command",
            ),
            left_out(kinds.num_rows, len(shown), "command", "the rarest"),
            folded(
                "As a table, with directions and sizes",
                table(
                    ["Protocol", "Command", "Direction", "Messages", "Size", "Largest"],
                    [
                        [
                            f"{row['protocol']}.{row['part']}",
                            row["command"],
                            row["direction"],
                            count(row["messages_sum"]),
                            octets(row["octets_sum"]),
                            octets(row["max_octets_max"]),
                        ]
                        for row in parts
                    ],
                    "Messages by protocol, command and direction",
                    texts=3,
                ),
            ),
            class_="chart",
        )
    )
    return found
