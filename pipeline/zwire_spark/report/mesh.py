"""The section on ZRE: who knows whom, who was in which group, and which messages are missing."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from zwire_spark.report.blocks import Lane, Stay, folded, lanes, left_out, sentence, table, tried
from zwire_spark.report.charts import times_below
from zwire_spark.report.folder import summed
from zwire_spark.report.graph import Dot, Link, graph
from zwire_spark.report.markup import Html, el
from zwire_spark.report.sources import COLOURS, Section, Sources
from zwire_spark.report.telling import clipped, count, duration, many, moment, octets, short

DOTS = 24
LANES = 120
_SEEN = 24  # without unfolding the rest
_GAPS = 20
_BARS = 40  # in one lane


def section(sources: Sources) -> Section:
    """All about nodes."""
    found = Section("mesh", "ZRE peers and groups")
    edges = sources.folder.rows(
        "zre_peers",
        [
            "node",
            "peer",
            "name",
            "protocol",
            "hellos",
            "messages_in",
            "messages_out",
            "octets_in",
            "octets_out",
        ],
    )
    if not edges:
        found.blocks.append(sentence("No ZRE node was recorded."))
        return found
    names = _names(sources, edges)
    found.badge = sources.folder.tables.get("zre_gaps", 0)
    found.alarm = f"{many(found.badge, 'gap')} in the numbers of ZRE messages"
    found.blocks += [
        _graph(edges, names),
        tried(lambda: _groups(sources, names)),
        tried(lambda: _gaps(sources, names)),
    ]
    return found


def _names(sources: Sources, edges: list[dict[str, Any]]) -> dict[str, str]:
    """What each node calls itself, or the beginning of its UUID."""
    names: dict[str, str] = defaultdict(str)
    for edge in edges:
        names[edge["peer"]] = names[edge["peer"]] or edge["name"]
    for one in sources.recordings.values():
        if one.node:
            names[one.node.replace("-", "")] = one.node_name
    everybody = {edge[end] for edge in edges for end in ("node", "peer")}
    return {uuid: names.get(uuid) or short(uuid, 10) or "unknown" for uuid in sorted(everybody)}


def _graph(edges: list[dict[str, Any]], names: dict[str, str]) -> Html:
    recorded = {edge["node"] for edge in edges}
    busy: dict[str, int] = defaultdict(int)
    links: dict[tuple[str, str], Link] = {}
    for edge in edges:
        messages = edge["messages_in"] + edge["messages_out"]
        one, other = sorted((edge["node"], edge["peer"]))
        size = octets(edge["octets_in"] + edge["octets_out"])
        told = f"{names[one]} – {names[other]}: {many(messages, 'message')}, {size} ({edge['protocol']})"
        busy[one], busy[other] = busy[one] + messages, busy[other] + messages
        before = links.get((one, other))
        # Where both ends recorded, it is the same traffic twice.
        if before is None or before.weight < messages:
            links[one, other] = Link(one, other, messages, told)
    chosen = sorted(names, key=lambda uuid: (uuid not in recorded, -busy[uuid], uuid))[:DOTS]
    in_order = sorted(chosen, key=lambda uuid: (names[uuid], uuid))
    dots = [Dot(uuid, names[uuid], uuid in recorded) for uuid in in_order]
    thickest = sorted(links.values(), key=lambda link: (-link.weight, link.told))
    shown = [one for one in thickest if one.one in chosen and one.other in chosen]
    return el(
        "figure",
        el("figcaption", f"{many(len(names), 'node')}, {many(len(links), 'link')}"),
        el(
            "div",
            graph(dots, shown, f"Graph of {many(len(dots), 'node')}; the list has its links"),
            el("ul", *(el("li", link.told) for link in shown[:DOTS]), class_="links"),
            class_="beside",
        ),
        sentence("Full circles recorded themselves, empty ones were only heard."),
        left_out(len(names), len(dots), "node", "those with the least traffic"),
        left_out(len(shown), DOTS, "link", "the list has those with the most traffic"),
        class_="chart",
    )


def _groups(sources: Sources, names: dict[str, str]) -> Html:
    columns = ["recording", "peer", "group", "from_ns", "to_ns"]
    rows = sources.folder.read("zre_groups", columns)
    if not rows.num_rows:
        return sentence("No group was joined.")
    members = summed(rows, ["group", "peer"], [("from_ns", "count")]).sort_by(
        [("group", "ascending"), ("peer", "ascending")]
    )
    chosen = {(one["group"], one["peer"]) for one in members.slice(0, LANES).to_pylist()}
    groups = sorted({group for group, _ in chosen})
    colour = {group: COLOURS[number % len(COLOURS)] for number, group in enumerate(groups)}
    lines: dict[tuple[str, str], Lane] = {}
    for row in rows.sort_by([("from_ns", "ascending"), ("recording", "ascending")]).to_pylist():
        key = (row["group"], row["peer"])
        if key not in chosen:
            continue
        name = names.get(row["peer"], row["peer"][:8])
        lane = lines.setdefault(key, Lane(f"{short(row['group'], 18)} · {short(name, 18)}"))
        if len(lane.stays) < _BARS:
            lane.stays.append(_stay(sources, row, colour[row["group"]]))
    in_order = [lines[key] for key in sorted(lines)]
    rest = in_order[_SEEN:]

    def drawn(some: list[Lane]) -> Html:
        axis = times_below(sources.timeline)
        return lanes(sources.timeline, some, "Members of groups over time", axis)

    return el(
        "figure",
        el("figcaption", f"Groups and their members over time: {many(len(groups), 'group')}"),
        drawn(in_order[:_SEEN]),
        folded(f"{count(len(rest))} more", drawn(rest)) if rest else None,
        left_out(members.num_rows, len(lines), "membership", "groups in the order of their names"),
        class_="chart",
    )


def _stay(sources: Sources, row: dict[str, Any], colour: str) -> Stay:
    known = sources.recordings.get(row["recording"])
    open_end = known.last_ns if known else row["from_ns"]
    until = open_end if row["to_ns"] is None else row["to_ns"]
    tip = (
        f"in {clipped(row['group'], 80)} from {moment(row['from_ns'], digits=3)} "
        f"for {duration(max(0, until - row['from_ns']))}"
        f"{', to the end of the recording' if row['to_ns'] is None else ''}"
        f"\ntold by {sources.label(row['recording'])}"
    )
    return Stay(row["from_ns"], until, colour, tip)


def _gaps(sources: Sources, names: dict[str, str]) -> Html:
    columns = [
        "sender",
        "receiver",
        "command",
        "ts_ns",
        "expected",
        "got",
        "missing",
        "recording",
        "seq",
    ]
    rows = sources.folder.read("zre_gaps", columns)
    if not rows.num_rows:
        return sentence("No message between nodes is missing: all numbers go on by one.")
    first = rows.sort_by([("ts_ns", "ascending"), ("recording", "ascending"), ("seq", "ascending")])
    return folded(
        f"{many(rows.num_rows, 'place')} where numbers do not go on by one",
        table(
            ["From", "To", "Message", "Time (UTC)", "Expected", "Got", "Missing"],
            [
                [
                    *(names.get(row[end], row[end][:8]) for end in ("sender", "receiver")),
                    row["command"],
                    moment(row["ts_ns"], digits=3),
                    *(count(row[number]) for number in ("expected", "got", "missing")),
                ]
                for row in first.slice(0, _GAPS).to_pylist()
            ],
            "Gaps in the numbers of messages between nodes",
            texts=4,
        ),
        left_out(rows.num_rows, _GAPS, "place", "the table zre_gaps has all"),
    )
