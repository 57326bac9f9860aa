"""docs/benchmarks.md: a section for each benchmark, rewritten by its own run, others kept."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from chart import Bar, chart
from figures import Figure

DOCS = Path(__file__).resolve().parents[1] / "docs"
_PEERS = (
    "abnf", "construct", "kaitaistruct", "lark", "majortomo", "protobuf", "pyzmq", "zeromq-pyre",
)  # fmt: skip
_INTRODUCTION = """\
# Benchmarks

Ratios, each the median of interleaved rounds in one run on one machine: absolute times of another
machine will differ, ratios hardly. A ratio above 1 means that zwire is that many times faster than
the peer. `make bench` measures anew and writes this page.
"""


@dataclass(frozen=True, slots=True)
class Section:
    """A benchmark's title and what was measured, in a sentence."""

    title: str
    what: str


def write_page(name: str, sections: Mapping[str, Section], figures: Sequence[Figure]) -> None:
    """Put this benchmark's figures and chart into the page."""
    page = DOCS / "benchmarks.md"
    kept = _kept(page.read_text(encoding="utf-8")) if page.exists() else {}
    kept[name] = _section(name, sections[name], figures)
    body = "".join(
        f"\n<!-- {key} -->\n{kept[key]}<!-- end of {key} -->\n" for key in sections if key in kept
    )
    page.write_text(_INTRODUCTION + body, encoding="utf-8")
    bars = [Bar(figure.name, figure.ratio, figure.peer_name, figure.goal) for figure in figures]
    title = f"{sections[name].title}: times as fast as the peer"
    (DOCS / f"benchmarks-{name}.svg").write_text(chart(title, bars), encoding="utf-8")


def _kept(text: str) -> dict[str, str]:
    found = re.finditer(r"<!-- (\w+) -->\n(.*?)<!-- end of \1 -->\n", text, re.DOTALL)
    return {match[1]: match[2] for match in found}


def _section(name: str, section: Section, figures: Sequence[Figure]) -> str:
    rows = [
        f"| {figure.name} | {figure.peer_name} | {figure.ours:.4g} {figure.unit} "
        f"| {figure.theirs:.4g} {figure.unit} | {figure.ratio:.2f} "
        f"| {'' if figure.goal is None else f'{figure.goal:g}'} |\n"
        for figure in figures
    ]
    return (
        f"## {section.title}\n\n{section.what}\n\n"
        f"![{section.title}](benchmarks-{name}.svg)\n\n"
        "| What | Peer | zwire | Peer | Ratio | Goal |\n"
        "| ---- | ---- | ----- | ---- | ----- | ---- |\n"
        f"{''.join(rows)}\n{_machine()}\n"
    )


def _machine() -> str:
    packages = ", ".join(f"{peer} {_version(peer)}" for peer in _PEERS if _version(peer))
    load = os.getloadavg()[0]
    return (
        f"Measured with {platform.python_implementation()} {platform.python_version()} on "
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, load {load:.1f} at the "
        f"end; {packages}."
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
