"""Compare what only people notice: comments, letters, and the order in which things stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from zwire_codegen.diff.changes import Change, Impact
from zwire_codegen.model.types import (
    Dialog,
    Enumeration,
    Frame,
    Message,
    NamedConstant,
    Part,
    Role,
)

_Explained: TypeAlias = Role | Dialog | NamedConstant


def compare_wording(old: Part, new: Part) -> Iterator[Change]:
    """Every change of comments, letters and order between parts whose names agree."""
    for kind, before, after in (
        ("role", _comments(old.roles), _comments(new.roles)),
        ("message", _of_messages(old), _of_messages(new)),
        ("dialog", _comments(old.conversation.dialogs), _comments(new.conversation.dialogs)),
        ("constant", _comments(old.constants), _comments(new.constants)),
    ):
        for name, comments in before.items():
            words = after.get(name, {})
            if any(words.get(part, comment) != comment for part, comment in comments.items()):
                what = f"the {kind} {name} is explained in other words"
                yield _compatible("comment", f"{old.name}.{name}", what, "only people read it")
        common = [name for name in before if name in after]
        if common != [name for name in after if name in before]:
            what = f"the {kind}s stand in another order"
            yield _compatible("order", old.name, what, "so they do in generated code and pages")
    letters = {role.name: role.letter for role in new.roles}
    for role in old.roles:
        letter = letters.get(role.name, role.letter)
        if letter != role.letter:
            what = f"its letter was {role.letter} and is {letter}"
            yield _compatible("letter", f"{old.name}.{role.name}", what, "only dialogs are so told")


def _compatible(kind: str, where: str, what: str, why: str) -> Change:
    return Change(Impact.COMPATIBLE, kind, where, what, why)


def _comments(things: Sequence[_Explained]) -> dict[str, dict[str, str]]:
    return {thing.name: {"": thing.origin.comment} for thing in things}


def _of_messages(part: Part) -> dict[str, dict[str, str]]:
    return {message.name: _of_message(message) for message in part.messages}


def _of_message(message: Message) -> dict[str, str]:
    """The comments of a message, of its fields by name, and of the values of these."""
    found = {"": message.origin.comment}
    for slot in message.slots:
        if not isinstance(slot, Frame):
            found[slot.name] = slot.origin.comment
            continue
        for field in slot.fields:
            found[field.name] = field.origin.comment
            if isinstance(field.type, Enumeration):
                for member in field.type.members:
                    found[f"{field.name}.{member.name}"] = member.origin.comment
    return found
