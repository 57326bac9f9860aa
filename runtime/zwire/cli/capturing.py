"""The commands on captures: cat, stats, trace."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zwire.cli.console import Exit, err, fail, out, print_json, progress

if TYPE_CHECKING:
    from rich.progress import Progress

    from zwire.capture import Losses, Row
    from zwire.cli.captured import Shown

PANEL = "Look at traffic"
_PAUSE = 0.2  # seconds between two looks at a growing file
_TOLD = 10  # losses told one by one

Files = Annotated[
    list[Path], typer.Argument(metavar="FILE…", help="Captures, or folders of captures.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def add_to(app: typer.Typer) -> None:
    """Give the application these commands."""
    app.command(rich_help_panel=PANEL)(cat)
    app.command(rich_help_panel=PANEL)(stats)
    app.command(rich_help_panel=PANEL)(trace)


def cat(
    files: Files,
    protocol: Annotated[
        str | None, typer.Option(help="Only this protocol, or part of one: mdpx, mdpx.worker.")
    ] = None,
    peer: Annotated[
        str | None, typer.Option(help="Only with this peer: its identity as text or in hex.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="Only from then on: 2026-03-01T12:00 (UTC), or 10m ago.")
    ] = None,
    command: Annotated[
        str | None, typer.Option(help="Only this message or event: REQUEST.")
    ] = None,
    following: Annotated[
        bool, typer.Option("--follow", "-f", help="Go on as the capture grows, until interrupted.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object a line.")] = False,
) -> None:
    """Print recorded messages, decoded, one a line.

    Rows of several recordings are merged by time. What is damaged is stepped over and told at the
    end, with exit code 1.

    Example: [cyan]zwire cat captures --protocol mdpx --command REQUEST[/cyan]

    Example: [cyan]zwire cat captures -f --since 1m[/cyan]
    """
    from zwire.capture import Losses, NotACapture, follow, read_all
    from zwire.cli.captured import Filter, as_line, look_at, read_since, when
    from zwire.cli.captured import as_json as fields

    if following and len(files) > 1:
        fail("-f follows one file or one folder", Exit.USAGE)
    try:
        from_then = None if since is None else read_since(since, time.time)
    except (ValueError, OverflowError):
        fail(
            f"--since: expected a time such as 2026-03-01T12:00, or 10m; got {since!r}", Exit.USAGE
        )
    wanted = Filter(protocol, peer, from_then, command)
    losses = Losses()
    write, flush = sys.stdout.write, sys.stdout.flush
    try:
        for row in follow(files[0], _pause, losses) if following else read_all(files, losses):
            if not wanted.lets_pass(row):
                continue
            shown = look_at(row)
            if not wanted.wants(shown):
                continue
            told = json.dumps(fields(shown)) if as_json else f"{when(row.time)} {as_line(shown)}"
            write(told + "\n")
            if following:
                flush()
    except NotACapture as error:
        fail(str(error), Exit.USAGE)
    except KeyboardInterrupt:
        raise typer.Exit(Exit.STOPPED) from None
    _tell_losses(losses)


def stats(files: Files, as_json: AsJson = False) -> None:
    """Sum up captures: messages by protocol and command, events, who recorded, what was lost.

    Example: [cyan]zwire stats captures[/cyan]
    """
    from zwire.capture import Losses, NotACapture, read_all
    from zwire.cli.summing import Sums

    losses = Losses()
    sums = Sums()
    try:
        with progress() as bar:
            for row in read_all(files, losses, _bar(bar, files)):
                sums.add(row)
    except NotACapture as error:
        fail(str(error), Exit.USAGE)
    except KeyboardInterrupt:
        raise typer.Exit(Exit.STOPPED) from None
    if as_json:
        print_json({**sums.as_json(), "losses": [str(loss) for loss in losses]})
    else:
        for table in sums.as_tables():
            out().print(table)
    _tell_losses(losses)


def trace(
    request: Annotated[
        str,
        typer.Argument(
            metavar="ID", help="The request's id as text or in hex, or its job number: job:17."
        ),
    ],
    files: Files,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object a line.")] = False,
) -> None:
    """Follow one request through all its hops, also where a broker gave it another id.

    Exit code 1 when nothing was recorded of it.

    Example: [cyan]zwire trace 6f1d captures[/cyan]

    Example: [cyan]zwire trace job:17 broker.zcap worker.zcap[/cyan]
    """
    from zwire.capture import Losses, NotACapture, read_all
    from zwire.cli.tracing import trace as find_hops

    losses = Losses()

    def rows() -> Iterable[Row]:
        losses.found.clear()  # each time it is read, the same is lost
        return read_all(files, losses, _bar(bar, files))

    try:
        with progress() as bar:
            hops = list(find_hops(request, rows))
    except NotACapture as error:
        fail(str(error), Exit.USAGE)
    except KeyboardInterrupt:
        raise typer.Exit(Exit.STOPPED) from None
    _tell_hops(hops, as_json)
    _tell_losses(losses)
    if not hops:
        fail(f"nothing was recorded of {request}")


def _bar(bar: Progress, files: list[Path]) -> Callable[[int], None]:
    """A bar that grows with what is read of these captures, in the place of any before it."""
    from zwire.capture.reader import find_files

    for before in bar.task_ids:
        bar.remove_task(before)
    octets = sum(path.stat().st_size for path in find_files(files))
    task = bar.add_task(f"reading {octets / 1e6:,.1f} MB", total=octets)
    return partial(bar.advance, task)


def _tell_hops(hops: list[Shown], as_json: bool) -> None:
    from zwire.cli.captured import as_json as fields
    from zwire.cli.captured import as_line, printable, when

    for hop in hops:
        if as_json:
            sys.stdout.write(json.dumps(fields(hop)) + "\n")
            continue
        if hop is hops[0]:
            sys.stdout.write(f"{when(hop.row.time)}\n")
        since = (hop.row.time - hops[0].row.time) / 1_000_000
        sys.stdout.write(f"{since:+12.3f} ms  {printable(hop.row.endpoint)} {as_line(hop)}\n")


def _tell_losses(losses: Losses) -> None:
    """What could not be read, on standard error; exit code 1 if there is any."""
    if not losses:
        return
    for loss in losses.found[:_TOLD]:
        err().print(str(loss), style="yellow", markup=False, soft_wrap=True)
    if len(losses.found) > _TOLD:
        rest = f"and {len(losses.found) - _TOLD} more losses"
        err().print(rest, style="yellow", markup=False, soft_wrap=True)
    raise typer.Exit(Exit.FAILED)


def _pause() -> bool:
    time.sleep(_PAUSE)
    return True
