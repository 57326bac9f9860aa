"""One part of a document through all passes: merge, resolve, lower, lay out, converse, check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from zwire_codegen.catalogue import problem
from zwire_codegen.model.types import (
    Constant,
    Field,
    Frame,
    Frames,
    Message,
    Origin,
    Part,
    Role,
    Stack,
)
from zwire_codegen.notation.abnf import parse_element
from zwire_codegen.notation.document import FrameTable, PartText
from zwire_codegen.notation.tree import Element, Grammar, Rule
from zwire_codegen.passes import checks, style
from zwire_codegen.passes.conversations import Conversing
from zwire_codegen.passes.dialogs import Speaking, spoken
from zwire_codegen.passes.layout import Layout
from zwire_codegen.passes.lowering import Lowering
from zwire_codegen.passes.names import did_you_mean, key
from zwire_codegen.passes.rules import merge, order, resolve, unused
from zwire_codegen.passes.settings import PartSettings, read_part
from zwire_codegen.passes.walk import names_in
from zwire_codegen.problems import Problem
from zwire_codegen.source import Place


def build_part(text: PartText, file: str, document: str) -> tuple[Part, list[Problem]]:
    """The part as far as it can be made, and all that is wrong with it."""
    building = _Building(text, file, document)
    return building.part(), building.problems


@dataclass(slots=True)
class _Building:
    text: PartText
    file: str
    document: str
    problems: list[Problem] = field(default_factory=list)
    settings: PartSettings = field(default_factory=PartSettings)
    wire: dict[str, Rule] = field(default_factory=dict)
    spoken: dict[str, Rule] = field(default_factory=dict)
    tables: dict[str, FrameTable] = field(default_factory=dict)
    cells: dict[str, list[Element | None]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)  # of messages: key -> as written
    places: dict[str, Place] = field(default_factory=dict)

    def part(self) -> Part:
        self.settings = self._keep(*read_part(self.text.settings, self.file, self.document))
        self._read_tables()
        self._divide()
        self._find_messages()
        if not self.settings.roles and not any(self._roles_mentioned()):
            peer = Role("peer", "P", "", Origin(self.document, self.text.settings.place.line))
            self.settings = replace(self.settings, roles=(peer,))
        messages = self._messages()
        return self._conversation(messages)

    def _keep(self, result: PartSettings, problems: list[Problem]) -> PartSettings:
        self.problems += problems
        return result

    # -------------------------------------------------------- what there is

    def _read_tables(self) -> None:
        for table in self.text.tables:
            name = key(table.command)
            if name in self.tables:
                text = f"{table.command} has a table already"
                self._tell(table.place, "ZW413", text, "leave one of them out, or rename it")
                continue
            values: list[Element | None] = []
            for row in table.rows:
                value, told = parse_element(row.value.text, row.value.place, self.file, strict=True)
                self.problems += told
                values.append(value)
            self.tables[name] = table
            self.cells[name] = values

    def _divide(self) -> None:
        """Sort the rules into those of the wire and those that are spoken."""
        wire, told = merge(self.text.wire, self.file)
        self.problems += told
        mentions = (*self.settings.sender_names, *self.settings.closes)
        known = {*self.tables, *(key(mention.text) for mention in mentions)}
        moved = spoken(wire, known)
        self.wire = {name: rule for name, rule in wire.items() if name not in moved}
        mixed = Grammar(tuple(rule for name, rule in wire.items() if name in moved))
        self.spoken, told = merge((mixed, *self.text.dialogs), self.file)
        self.problems += [one for one in told if one.code != "ZW416"]

    def _find_messages(self) -> None:
        said = {
            key(name.text)
            for rule in self.spoken.values()
            for name in names_in(rule.body)
            if name.role or key(name.text) not in self.spoken
        }
        settings = self.settings
        for mention in (*settings.sender_names, *settings.closes, *settings.received_only):
            said.add(key(mention.text))
        said |= {name for name, rule in self.wire.items() if rule.name.role}
        if not said and not self.tables:
            said = self._in_capitals()
        found = [(table.place, name, table.command) for name, table in self.tables.items()]
        for name, rule in self.wire.items():
            if name not in said:
                continue
            if name in self.tables:
                text = f"{rule.name.text} has a table and a rule"
                self._tell(rule.name.place, "ZW413", text, "leave one of them out")
                continue
            found.append((rule.name.place, name, rule.name.text))
        for place, name, written in sorted(found):
            self.names[name] = written
            self.places[name] = place
        if not self.names:
            first = next(iter((*self.wire.values(), *self.spoken.values())), None)
            if first is not None:
                text = "nothing in this part is a message"
                hint = "say a rule in a dialog, or name its senders in [senders]"
                self._tell(first.name.place, "ZW421", text, hint)

    def _in_capitals(self) -> set[str]:
        """Without any word about who says what: the rules in capitals that no other mentions."""
        inner = {key(name.text) for rule in self.wire.values() for name in names_in(rule.body)}
        return {
            name
            for name, rule in self.wire.items()
            if name not in inner and rule.name.text == rule.name.text.upper()
        }

    def _roles_mentioned(self) -> list[str]:
        return [
            name.role for rule in self.spoken.values() for name in names_in(rule.body) if name.role
        ]

    # -------------------------------------------------------- the wire

    def _messages(self) -> list[Message]:
        cells = [cell for row in self.cells.values() for cell in row if cell is not None]
        mentions = [name for rule in self.wire.values() for name in names_in(rule.body)]
        in_cells = [name for cell in cells for name in names_in(cell)]
        _, told = resolve((*mentions, *in_cells), self.wire, self.file)
        self.problems += told
        ordered, circular, told = order(self.wire, self.file)
        self.problems += told
        roots = {*self.names, *(key(name.text) for name in in_cells)}
        reached, told = unused(self.wire, roots, self.file)
        if self.names:
            self.problems += told
        overrides = self.settings.overrides
        lowering = Lowering(self.file, self.document, self.wire, self.names, overrides)
        for name in ordered:
            if name in reached and name not in circular:
                lowering.rule(name)
        used = (*cells, *(self.wire[name].body for name in ordered if name in reached))
        self.problems += style.check_texts(used, self.file)
        messages = [m for name in self.names if (m := self._message(name, lowering)) is not None]
        self.problems += lowering.problems
        self._check_overrides(messages)
        return messages

    def _message(self, name: str, lowering: Lowering) -> Message | None:
        layout = Layout(self.names[name], lowering)
        table = self.tables.get(name)
        if table is not None:
            slots = layout.of_table(table, self.cells[name])
            comment, line = table.comment, table.place.line
        else:
            rule = self.wire[name]
            slots = layout.of_rule(rule)
            comment, line = rule.comment, rule.place.line
        if slots is None:
            return None
        received_only = {key(mention.text) for mention in self.settings.received_only}
        origin = Origin(self.document, line, " ".join(comment.split()))
        return Message(self.names[name], (), slots, origin, name in received_only)

    def _check_overrides(self, messages: list[Message]) -> None:
        fields = {
            f"{key(message.name)}.{key(name)}"
            for message in messages
            for slot in message.slots
            for name in _names_of(slot.fields if isinstance(slot, Frame) else (slot,))
        }
        known = {*self.wire, *fields}
        complete = len(messages) == len(self.names)
        for path, override in self.settings.overrides.items():
            if path not in known and (complete or "." not in path):
                text = f'there is no rule or field "{path}"'
                self._tell(override.place, "ZW414", text, did_you_mean(path, known))

    # -------------------------------------------------------- what is said

    def _conversation(self, messages: list[Message]) -> Part:
        settings, file = self.settings, self.file
        speaking = Speaking(file, self.document, self.spoken, self.names, settings)
        ordered, circular, told = order(self.spoken, file)
        self.problems += told
        for name in ordered:
            if name not in circular:
                speaking.rule(name)
        dialogs = speaking.dialogs()
        self.problems += speaking.problems
        conversing = Conversing(file, settings, self.names, speaking.places)
        closes = conversing.closing()
        conversation = conversing.finished(dialogs, closes)
        senders = conversing.senders(dialogs, closes)
        messages = [replace(one, senders=tuple(senders[one.name])) for one in messages]
        checked = conversing.check_keys(conversation.dialogs, messages)
        self.problems += conversing.problems
        part = checks.name_constants(
            Part(
                settings.name,
                settings.roles,
                tuple(messages),
                replace(conversation, dialogs=tuple(checked)),
                settings.constants,
                Origin(self.document, self.text.settings.place.line),
                settings.datagram,
            )
        )
        self.problems += [
            *checks.check_counts(list(self.tables.values()), file),
            *checks.check_discriminators(part, self.places, file),
            *checks.check_headers(part, self.places, file),
            *checks.check_names(messages, self.places, file),
            *checks.check_said(messages, checked, closes, settings, self.places, file),
            *checks.check_datagrams(part, self.places, file),
            *style.check_messages(messages, self.places, file),
        ]
        return part

    def _tell(self, place: Place, code: str, text: str, hint: str = "") -> None:
        self.problems.append(problem(self.file, place, code, text, hint))


def _names_of(held: Iterable[Field | Stack | Frames]) -> Iterator[str]:
    for one in held:
        if not (isinstance(one, Field) and isinstance(one.type, Constant)):
            yield one.name
