"""The top of the report: the figures that people ask for first, and whether anything is wrong."""

from __future__ import annotations

from pyarrow import compute

from zwire_spark.report.blocks import folded, sentence, table
from zwire_spark.report.folder import NotMade
from zwire_spark.report.markup import Html, el
from zwire_spark.report.sources import Section, Sources
from zwire_spark.report.telling import brief, count, duration, many, moment, octets


def headline(sources: Sources) -> Html:
    """Figures side by side; one whose table was not made is left out."""
    figures: list[Html] = [*_messages(sources)]
    for more in (_requests, _peers, _violations, _refused):
        try:
            figures += more(sources)
        except NotMade:
            continue
    return el("ul", *figures, class_="figures")


def verdict(sections: list[Section]) -> Html:
    """One sentence: what somebody should look at, with links to it."""
    wrong = [
        el("a", one.alarm, href=f"#{one.anchor}") for one in sections if one.alarm and one.badge
    ]
    if not wrong:
        return el("p", "✓ Nothing is wrong with what was recorded.", class_="verdict good")
    return el("p", "Worth a look: ", *_listed(wrong), class_="verdict warn")


def recordings(sources: Sources) -> Section:
    """Who recorded what, when, and whether all of it is there."""
    found = Section("recordings", "Recordings")
    known = sorted(sources.recordings.values(), key=lambda one: (one.first_ns, one.recording))
    if not known:
        found.blocks.append(sentence("Nothing was recorded."))
        return found
    partly = sum(not one.complete for one in known)
    found.blocks.append(
        sentence(
            f"{many(len(known), 'recording')}; "
            + (f"of {count(partly)} a part is missing." if partly else "all of them are complete.")
        )
    )
    shown = table(
        ["Recording", "Number", "From (UTC)", "Lasted", "Rows", "Events", "Complete"],
        [
            [
                one.label,
                one.recording,
                moment(one.first_ns, digits=3),
                duration(one.last_ns - one.first_ns),
                count(one.rows),
                count(one.events),
                "yes" if one.complete else "no",
            ]
            for one in known[:_SHOWN]
        ],
        "Recordings",
        texts=3,
    )
    found.blocks.append(
        folded("All recordings" if len(known) <= _SHOWN else f"The first {_SHOWN}", shown)
    )
    return found


_SHOWN = 200


def _figure(name: str, value: str, more: str = "", colour: str = "", to: str = "") -> Html:
    inner = [el("span", name), el("strong", value), el("small", more) if more else None]
    return el("li", el("a", *inner, href=f"#{to}") if to else inner, class_=colour or None)


def _messages(sources: Sources) -> list[Html]:
    told = sources.folder.told
    files, size = int(told.get("files", 0)), int(told.get("octets", 0))
    more = f"{brief(int(told.get('events', 0)))} events; {many(files, 'capture')}, {octets(size)}"
    return [_figure("Messages", brief(int(told.get("messages", 0))), more, to="traffic")]


def _requests(sources: Sources) -> list[Html]:
    asked = sources.asked
    if not asked.number:
        return []
    answered = asked.outcomes.get("answered", 0)
    share = f"{count(answered)} answered ({answered / asked.number:.1%})"
    found = [_figure("Requests", brief(asked.number), share, to="requests")]
    if asked.all is not None:
        more = f"90 % {duration(asked.all.p90)}, 99 % {duration(asked.all.p99)}"
        found.append(_figure("Median latency", duration(asked.all.p50), more, to="requests"))
    return found


def _peers(sources: Sources) -> list[Html]:
    rows = sources.folder.read("liveness", ["protocol", "endpoint", "peer", "ended_by"])
    if not rows.num_rows:
        return []
    peers = rows.group_by(["protocol", "endpoint", "peer"]).aggregate([]).num_rows
    lost = rows.filter(compute.field("ended_by") == "lost").num_rows
    more = f"{count(lost)} lost" if lost else "none lost"
    return [_figure("Workers and peers", brief(peers), more, "bad" if lost else "", "liveness")]


def _violations(sources: Sources) -> list[Html]:
    rows = sources.folder.read("violations", ["peer"])
    more = f"with {many(len(rows['peer'].unique()), 'peer')}" if rows.num_rows else ""
    colour = "bad" if rows.num_rows else "good"
    return [_figure("Violations", brief(rows.num_rows), more, colour, "violations")]


def _refused(sources: Sources) -> list[Html]:
    tables, told = sources.folder.tables, sources.folder.told
    quarantined, losses = tables.get("quarantine", 0), tables.get("losses", 0)
    rows = many(int(told.get("rows_lost", 0)), "row")
    more = f"{many(losses, 'loss', 'losses')}, {rows} known" if losses else "nothing was lost"
    colour = "bad" if quarantined or losses else "good"
    return [_figure("In quarantine", brief(quarantined), more, colour, "refused")]


def _listed(links: list[Html]) -> list[Html | str]:
    listed: list[Html | str] = []
    for number, link in enumerate(links):
        listed += [", " if number else "", link]
    return [*listed, "."]
