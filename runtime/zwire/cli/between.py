"""The command `zwire capture`: records what programs that are not ours say to their server."""

from __future__ import annotations

import json
import logging
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer

from zwire.cli.capture_given import (
    CaptureBodies,
    CaptureRotateEvery,
    CaptureRotateSize,
    CaptureSync,
    recorder_given,
)
from zwire.cli.console import Exit, err, fail, stop_signals
from zwire.errors import LocalError

PANEL = "Look at traffic"


def add_to(app: typer.Typer) -> None:
    """Give the application this command."""
    app.command(rich_help_panel=PANEL)(capture)


def capture(
    between: Annotated[
        tuple[str, str],
        typer.Option(
            "--between",
            metavar="FRONT BACK",
            help="Listen at FRONT for the peers, and speak for each of them to the server at BACK.",
        ),
    ],
    into: Annotated[Path, typer.Option("--into", metavar="DIR", help="The folder to record into.")],
    protocol: Annotated[
        str,
        typer.Option(help="What they speak, such as mdpx or ppp; without it nothing is decoded."),
    ] = "",
    bodies: CaptureBodies = None,
    sync: CaptureSync = None,
    rotate_size: CaptureRotateSize = None,
    rotate_every: CaptureRotateEvery = None,
    silence: Annotated[
        float, typer.Option(help="Seconds without a word after which a peer is let go.")
    ] = 600.0,
    max_peers: Annotated[int, typer.Option(help="Peers at a time.")] = 5_000,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Allow binding beyond loopback.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Tell the address as JSON.")] = False,
) -> None:
    """Record traffic between programs that are not ours: a transparent proxy in front of a ROUTER.

    Point clients or workers at FRONT; the server, a ROUTER such as a broker's, stays where it is.
    Each peer keeps its identity. SIGTERM or SIGINT ends it.

    Example: [cyan]zwire capture --between tcp://127.0.0.1:6555 tcp://127.0.0.1:5555 --protocol mdpx --into captures[/cyan]

    Example: [cyan]zwire capture --between tcp://127.0.0.1:6555 tcp://127.0.0.1:5555 --into captures --capture-rotate-size 64M --capture-rotate-every 15m[/cyan]
    """
    from zwire.codecs import find_codecs, known_protocols
    from zwire.io.between import Between
    from zwire.io.endpoints import read_endpoint
    from zwire.io.taps import Recording

    if protocol and not find_codecs(protocol):
        known = ", ".join(known_protocols())
        err().print(
            f"no codec for {protocol!r}: recorded without decoding; known are {known}",
            style="yellow",
            markup=False,
            soft_wrap=True,
        )
    if silence <= 0 or max_peers < 1:
        fail("--silence is more than 0 and --max-peers at least 1", Exit.USAGE)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)-7s %(message)s")
    try:
        front, back = map(read_endpoint, between)
        recorder = recorder_given(into, bodies, sync, rotate_size, rotate_every, "between")
        assert recorder is not None
        with recorder:
            running = Between(
                front,
                back,
                Recording(recorder, "between"),
                protocol,
                silence=silence,
                max_peers=max_peers,
                insecure=insecure,
            )

            def stop(_number: int, _frame: FrameType | None) -> None:
                running.stop()

            for number in stop_signals():
                signal.signal(number, stop)
            if as_json:
                sys.stdout.write(
                    json.dumps({"event": "listening", "front": running.address}) + "\n"
                )
            else:
                sys.stdout.write(f"recording between {running.address} and {back.address}\n")
            sys.stdout.flush()
            running.run()
    except LocalError as error:
        fail(str(error), Exit.USAGE)
