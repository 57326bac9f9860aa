"""What is refused before it is parsed: texts over 4 MiB, and groups nested deeper than 200."""

from __future__ import annotations

import re

from zwire_codegen.catalogue import problem
from zwire_codegen.notation.files import LARGEST
from zwire_codegen.problems import Problem
from zwire_codegen.source import Place

DEEPEST = 200

# Brackets count outside quoted text, prose values and comments, and up to the next empty line.
_MARKS = re.compile(r'"[^"\n]*"|<[^<>\n]*>|;[^\n]*|\n[ \t]*(?=\n)|[(\[]|[)\]]')


def refuse(text: str, file: str = "") -> Problem | None:
    """Why this text is not even parsed, or None. Places count within the text."""
    if len(text) > LARGEST or (
        len(text) * 4 > LARGEST and len(text.encode("utf-8", "surrogatepass")) > LARGEST
    ):
        hint = "split it, or leave out what is no specification"
        return problem(file, Place(1, 1), "ZW003", "the document has more than 4 MiB", hint)
    if text.count("(") + text.count("[") <= DEEPEST:
        return None
    depth = 0
    for mark in _MARKS.finditer(text):
        character = mark[0][0]
        if character in "([":
            depth += 1
            if depth > DEEPEST:
                return too_deep(_place(text, mark.start()), file)
        elif character in ")]":
            depth = max(0, depth - 1)
        elif character == "\n":
            depth = 0
    return None


def too_deep(place: Place, file: str) -> Problem:
    """The problem of a group in 200 others."""
    text = f"groups are nested deeper than {DEEPEST}"
    return problem(file, place, "ZW004", text, "give the inner groups rules of their own")


def _place(text: str, offset: int) -> Place:
    before = text.rfind("\n", 0, offset)
    return Place(text.count("\n", 0, offset) + 1, offset - before)
