"""Collects what blocks say into the parts of a document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from zwire_codegen.notation.document import Document, FrameTable, PartText, Settings
from zwire_codegen.notation.settings import merge_settings, only, without
from zwire_codegen.notation.tree import Grammar
from zwire_codegen.source import Place, Source


@dataclass(slots=True)
class _Part:
    """One part in the making. `told` is what drawings of dialogs say about the conversation:
    settings that somebody wrote down count for more."""

    settings: Settings
    wire: list[Grammar] = field(default_factory=list)
    dialogs: list[Grammar] = field(default_factory=list)
    tables: list[FrameTable] = field(default_factory=list)
    opens: list[str] = field(default_factory=list)
    closes: list[str] = field(default_factory=list)
    drawn_at: Place | None = None

    def finished(self) -> PartText:
        told = {key: names for key, names in self._told().items() if names}
        settings = self.settings
        if told:
            place = self.drawn_at or settings.place
            places: dict[tuple[str, ...], Place] = {("conversation", key): place for key in told}
            settings = merge_settings(Settings({"conversation": told}, place, places), settings)
        return PartText(settings, tuple(self.wire), tuple(self.dialogs), tuple(self.tables))

    def _told(self) -> dict[str, list[str]]:
        return {
            "opens": list(dict.fromkeys(self.opens)),
            "once": list(dict.fromkeys(self.opens)),
            "closes": list(dict.fromkeys(self.closes)),
        }


class Assembly:
    """The document in the making. What stands before the first `[part]` belongs to the document
    when it is settings alone, and else to a part without a name."""

    def __init__(self) -> None:
        self._protocol = Settings({}, Place(1, 1))
        self._early = Settings({}, Place(1, 1))
        self._parts: list[_Part] = []

    @property
    def part_name(self) -> str:
        """The name of the part that is being collected, or ""."""
        values = self._parts[-1].settings.values.get("part") if self._parts else None
        name = values.get("name", "") if isinstance(values, dict) else ""
        return name if isinstance(name, str) else ""

    def add_settings(self, settings: Settings) -> None:
        """A block of settings; one with `[part]` begins a part."""
        if "protocol" in settings.values:
            self._protocol = merge_settings(self._protocol, only(settings, "protocol"))
        rest = without(settings, "protocol")
        if "part" in rest.values:
            self._parts.append(_Part(rest))
        elif self._parts:
            self._parts[-1].settings = merge_settings(self._parts[-1].settings, rest)
        else:
            self._early = merge_settings(self._early, rest)

    def add_wire(self, grammar: Grammar) -> None:
        """The rules of one block."""
        if grammar.rules or grammar.trailing:
            self._part().wire.append(grammar)

    def add_dialogs(
        self, grammar: Grammar, opens: Sequence[str] = (), closes: Sequence[str] = ()
    ) -> None:
        """The dialogs of one block, with those that open and the messages that close it all."""
        if grammar.rules or grammar.trailing:
            part = self._part()
            part.dialogs.append(grammar)
            part.opens += opens
            part.closes += closes
            if (opens or closes) and part.drawn_at is None:
                part.drawn_at = grammar.rules[0].place

    def add_table(self, table: FrameTable) -> None:
        """The frames of one command."""
        self._part().tables.append(table)

    def finished(self, source: Source, title: str) -> Document:
        """The whole document; it has one part at least."""
        if not self._parts:
            self._part()
        settings = merge_settings(self._protocol, self._early)
        parts = tuple(part.finished() for part in self._parts)
        return Document(source, title, settings, parts)

    def _part(self) -> _Part:
        if not self._parts:
            self._parts.append(_Part(self._early))
            self._early = Settings({}, self._early.place)
        return self._parts[-1]
