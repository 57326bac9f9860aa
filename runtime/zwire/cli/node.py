"""The command `zwire node`: a node for the shell, with commands typed into it."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from zwire.cli.capture_given import CaptureBodies, CaptureInto, recorder_given
from zwire.cli.console import Exit, fail
from zwire.cli.node_given import (
    PANEL,
    USUAL_PORT,
    AsJson,
    Authorised,
    Endpoint,
    HubAt,
    Hubs,
    Interfaces,
    Ipv6,
    OwnSecret,
    Port,
    StaticPeers,
    called,
    event_shown,
    keys_given,
    peer_told,
    settings_given,
    shown,
    until_stopped,
)
from zwire.errors import LocalError

if TYPE_CHECKING:
    from zwire.io.zre_node import Node
    from zwire.zre.peer import KnownPeer

HELP = (
    "join GROUP · leave GROUP · shout GROUP TEXT · whisper PEER TEXT · peers · groups · "
    "wait PEER|GROUP · lead GROUP · quit"
)
LOOK_EVERY = 0.02  # seconds between two looks for somebody who is waited for


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
    ipv6: Ipv6 = False,
    header: Annotated[
        list[str] | None,
        typer.Option("--header", metavar="NAME=VALUE", help="Something to say of ourselves."),
    ] = None,
    secret: OwnSecret = None,
    authorised: Authorised = None,
    capture: CaptureInto = None,
    capture_bodies: CaptureBodies = None,
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

    Example: [cyan]zwire node ann --capture captures[/cyan] and then [cyan]zwire cat captures[/cyan]
    """
    from zwire.io.zre_node import Node

    try:
        settings = settings_given(interface, port, peer, gossip, gossip_hub, ipv6, endpoint)
        keys = keys_given(secret, authorised)
        headers = dict(_header(one) for one in header or ())
        recorder = recorder_given(capture, capture_bodies, "node")
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
    from zwire.zre.telling import event_told

    voice = Voice(as_json)
    about = {"uuid": str(running.uuid), "name": running.name, "endpoint": running.endpoint}
    if running.gossip_endpoint is not None:
        about["gossip"] = running.gossip_endpoint
    places = about["endpoint"] + (f", gossip {about['gossip']}" if "gossip" in about else "")
    voice.say(f"{running.name} is at {places}", {"event": "started", **about})
    if sys.stdin.isatty() and not as_json:
        voice.say(HELP, {})
    typist = Typist(running, voice)
    threading.Thread(target=typist.obey_all, name="zwire-commands", daemon=True).start()
    for event in running:
        voice.say(event_shown(event, typist.name_of), event_told(event))


class Voice:
    """Tells things on standard output, whole lines from any thread."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._lock = threading.Lock()

    def say(self, text: str, facts: dict[str, Any]) -> None:
        """One line: text for people, or facts for programs."""
        line = json.dumps(facts, ensure_ascii=False) if self._as_json else text
        with self._lock:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


class Typist:
    """Does what is typed into a node."""

    def __init__(self, node: Node, voice: Voice) -> None:
        self._node = node
        self._voice = voice

    def obey_all(self) -> None:
        """Read commands until the input ends or says so."""
        any_yet = False
        for line in _lines(0):
            any_yet = True
            try:
                if not self.obey(line):
                    break
            except LocalError as error:
                self._voice.say(f"! {error}", {"event": "error", "what": str(error)})
        else:
            if not any_yet:
                return  # nobody ever meant to type anything
        self._node.stop()

    def obey(self, line: str) -> bool:
        """Do one command; False: it was the last."""
        verb, _, rest = line.strip().partition(" ")
        first, _, text = rest.strip().partition(" ")
        match verb:
            case "":
                return True
            case "quit":
                return False
            case "peers":
                self._tell_peers()
            case "groups":
                self._tell_groups()
            case "join" | "leave" | "wait" | "lead" if first:
                deeds = {
                    "join": self._node.join,
                    "leave": self._node.leave,
                    "wait": self._wait,
                    "lead": self._node.contest,
                }
                deeds[verb](rest.strip())
            case "shout" if first:
                self._node.shout(first, text)
            case "whisper" if first:
                self._node.whisper(self._find(first), text)
            case "help":
                self._voice.say(HELP, {"event": "help", "commands": HELP.split(" · ")})
            case "join" | "leave" | "wait" | "lead" | "shout" | "whisper":
                raise LocalError(f"{verb} whom or what? {HELP}")
            case _:
                raise LocalError(f"no command {verb!r}; {HELP}")
        return True

    def name_of(self, peer: UUID) -> str:
        """How a peer is called for people."""
        found = self._node.find_peer(peer)
        return called(found.name if found else "", peer)

    def _find(self, called_so: str) -> KnownPeer:
        peers = self._node.peers()
        found = [one for one in peers if one.name == called_so]
        found = found or [one for one in peers if str(one.uuid).startswith(called_so.lower())]
        if len(found) == 1:
            return found[0]
        if found:
            raise LocalError(f"{len(found)} peers are called {called_so!r}: say its UUID")
        raise LocalError(f"no peer is called {called_so!r}: see `peers`")

    def _wait(self, wanted: str) -> None:
        """Wait until a peer of this name is here, or anybody is in this group."""
        while True:
            peers = self._node.peers()
            if any(one.name == wanted or str(one.uuid) == wanted for one in peers):
                return
            if any(wanted in one.groups for one in peers):
                return
            time.sleep(LOOK_EVERY)

    def _tell_peers(self) -> None:
        peers = self._node.peers()
        lines = [
            f"  {called(one.name, one.uuid)}  {str(one.uuid)[:8]}  {shown(one.endpoint)}  "
            f"{', '.join(shown(group) for group in one.groups)}".rstrip()
            for one in peers
        ]
        count = f"{len(peers)} peer{'s' * (len(peers) != 1)}"
        self._voice.say(
            "\n".join([count, *lines]),
            {"event": "peers", "peers": [peer_told(one) for one in peers]},
        )

    def _tell_groups(self) -> None:
        own, others = self._node.groups(), self._node.peer_groups()
        names = {one.uuid: called(one.name, one.uuid) for one in self._node.peers()}
        members = {
            group: [names.get(one, str(one)[:8]) for one in others.get(group, ())]
            for group in dict.fromkeys([*own, *others])
        }
        lines = [
            f"  {shown(group)}{' (we too)' if group in own else ''}: {', '.join(there) or 'nobody'}"
            for group, there in members.items()
        ]
        self._voice.say(
            "\n".join([f"{len(members)} group{'s' * (len(members) != 1)}", *lines]),
            {"event": "groups", "own": own, "members": members},
        )


def _lines(descriptor: int) -> Iterator[str]:
    """The lines of a descriptor, read past Python's buffers: those must not be held at the end."""
    rest = b""
    while True:
        try:
            octets = os.read(descriptor, 65536)
        except OSError:
            octets = b""
        if not octets:
            break
        *whole, rest = (rest + octets).split(b"\n")
        yield from (line.decode(errors="replace") for line in whole)
    if rest:
        yield rest.decode(errors="replace")
