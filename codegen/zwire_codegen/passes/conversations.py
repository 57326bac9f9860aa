"""Conversations: opening, closing and keys of a part's dialogs, and who sends which message."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from zwire_codegen.catalogue import problem
from zwire_codegen.model.automaton import TooLarge, automaton
from zwire_codegen.model.types import (
    Constant,
    Conversation,
    Dialog,
    Frame,
    Message,
    Say,
)
from zwire_codegen.passes.dialogs import said_in
from zwire_codegen.passes.names import did_you_mean, in_code, key
from zwire_codegen.passes.settings import Mention, PartSettings
from zwire_codegen.problems import Problem
from zwire_codegen.source import Place


@dataclass(slots=True)
class Conversing:
    """Applies a part's `[conversation]` and `[senders]`; collects problems."""

    file: str
    settings: PartSettings
    messages: Mapping[str, str]  # key -> name as the model has it
    places: Mapping[tuple[str, str], Place]
    problems: list[Problem] = field(default_factory=list)

    def closing(self) -> tuple[str, ...]:
        """The messages that end the conversation."""
        found = (self._message(mention) for mention in self.settings.closes)
        return tuple(dict.fromkeys(name for name in found if name is not None))

    def finished(self, dialogs: Sequence[Dialog], closes: tuple[str, ...]) -> Conversation:
        """The dialogs with what the settings say about them."""
        known = {key(dialog.name): dialog.name for dialog in dialogs}
        opens = self._dialogs(self.settings.opens, known)
        once = self._dialogs(self.settings.once, known)
        keys: dict[str, tuple[Mention, ...]] = {}
        for mention, names in self.settings.keys:
            for name in self._dialogs((mention,), known):
                keys[name] = names
        made = [
            replace(
                dialog,
                key=tuple(mention.text for mention in keys.get(key(dialog.name), ())),
                opens=dialog.opens or key(dialog.name) in opens,
                loops=key(dialog.name) not in once,
            )
            for dialog in dialogs
        ]
        self._check_machines(made, closes)
        self._check_overlaps(made)
        return Conversation(tuple(made), closes)

    def senders(self, dialogs: Sequence[Dialog], closes: Collection[str]) -> dict[str, list[str]]:
        """Who sends which message: what `[senders]` says, else who says it in a dialog."""
        said: dict[str, list[str]] = {name: [] for name in self.messages.values()}
        for say in (say for dialog in dialogs for say in said_in(dialog.body)):
            said.setdefault(say.message, []).append(say.role)
        order = [role.name for role in self.settings.roles]
        found: dict[str, list[str]] = {}
        for name, roles in said.items():
            given = self.settings.senders.get(key(name))
            if given is not None:
                allowed = [role for role in map(self._role, given) if role is not None]
                for role in dict.fromkeys(role for role in roles if role not in allowed):
                    text = f"{role} says {name}, which [senders] does not let it send"
                    self._tell(self.places.get((role, name), given_place(given)), "ZW512", text)
                roles = allowed
            elif not roles and (name in closes or not dialogs):
                roles = order
            found[name] = [role for role in order if role in roles]
        for mention in (*self.settings.sender_names, *self.settings.received_only):
            self._message(mention)
        return found

    def check_keys(self, dialogs: Sequence[Dialog], messages: Sequence[Message]) -> list[Dialog]:
        """The dialogs with their keys as the messages name those fields."""
        fields = {message.name: field_names(message) for message in messages}
        given = {key(mention.text): names for mention, names in self.settings.keys}
        checked = []
        for dialog in dialogs:
            names = list(dialog.key)
            for index, mention in enumerate(given.get(key(dialog.name), ())):
                lacking = [
                    say.message
                    for say in said_in(dialog.body)
                    if say.message in fields and in_code(mention.text) not in fields[say.message]
                ]
                for message in dict.fromkeys(lacking):
                    text = f'{message} of "{dialog.name}" has no field "{mention.text}"'
                    hint = did_you_mean(mention.text, list(fields[message].values()))
                    self._tell(mention.place, "ZW508", text, hint)
                if not lacking and index < len(names):
                    first = said_in(dialog.body)[0].message
                    names[index] = fields.get(first, {}).get(in_code(mention.text), mention.text)
            checked.append(replace(dialog, key=tuple(names)))
        return checked

    # -------------------------------------------------------- checks

    def _check_machines(self, dialogs: Sequence[Dialog], closes: Collection[str]) -> None:
        for dialog in dialogs:
            try:
                machine = automaton(dialog)
            except TooLarge as reason:
                place = self._place_of(said_in(dialog.body)[0])
                self._tell(place, "ZW511", f'"{dialog.name}" is too large: {reason}')
                continue
            behind = dict.fromkeys(
                word
                for row in machine.transitions
                for (_, message), to in row.items()
                if message in closes
                for word in machine.transitions[to]
            )
            for role, message in behind:
                text = f"{message} cannot follow: the conversation is closed before it"
                place = self.places.get((role, message), Place(dialog.origin.line, 1))
                self._tell(place, "ZW504", text, "end the dialog with the message that closes")

    def _check_overlaps(self, dialogs: Sequence[Dialog]) -> None:
        owners: dict[tuple[str, str], list[Dialog]] = {}
        for dialog in dialogs:
            for say in said_in(dialog.body):
                found = owners.setdefault((say.role, say.message), [])
                if dialog in found[-1:]:
                    continue
                for other in found[:1]:
                    if _together(dialog, other):
                        text = f'{say.message} belongs to "{other.name}" and to "{dialog.name}"'
                        hint = "say it in one of them, or write both as one dialog"
                        self._tell(self._place_of(say), "ZW505", text, hint)
                found.append(dialog)

    def _place_of(self, say: Say) -> Place:
        return self.places.get((say.role, say.message), Place(say.origin.line, 1))

    # -------------------------------------------------------- names

    def _message(self, mention: Mention) -> str | None:
        name = self.messages.get(key(mention.text))
        if name is None:
            hint = did_you_mean(mention.text, list(self.messages.values()))
            self._tell(mention.place, "ZW502", f'unknown message "{mention.text}"', hint)
        return name

    def _role(self, mention: Mention) -> str | None:
        role = self.settings.role(mention.text)
        if role is None:
            hint = did_you_mean(mention.text, [one.name for one in self.settings.roles])
            self._tell(mention.place, "ZW501", f'unknown role "{mention.text}"', hint)
            return None
        return role.name

    def _dialogs(self, mentions: Sequence[Mention], known: Mapping[str, str]) -> set[str]:
        found = set()
        for mention in mentions:
            if key(mention.text) in known:
                found.add(key(mention.text))
            else:
                hint = did_you_mean(mention.text, list(known.values()))
                self._tell(mention.place, "ZW507", f'unknown dialog "{mention.text}"', hint)
        return found

    def _tell(self, place: Place, code: str, text: str, hint: str = "") -> None:
        self.problems.append(problem(self.file, place, code, text, hint))


def given_place(mentions: Sequence[Mention]) -> Place:
    """Where a list of names stands."""
    return mentions[0].place if mentions else Place(1, 1)


def field_names(message: Message) -> dict[str, str]:
    """The names of a message's values: as code has them -> as the specification has them."""
    names: list[str] = []
    for slot in message.slots:
        if isinstance(slot, Frame):
            names += [one.name for one in slot.fields if not isinstance(one.type, Constant)]
        else:
            names.append(slot.name)
    return {in_code(name): name for name in names}


def _together(one: Dialog, other: Dialog) -> bool:
    """Whether both may be open at the same time: an opening that is done once is over by then."""
    if one.opens == other.opens:
        return True
    opening = one if one.opens else other
    return opening.loops
