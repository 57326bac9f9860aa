"""Random conversations, legal and illegal, straight from the dialogs of a model.

Legality is judged by derivatives: what is left of a dialog once a message was said. That is slow
and plainly right, and shares nothing with the automata that it serves to test.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import TypeAlias

from zwire_codegen.model.types import (
    Choice,
    Dialog,
    Part,
    Repeat,
    Say,
    Sequence,
    Step,
)

Key: TypeAlias = tuple[str, ...]

DONE = Sequence(())  # nothing is left to say
NEVER = Choice(())  # nothing can be said that would end well


@dataclass(frozen=True, slots=True, order=True)
class Line:
    """One line of a conversation: who says what, in which instance of a keyed dialog."""

    role: str
    message: str
    key: Key = ()


@dataclass(frozen=True, slots=True)
class Script:
    """A conversation; with `legal` false its last line, and only that one, is out of place."""

    lines: tuple[Line, ...]
    legal: bool


class Talk:
    """A conversation in progress: knows which lines are legal now."""

    def __init__(self, part: Part, keys: int = 3) -> None:
        self._conversation = part.conversation
        self._senders = {message.name: message.senders for message in part.messages}
        self._keys = tuple((f"key-{number}",) for number in range(keys))
        self._left: dict[tuple[str, Key], Step] = {}
        self._pending = {d.name for d in part.conversation.dialogs if _opens(d)}
        self.closed = False

    def legal(self) -> list[Line]:
        """Every line that may come next, sorted."""
        if self.closed:
            return []
        lines = set(self.closings())
        for dialog in self._conversation.dialogs:
            if self._pending and not _opens(dialog):
                continue
            for key in self._keys_of(dialog):
                left = self._left.get((dialog.name, key), _whole(dialog))
                lines |= {Line(role, message, key) for role, message in first(left)}
        return sorted(lines)

    def say(self, line: Line) -> None:
        """Go on by a legal line."""
        if line.message in self._conversation.closes:
            self.closed = True
            return
        for dialog in self._conversation.dialogs:
            if (self._pending and not _opens(dialog)) or line.key not in self._keys_of(dialog):
                continue
            place = (dialog.name, line.key)
            left = after(self._left.get(place, _whole(dialog)), line.role, line.message)
            if left != NEVER:
                self._left[place] = left
                if ends(left):
                    self._pending.discard(dialog.name)
                return
        raise ValueError(f"{line} is not legal here")

    def vocabulary(self) -> list[Line]:
        """Every line that is legal somewhere in this conversation, sorted."""
        lines = set(self.closings())
        for dialog in self._conversation.dialogs:
            for key in self._keys_of(dialog):
                lines |= {Line(role, message, key) for role, message in said(dialog.body)}
        return sorted(lines)

    def closings(self) -> Iterator[Line]:
        """The lines that end it all, legal at any time."""
        for message in self._conversation.closes:
            for role in self._senders[message]:
                yield Line(role, message)

    def _keys_of(self, dialog: Dialog) -> tuple[Key, ...]:
        return self._keys if dialog.key else ((),)


def scripts(part: Part, seed: int, number: int, length: int = 24) -> Iterator[Script]:
    """Conversations of up to `length` lines, legal and illegal in turn; the same for the same
    seed. A part whose every line is always legal has no illegal ones."""
    random = Random(seed)
    for turn in range(number):
        yield _script(Talk(part), random, random.randint(1, length), illegal=turn % 2 == 1)


def _script(talk: Talk, random: Random, length: int, illegal: bool) -> Script:
    lines: list[Line] = []
    wrong: list[tuple[int, list[Line]]] = []
    vocabulary = talk.vocabulary()
    while len(lines) < length and not talk.closed:
        legal = talk.legal()
        if illegal and (others := sorted(set(vocabulary) - set(legal))):
            wrong.append((len(lines), others))
        if not legal:
            break
        lines.append(_pick(talk, random, legal))
        talk.say(lines[-1])
    if not wrong:
        return Script(tuple(lines), legal=True)
    place, others = random.choice(wrong)
    return Script((*lines[:place], random.choice(others)), legal=False)


def _pick(talk: Talk, random: Random, legal: list[Line]) -> Line:
    """A line to go on with; a closing is rare, or conversations would be short."""
    closings = set(talk.closings())
    going_on = [line for line in legal if line not in closings]
    return random.choice(going_on if going_on and random.random() < 0.97 else legal)


# ---------------------------------------------------------------- derivatives


def _opens(dialog: Dialog) -> bool:
    """An opening that may be left out opens nothing."""
    return dialog.opens and not ends(dialog.body)


def _whole(dialog: Dialog) -> Step:
    return Repeat(dialog.body, 0, None) if dialog.loops else dialog.body


def ends(step: Step) -> bool:
    """Whether nothing more needs to be said."""
    match step:
        case Say():
            return False
        case Sequence():
            return all(ends(item) for item in step.items)
        case Choice():
            return any(ends(item) for item in step.items)
        case Repeat():
            return step.minimum == 0 or ends(step.item)


@lru_cache(maxsize=10_000)
def after(step: Step, role: str, message: str) -> Step:
    """What is left of a step once this was said; NEVER where it may not be."""
    match step:
        case Say():
            return DONE if (step.role, step.message) == (role, message) else NEVER
        case Choice():
            return _choice(after(item, role, message) for item in step.items)
        case Sequence():
            ways: list[Step] = []
            for index, item in enumerate(step.items):
                ways.append(_sequence(after(item, role, message), *step.items[index + 1 :]))
                if not ends(item):
                    break
            return _choice(ways)
        case Repeat():
            if step.maximum == 0:
                return NEVER
            most = None if step.maximum is None else step.maximum - 1
            again = Repeat(step.item, max(step.minimum - 1, 0), most)
            return _sequence(after(step.item, role, message), again)


def said(step: Step) -> set[tuple[str, str]]:
    """Everything that is said anywhere in a step, as role and message."""
    match step:
        case Say():
            return {(step.role, step.message)}
        case Sequence() | Choice():
            return {pair for item in step.items for pair in said(item)}
        case Repeat():
            return said(step.item)


@lru_cache(maxsize=10_000)
def first(step: Step) -> frozenset[tuple[str, str]]:
    """What may be said next."""
    return frozenset(pair for pair in said(step) if after(step, *pair) != NEVER)


def _sequence(*steps: Step) -> Step:
    """Steps one after the other, flat and without those that say nothing."""
    items: list[Step] = []
    for step in steps:
        if step == NEVER:
            return NEVER
        if isinstance(step, Repeat) and step.maximum == 0:
            continue
        items += step.items if isinstance(step, Sequence) else (step,)
    return items[0] if len(items) == 1 else Sequence(tuple(items))


def _choice(steps: Iterable[Step]) -> Step:
    """One of several, flat and each once."""
    items: dict[Step, None] = {}
    for step in steps:
        for item in step.items if isinstance(step, Choice) else (step,):
            items[item] = None
    return next(iter(items)) if len(items) == 1 else Choice(tuple(items))
