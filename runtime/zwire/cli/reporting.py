"""The command `zwire report`: the tables of an analysis as one HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zwire.cli.capturing import PANEL
from zwire.cli.console import Exit, err, fail, out


def add_to(app: typer.Typer) -> None:
    """Give the application this command."""
    app.command(rich_help_panel=PANEL)(report)


def report(
    tables: Annotated[
        Path, typer.Argument(metavar="OUT", help="The folder that `zwire analyze` wrote.")
    ],
    html: Annotated[
        Path | None, typer.Option("--html", help="The file to write. Default: OUT/report.html.")
    ] = None,
    title: Annotated[str | None, typer.Option(help="The heading of the page.")] = None,
) -> None:
    """Make one HTML page of the tables: latency, queues, liveness, violations, peers and more.

    The page needs nothing but a browser, loads nothing from anywhere, and goes by mail. It is made
    without Spark and Java.

    Example: [cyan]zwire report tables[/cyan]

    Example: [cyan]zwire report tables --html monday.html --title "Monday"[/cyan]
    """
    from zwire.errors import LocalError

    try:
        from zwire_spark.report import write
    except ImportError as error:
        fail(
            f"this command needs pyarrow ({error.name} is missing): pip install 'zwire[spark]'",
            Exit.USAGE,
        )
    try:
        with err().status("reading the tables"):
            written = write(
                tables, html, quote=quoted, **({} if title is None else {"title": title})
            )
    except LocalError as error:
        fail(str(error), Exit.USAGE)
    size = f"{written.octets / 1000:,.0f} kB"
    out().print(f"report: {written.path} ({size})", markup=False, soft_wrap=True)


def quoted(place: str) -> str:
    """The line of a specification of ours at a place such as `mdpx.md:53`; empty without it."""
    from zwire_codegen.bundle import grammars, known_protocols

    name, _, line = place.partition(".md:")
    if name not in known_protocols() or not line.isdecimal():
        return ""
    lines = (grammars() / f"{name}.md").read_text(encoding="utf-8").splitlines()
    return lines[int(line) - 1].strip() if 0 < int(line) <= len(lines) else ""
