"""Compare the conversations of two parts: what may be said, and in which order."""

from __future__ import annotations

from collections.abc import Iterator

from zwire_codegen.diff.changes import Change, Impact, listed, pair
from zwire_codegen.model.automaton import Automaton, TooLarge, Word, automaton
from zwire_codegen.model.types import Dialog, Part


def compare_conversations(old: Part, new: Part) -> Iterator[Change]:
    """Every change of dialogs, of what opens and of what closes."""
    where = old.name
    dialogs = pair(
        old.conversation.dialogs,
        new.conversation.dialogs,
        lambda dialog: dialog.name,
        lambda dialog: (_language(dialog), dialog.key, dialog.opens, dialog.loops),
    )
    for dialog in dialogs.gone:
        yield Change(
            Impact.WIRE,
            "dialog-gone",
            f"{where}.{dialog.name}",
            f"the dialog {dialog.name} is gone",
            "what was said in it is a violation now",
        )
    for dialog in dialogs.new:
        impact = Impact.WIRE if dialog.opens else Impact.COMPATIBLE
        yield Change(
            impact,
            "dialog-new",
            f"{where}.{dialog.name}",
            f"the dialog {dialog.name} is new" + (" and must come first" if dialog.opens else ""),
            (
                "old peers do not open with it"
                if dialog.opens
                else "the other dialogs go on as before"
            ),
        )
    for before, after in dialogs.renamed:
        yield Change(
            Impact.SOURCE,
            "dialog-renamed",
            f"{where}.{before.name}",
            f"the dialog {before.name} is now {after.name}",
            "the same is said, programs name the dialog",
        )
    for before, after in dialogs.same:
        yield from _compare(f"{where}.{before.name}", before, after)
    yield from _compare_closing(where, old.conversation.closes, new.conversation.closes)


def _compare(where: str, old: Dialog, new: Dialog) -> Iterator[Change]:
    before, after = _machine(old), _machine(new)
    if before is not None and after is not None:
        lost, gained = _only_in_first(before, after), _only_in_first(after, before)
        if lost is not None:
            yield Change(
                Impact.WIRE,
                "dialog-narrowed",
                where,
                f"{_told(lost)} was legal and is no more",
                "old peers that say it violate the dialog",
            )
        if gained is not None:
            yield Change(
                Impact.COMPATIBLE if lost is None else Impact.WIRE,
                "dialog-widened",
                where,
                f"{_told(gained)} is now legal",
                (
                    "all that was legal still is; old peers take the new order for a violation"
                    if lost is None
                    else "old and new peers agree on neither order"
                ),
            )
    elif old.body != new.body:
        yield Change(
            Impact.WIRE, "dialog-changed", where, "the dialog changed", "it is too large to compare"
        )
    if old.key != new.key:
        yield Change(
            Impact.WIRE,
            "dialog-key",
            where,
            f"its instances are told apart by {listed(new.key) if new.key else 'nothing'}, "
            f"no more by {listed(old.key) if old.key else 'nothing'}",
            "two peers disagree which instance a message belongs to",
        )
    if old.opens != new.opens:
        yield Change(
            Impact.WIRE if new.opens else Impact.COMPATIBLE,
            "dialog-opens",
            where,
            "it must come first now" if new.opens else "it need not come first any more",
            "old peers may begin otherwise" if new.opens else "who begins with it may go on so",
        )
    if old.loops != new.loops:
        yield Change(
            Impact.COMPATIBLE if new.loops else Impact.WIRE,
            "dialog-loops",
            where,
            "it may begin again" if new.loops else "it may be held only once",
            "once was legal and is" if new.loops else "old peers may begin it again",
        )


def _compare_closing(where: str, old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[Change]:
    for name in old:
        if name not in new:
            yield Change(
                Impact.WIRE,
                "closing-gone",
                f"{where}.{name}",
                f"{name} ends the conversation no more",
                "old peers hang up after it",
            )
    for name in new:
        if name not in old:
            yield Change(
                Impact.WIRE,
                "closing-new",
                f"{where}.{name}",
                f"{name} ends the conversation now",
                "old peers go on talking after it",
            )


def _machine(dialog: Dialog) -> Automaton | None:
    try:
        return automaton(dialog)
    except TooLarge:
        return None


def _language(dialog: Dialog) -> object:
    machine = _machine(dialog)
    if machine is None:
        return dialog.body
    rows = tuple(frozenset(row.items()) for row in machine.transitions)
    return rows, machine.accepting


def _only_in_first(first: Automaton, second: Automaton) -> tuple[list[Word], bool] | None:
    """The shortest thing that only the first allows: what is said, and whether it may end there.

    Searched breadth first over pairs of states; None in the second stands for "refused".
    """
    seen: set[tuple[int, int]] = {(0, 0)}
    waiting: list[tuple[int, int, list[Word]]] = [(0, 0, [])]
    for here, there, said in waiting:
        if here in first.accepting and there not in second.accepting:
            return said, True
        for word, after in first.transitions[here].items():
            other = second.transitions[there].get(word)
            if other is None:
                return [*said, word], False
            if (after, other) not in seen:
                seen.add((after, other))
                waiting.append((after, other, [*said, word]))
    return None


def _told(found: tuple[list[Word], bool]) -> str:
    said, ended = found
    words = " ".join(f"{role}:{message}" for role, message in said) or "saying nothing"
    return f"ending after {words}" if ended else words
