"""A document as read: parts (name spaces) with their rules, frame tables, dialogs, settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zwire_codegen.notation.tree import Grammar
from zwire_codegen.source import Place, Source


@dataclass(frozen=True, slots=True)
class Cell:
    """The text of a table's cell, unescaped, and where it stands."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Row:
    """One frame of a table: `first` is its number, `more` says it stands for all further ones."""

    first: int
    more: bool
    value: Cell
    name: Cell
    meaning: Cell
    place: Place


@dataclass(frozen=True, slots=True)
class FrameTable:
    """The frames of one command. `declared` is the count that the text states, with `open_ended`
    for "5 or more"; `comment` is the sentence that introduces the command."""

    command: str
    rows: tuple[Row, ...]
    place: Place
    comment: str = ""
    declared: int | None = None
    open_ended: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """A `zwire` block, or what errata say in its stead: TOML values, where they stand, and the
    comments beside them."""

    values: Mapping[str, Any]
    place: Place
    places: Mapping[tuple[str, ...], Place] = field(default_factory=dict)
    comments: Mapping[tuple[str, ...], str] = field(default_factory=dict)

    def place_of(self, *path: str) -> Place:
        """Where the value at this path stands, or its nearest known parent."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, self.place)


@dataclass(frozen=True, slots=True)
class PartText:
    """One name space of a document: everything between one `[part]` and the next."""

    settings: Settings
    wire: tuple[Grammar, ...] = ()
    dialogs: tuple[Grammar, ...] = ()
    tables: tuple[FrameTable, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A whole document: its title, the protocol's settings (`[protocol]`), and its parts."""

    source: Source
    title: str
    settings: Settings
    parts: tuple[PartText, ...]
