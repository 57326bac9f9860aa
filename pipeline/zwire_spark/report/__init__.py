"""The report: one HTML file from the tables of an analysis, without Spark."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from zwire_spark.report.folder import Folder, NoReport
from zwire_spark.report.page import render
from zwire_spark.report.sources import open_sources

__all__ = ["NoReport", "Written", "write"]

NAME = "report.html"
TITLE = "What was said"


@dataclass(frozen=True, slots=True)
class Written:
    """Where the report is, and how large."""

    path: Path
    octets: int


def write(
    into: Path | str,
    html: Path | str | None = None,
    *,
    title: str = TITLE,
    quote: Callable[[str], str] | None = None,
) -> Written:
    """Report on the tables of `analyze(…, into)`, in a file of its own: `into`/report.html.

    `quote` gives the line of a specification at a place such as `mdpx.md:53`. Raises NoReport or
    ForeignFolder, with what to do, where the folder is no complete result of an analysis.
    """
    folder = Folder(Path(into))
    path = folder.path / NAME if html is None else Path(html)
    octets = render(open_sources(folder, quote or _unknown), title).encode("utf-8")
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.write_bytes(octets)
        os.replace(beside, path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise NoReport(f"{path}: cannot be written: {error.strerror}") from error
    return Written(path, len(octets))


def _unknown(place: str) -> str:
    return ""
