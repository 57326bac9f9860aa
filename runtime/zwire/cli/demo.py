"""The command `zwire demo`: a broker, workers and clients of every dialect, a worker killed; nodes."""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zwire.cli.console import Exit, out, print_json
from zwire.cli.demo_nodes import NodeFindings, play_nodes
from zwire.cli.demo_report import CAPTURES, Reported, report_on, require_empty

if TYPE_CHECKING:
    from rich.console import Console

    from zwire.cli.demo_stage import Stage
    from zwire.io.client import Client
    from zwire.io.requests import Reply

PANEL = "Run a stack"
_ENDED = ("answered", "request expired", "request failed", "client gone", "open")
_HELD_REQUESTS = 20


def add_to(app: typer.Typer) -> None:
    """Give the application this command."""
    app.command(rich_help_panel=PANEL)(demo)


@dataclass(slots=True)
class Findings:
    """What the demo saw; `lost` has a sentence for everything that should not have been."""

    pairs: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    redelivered: list[Mapping[str, Any]] = field(default_factory=list)
    counts: Mapping[str, int] = field(default_factory=dict)
    nodes: NodeFindings = field(default_factory=NodeFindings)
    reported: Reported = field(default_factory=Reported)
    lost: list[str] = field(default_factory=list)


def demo(
    requests: Annotated[
        int, typer.Option(min=1, help="Requests from each client dialect to each worker dialect.")
    ] = 20,
    into: Annotated[
        Path | None,
        typer.Option(help="A new folder: record into it, analyse it, and make a report."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """See it work: clients and workers of five dialects, one broker, and a worker killed; then nodes.

    Three nodes meet without a server, join, shout and whisper, and notice that a fourth is killed.
    Everything runs on free ports of this machine and ends by itself. Exit code 1 when a request
    was lost, or a node heard something wrong.

    Example: [cyan]zwire demo[/cyan]

    Example: [cyan]zwire demo --into demo[/cyan] and then open demo/tables/report.html
    """
    from rich.console import Console

    from zwire.cli.demo_stage import Stage

    if into is not None:
        require_empty(into)
    console = Console(quiet=True) if as_json else out()
    findings = Findings()
    began = time.monotonic()
    captures = None if into is None else into / CAPTURES
    with Stage(captures) as stage, console.status("starting a broker and its workers") as line:
        _start(stage, console)
        line.update("asking across the dialects")
        _ask_across(stage, requests, console, findings)
        line.update("killing a worker, and waiting for the broker to miss it")
        _kill_one(stage, console, findings)
        line.update("stopping the broker")
        findings.counts = stage.stop()
        line.update("starting nodes, which look for each other")
        play_nodes(stage, console, findings.nodes)
    _audit(findings)
    seconds = time.monotonic() - began
    if into is not None:
        with console.status("") as line:
            findings.reported = report_on(into, line.update)
    if as_json:
        print_json(_as_json(findings))
    else:
        _show(findings, seconds, console)
    if findings.lost:
        raise typer.Exit(Exit.FAILED)


def _start(stage: Stage, console: Console) -> None:
    broker = stage.start_broker()
    console.print(f"[bold]A broker[/bold] (process {broker.pid}) speaks")
    for dialect, url in stage.fronts.items():
        console.print(f"  {dialect:6} {url}")
    workers = stage.start_workers()
    console.print(
        f"[bold]{len(workers)} workers[/bold], each a process: one echoes in each dialect"
    )


def _ask_across(stage: Stage, requests: int, console: Console, findings: Findings) -> None:
    from zwire.cli.demo_stage import DIALECTS, PATIENCE, service_of
    from zwire.io.client import Client
    from zwire.io.requests import ClientSettings

    settings = ClientSettings(timeout=PATIENCE)
    for asking in DIALECTS:
        for serving in DIALECTS:
            service = service_of(serving)
            url = stage.ppp_fronts[service] if asking == "ppp" else stage.fronts[asking]
            with Client(url, settings=settings) as client:
                times = [_timed(client, service, number, findings) for number in range(requests)]
            findings.pairs[asking, serving] = [one for one in times if one is not None]
        console.print(f"  a client of {asking:6} asked the workers of all dialects")


def _timed(client: Client, service: str, number: int, findings: Findings) -> float | None:
    """Seconds that one request took; None when it did not come back as it went."""
    from zwire.errors import ZwireError

    body = f"{service} {number}".encode()
    began = time.perf_counter()
    try:
        reply = client.request(service, body)
    except ZwireError as error:
        findings.lost.append(str(error))
        return None
    if reply.body != (body,):
        findings.lost.append(f"{client.dialect} asked {service} {body!r} and got {reply.body!r}")
        return None
    return time.perf_counter() - began


def _kill_one(stage: Stage, console: Console, findings: Findings) -> None:
    """Kill a worker that holds a request; one of another dialect finishes what it left."""
    from zwire.cli.demo_stage import HELD, PATIENCE
    from zwire.errors import ZwireError
    from zwire.io.client import Client
    from zwire.io.requests import ClientSettings

    with Client(stage.fronts["mdpx"], settings=ClientSettings(timeout=PATIENCE)) as client:
        asked: list[tuple[bytes, Future[Reply]]] = []
        for number in range(_HELD_REQUESTS):
            body = f"job {number}".encode()
            asked.append((body, client.submit(HELD, body)))
        held = stage.holder.wait_for("holding")["body"]
        stage.holder.kill()
        console.print(
            f"[bold red]Killed[/bold red] (-9) worker {stage.holder.pid} in the middle of {held!r}; "
            f"{len(asked) - 1} more were waiting for it"
        )
        successor = stage.start_echo("emqp", HELD)
        console.print(f"  worker {successor.pid}, of another dialect (emqp), takes over")
        for body, future in asked:
            try:
                if future.result().body != (body,):
                    findings.lost.append(f"{body.decode()} came back as something else")
            except ZwireError as error:
                findings.lost.append(str(error))
    findings.redelivered = [
        told for told in stage.broker.told if told["event"] == "request redelivered"
    ]


def _audit(findings: Findings) -> None:
    """Every accepted request ended in one way, and the killed worker's went to the next."""
    counts = findings.counts
    ended = sum(counts[name] for name in _ENDED)
    if counts["accepted"] != ended:
        findings.lost.append(f"{counts['accepted']} requests were accepted, {ended} ended")
    # A client gone is none: one that asked twice does not wait for the second answer.
    for name in ("request expired", "request failed", "open"):
        if counts[name]:
            findings.lost.append(f"{name}: {counts[name]}")
    if not findings.redelivered:
        findings.lost.append("nothing was redelivered")
    findings.lost.extend(findings.nodes.wrong)


def _as_json(findings: Findings) -> dict[str, Any]:
    return {
        "pairs": [
            {"client": asking, "worker": serving, "answered": len(times)}
            for (asking, serving), times in findings.pairs.items()
        ],
        "redelivered": findings.redelivered,
        "statistics": dict(findings.counts),
        "nodes": findings.nodes.as_json(),
        "report": str(findings.reported.report) if findings.reported.report else None,
        "why_not": findings.reported.why_not,
        "lost": findings.lost,
    }


def _show(findings: Findings, seconds: float, console: Console) -> None:
    from rich.table import Table

    from zwire.cli.demo_stage import DIALECTS

    table = Table(title="Answered requests, and the median round trip", title_justify="left")
    table.add_column("client \\ worker", style="bold")
    for serving in DIALECTS:
        table.add_column(serving, justify="right")
    for asking in DIALECTS:
        cells = []
        for serving in DIALECTS:
            times = findings.pairs[asking, serving]
            middle = f" {statistics.median(times) * 1000:.1f} ms" if times else ""
            cells.append(f"{len(times)}{middle}")
        table.add_row(asking, *cells)
    console.print(table)
    for told in findings.redelivered:
        console.print(
            f"Redelivered: job {told.get('job')} of the service {told.get('service')} "
            f"({told.get('detail')})"
        )
    counted = Table(title="What the broker counted", title_justify="left", show_header=False)
    for name, count in findings.counts.items():
        if count:
            counted.add_row(name, str(count))
    console.print(counted)
    if findings.lost:
        console.print("[bold red]Lost[/bold red]")
        for sentence in findings.lost:
            console.print(f"  {sentence}", markup=False)
    else:
        console.print(
            f"[bold green]Nothing was lost[/bold green]: {findings.counts['accepted']} requests "
            f"accepted, {findings.counts['answered']} answered; the nodes met, talked and missed "
            f"the one that was killed. All that in {seconds:.1f} s."
        )
    _show_report(findings.reported, console)


def _show_report(reported: Reported, console: Console) -> None:
    if reported.report is not None:
        console.print(
            f"[bold]Recorded and analysed[/bold]: {reported.messages:,} messages, "
            f"{reported.violations:,} violations of the specifications"
        )
        console.print(f"report: {reported.report}", markup=False, soft_wrap=True)
    elif reported.why_not:
        console.print(reported.why_not, markup=False, soft_wrap=True)
