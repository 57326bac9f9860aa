"""The options that `zwire node`, `zwire peers` and `zwire log` share, and how their events are told."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from zwire.cli.console import Exit, fail, stop_signals

if TYPE_CHECKING:
    from zwire.io.security import CurveServer
    from zwire.io.zre_settings import NodeSettings
    from zwire.zre.events import NodeEvent
    from zwire.zre.peer import KnownPeer

PANEL = "Run a stack"

Interfaces = Annotated[
    list[str] | None,
    typer.Option(
        "--interface",
        "-i",
        help="A network interface by name or address, or loopback; may be repeated. None: all.",
    ),
]
Port = Annotated[int, typer.Option(help="The UDP port of the beacons.")]
StaticPeers = Annotated[
    list[str] | None,
    typer.Option(
        "--peer",
        help="A peer to seek: tcp://HOST:PORT, with keys 'tcp://HOST:PORT|KEY'; may be repeated.",
    ),
]
Endpoint = Annotated[
    str | None,
    typer.Option(
        "--endpoint",
        help="A fixed place for others to seek us at: tcp://HOST:PORT. None: any port.",
    ),
]
Hubs = Annotated[
    list[str] | None,
    typer.Option("--gossip", help="A gossip hub to be a member of: tcp://HOST:PORT."),
]
HubAt = Annotated[
    str | None,
    typer.Option("--gossip-hub", help="Be a gossip hub at this endpoint: tcp://HOST:PORT."),
]
Beacons = Annotated[
    bool,
    typer.Option(
        "--beacons/--no-beacons",
        help="Meet others by beacons; without them only by --peer, --gossip and --endpoint.",
    ),
]
Ipv6 = Annotated[bool, typer.Option("--ipv6", help="Meet IPv6 neighbours too.")]
OwnSecret = Annotated[
    Path | None,
    typer.Option("--secret", help="Our CURVE secret key file; asks for --authorised."),
]
Authorised = Annotated[
    Path | None, typer.Option("--authorised", help="The folder with the public keys of our peers.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Tell everything as JSON lines.")]
USUAL_PORT = 5670
PATIENCE = 1.0  # seconds after which a second signal ends the process at once


def settings_given(
    interfaces: Sequence[str] | None,
    port: int,
    peers: Sequence[str] | None = None,
    hubs: Sequence[str] | None = None,
    hub_at: str | None = None,
    ipv6: bool = False,
    endpoint: str | None = None,
    beacons: bool = True,
) -> NodeSettings:
    """The settings that these options ask for."""
    from zwire.io.zre_settings import NodeSettings
    from zwire.zre.options import Options

    return NodeSettings(
        interfaces=tuple(interfaces or ()),
        port=port,
        ipv6=ipv6,
        endpoint=endpoint,
        peers=tuple(peers or ()),
        gossip_hubs=tuple(hubs or ()),
        gossip_bind=hub_at,
        options=Options(beacons=beacons),
    )


def keys_given(secret: Path | None, authorised: Path | None) -> CurveServer | None:
    """The keys in these files; None without any."""
    from zwire.io.security import CurveServer

    if (secret is None) != (authorised is None):
        fail("--secret and --authorised go together", Exit.USAGE)
    if secret is None or authorised is None:
        return None
    return CurveServer.from_files(secret, authorised)


@contextmanager
def until_stopped() -> Iterator[None]:
    """Leave the block when the process is asked to end, by SIGTERM or SIGINT.

    Who asks again right away means the same; who still has to ask after a while does not want to wait.
    """
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)-7s %(message)s")

    asked: list[float] = []

    def stop(_number: int, _frame: FrameType | None) -> None:
        if not asked:
            asked.append(time.monotonic())
            raise KeyboardInterrupt
        if time.monotonic() - asked[0] > PATIENCE:
            os._exit(Exit.STOPPED)

    before = {number: signal.signal(number, stop) for number in stop_signals()}
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        if not asked:  # else the process is about to end
            for number, handler in before.items():
                signal.signal(number, handler)


def shown(text: str) -> str:
    """Text of others, without what could play with a terminal."""
    return "".join(one if one.isprintable() else "\ufffd" for one in text)


def content_shown(content: Sequence[bytes]) -> str:
    """The content of a message for people: text where it is text, else octets in hex."""
    return " | ".join(_text_shown(frame) for frame in content)


def _text_shown(frame: bytes) -> str:
    try:
        return shown(frame.decode())
    except UnicodeDecodeError:
        return frame.hex()


def peer_told(peer: KnownPeer) -> dict[str, Any]:
    """What is known of a peer, for programs."""
    return {
        "peer": str(peer.uuid),
        "name": peer.name,
        "endpoint": peer.endpoint,
        "dialect": peer.dialect.value,
        "groups": list(peer.groups),
        "headers": dict(peer.headers),
        "alert": peer.alert.name.lower(),
    }


def called(name: str, uuid: Any) -> str:
    """How a peer is called for people: nodes of 20/ZRE have no names."""
    return shown(name) or str(uuid)[:8]


def event_shown(event: NodeEvent, name_of: Callable[[UUID], str]) -> str:
    """An event for people, on one line; not every event tells the name of its peer."""
    from zwire.zre import events as are

    match event:
        case are.Entered(peer, name, endpoint):
            return f"+ {called(name, peer)} entered at {shown(endpoint)}"
        case are.Left(peer, name, why):
            return f"- {called(name, peer)} left: {why.value}"
        case are.Evasive(peer, name):
            return f"? {called(name, peer)} is quiet"
        case are.Silent(peer, name):
            return f"? {called(name, peer)} does not answer"
        case are.JoinedGroup(peer, name, group):
            return f"+ {called(name, peer)} joined {shown(group)}"
        case are.LeftGroup(peer, name, group):
            return f"- {called(name, peer)} left {shown(group)}"
        case are.Whispered(peer, name, content):
            return f"{called(name, peer)} whispers: {content_shown(content)}"
        case are.Shouted(peer, name, group, content):
            return f"[{shown(group)}] {called(name, peer)}: {content_shown(content)}"
        case are.LeaderElected(group, leader, own):
            return f"* {'we lead' if own else f'{name_of(leader)} leads'} {shown(group)}"
        case are.Warning(peer, what):
            return f"! {name_of(peer) if peer else 'warning'}: {shown(what)}"
