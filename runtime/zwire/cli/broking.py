"""The commands `zwire broker` and `zwire keys`."""

from __future__ import annotations

import gc
import json
import logging
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from zwire.cli.capture_given import (
    CaptureBodies,
    CaptureInto,
    CaptureRotateEvery,
    CaptureRotateSize,
    CaptureSync,
    bodies_given,
    rotation_given,
    sync_given,
)
from zwire.cli.console import Exit, err, fail, out, stop_signals

if TYPE_CHECKING:
    from zwire.core.effects import Tell
    from zwire.io.broker import Broker
    from zwire.io.config import BrokerConfig

PANEL = "Run a stack"
keys = typer.Typer(help="Make CURVE keys.", no_args_is_help=True)


def add_to(app: typer.Typer) -> None:
    """Give the application these commands."""
    app.command(rich_help_panel=PANEL)(broker)
    app.add_typer(keys, name="keys", rich_help_panel=PANEL)


def broker(
    mdpx: Annotated[
        list[str] | None, typer.Option(metavar="FRONT,BACK", help="Speak MDPX there.")
    ] = None,
    ppp: Annotated[
        list[str] | None,
        typer.Option(metavar="FRONT,BACK=SERVICE", help="Speak PPP there, for that service."),
    ] = None,
    emqp: Annotated[
        list[str] | None, typer.Option(metavar="FRONT[,BACK]", help="Speak eMQP there.")
    ] = None,
    mdp: Annotated[
        list[str] | None, typer.Option(metavar="FRONT[,BACK]", help="Speak MDP 0.1 and 0.2 there.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", help="A TOML file; flags add to it.")
    ] = None,
    print_config: Annotated[
        bool, typer.Option("--print-config", help="Print the whole configuration and end.")
    ] = False,
    interval: Annotated[
        float | None, typer.Option(help="Seconds between heartbeats, for all listeners.")
    ] = None,
    liveness: Annotated[
        float | None, typer.Option(help="Intervals of silence after which a worker is gone.")
    ] = None,
    credit: Annotated[
        int | None, typer.Option(help="Requests that one worker may hold at a time.")
    ] = None,
    expiry: Annotated[
        float | None, typer.Option(help="Seconds after which a waiting request expires.")
    ] = None,
    drain: Annotated[
        float | None, typer.Option(help="Seconds to wait for open requests when stopped.")
    ] = None,
    secret: Annotated[Path | None, typer.Option(help="The broker's CURVE secret key file.")] = None,
    authorised: Annotated[
        Path | None, typer.Option(help="Folder of public keys that may come in.")
    ] = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Allow binding beyond loopback without CURVE.")
    ] = False,
    capture: CaptureInto = None,
    capture_bodies: CaptureBodies = None,
    capture_sync: CaptureSync = None,
    capture_rotate_size: CaptureRotateSize = None,
    capture_rotate_every: CaptureRotateEvery = None,
    as_json: Annotated[bool, typer.Option("--json", help="Tell events as JSON lines.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Tell more.")] = False,
) -> None:
    """Run a broker; each flag may be repeated, `connect:` before an endpoint connects instead.

    With keys, `plain:` before an endpoint leaves CURVE out there.

    SIGTERM, SIGINT or SIGHUP finishes what is open and dismisses the workers; a second one stops at
    once.

    Example: [cyan]zwire broker --mdpx tcp://127.0.0.1:5555,tcp://127.0.0.1:5556[/cyan]

    Example: [cyan]zwire broker --ppp tcp://127.0.0.1:5560,tcp://127.0.0.1:5561=echo --emqp tcp://127.0.0.1:5570[/cyan]

    Example: [cyan]zwire broker --emqp tcp://127.0.0.1:5570 --capture captures --capture-bodies 64[/cyan]

    Example: [cyan]zwire broker --emqp tcp://127.0.0.1:5570 --capture captures --capture-rotate-size 64M --capture-rotate-every 15m[/cyan]

    Example: [cyan]zwire broker --config broker.toml[/cyan]
    """
    from zwire.io.config import (
        BrokerConfig,
        ConfigError,
        Curve,
        parse_flag,
        read_config,
        to_toml,
    )

    flags = {"mdpx": mdpx, "ppp": ppp, "emqp": emqp, "mdp": mdp}
    listeners = [
        parse_flag(dialect, text) for dialect, texts in flags.items() for text in texts or ()
    ]
    try:
        chosen = BrokerConfig(()) if config is None else read_config(config)
    except ConfigError as error:
        fail(str(error), Exit.USAGE)
    if (secret is None) != (authorised is None):
        fail("--secret and --authorised go together", Exit.USAGE)
    chosen = replace(
        chosen,
        listeners=tuple(
            replace(
                one,
                interval=one.interval if interval is None else interval,
                liveness=one.liveness if liveness is None else liveness,
            )
            for one in (*chosen.listeners, *listeners)
        ),
        rules=replace(
            chosen.rules,
            credit=chosen.rules.credit if credit is None else credit,
            expiry=chosen.rules.expiry if expiry is None else expiry,
        ),
        drain=chosen.drain if drain is None else drain,
        curve=Curve(secret, authorised) if secret and authorised else chosen.curve,
        insecure=chosen.insecure or insecure,
        capture=capture or chosen.capture,
        capture_bodies=(
            chosen.capture_bodies
            if capture_bodies is None
            else bodies_given(capture_bodies, capture or chosen.capture)
        ),
        capture_sync=(
            chosen.capture_sync
            if capture_sync is None
            else sync_given(capture_sync, capture or chosen.capture)
        ),
        capture_rotation=rotation_given(
            capture_rotate_size,
            capture_rotate_every,
            capture or chosen.capture,
            chosen.capture_rotation,
        ),
    )
    if not chosen.listeners:
        fail(
            "say where to listen, for example --mdpx tcp://127.0.0.1:5555,tcp://127.0.0.1:5556",
            Exit.USAGE,
        )
    try:
        chosen.check()
    except ConfigError as error:
        fail(str(error), Exit.USAGE)
    if print_config:
        sys.stdout.write(to_toml(chosen))
        return
    _run(chosen, as_json, verbose)


def _run(config: BrokerConfig, as_json: bool, verbose: bool) -> None:
    from zwire.io.broker import Broker
    from zwire.io.errors import BadKeys
    from zwire.io.telling import as_json as facts

    # What is told as JSON need not be logged as well.
    loudness = logging.ERROR if as_json else logging.DEBUG if verbose else logging.INFO
    logging.basicConfig(level=loudness, format="%(asctime)s %(levelname)-7s %(message)s")

    heard = as_json

    def tell(told: Tell) -> None:
        nonlocal heard
        if heard:
            try:
                _line(facts(told))
            except OSError:
                # A broker does not end with whoever reads its events.
                heard = False
                logging.getLogger("zwire.broker").error("nobody reads the events any more")

    try:
        running = Broker(config, on_event=tell)
    except BadKeys as error:
        fail(str(error), Exit.USAGE)
    asked = 0

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        asked += 1
        running.stop(at_once=asked > 1)

    for number in stop_signals():
        signal.signal(number, stop)
    _announce(running, as_json)  # whoever reads this may stop it from now on
    gc.freeze()  # the collector need not look through our modules again and again
    running.run()
    with suppress(OSError):  # its terminal may be closed
        if as_json:
            _line({"event": "ended", "statistics": dict(running.statistics)})
        else:
            _summary(running)


def _line(value: object) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def _announce(running: Broker, as_json: bool) -> None:
    if as_json:
        endpoints = [
            {"dialect": one.dialect, "front": one.front, "back": one.back, "service": one.service}
            for one in running.bound
        ]
        _line({"event": "listening", "endpoints": endpoints})
        return
    for one in running.bound:
        service = f" for the service {one.service}" if one.service else ""
        where = one.front if one.front == one.back else f"{one.front}, workers at {one.back}"
        out().print(f"{one.dialect} at {where}{service}", markup=False, soft_wrap=True)


def _summary(running: Broker) -> None:
    counts = running.statistics
    told = ", ".join(f"{name} {count}" for name, count in counts.items() if count)
    err().print(f"stopped; {told or 'nothing happened'}", markup=False, soft_wrap=True)


@keys.command("new")
def keys_new(
    name: Annotated[str, typer.Argument(help="The owner's name, such as broker or alice.")],
    folder: Annotated[Path, typer.Option("--folder", help="Where to write them.")] = Path(),
) -> None:
    """Make a key pair: NAME.key is for sharing, NAME.key_secret never leaves its owner.

    Example: [cyan]zwire keys new broker --folder keys[/cyan]
    """
    from zwire.io.keys import write_keys

    files = write_keys(folder, name)
    out().print(
        f"public key: {files.public}\nsecret key: {files.secret}", markup=False, soft_wrap=True
    )
