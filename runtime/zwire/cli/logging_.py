"""The command `zwire log`: collects what nodes report of themselves."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from zwire.cli.capture_given import (
    CaptureBodies,
    CaptureInto,
    CaptureRotateEvery,
    CaptureRotateSize,
    CaptureSync,
    recorder_given,
)
from zwire.cli.console import Exit, err, fail, json_line
from zwire.cli.node_given import (
    PANEL,
    USUAL_PORT,
    AsJson,
    Authorised,
    Beacons,
    Endpoint,
    Hubs,
    Interfaces,
    Ipv6,
    OwnSecret,
    Port,
    StaticPeers,
    keys_given,
    settings_given,
    shown,
    until_stopped,
)
from zwire.errors import LocalError

if TYPE_CHECKING:
    from zwire.io.zre_collector import LogCollector
    from zwire_protocols.zrelog import Log


class Lowest(StrEnum):
    """The levels, as they are written on the command line."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


def add_to(app: typer.Typer) -> None:
    """Give the application this command."""
    app.command(rich_help_panel=PANEL)(log)


def log(
    level: Annotated[
        Lowest, typer.Option(help="Records of this importance and more.")
    ] = Lowest.INFO,
    interface: Interfaces = None,
    port: Port = USUAL_PORT,
    endpoint: Endpoint = None,
    peer: StaticPeers = None,
    gossip: Hubs = None,
    beacons: Beacons = True,
    ipv6: Ipv6 = False,
    secret: OwnSecret = None,
    authorised: Authorised = None,
    capture: CaptureInto = None,
    capture_bodies: CaptureBodies = None,
    capture_sync: CaptureSync = None,
    capture_rotate_size: CaptureRotateSize = None,
    capture_rotate_every: CaptureRotateEvery = None,
    as_json: AsJson = False,
) -> None:
    """Collect the log records of all nodes on the network, and print them as they come (ZRE/LOG).

    A collector announces itself; nodes that meet it report who enters, exits,
    joins and leaves. What is no record is discarded, and counted at the end.

    Example: [cyan]zwire log --level warning --capture captures[/cyan]
    """
    from zwire.io.zre_collector import LogCollector
    from zwire_protocols.zrelog import Level

    try:
        recorder = recorder_given(
            capture,
            capture_bodies,
            capture_sync,
            capture_rotate_size,
            capture_rotate_every,
            "log",
        )
        collector = LogCollector(
            level=Level[level.name],
            settings=settings_given(interface, port, peer, gossip, None, ipv6, endpoint, beacons),
            curve=keys_given(secret, authorised),
            capture=recorder,
        )
        with recorder or nullcontext(), until_stopped(), collector:
            if as_json:
                _write({"event": "started", "endpoint": collector.endpoint})
            else:
                err().print(f"collecting at {collector.endpoint}", markup=False, soft_wrap=True)
            try:
                for record in collector:
                    _tell(collector, record, as_json)
            finally:
                counts = {"discarded": collector.discarded, "filtered": collector.filtered}
                if as_json:
                    _write({"event": "stopped", **counts})
                elif collector.discarded:
                    err().print(f"{collector.discarded} messages were no records")
    except LocalError as error:
        fail(str(error), Exit.USAGE)


def _tell(collector: LogCollector, record: Log, as_json: bool) -> None:
    node = collector.name_of(record.node)
    if as_json:
        _write(
            {
                "event": record.event.name.lower(),
                "level": record.level.name.lower(),
                "time": record.time,
                "node": record.node,
                "node_name": node,
                "peer": record.peer,
                "text": record.data,
            }
        )
        return
    try:
        when = datetime.fromtimestamp(record.time / 1000, UTC).strftime("%H:%M:%S.%f")[:-3]
    except (OverflowError, ValueError, OSError):
        when = f"{record.time} ms"
    sys.stdout.write(f"{when} {record.level.name:7} {shown(node)}: {shown(record.data)}\n")
    sys.stdout.flush()


def _write(facts: dict[str, object]) -> None:
    sys.stdout.write(json_line(facts) + "\n")
    sys.stdout.flush()
