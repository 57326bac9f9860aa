"""What is typed into `zwire node`, and how it tells what happens."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any
from uuid import UUID

from zwire.cli.console import json_line
from zwire.cli.node_given import called, peer_told, shown
from zwire.errors import LocalError

if TYPE_CHECKING:
    from zwire.cli.terminal import Terminal
    from zwire.io.zre_node import Node
    from zwire.zre.peer import KnownPeer

HELP = (
    "join GROUP · leave GROUP · shout GROUP TEXT · whisper PEER TEXT · peers · groups · "
    "wait PEER|GROUP · lead GROUP · help · quit"
)
VERBS = tuple(usage.partition(" ")[0] for usage in HELP.split(" · "))
QUOTES = "\"'"
LOOK_EVERY = 0.02  # seconds between two looks for somebody who is waited for


class Voice:
    """Tells things on standard output, whole lines from any thread."""

    def __init__(self, as_json: bool, terminal: Terminal | None = None) -> None:
        self._as_json = as_json
        self._terminal = terminal
        self._lock = threading.Lock()

    def say(self, text: str, facts: dict[str, Any]) -> None:
        """One line: text for people, or facts for programs."""
        if self._terminal is not None:
            self._terminal.say(text)
            return
        line = json_line(facts) if self._as_json else text
        with self._lock:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


class Typist:
    """Does what is typed into a node."""

    def __init__(self, node: Node, voice: Voice) -> None:
        self._node = node
        self._voice = voice
        self.failure: BaseException | None = None  # why it could not go on

    def obey_all(self, lines: Iterable[str]) -> None:
        """Do one command after the other; when they end, or say so, the node is stopped."""
        any_yet = False
        try:
            for line in lines:
                any_yet = True
                if not self._obey_or_complain(line):
                    break
        except BaseException as error:
            self.failure = error
        if any_yet or self.failure is not None:  # else nobody ever meant to type anything
            self._node.stop()

    def _obey_or_complain(self, line: str) -> bool:
        try:
            return self.obey(line)
        except LocalError as error:
            self._voice.say(f"! {shown(str(error))}", {"event": "error", "what": str(error)})
            return True

    def obey(self, line: str) -> bool:
        """Do one command; False: it was the last."""
        verb, _, rest = line.strip().partition(" ")
        first, text = split_name(rest.strip())
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
                deeds[verb](f"{first} {text}" if text else first)
            case "shout" if first:
                self._shout(first, text)
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

    def words(self) -> list[str]:
        """What may be typed: commands, and the names of peers and groups."""
        names = [one.name for one in self._node.peers()]
        groups = [*self._node.groups(), *self._node.peer_groups()]
        return [*VERBS, *(quoted(one) for one in (*names, *groups) if one)]

    def overview(self) -> str:
        """Who is here, and in which groups, on one line."""
        peers = self._node.peers()
        parts = [f"{_count(len(peers), 'peer')}{': ' * bool(peers)}"]
        parts[0] += ", ".join(called(one.name, one.uuid) for one in peers)
        own, members = self._members()
        for group, there in members.items():
            where = "in" if group in own else "not in"
            parts.append(f"{where} {shown(group)}: {', '.join(map(shown, there)) or 'nobody'}")
        return " | ".join(parts)

    def _shout(self, group: str, text: str) -> None:
        if group not in self._node.peer_groups():
            raise LocalError(f"nobody else is in {group!r}: see `groups`")
        self._node.shout(group, text)

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
        self._voice.say(
            "\n".join([_count(len(peers), "peer"), *lines]),
            {"event": "peers", "peers": [peer_told(one) for one in peers]},
        )

    def _tell_groups(self) -> None:
        own, members = self._members()
        lines = [
            f"  {shown(group)}{' (we too)' if group in own else ''}: {', '.join(there) or 'nobody'}"
            for group, there in members.items()
        ]
        self._voice.say(
            "\n".join([_count(len(members), "group"), *lines]),
            {"event": "groups", "own": own, "members": members},
        )

    def _members(self) -> tuple[list[str], dict[str, list[str]]]:
        """Our own groups, and the peers in each group by name."""
        own, others = self._node.groups(), self._node.peer_groups()
        names = {one.uuid: called(one.name, one.uuid) for one in self._node.peers()}
        return own, {
            group: [names.get(one, str(one)[:8]) for one in others.get(group, ())]
            for group in dict.fromkeys([*own, *others])
        }


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def split_name(text: str) -> tuple[str, str]:
    """A name, which may stand in quotes, and what follows it."""
    if text[:1] and text[0] in QUOTES and text[0] in text[1:]:
        name, _, rest = text[1:].partition(text[0])
        return name, rest.removeprefix(" ")
    name, _, rest = text.partition(" ")
    return name, rest


def quoted(name: str) -> str:
    """A name as `split_name` reads it."""
    if " " not in name and name[:1] not in QUOTES:
        return name
    return f"'{name}'" if '"' in name else f'"{name}"'


def piped_lines(descriptor: int) -> Iterator[str]:
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
