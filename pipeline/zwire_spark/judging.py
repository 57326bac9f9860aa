"""Judging what peers said by the generated machines: one judge for each peer at an endpoint.

A judge hears what went both ways, in its order, and keeps no more than the state of the machines:
the requests that are open. It can be put away as octets and taken up again.
"""

from __future__ import annotations

import pickle
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from types import ModuleType

from zwire_protocols.conversation import Conversation, Late, Violation
from zwire_spark.words import CONNECTED, LEFT, MESH, REQUEST_EVENTS, WORKER_EVENTS

OPEN = 65536
"""Requests of one peer that may be open; of more, the oldest are forgotten."""

FORGETTING = frozenset({*WORKER_EVENTS, LEFT})
"""Events by which a broker or node tells that it has given somebody up."""

ENDING = frozenset(
    event
    for event, word in REQUEST_EVENTS.items()
    if word in ("expired", "failed", "refused", "gone", "lost")
)
"""Events that tell that a request will not be answered."""

_STATE = tuple(slot for slot in Conversation.__slots__ if slot not in ("_plan", "_only"))


@dataclass(slots=True)
class Said:
    """One thing that a judge hears: a message, or an event (without part) that bears on it."""

    part: str
    """With its protocol: `mdpx.worker`."""
    direction: str
    role: str
    command: str
    key: tuple[bytes, ...] = ()


@dataclass(slots=True)
class Judge:
    """Hears everything between a recorder and one peer at one endpoint.

    `midway` says that the beginning of the recording is missing: what may answer something that
    was said before is then nobody's fault.
    """

    midway: bool = False
    _watched: dict[str, Conversation] = field(default_factory=dict)
    _forgiving: bool = False

    def hear(self, said: Said) -> Violation | None:
        """Go on by one; the violation where it may not come here."""
        if not said.part:
            self._learn(said)
            return None
        name, role = _link(said)
        watched = self._watched.get(name)
        if watched is None:
            watched = self._watched[name] = _begin(said.part)
        verdict = watched.feed(role, said.command, said.key)
        if verdict is None:
            return None
        opens = (role, said.command) in _openings(said.part)
        if opens and watched.closed:
            # The same identity once more: a new conversation.
            self._watched[name] = watched = _begin(said.part)
            verdict = watched.feed(role, said.command, said.key)
        if verdict is None or isinstance(verdict, Late):
            return None
        if verdict.reason == "unopened":
            if self._forgiving:
                return None  # it does not know yet that it was given up
            if self.midway:
                return self._hear_opened(watched, role, said)
        return None if self._may_answer(verdict) else verdict

    def dumps(self) -> bytes:
        """The state as octets; the tables of the machines, which are generated, stay out."""
        states = {
            name: {slot: getattr(watched, slot) for slot in _STATE}
            for name, watched in self._watched.items()
        }
        return pickle.dumps((self.midway, self._forgiving, states), protocol=5)

    @classmethod
    def loads(cls, octets: bytes) -> Judge:
        """A judge who goes on where the other one was."""
        midway, forgiving, states = pickle.loads(octets)
        watched = {name: _begin(_part(name)) for name in states}
        for name, state in states.items():
            for slot, value in state.items():
                setattr(watched[name], slot, value)
        return cls(midway, watched, forgiving)

    def _learn(self, said: Said) -> None:
        if said.command in FORGETTING:
            self._watched.clear()
            self._forgiving = True
        elif said.command == CONNECTED:
            self._watched.clear()
        elif said.command in ENDING:
            for name, watched in self._watched.items():
                _forget(name, watched, said.key)

    def _hear_opened(self, watched: Conversation, role: str, said: Said) -> Violation | None:
        """Take the opening for said before the recording began."""
        for opener, command in _openings(said.part):
            watched.feed(opener, command)
        verdict = watched.feed(role, said.command, said.key)
        if not isinstance(verdict, Violation) or self._may_answer(verdict):
            return None
        return verdict

    def _may_answer(self, verdict: Violation) -> bool:
        return self.midway and verdict.reason == "unexpected" and verdict.state == "start"


def _link(said: Said) -> tuple[str, str]:
    """Which conversation it belongs to, and in which role it was said.

    In ZRE there is one conversation for each direction. PING-OK travels over the other link and
    answers the PING of this one.
    """
    if said.part.partition(".")[0] not in MESH:
        return said.part, said.role
    if said.command == "PING-OK":
        return f"{said.part} {'out' if said.direction == 'in' else 'in'}", "recipient"
    return f"{said.part} {said.direction}", "sender"


def _part(name: str) -> str:
    return name.partition(" ")[0]


def _forget(name: str, watched: Conversation, key: tuple[bytes, ...]) -> None:
    """Take back the requests of this id, in whichever form the event told it."""
    for dialog in _dialogs(_part(name)).DIALOGS.values():
        if dialog.name in ("request", "exchange"):
            keys: list[Hashable] = [()] if not dialog.key else [(one,) for one in key]
            for one in keys:
                watched.forget(dialog.name, one)


@cache
def _dialogs(part: str) -> ModuleType:
    protocol, _, name = part.partition(".")
    return import_module(f"zwire_protocols.{protocol}.{name}_dialogs")


def _begin(part: str) -> Conversation:
    begun: Conversation = _dialogs(part).conversation(limit=OPEN, evict=True)
    return begun


@cache
def _openings(part: str) -> tuple[tuple[str, str], ...]:
    """Who says what to open a conversation."""
    return tuple(
        said
        for dialog in _dialogs(part).DIALOGS.values()
        if dialog.opens
        for said in dialog.legal(0)
    )


@cache
def place_of(part: str) -> str:
    """Where the specification describes a part."""
    unheard = _dialogs(part).conversation().feed("", "")
    assert isinstance(unheard, Violation)
    return unheard.line
