"""What is wrong with a document: collected, never raised one at a time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from zwire_codegen.source import Place


class Severity(StrEnum):
    """How bad: an error stops generation, a warning does not, a note only tells."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding: a stable code (`ZW101`), where, what, and what to do about it."""

    file: str
    place: Place
    code: str
    severity: Severity
    text: str
    hint: str = ""

    @property
    def order(self) -> tuple[str, int, int, int, str]:
        place = self.place
        return (self.file, place.line, place.column, place.length, self.code)


def failed(problems: Iterable[Problem]) -> bool:
    """Whether any of them is an error."""
    return any(problem.severity is Severity.ERROR for problem in problems)
