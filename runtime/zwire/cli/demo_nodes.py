"""The nodes of `zwire demo`: three meet, join, shout and whisper; a fourth is killed, and missed."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from zwire.cli.demo_stage import Actor, Stage

NAMES = ("ann", "bob", "eve")
GUEST = "guest"  # the one that is killed
GROUP = "chat"
WELCOME, SECRET = "hello all", "only for you"


@dataclass(slots=True)
class NodeFindings:
    """What the nodes told; `wrong` has a sentence for everything that should not have been."""

    met: list[tuple[str, str]] = field(default_factory=list)  # who knows whom
    shouts: int = 0
    whispers: int = 0
    missed: dict[str, float] = field(default_factory=dict)  # by whom, and how many seconds later
    wrong: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "met": self.met,
            "shouts": self.shouts,
            "whispers": self.whispers,
            "missed": {name: round(seconds, 3) for name, seconds in self.missed.items()},
        }


def play_nodes(stage: Stage, console: Console, findings: NodeFindings) -> None:
    """Start the nodes and have them do all that nodes do; they are gone at the end."""
    with _free_beacon_port() as port:
        nodes = {name: stage.start_node(name, port) for name in NAMES}
        _meet(nodes, port, console, findings)
        _join_and_talk(nodes, console, findings)
        _kill_one(stage, nodes, port, console, findings)
        if any(told["event"] == "whispered" for told in nodes["bob"].told):
            findings.wrong.append("bob heard what eve whispered to ann")
        for name in NAMES:
            nodes[name].type_in("quit")
        for name in NAMES:
            nodes[name].wait_for_end()


def _meet(nodes: dict[str, Actor], port: int, console: Console, findings: NodeFindings) -> None:
    pids = ", ".join(f"{name} {node.pid}" for name, node in nodes.items())
    console.print(f"[bold]Three nodes[/bold] ({pids}) on UDP port {port}, and no server")
    for name, node in nodes.items():
        for other in NAMES:
            if other != name:
                node.find("entered", name=other)
                findings.met.append((name, other))
    console.print("  each has met the two others")


def _join_and_talk(nodes: dict[str, Actor], console: Console, findings: NodeFindings) -> None:
    ann, bob, eve = (nodes[name] for name in NAMES)
    for node in (bob, eve):
        node.type_in(f"join {GROUP}")
    for name in ("bob", "eve"):
        ann.find("joined_group", name=name, group=GROUP)
    ann.type_in(f"shout {GROUP} {WELCOME}")
    for node in (bob, eve):
        told = node.find("shouted", name="ann", group=GROUP)
        findings.shouts += _as_it_went(told, WELCOME, findings)
    console.print(f"  bob and eve joined {GROUP}; ann shouted {WELCOME!r}, and both heard it")
    eve.type_in(f"whisper ann {SECRET}")
    findings.whispers += _as_it_went(ann.find("whispered", name="eve"), SECRET, findings)
    console.print(f"  eve whispered {SECRET!r} to ann")


def _as_it_went(told: dict[str, Any], text: str, findings: NodeFindings) -> bool:
    if told["text"] == [text]:
        return True
    findings.wrong.append(f"{text!r} came as {told['text']!r}")
    return False


def _kill_one(
    stage: Stage, nodes: dict[str, Actor], port: int, console: Console, findings: NodeFindings
) -> None:
    guest = stage.start_node(GUEST, port)
    for node in nodes.values():
        node.find("entered", name=GUEST)
    killed_at = time.monotonic()
    guest.kill()
    console.print(f"[bold red]Killed[/bold red] (-9) the node {GUEST} ({guest.pid}), a fourth one")
    for name, node in nodes.items():
        told = node.find("left", name=GUEST)
        findings.missed[name] = time.monotonic() - killed_at
    seconds = max(findings.missed.values())
    console.print(f"  all three noticed within {seconds:.2f} s: {told['why']}")


@contextmanager
def _free_beacon_port() -> Iterator[int]:
    """A UDP port that nobody else gets meanwhile, and that our nodes may share."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as holder:
        holder.bind(("", 0))
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        yield holder.getsockname()[1]
