"""Conversations: which message may come next, judged by the tables of a protocol's dialogs.

A conversation is an opening, then dialogs interleaved, then a closing that ends all. Feed it
what was sent and what was received, in that order, as role, command and key:

    watch = worker_dialogs.conversation(request=1)
    watch.feed("worker", "READY")  # None: accepted
    watch.feed("worker", "FINAL", key)  # Violation: nobody asked

Made by `zwire generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Said: TypeAlias = tuple[str, str]  # role and command

LIMIT = 1024  # instances of one keyed dialog, unless a limit is given


@dataclass(frozen=True, slots=True)
class Dialog:
    """A dialog as a table: for each role and command, from which state to which.

    State 0 is where it begins; an instance that is back there takes no memory. `complete` are the
    states where all may stop. `key` names the fields that tell its instances apart. One that
    `opens` has to be complete before others begin.
    """

    name: str
    line: str
    states: tuple[str, ...]
    complete: tuple[int, ...]
    moves: Mapping[str, Mapping[str, Mapping[int, int]]]
    key: tuple[str, ...] = ()
    opens: bool = False

    def legal(self, state: int) -> Iterator[Said]:
        """What may be said in this state, by whom."""
        for role, commands in self.moves.items():
            for command, moves in commands.items():
                if state in moves:
                    yield (role, command)


@dataclass(frozen=True, slots=True)
class Violation:
    """A message that may not come here.

    `reason` is "unexpected" (wrong state), "unopened" (the opening is not complete), "limit" (too
    many instances are open), "closed" (its sender has ended the conversation) or "unknown" (no
    dialog has it). `line` is where the specification says what was legal.
    """

    reason: str
    role: str
    command: str
    key: Hashable
    dialog: str
    state: str
    legal: tuple[Said, ...]
    line: str

    def __str__(self) -> str:
        legal = ", ".join(f"{role} {command}" for role, command in self.legal) or "nothing"
        where = f"{self.dialog}: {self.state}" if self.dialog else self.state
        return (
            f"{self.role} may not say {self.command} here ({self.reason}; {where}); "
            f"legal: {legal}; see {self.line}"
        )


@dataclass(frozen=True, slots=True)
class Late:
    """A message that crossed a close on the way: to be ignored, and nobody's fault."""

    role: str
    command: str
    key: Hashable


_Step: TypeAlias = tuple[int, Mapping[int, int], bool]  # dialog's index, its moves, keyed


class Plan:
    """The dialogs of one part, arranged for looking up; shared by all its conversations."""

    __slots__ = ("closes", "dialogs", "line", "only", "steps")

    def __init__(self, dialogs: Iterable[Dialog], closes: Iterable[Said], line: str) -> None:
        self.dialogs = tuple(dialogs)
        self.closes = frozenset(closes)
        self.line = line
        self.steps: dict[Said, list[_Step]] = {}
        for index, dialog in enumerate(self.dialogs):
            for role, commands in dialog.moves.items():
                for command, moves in commands.items():
                    step = (index, moves, bool(dialog.key))
                    self.steps.setdefault((role, command), []).append(step)
        # What only one dialog says needs no search.
        self.only: dict[Said, _Step] = {
            said: steps[0]
            for said, steps in self.steps.items()
            if len(steps) == 1 and said not in self.closes
        }


class Conversation:
    """One conversation between two peers, as far as it has come.

    Of a keyed dialog at most `limit` instances are open at a time (`limits`: by the dialog's
    name). One more is a violation; with `evict` the oldest is forgotten instead, and counted in
    `evicted`. A command that several dialogs have goes to the first that can take it.
    """

    __slots__ = (
        "_closed",
        "_flowing",
        "_instances",
        "_limits",
        "_only",
        "_pending",
        "_plan",
        "evict",
        "evicted",
    )

    def __init__(
        self,
        plan: Plan,
        *,
        limit: int = LIMIT,
        evict: bool = False,
        limits: Mapping[str, int] | None = None,
    ) -> None:
        given = dict(limits or {})
        self._plan = plan
        self._only = plan.only
        self._limits = tuple(
            given.pop(dialog.name.replace("-", "_"), limit) if dialog.key else 1
            for dialog in plan.dialogs
        )
        if given:
            raise TypeError(f"no keyed dialog is called {', '.join(sorted(given))}")
        if min(self._limits, default=1) < 1:
            raise ValueError("a limit is at least 1")
        self.evict = evict
        self.evicted = 0
        self._instances: tuple[dict[Hashable, int], ...] = tuple({} for _ in plan.dialogs)
        self._pending = {index for index, dialog in enumerate(plan.dialogs) if dialog.opens}
        self._closed: set[str] = set()
        self._flowing = not self._pending  # open, and not closed

    @property
    def opened(self) -> bool:
        """Whether the opening is complete."""
        return not self._pending

    @property
    def closed(self) -> bool:
        """Whether somebody has ended it."""
        return bool(self._closed)

    def feed(self, role: str, command: str, key: Hashable = ()) -> Violation | Late | None:
        """Go on by one message; None: it was legal. After a violation all is as before.

        The key counts for commands of keyed dialogs only.
        """
        if self._flowing:
            step = self._only.get((role, command))
            if step is not None:
                index, moves, keyed = step
                instances = self._instances[index]
                if not keyed:
                    key = ()
                state = instances.get(key, 0)
                after = moves.get(state)
                if after is not None:
                    if state:
                        if after:
                            instances[key] = after
                        else:
                            del instances[key]
                        return None
                    if not after:
                        return None
                    if len(instances) < self._limits[index]:
                        instances[key] = after
                        return None
        return self._consider(role, command, key)

    def legal(self, key: Hashable = ()) -> tuple[Said, ...]:
        """What may be said next, by whom, in the instances of this key."""
        if self._closed:
            return ()
        said = {
            said: None
            for index, dialog in enumerate(self._plan.dialogs)
            if dialog.opens or not self._pending
            for said in dialog.legal(self._state(index, key))
        }
        return (*said, *sorted(self._plan.closes - said.keys()))

    def open(self, dialog: str) -> int:
        """How many instances of a dialog are under way."""
        return len(self._instances[self._index(dialog)])

    def forget(self, dialog: str, key: Hashable = ()) -> bool:
        """Take an instance back to its beginning; whether it was under way."""
        return self._instances[self._index(dialog)].pop(key, None) is not None

    # ------------------------------------------------------------ off the hot path

    def _consider(self, role: str, command: str, key: Hashable) -> Violation | Late | None:
        said = (role, command)
        steps = self._plan.steps.get(said, [])
        if not steps and said not in self._plan.closes:
            return self._violation("unknown", said, key, None)
        if role in self._closed:
            return self._violation("closed", said, key, None)
        if said in self._plan.closes:
            return self._close(role, command, key)
        if self._closed:
            return Late(role, command, key)
        full: int | None = None
        for index, moves, keyed in steps:
            if self._pending and not self._plan.dialogs[index].opens:
                continue
            at: Hashable = key if keyed else ()
            after = moves.get(self._state(index, at))
            if after is None:
                continue
            if self._move(index, at, after):
                return None
            full = index
        if full is not None:
            return self._violation("limit", said, key, full)
        index = steps[0][0]
        if self._pending and not any(self._plan.dialogs[step[0]].opens for step in steps):
            return self._violation("unopened", said, key, min(self._pending))
        return self._violation("unexpected", said, key, index)

    def _close(self, role: str, command: str, key: Hashable) -> Late | None:
        crossed = bool(self._closed)
        self._closed.add(role)
        self._flowing = False
        for instances in self._instances:
            instances.clear()
        return Late(role, command, key) if crossed else None

    def _move(self, index: int, key: Hashable, after: int) -> bool:
        """Bring an instance into its next state; False where it would be one too many."""
        instances = self._instances[index]
        if not after:
            instances.pop(key, None)
        else:
            if key not in instances and len(instances) >= self._limits[index]:
                if not self.evict:
                    return False
                del instances[next(iter(instances))]
                self.evicted += 1
            instances[key] = after
        if index in self._pending and after in self._plan.dialogs[index].complete:
            self._pending.discard(index)
            self._flowing = not self._pending
        return True

    def _state(self, index: int, key: Hashable) -> int:
        return self._instances[index].get(key if self._plan.dialogs[index].key else (), 0)

    def _index(self, dialog: str) -> int:
        for index, known in enumerate(self._plan.dialogs):
            if known.name == dialog:
                return index
        raise KeyError(dialog)

    def _violation(self, reason: str, said: Said, key: Hashable, index: int | None) -> Violation:
        role, command = said
        if index is None:
            state = "closed" if self._closed else "open" if self.opened else "not opened"
            return Violation(
                reason, role, command, key, "", state, self.legal(key), self._plan.line
            )
        dialog = self._plan.dialogs[index]
        state = dialog.states[self._state(index, key)]
        return Violation(
            reason, role, command, key, dialog.name, state, self.legal(key), dialog.line
        )
