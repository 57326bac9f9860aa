"""The command `zwire peers`: who is on the network."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from zwire.cli.console import Exit, fail, print_json
from zwire.cli.node_given import (
    PANEL,
    USUAL_PORT,
    Authorised,
    Beacons,
    Hubs,
    Interfaces,
    Ipv6,
    OwnSecret,
    Port,
    StaticPeers,
    called,
    keys_given,
    peer_told,
    settings_given,
    shown,
    until_stopped,
)
from zwire.errors import LocalError

if TYPE_CHECKING:
    from zwire.zre.peer import KnownPeer


def add_to(app: typer.Typer) -> None:
    """Give the application this command."""
    app.command(rich_help_panel=PANEL)(peers)


def peers(
    wait: Annotated[float, typer.Option(min=0, help="Seconds to wait for others to appear.")] = 1.5,
    interface: Interfaces = None,
    port: Port = USUAL_PORT,
    peer: StaticPeers = None,
    gossip: Hubs = None,
    beacons: Beacons = True,
    ipv6: Ipv6 = False,
    secret: OwnSecret = None,
    authorised: Authorised = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """List who is on the network, and leave again.

    Example: [cyan]zwire peers --wait 3[/cyan]
    """
    from zwire.errors import NoAnswer
    from zwire.io.zre_node import Node

    found: list[KnownPeer] | None = None
    try:
        settings = settings_given(interface, port, peer, gossip, None, ipv6, beacons=beacons)
        keys = keys_given(secret, authorised)
        with until_stopped(), Node("zwire peers", settings=settings, curve=keys) as node:
            deadline = time.monotonic() + wait
            while (left := deadline - time.monotonic()) > 0:
                try:
                    node.receive(left)
                except NoAnswer:
                    break
            found = sorted(node.peers(), key=lambda one: (one.name, str(one.uuid)))
    except LocalError as error:
        fail(str(error), Exit.USAGE)
    if found is None:
        raise typer.Exit(Exit.STOPPED)
    if as_json:
        print_json([peer_told(one) for one in found])
        return
    for line in _table(found) if found else ["nobody"]:
        sys.stdout.write(line + "\n")


def _table(found: Sequence[KnownPeer]) -> Iterator[str]:
    """One line for each peer, in columns however wide the terminal is."""
    rows = [("NAME", "UUID", "ENDPOINT", "SPEAKS", "GROUPS")]
    for one in found:
        groups = ", ".join(shown(group) for group in one.groups)
        name, endpoint = called(one.name, one.uuid), shown(one.endpoint)
        rows.append((name, str(one.uuid), endpoint, one.dialect.value, groups))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()
