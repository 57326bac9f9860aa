"""One entry of the catalogue of findings."""

from __future__ import annotations

from dataclasses import dataclass

from zwire_codegen.problems import Severity

ERROR = Severity.ERROR
WARNING = Severity.WARNING
NOTE = Severity.NOTE


@dataclass(frozen=True, slots=True)
class Entry:
    """A code with its title, why it is reported, and a text that has it (`bad`) or not (`good`)."""

    code: str
    severity: Severity
    title: str
    explanation: str
    good: str
    bad: str
