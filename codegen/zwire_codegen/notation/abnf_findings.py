"""What reading ABNF finds: problems at their places in the document, by the rules of the mode."""

from __future__ import annotations

from collections.abc import Sequence

from zwire_codegen.catalogue import problem
from zwire_codegen.notation.abnf_scanner import Token
from zwire_codegen.problems import Problem
from zwire_codegen.source import Line, Place

MOST_ERRORS = 1_000  # in one block; reading it ends there


class Findings:
    """Collects the problems of one block, and knows where its tokens stand in the document.

    A tolerance is a warning under its own code; in strict mode it is an error, since the text
    is not ABNF. `roles` says that names may carry the role that says them, as in a dialog.
    """

    def __init__(self, lines: Sequence[Line], file: str, *, strict: bool, roles: bool) -> None:
        self.lines = lines
        self.file = file
        self.strict = strict
        self.roles = roles
        self.problems: list[Problem] = []
        self.errors = 0

    @property
    def enough(self) -> bool:
        """Whether there are more errors than anybody will read."""
        return self.errors >= MOST_ERRORS

    def place(self, token: Token) -> Place:
        """Where a token stands in the document."""
        line = self.lines[token.line - 1]
        return Place(line.line, line.column + token.column - 1, max(1, len(token.text)))

    def error(self, place: Place, code: str, text: str, hint: str = "") -> None:
        self.errors += 1
        self.problems.append(problem(self.file, place, code, text, hint))

    def tolerate(self, place: Place, code: str, text: str, hint: str) -> None:
        """A form that is no ABNF but is understood."""
        self.errors += self.strict
        self.problems.append(
            problem(self.file, place, "ZW106" if self.strict else code, text, hint)
        )
