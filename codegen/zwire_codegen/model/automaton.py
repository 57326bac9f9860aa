"""A dialog as a small deterministic automaton: states are numbers, words are (role, message)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from zwire_codegen.model.types import Choice, Dialog, Repeat, Say, Sequence, Step

Word: TypeAlias = tuple[str, str]

# More would be no dialog that anybody can follow; `Repeat` is unrolled up to its bounds.
MOST_STEPS = 500
MOST_STATES = 500
_MOST_MOVES = 200_000  # from one mention to the next, over all sets of them that are looked at


class TooLarge(ValueError):
    """The dialog has more steps or states than a table should hold."""


@dataclass(frozen=True, slots=True)
class Automaton:
    """State 0 is the start. `transitions[state]` maps what may be said to the next state;
    `names` are for people: `start`, `after REQUEST or PARTIAL`."""

    transitions: tuple[Mapping[Word, int], ...]
    accepting: frozenset[int]
    names: tuple[str, ...]

    @property
    def states(self) -> range:
        return range(len(self.transitions))

    @property
    def start(self) -> int:
        return 0

    @property
    def words(self) -> tuple[Word, ...]:
        """All that is ever said, in the order in which it first comes up."""
        return tuple(dict.fromkeys(word for row in self.transitions for word in row))

    def follow(self, words: list[Word]) -> int | None:
        """The state after these words; None where one of them may not be said."""
        state = 0
        for word in words:
            following = self.transitions[state].get(word)
            if following is None:
                return None
            state = following
        return state


def automaton(dialog: Dialog) -> Automaton:
    """The minimal automaton of a dialog's body; raises TooLarge."""
    return of_step(dialog.body)


def of_step(body: Step) -> Automaton:
    """The minimal automaton of a step; raises TooLarge."""
    positions = _Positions()
    shape = positions.add(body)
    return _named(*_minimal(*_determined(positions, shape)))


# ------------------------------------------------------------ steps to positions (Glushkov)


@dataclass(frozen=True, slots=True)
class _Shape:
    """Which positions come first and last, and whether nothing at all will do."""

    first: tuple[int, ...]
    last: tuple[int, ...]
    empty: bool


_NOTHING = _Shape((), (), True)


@dataclass(slots=True)
class _Positions:
    """Every mention of a message in the unrolled dialog, and what may follow it."""

    words: list[Word] = field(default_factory=list)
    follow: list[dict[int, None]] = field(default_factory=list)
    moves: int = 0

    def add(self, step: Step) -> _Shape:
        match step:
            case Say():
                if len(self.words) >= MOST_STEPS:
                    raise TooLarge(f"more than {MOST_STEPS} steps")
                self.words.append((step.role, step.message))
                self.follow.append({})
                here = (len(self.words) - 1,)
                return _Shape(here, here, False)
            case Sequence():
                shape = _NOTHING
                for item in step.items:
                    shape = self._chain(shape, self.add(item))
                return shape
            case Choice():
                shapes = [self.add(item) for item in step.items]
                return _Shape(
                    tuple(dict.fromkeys(p for shape in shapes for p in shape.first)),
                    tuple(dict.fromkeys(p for shape in shapes for p in shape.last)),
                    any(shape.empty for shape in shapes),
                )
            case Repeat():
                return self._repeat(step)
            case _:
                assert_never(step)

    def _repeat(self, step: Repeat) -> _Shape:
        if max(step.minimum, step.maximum or 0) > MOST_STEPS:
            raise TooLarge(f"repeated more than {MOST_STEPS} times")
        shape = _NOTHING
        for _ in range(step.minimum if step.maximum is not None else max(0, step.minimum - 1)):
            shape = self._chain(shape, self.add(step.item))
        if step.maximum is None:
            again = self.add(step.item)
            self._join(again.last, again.first)
            return self._chain(
                shape, _Shape(again.first, again.last, again.empty or step.minimum == 0)
            )
        for _ in range(step.maximum - step.minimum):
            more = self.add(step.item)
            shape = self._chain(shape, _Shape(more.first, more.last, True))
        return shape

    def _chain(self, left: _Shape, right: _Shape) -> _Shape:
        self._join(left.last, right.first)
        return _Shape(
            left.first + right.first if left.empty else left.first,
            left.last + right.last if right.empty else right.last,
            left.empty and right.empty,
        )

    def _join(self, befores: tuple[int, ...], afters: tuple[int, ...]) -> None:
        self.moves += len(befores) * len(afters)
        if self.moves > _MOST_MOVES:
            raise TooLarge(f"more than {_MOST_MOVES} moves")
        for before in befores:
            self.follow[before].update(dict.fromkeys(afters))


# ------------------------------------------------------------ positions to states


def _determined(
    positions: _Positions, shape: _Shape
) -> tuple[list[dict[Word, int]], frozenset[int]]:
    last = frozenset(shape.last)
    rows: list[dict[Word, int]] = []
    numbers: dict[frozenset[int] | None, int] = {None: 0}
    waiting: list[frozenset[int] | None] = [None]
    accepting: set[int] = set()
    moves = 0
    for current in waiting:  # grows as new states are found
        moves += sum(len(positions.follow[before]) for before in current or ())
        if moves > _MOST_MOVES:
            raise TooLarge(f"more than {_MOST_MOVES} moves")
        number = numbers[current]
        if (current is None and shape.empty) or (current is not None and current & last):
            accepting.add(number)
        ahead = (
            dict.fromkeys(shape.first)
            if current is None
            else {p: None for before in sorted(current) for p in positions.follow[before]}
        )
        reached: dict[Word, set[int]] = {}
        for position in ahead:
            reached.setdefault(positions.words[position], set()).add(position)
        row: dict[Word, int] = {}
        for word, found in reached.items():
            target = frozenset(found)
            if target not in numbers:
                if len(numbers) >= MOST_STATES:
                    raise TooLarge(f"more than {MOST_STATES} states")
                numbers[target] = len(numbers)
                waiting.append(target)
            row[word] = numbers[target]
        rows.append(row)
    return rows, frozenset(accepting)


def _minimal(
    rows: list[dict[Word, int]], accepting: frozenset[int]
) -> tuple[list[dict[Word, int]], frozenset[int]]:
    classes = _distances(rows, accepting)  # states that differ in it are never the same
    count = len(set(classes))
    while True:
        marks: dict[tuple[int, frozenset[tuple[Word, int]]], int] = {}
        refined = []
        for state, row in enumerate(rows):
            mark = (classes[state], frozenset((word, classes[to]) for word, to in row.items()))
            refined.append(marks.setdefault(mark, len(marks)))
        if len(marks) == count:
            break
        classes, count = refined, len(marks)
    # Number the classes in the order in which they are reached: the start is 0.
    order: dict[int, int] = {}
    waiting = [0]
    kept: list[dict[Word, int]] = []
    order[refined[0]] = 0
    for state in waiting:
        for to in rows[state].values():
            if refined[to] not in order:
                order[refined[to]] = len(order)
                waiting.append(to)
    for state in waiting:
        kept.append({word: order[refined[to]] for word, to in rows[state].items()})
    return kept, frozenset(order[refined[state]] for state in accepting)


def _distances(rows: list[dict[Word, int]], accepting: frozenset[int]) -> list[int]:
    """How many words at least lead from each state to the end of the dialog."""
    before: list[list[int]] = [[] for _ in rows]
    for state, row in enumerate(rows):
        for to in row.values():
            before[to].append(state)
    distances = [0 if state in accepting else len(rows) for state in range(len(rows))]
    waiting = sorted(accepting)
    for state in waiting:
        for other in before[state]:
            if distances[other] > distances[state] + 1:
                distances[other] = distances[state] + 1
                waiting.append(other)
    return distances


def _named(rows: list[dict[Word, int]], accepting: frozenset[int]) -> Automaton:
    into: list[dict[str, None]] = [{} for _ in rows]
    for row in rows:
        for (_, message), to in row.items():
            into[to][message] = None
    names: list[str] = []
    taken: dict[str, int] = {}
    for state, messages in enumerate(into):
        name = "start" if state == 0 else "after " + " or ".join(messages)
        taken[name] = taken.get(name, 0) + 1
        names.append(name if taken[name] == 1 else f"{name} ({taken[name]})")
    return Automaton(tuple(rows), accepting, tuple(names))
