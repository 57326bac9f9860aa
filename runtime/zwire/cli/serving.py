"""The command `zwire worker`."""

from __future__ import annotations

import json
import logging
import signal
import sys
from contextlib import nullcontext
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from zwire.cli.broker_given import Dialect, Secret, ServerKey, read_keys
from zwire.cli.capture_given import (
    CaptureBodies,
    CaptureInto,
    CaptureRotateEvery,
    CaptureRotateSize,
    CaptureSync,
    recorder_given,
)
from zwire.cli.console import Exit, err, fail, stop_signals
from zwire.errors import LocalError

if TYPE_CHECKING:
    from zwire.io.commands import Commands
    from zwire.io.worker import Worker
    from zwire.io.worker_settings import WorkerEvent

PANEL = "Run a stack"


def add_to(app: typer.Typer) -> None:
    """Give the application this command."""
    app.command(rich_help_panel=PANEL)(worker)


def worker(
    services: Annotated[
        list[str], typer.Argument(help="The service to serve; eMQP takes several queues.")
    ],
    url: Annotated[
        str,
        typer.Option(
            help="Where the broker takes workers, and in which dialect: mdpx, mdp01, mdp02, emqp, ppp."
        ),
    ] = "mdpx://127.0.0.1:5556",
    dialect: Dialect = None,
    echo: Annotated[bool, typer.Option("--echo", help="Reply with the request itself.")] = False,
    command: Annotated[
        str | None,
        typer.Option("--exec", help="Run this for each request: body in, standard output back."),
    ] = None,
    stream: Annotated[
        bool, typer.Option("--stream", help="With --exec: each line at once, as a partial reply.")
    ] = False,
    slots: Annotated[int, typer.Option(help="Requests to work at side by side.")] = 1,
    interval: Annotated[float | None, typer.Option(help="Seconds between heartbeats.")] = None,
    liveness: Annotated[
        float | None, typer.Option(help="Intervals of silence after which the broker is gone.")
    ] = None,
    drain: Annotated[float, typer.Option(help="Seconds to finish in when stopped.")] = 10.0,
    bind: Annotated[
        bool, typer.Option("--bind", help="Bind the URL (PPP): a client connects to us.")
    ] = False,
    secret: Secret = None,
    server_key: ServerKey = None,
    capture: CaptureInto = None,
    capture_bodies: CaptureBodies = None,
    capture_sync: CaptureSync = None,
    capture_rotate_size: CaptureRotateSize = None,
    capture_rotate_every: CaptureRotateEvery = None,
    as_json: Annotated[bool, typer.Option("--json", help="Tell events as JSON lines.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Tell more.")] = False,
) -> None:
    """Serve requests by a shell command, or echo them.

    The frames of a body are the lines of the command's standard input, its standard output is the
    reply. A command that fails replies with what went wrong. SIGTERM, SIGINT or SIGHUP finishes what
    is open; a second one stops at once.

    Example: [cyan]zwire worker echo --echo --url mdpx://127.0.0.1:5556[/cyan]

    Example: [cyan]zwire worker upper --exec 'tr a-z A-Z' --url emqp://127.0.0.1:5570 --slots 4[/cyan]
    """
    if echo == (command is not None) or (stream and command is None):
        fail("say --echo or --exec COMMAND; --stream goes with --exec", Exit.USAGE)
    from zwire.io.commands import Commands
    from zwire.io.handlers import Body, Job
    from zwire.io.worker import Worker
    from zwire.io.worker_settings import WorkerSettings

    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING,
        format="%(asctime)s %(levelname)-7s %(message)s",
    )
    commands = Commands(command or "")
    try:
        recorder = recorder_given(
            capture,
            capture_bodies,
            capture_sync,
            capture_rotate_size,
            capture_rotate_every,
            "worker",
        )
        serving = Worker(
            url,
            *services,
            dialect=dialect,
            settings=WorkerSettings(interval=interval, liveness=liveness, slots=slots),
            on_error=lambda error: f"error: {error}",
            on_event=lambda event: _tell(serving, event, as_json),
            curve=read_keys(secret, server_key),
            bind=bind,
            capture=recorder,
        )
        if echo:

            def repeat(job: Job) -> Body:
                return job.body

            serving.handler(repeat)
        else:
            serving.handler(commands.lines if stream else commands.whole)
        with recorder or nullcontext():
            _run(serving, commands, drain)
    except LocalError as error:
        fail(str(error), Exit.USAGE)


def _run(serving: Worker, commands: Commands, drain: float) -> None:
    asked = 0

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        asked += 1
        serving.stop(at_once=asked > 1)

    for number in stop_signals():
        signal.signal(number, stop)
    try:
        serving.run(drain=drain)
    finally:
        commands.kill()


def _tell(serving: Worker, event: WorkerEvent, as_json: bool) -> None:
    if as_json:
        facts = {
            "event": event.what,
            "dialect": serving.dialect,
            "address": serving.address,
            "services": list(serving.services),
        }
        if event.why:
            facts["detail"] = event.why
        sys.stdout.write(json.dumps(facts, ensure_ascii=False) + "\n")
        sys.stdout.flush()
        return
    served, where = ", ".join(serving.services), f"{serving.address} ({serving.dialect})"
    told = {
        "ready": f"serves {served} at {where}",
        "lost": f"no broker for {served} at {where}: {event.why}; trying again",
        "draining": f"finishes what is open of {served}; stop it again not to wait for that",
    }
    left = f"left {where}" + (f": {event.why}" if event.why else "")
    err().print(told.get(event.what, left), markup=False, soft_wrap=True)
