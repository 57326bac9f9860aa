"""The command `zwire analyze`: captures become tables, once or while they grow."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zwire.cli.capturing import PANEL
from zwire.cli.console import Exit, fail, out, print_json, progress
from zwire.cli.interruptible import run_interruptibly

if TYPE_CHECKING:
    from zwire_spark.analysis import Summary
    from zwire_spark.following import Seen


def add_to(app: typer.Typer) -> None:
    """Give the application this command."""
    app.command(rich_help_panel=PANEL)(analyze)


def analyze(
    captures: Annotated[
        list[Path], typer.Argument(metavar="CAPTURE…", help="Captures, or folders of captures.")
    ],
    into: Annotated[
        Path, typer.Option("--into", help="The folder of the tables: new, empty, or ours.")
    ],
    since: Annotated[
        str | None, typer.Option(help="Only from then on: 2026-03-01T12:00 (UTC), or 10m ago.")
    ] = None,
    until: Annotated[str | None, typer.Option(help="Only before then.")] = None,
    tables: Annotated[
        str | None,
        typer.Option(help="Only these tables beside the messages: requests,latency; or none."),
    ] = None,
    following: Annotated[
        bool, typer.Option("--follow", "-f", help="Go on as the captures grow, until interrupted.")
    ] = False,
    once: Annotated[
        bool, typer.Option("--once", help="With --follow: end when all is read that is there.")
    ] = False,
    master: Annotated[
        str | None,
        typer.Option(help="Where Spark runs: local[4], spark://host:7077, sc://host:15002, …"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Decode and judge captures with Spark, into tables of Parquet.

    The folder is replaced as a whole when the analysis is complete, and stays as it was when it
    fails. Exit code 1 when something could not be read or decoded: the tables are there then, and
    losses and quarantine say what is missing.

    Example: [cyan]zwire analyze captures --into tables[/cyan]

    Example: [cyan]zwire analyze captures --into tables --since 1h --tables requests,latency[/cyan]

    Example: [cyan]zwire analyze captures --into live --follow[/cyan]

    Example: [cyan]zwire analyze /shared/captures --into /shared/tables --master spark://host:7077[/cyan]
    """
    from zwire.capture import NotACapture
    from zwire.errors import LocalError

    bounds = (_moment("--since", since), _moment("--until", until))
    if once and not following:
        fail("--once belongs to --follow", Exit.USAGE)
    if following and tables is not None:
        fail("--tables: a followed capture gives messages, quarantine and faults", Exit.USAGE)
    _require_spark()
    try:
        if following:
            _follow(captures, into, bounds, master, once, as_json)
        else:
            _analyze(captures, into, bounds, master, _chosen(tables), as_json)
    except (NotACapture, LocalError) as error:
        fail(str(error), Exit.USAGE)
    except KeyboardInterrupt:
        raise typer.Exit(Exit.STOPPED) from None


def _analyze(
    captures: list[Path],
    into: Path,
    bounds: tuple[int | None, int | None],
    master: str | None,
    tables: list[str] | None,
    as_json: bool,
) -> None:
    from zwire_spark.analysis import analyze as run

    stopping = Event()
    with progress() as bar:
        task = bar.add_task("", total=None)

        def tell(what: str, done: int, steps: int) -> None:
            if stopping.is_set():
                raise KeyboardInterrupt
            bar.update(task, description=what, completed=done, total=steps)

        def work() -> Summary:
            return run(
                captures, into, master=master, since=bounds[0], until=bounds[1], tables=tables,
                progress=tell,
            )  # fmt: skip

        summary = run_interruptibly(work, _abandoning(stopping))
    if as_json:
        print_json({**summary.told(), "into": str(summary.into), "seconds": summary.seconds})
    else:
        _show(summary)
    if summary.losses or summary.quarantined:
        raise typer.Exit(Exit.FAILED)


def _follow(
    captures: list[Path],
    into: Path,
    bounds: tuple[int | None, int | None],
    master: str | None,
    once: bool,
    as_json: bool,
) -> None:
    from zwire.capture import NotACapture
    from zwire_spark.following import follow

    for path in captures:
        if not path.exists():
            raise NotACapture(f"{path}: No such file or directory")
    stopping = Event()
    with progress() as bar:
        task = bar.add_task("starting Spark", total=None)

        def go_on(seen: Seen) -> bool:
            bar.update(task, description=_line(seen))
            return not stopping.is_set()

        def work() -> Seen:
            return follow(
                captures, into, go_on, master=master, since=bounds[0], until=bounds[1], once=once
            )

        seen = run_interruptibly(work, _abandoning(stopping))
    if as_json:
        print_json(
            {
                "messages": seen.messages,
                "events": seen.events,
                "decoded": seen.decoded,
                "quarantined": seen.quarantined,
                "faults": seen.faults,
                "losses": seen.losses,
                "into": str(into),
            }
        )
    else:
        out().print(_line(seen), markup=False, soft_wrap=True)
        out().print(f"tables: {into / 'tables'}", markup=False, soft_wrap=True)
    if seen.losses or seen.quarantined:
        raise typer.Exit(Exit.FAILED)


def _abandoning(stopping: Event) -> Callable[[], None]:
    """What ends an analysis: no further step, and what Spark is doing is given up."""
    from zwire_spark.session import abandon

    def both() -> None:
        stopping.set()
        abandon()

    return both


def _line(seen: Seen) -> str:
    lost = f", {seen.losses:,} losses" if seen.losses else ""
    age = f", newest {time.time() - seen.newest / 1e9:,.1f} s old" if seen.newest else ""
    return (
        f"{seen.messages:,} messages, {seen.events:,} events, {seen.quarantined:,} in quarantine, "
        f"{seen.faults:,} faults{lost}{age}"
    )


def _show(summary: Summary) -> None:
    from rich.table import Table
    from rich.text import Text

    def table(title: str, headings: list[str], rows: list[list[Any]]) -> None:
        shown = Table(title=title, title_justify="left")
        for number, heading in enumerate(headings):
            shown.add_column(heading, justify="right" if number else "left", overflow="fold")
        for row in rows:
            shown.add_row(*(Text(f"{cell:,}" if isinstance(cell, int) else cell) for cell in row))
        out().print(shown)

    spoken = [
        ["unknown protocols" if name == "-" else name, one.messages, one.decoded, one.quarantined]
        for name, one in sorted(summary.protocols.items())
    ]
    if spoken:
        table("Messages", ["Protocol", "Read", "Decoded", "Quarantined"], spoken)
    table("Tables", ["Table", "Rows"], [[*one] for one in sorted(summary.tables.items())])
    told = [
        f"{summary.messages:,} messages and {summary.events:,} events of {summary.files:,} captures "
        f"({summary.octets / 1e6:,.1f} MB) in {summary.seconds:,.1f} s",
        f"tables: {summary.into / 'tables'}",
    ]
    if not summary.messages + summary.events:
        told.insert(0, "there was no row to read")
    if summary.losses:
        told.insert(
            1, f"{summary.losses:,} losses, {summary.rows_lost:,} rows known: see the table losses"
        )
    for line in told:
        out().print(line, markup=False, soft_wrap=True)


def _moment(option: str, text: str | None) -> int | None:
    from zwire.cli.captured import read_since

    try:
        return None if text is None else read_since(text, time.time)
    except (ValueError, OverflowError):
        fail(
            f"{option}: expected a time such as 2026-03-01T12:00, or 10m; got {text!r}", Exit.USAGE
        )


def _chosen(tables: str | None) -> list[str] | None:
    from zwire_spark.tables import TABLES

    if tables is None:
        return None
    names = [name.strip() for name in tables.split(",") if name.strip() not in ("", "none")]
    for name in names:
        if name not in TABLES:
            known = ", ".join(TABLES)
            fail(f"--tables: there is no table {name!r}; there are {known}", Exit.USAGE)
    return names


def _require_spark() -> None:
    """End with one sentence where PySpark is missing, before anything is done."""
    try:
        import pandas  # noqa: F401
        import pyarrow  # noqa: F401
        import pyspark  # noqa: F401
    except ImportError as error:
        fail(
            f"this command needs PySpark ({error.name} is missing): pip install 'zwire[spark]'",
            Exit.USAGE,
        )
