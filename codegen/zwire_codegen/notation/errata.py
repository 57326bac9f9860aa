"""Errata files: slips of a document mended, and what it says only in prose, with the reasons.

An erratum replaces a quoted passage; a supplement adds grammar, a table, a dialog or settings
where a quoted passage stands; a cell tells what octets a table's words stand for.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from zwire_codegen.catalogue import problem
from zwire_codegen.notation.files import read_source
from zwire_codegen.problems import Problem
from zwire_codegen.source import Place, Source

KNOWN = Path(__file__).parent.parent / "errata"

_BEGIN = Place(1, 1)
_WHERE = re.compile(r"\(at (?:line (\d+), column (\d+)|end of document)\)$")


@dataclass(frozen=True, slots=True)
class Erratum:
    """A passage that is wrong, what it should be, and why."""

    find: str
    replace: str
    why: str


@dataclass(frozen=True, slots=True)
class Supplement:
    """What is added where the anchor stands, and why. `command` names the table's message."""

    anchor: str
    why: str
    abnf: str = ""
    dialog: str = ""
    table: str = ""
    command: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CellReading:
    """The octets and the name that a table's words stand for, in one part or (part "") in all."""

    text: str
    value: str
    name: str
    why: str
    part: str = ""


@dataclass(frozen=True, slots=True)
class Errata:
    """All that one file says, and the document it is for; it fits any when it names none."""

    file: str
    name: str = ""
    title: str = ""
    anchors: tuple[str, ...] = ()
    errata: tuple[Erratum, ...] = ()
    supplements: tuple[Supplement, ...] = ()
    cells: tuple[CellReading, ...] = ()

    @property
    def label(self) -> str:
        """What the file is called in findings: its name without folders."""
        return Path(self.file).name

    def fits(self, name: str, title: str, text: str) -> bool:
        """Whether they are for the document with this `Name:` line (or "") and this title."""
        if self.name and name:
            return self.name == name
        if self.title and self.title != title:
            return False
        if self.name and not (self.title or self.anchors):
            return False
        return all(anchor in text for anchor in self.anchors)


@cache
def known_errata() -> tuple[Errata, ...]:
    """The errata that ship with the package."""
    found = [load_errata(path, path.name) for path in sorted(KNOWN.glob("*.toml"))]
    return tuple(errata for errata in found if isinstance(errata, Errata))


def load_errata(path: Path, name: str | None = None) -> Errata | Problem:
    """The errata in a file, or why it has none."""
    source = read_source(path, name)
    return source if isinstance(source, Problem) else parse_errata(source)


def parse_errata(source: Source) -> Errata | Problem:
    """The errata in a text, or the first thing that is wrong with it."""
    try:
        values = tomllib.loads(source.text)
    except RecursionError:
        return problem(source.name, _BEGIN, "ZW309", "values are nested too deep")
    except ValueError as error:
        return _not_toml(source, str(error))
    try:
        return _errata(source.name, values)
    except _Misfit as misfit:
        hint = "docs/notation.md describes errata files"
        return problem(source.name, misfit.place_in(source), "ZW309", misfit.text, hint)


class _Misfit(Exception):
    """A value that an errata file may not have; `key` is what to look for in its text."""

    def __init__(self, text: str, key: str) -> None:
        super().__init__(text)
        self.text = text
        self.key = key

    def place_in(self, source: Source) -> Place:
        for number, line in enumerate(source.lines, start=1):
            at = line.find(self.key)
            if at >= 0:
                return Place(number, at + 1, len(self.key))
        return _BEGIN


def _errata(file: str, values: Mapping[str, Any]) -> Errata:
    _only(values, "the file", {"document", "erratum", "supplement", "cell"})
    document = values.get("document", {})
    if not isinstance(document, dict):
        raise _Misfit("document is to be a table", "document")
    _only(document, "[document]", {"name", "title", "anchors"})
    anchors = document.get("anchors", [])
    if not isinstance(anchors, list) or not all(isinstance(item, str) for item in anchors):
        raise _Misfit("anchors is to be a list of texts", "anchors")
    return Errata(
        file,
        _text(document, "name", required=False),
        _text(document, "title", required=False),
        tuple(anchors),
        tuple(_erratum(entry) for entry in _tables(values, "erratum")),
        tuple(_supplement(entry) for entry in _tables(values, "supplement")),
        tuple(_cell(entry) for entry in _tables(values, "cell")),
    )


def _erratum(entry: Mapping[str, Any]) -> Erratum:
    _only(entry, "[[erratum]]", {"find", "replace", "why"})
    replace = entry.get("replace")
    if not isinstance(replace, str):
        raise _Misfit("[[erratum]] lacks replace, a text", "[[erratum]]")
    return Erratum(_text(entry, "find"), replace, _text(entry, "why"))


def _supplement(entry: Mapping[str, Any]) -> Supplement:
    texts = {"anchor", "why", "abnf", "dialog", "table", "command"}
    _only(entry, "[[supplement]]", texts | {"settings"})
    settings = entry.get("settings", {})
    if not isinstance(settings, dict):
        raise _Misfit("settings is to be a table", "settings")
    optional = {key: _text(entry, key, required=False) for key in texts - {"anchor", "why"}}
    supplement = Supplement(
        _text(entry, "anchor"), _text(entry, "why"), **optional, settings=settings
    )
    if supplement.table and not supplement.command:
        raise _Misfit("a table needs command, the name of its message", "table")
    return supplement


def _cell(entry: Mapping[str, Any]) -> CellReading:
    _only(entry, "[[cell]]", {"text", "value", "name", "why", "part"})
    name, part = (_text(entry, key, required=False) for key in ("name", "part"))
    return CellReading(_text(entry, "text"), _text(entry, "value"), name, _text(entry, "why"), part)


def _tables(values: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    found = values.get(key, [])
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        raise _Misfit(f"{key} is written [[{key}]]", key)
    return found


def _text(entry: Mapping[str, Any], key: str, *, required: bool = True) -> str:
    value = entry.get(key, None if required else "")
    if not isinstance(value, str) or (required and not value):
        raise _Misfit(f"{key} is to be a text, and is missing or something else", key)
    return value


def _only(entry: Mapping[str, Any], where: str, keys: set[str]) -> None:
    for key in entry:
        if key not in keys:
            raise _Misfit(f"{where} has no {key}; it may have {', '.join(sorted(keys))}", key)


def _not_toml(source: Source, text: str) -> Problem:
    where = _WHERE.search(text)
    place = _BEGIN
    if where is not None:
        text = text[: where.start()].rstrip()
        last = len(source.lines)
        place = Place(int(where[1]), int(where[2])) if where[1] else Place(last, 1)
    return problem(source.name, place, "ZW309", f"the errata are not TOML: {text.lower()}")
