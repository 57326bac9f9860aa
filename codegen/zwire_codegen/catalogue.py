"""The catalogue of findings: every stable code, how bad it is, and what it means.

Codes never change their meaning. `ZW0xx` is about files, `ZW1xx` about ABNF syntax, `ZW2xx`
about tolerances, `ZW3xx` about tables, blocks, settings and errata, `ZW4xx` about names, types
and layout, `ZW5xx` about dialogs, `ZW6xx` about style.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from zwire_codegen.codes import dialogs, documents, layout, notation
from zwire_codegen.codes.entry import Entry
from zwire_codegen.problems import Problem, Severity
from zwire_codegen.source import Place

__all__ = ["CODES", "Entry", "problem", "severity"]


def _gather(groups: Iterable[tuple[Entry, ...]]) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for group in groups:
        for entry in group:
            if entry.code in found:
                raise ValueError(f"the code {entry.code} is given twice")
            found[entry.code] = entry
    return dict(sorted(found.items()))


CODES: MappingProxyType[str, Entry] = MappingProxyType(
    _gather((notation.ENTRIES, documents.ENTRIES, layout.ENTRIES, dialogs.ENTRIES))
)


def severity(code: str) -> Severity:
    """How bad a finding with this code is."""
    return CODES[code].severity


def problem(file: str, place: Place, code: str, text: str, hint: str = "") -> Problem:
    """A finding; its severity is the catalogue's."""
    return Problem(file, place, code, CODES[code].severity, text, hint)
