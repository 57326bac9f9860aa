"""The command `zwire node`: a node for the shell, with commands typed into it."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
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
from zwire.cli.console import Exit, fail
from zwire.cli.node_given import (
    PANEL,
    USUAL_PORT,
    AsJson,
    Authorised,
    Beacons,
    Endpoint,
    HubAt,
    Hubs,
    Interfaces,
    Ipv6,
    OwnSecret,
    Port,
    StaticPeers,
    event_shown,
    keys_given,
    settings_given,
    until_stopped,
)
from zwire.cli.node_typed import HELP, Typist, Voice, piped_lines
from zwire.errors import LocalError

if TYPE_CHECKING:
    from zwire.cli.terminal import Terminal
    from zwire.io.zre_node import Node


def add_to(app: typer.Typer) -> None:
    """Give the application this command."""
    app.command(rich_help_panel=PANEL)(node)


def node(
    name: Annotated[str, typer.Argument(help="The name that others see.")] = "",
    group: Annotated[
        list[str] | None, typer.Option("--group", "-g", help="A group to join; may be repeated.")
    ] = None,
    interface: Interfaces = None,
    port: Port = USUAL_PORT,
    endpoint: Endpoint = None,
    peer: StaticPeers = None,
    gossip: Hubs = None,
    gossip_hub: HubAt = None,
    beacons: Beacons = True,
    ipv6: Ipv6 = False,
    header: Annotated[
        list[str] | None,
        typer.Option(
            "--header",
            metavar="NAME=VALUE",
            help="Something to say of ourselves, or a service: X-NAME=tcp://HOST:PORT.",
        ),
    ] = None,
    secret: OwnSecret = None,
    authorised: Authorised = None,
    capture: CaptureInto = None,
    capture_bodies: CaptureBodies = None,
    capture_sync: CaptureSync = None,
    capture_rotate_size: CaptureRotateSize = None,
    capture_rotate_every: CaptureRotateEvery = None,
    as_json: AsJson = False,
) -> None:
    """Be a node on the local network: meet others, join groups, whisper and shout.

    What happens is told as it comes, and commands are read from standard input:
    join GROUP, leave GROUP, shout GROUP TEXT, whisper PEER TEXT, peers, groups,
    wait PEER|GROUP, lead GROUP, quit. A peer is called by its name or by the
    beginning of its UUID. When the input ends after some commands, it leaves;
    when there was none at all, it stays until it is stopped.

    Example: [cyan]zwire node ann --group chat[/cyan] and then [cyan]shout chat hello[/cyan]

    Example: [cyan]printf 'wait bob\\nwhisper bob hello\\n' | zwire node ann[/cyan]

    Example: [cyan]zwire node ann --peer tcp://192.168.0.7:50001[/cyan] where
    [cyan]zwire node bob --endpoint tcp://192.168.0.7:50001[/cyan] runs

    Example: [cyan]zwire node ann --secret ann.key_secret --authorised friends[/cyan] after
    [cyan]zwire keys new ann[/cyan]

    Example: [cyan]zwire node ann --capture captures[/cyan] and then [cyan]zwire cat captures[/cyan]
    """
    from zwire.io.zre_node import Node

    try:
        settings = settings_given(
            interface, port, peer, gossip, gossip_hub, ipv6, endpoint, beacons
        )
        keys = keys_given(secret, authorised)
        headers = dict(_header(one) for one in header or ())
        recorder = recorder_given(
            capture,
            capture_bodies,
            capture_sync,
            capture_rotate_size,
            capture_rotate_every,
            "node",
        )
        with recorder or nullcontext(), until_stopped():
            with Node(
                name,
                groups=group or (),
                headers=headers,
                settings=settings,
                curve=keys,
                capture=recorder,
            ) as running:
                _run(running, as_json)
    except LocalError as error:
        fail(str(error), Exit.USAGE)


def _header(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise LocalError(f"--header {text}: expected NAME=VALUE")
    return name, value


def _run(running: Node, as_json: bool) -> None:
    from zwire.cli import terminal as terminals

    if as_json or not terminals.is_possible():
        _tell_all(running, Voice(as_json), piped_lines(0))
        return
    words = Typist(running, Voice(as_json)).words
    with terminals.Terminal(words=words) as terminal:
        _tell_all(running, Voice(as_json, terminal), terminal.lines(), terminal)


def _tell_all(
    running: Node, voice: Voice, lines: Iterable[str], terminal: Terminal | None = None
) -> None:
    """Do what is typed, and tell what happens, until the node is stopped."""
    from zwire.zre.telling import event_told

    about = {"uuid": str(running.uuid), "name": running.name, "endpoint": running.endpoint}
    if running.gossip_endpoint is not None:
        about["gossip"] = running.gossip_endpoint
    places = about["endpoint"] + (f", gossip {about['gossip']}" if "gossip" in about else "")
    voice.say(f"{running.name} is at {places}", {"event": "started", **about})
    typist = Typist(running, voice)

    def refresh() -> None:
        if terminal is not None:
            terminal.show(typist.overview())

    def obeyed() -> Iterator[str]:
        for line in lines:
            yield line
            refresh()

    if terminal is not None:
        voice.say(HELP, {})
    refresh()
    threading.Thread(
        target=typist.obey_all, args=(obeyed(),), name="zwire-commands", daemon=True
    ).start()
    for event in running:
        refresh()
        voice.say(event_shown(event, typist.name_of), event_told(event))
    if typist.failure is not None:
        raise typist.failure
