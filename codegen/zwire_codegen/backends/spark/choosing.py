"""Which message the frames are, as SQL: its number, and why they are none where none fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zwire_codegen.backends.spark.board import CHOSEN, COUNT, Board
from zwire_codegen.backends.spark.reasons import Reason, Reasons
from zwire_codegen.backends.spark.sql import (
    both,
    cases,
    either,
    equal,
    octets,
    piece,
    quoted,
)
from zwire_codegen.model.dispatch import clashes
from zwire_codegen.model.types import Message, Part
from zwire_codegen.reference.shape import Mark, field_name, frame_range, marks


@dataclass(frozen=True, slots=True)
class Known:
    """A message with its number in the part, its constants at fixed places and their weight."""

    number: int
    message: Message
    marks: tuple[Mark, ...]

    @property
    def weight(self) -> int:
        return sum(len(mark.octets) for mark in self.marks)

    @property
    def wires(self) -> frozenset[tuple[int, int, bytes, bool]]:
        return frozenset(mark.wire for mark in self.marks)


class Choosing:
    """How the messages of a part are told apart; by the sender where nothing else does."""

    def __init__(self, part: Part, board: Board, reasons: Reasons) -> None:
        self._board = board
        self._reasons = reasons
        self.known = [
            Known(number, message, marks(message))
            for number, message in enumerate(part.messages, start=1)
        ]
        self.roles: dict[str, list[Known]] = {}
        if clashes(part):
            for role in part.roles:
                own = [known for known in self.known if role.name in known.message.senders]
                if own:
                    self.roles[role.name] = own
        board.add(CHOSEN, self._by_role(self._chosen))

    def unknown(self) -> str:
        """The number of the reason why no message was chosen."""
        none = self._reasons.number(Reason("frame-count"))
        empty = [(f"{COUNT} = 0", none)]
        if not self.roles:
            return cases(empty, self._unknown(self.known))
        others = f"coalesce(role, '') NOT IN ({', '.join(map(quoted, self.roles))})"
        strange = self._reasons.number(Reason("role"))
        return cases([(others, strange), *empty], self._by_role(self._unknown))

    def objections(self, known: Known) -> list[tuple[str, str]]:
        """Conditions under which a message is not what it was taken for, with the reasons: there is
        nothing at all, or another sender says something stricter in these very octets."""
        found = (
            [] if known.marks else [(f"{COUNT} = 0", self._reasons.number(Reason("frame-count")))]
        )
        for role, own in self.roles.items():
            if known not in own:
                continue
            for other in self.known:
                if other in own or other.weight <= known.weight:
                    continue
                first = other.marks[0]
                condition = both(
                    [equal("role", quoted(role)), self._suits(other), self._fits(other)]
                )
                found.append((condition, self._reasons.number(_missing("command", first))))
        return found

    def _by_role(self, of: Callable[[Sequence[Known]], str]) -> str:
        if not self.roles:
            return of(self.known)
        return cases([(f"role = {quoted(role)}", of(own)) for role, own in self.roles.items()])

    def _chosen(self, own: Sequence[Known]) -> str:
        ranked = sorted(own, key=lambda known: -known.weight)
        alone = all(_apart(one, other) for i, one in enumerate(ranked) for other in ranked[i + 1 :])
        shared = _shared(own)
        common = {mark.wire for mark in shared}
        left = {
            known: both(self._has(mark) for mark in known.marks if mark.wire not in common)
            for known in ranked
        }
        branches = [(fits, str(known.number)) for known, fits in left.items()]
        if not alone:
            counted = [
                (both([self._suits(known), fits]), str(known.number))
                for known, fits in left.items()
            ]
            branches = counted + branches
        if not branches:
            return "CAST(NULL AS INT)"
        chosen = cases(branches)
        return cases([(both(map(self._has, shared)), chosen)]) if shared else chosen

    def _suits(self, known: Known) -> str:
        """Whether there are as many frames as a message may have."""
        least, most = frame_range(known.message.slots)
        if most is None:
            return f"{COUNT} >= {least}"
        return f"{COUNT} = {least}" if least == most else f"{COUNT} BETWEEN {least} AND {most}"

    def _fits(self, known: Known) -> str:
        return both(self._has(mark) for mark in known.marks)

    def _has(self, mark: Mark) -> str:
        frame = self._board.frame(mark.frame)
        if mark.whole:
            return equal(frame, octets(mark.octets))
        return equal(piece(frame, str(mark.offset), len(mark.octets)), octets(mark.octets))

    def _unknown(self, own: Sequence[Known]) -> str:
        """The reason that the constants give: a shared one is wrong, or the command is."""
        if not own:
            return self._reasons.number(Reason("command"))
        shared = _shared(own)
        branches: list[tuple[str, str]] = []
        for mark in shared:
            branches += self._refusing(mark, "constant", [f"NOT ({self._has(mark)})"])
        common = {mark.wire for mark in shared}
        left = [[mark for mark in one.marks if mark.wire not in common] for one in own]
        places = sorted({mark.place for ours in left for mark in ours})
        for place in places:
            # At the last place none is left, or one would have fitted.
            nobody = [f"NOT ({self._alive(left, place)})"] if place != places[-1] else []
            here = [(mark, ours) for ours in left for mark in ours if mark.place == place]
            if len({mark.field for mark, _ in here}) == 1:
                branches += self._refusing(here[0][0], "command", nobody)
                continue
            for mark, ours in here:
                # The first that got as far as this place gives its name to what is wrong there.
                reached = [self._has(before) for before in ours if before.place < place]
                branches += self._refusing(mark, "command", nobody + reached)
        return cases(_without_repetition(branches))

    def _alive(self, left: Sequence[Sequence[Mark]], place: tuple[int, int]) -> str:
        """Whether any message has all its constants up to this place."""
        ways: dict[str, dict[str, None]] = {}  # what must be here, by what must stand before
        for ours in left:
            before = both(self._has(mark) for mark in ours if mark.place < place)
            here = both(self._has(mark) for mark in ours if mark.place == place)
            ways.setdefault(before, {})[here] = None
        return either(
            f"({either(here)})" if before == "true" else f"{before} AND ({either(here)})"
            for before, here in ways.items()
        )

    def _refusing(self, mark: Mark, code: str, conditions: Sequence[str]) -> list[tuple[str, str]]:
        wrong = (both(conditions), self._reasons.number(_missing(code, mark)))
        if mark.frame == 0:
            return [wrong]  # that there is one was seen before
        short = self._reasons.number(Reason("frame-count", frame=COUNT))
        return [(both([f"{COUNT} <= {mark.frame}", *conditions]), short), wrong]


def _missing(code: str, mark: Mark) -> Reason:
    return Reason(code, field_name(mark.field), str(mark.frame), str(mark.offset))


def _shared(own: Sequence[Known]) -> list[Mark]:
    """The constants that all messages have."""
    first = own[0].marks if own else ()
    return [mark for mark in first if all(mark.wire in one.wires for one in own)]


def _apart(one: Known, other: Known) -> bool:
    """Whether no frames can have the constants of both."""
    there = {mark.place: mark for mark in other.marks}
    return any(
        mark.octets != there[mark.place].octets
        and (
            len(mark.octets) == len(there[mark.place].octets)
            or (mark.whole and there[mark.place].whole)
        )
        for mark in one.marks
        if mark.place in there
    )


def _without_repetition(branches: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Only the first branch of each condition is ever taken."""
    first: dict[str, str] = {}
    for condition, value in branches:
        first.setdefault(condition, value)
    return list(first.items())
