"""The page as a whole: one file with its style and script inside, that loads nothing from anywhere."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from importlib.resources import files
from itertools import groupby

from zwire_spark.report import (
    liveness,
    load,
    logs,
    mesh,
    overview,
    refused,
    requests,
    traffic,
    violations,
)
from zwire_spark.report.blocks import not_made
from zwire_spark.report.folder import NotMade
from zwire_spark.report.markup import Html, el, join
from zwire_spark.report.sources import Section, Sources
from zwire_spark.report.telling import clipped, date, duration, many, moment

# Anchor, title, and who writes it.
_SECTIONS: tuple[tuple[str, str, Callable[[Sources], Section]], ...] = (
    ("requests", "Requests and latency", requests.section),
    ("load", "Throughput and queues", load.section),
    ("liveness", "Who was there", liveness.section),
    ("violations", "Violations", violations.section),
    ("mesh", "ZRE peers and groups", mesh.section),
    ("logs", "Logs of nodes", logs.section),
    ("traffic", "Traffic by protocol and command", traffic.section),
    ("refused", "Quarantine and losses", refused.section),
    ("recordings", "Recordings", overview.recordings),
)

_BRIEFLY = {
    "requests": "Requests",
    "load": "Throughput",
    "mesh": "ZRE",
    "logs": "Logs",
    "traffic": "Traffic",
    "refused": "Quarantine",
}


def render(sources: Sources, title: str) -> str:
    """The whole document. The same tables give the same, octet by octet."""
    sections = [_section(sources, *one) for one in _SECTIONS]
    body = [
        el("a", "To the contents", href="#contents", class_="skip"),
        el(
            "header",
            el("h1", clipped(title)),
            el("p", _when(sources)),
            overview.verdict(sections),
            overview.headline(sources),
        ),
        el("nav", el("ul", *(_entry(one) for one in sections)), aria_label="Sections"),
        el("main", *(_shown(one) for one in sections), id="contents"),
        el("footer", _made_by(sources)),
        el("div", id="tip", aria_hidden="true", hidden=True),
    ]
    style, script = (Html(_file(name)) for name in ("style.css", "script.js"))
    head = [
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=_policy(script)),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", clipped(title)),
        el("style", style),
    ]
    page = el("html", el("head", *head), el("body", *body, el("script", script)), lang="en")
    return f"<!DOCTYPE html>\n{page}\n"


def _policy(script: str) -> str:
    """Nothing is loaded, and no script runs but ours: a second lock behind the escaping."""
    known = b64encode(sha256(script.encode()).digest()).decode("ascii")
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{known}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _section(
    sources: Sources, anchor: str, title: str, build: Callable[[Sources], Section]
) -> Section:
    try:
        return build(sources)
    except NotMade as missing:
        return Section(anchor, title, [not_made(missing)])


def _entry(section: Section) -> Html:
    badge = el("b", f"{section.badge:,}") if section.badge else None
    return el(
        "li", el("a", _BRIEFLY.get(section.anchor, section.title), badge, href=f"#{section.anchor}")
    )


def _shown(section: Section) -> Html:
    heading = f"h-{section.anchor}"
    return el(
        "section",
        el("h2", section.title, id=heading),
        join(block for block in section.blocks),
        id=section.anchor,
        aria_labelledby=heading,
    )


def _when(sources: Sources) -> str:
    known = list(sources.recordings.values())
    if not known:
        return "When it was recorded is not known."
    first, last = min(one.first_ns for one in known), max(one.last_ns for one in known)
    told = many(len(known), "recording")
    if sources.timeline.breaks:
        days = sorted(date(one.first_ns) for one in known)
        which = ", ".join(day for day, _ in groupby(days))
        return f"{told} of {clipped(which, 80)}. Long times in which nobody recorded are left out."
    return f"{told}, {duration(last - first)} from {moment(first)} UTC"


def _made_by(sources: Sources) -> str:
    return (
        f"Made by zwire {clipped(str(sources.folder.told.get('version', '')), 40)} "
        f"from the tables in {sources.folder.path.name}. All times are UTC."
    )


def _file(name: str) -> str:
    return (files("zwire_spark.report") / name).read_text(encoding="utf-8")
