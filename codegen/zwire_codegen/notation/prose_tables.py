"""Frames told in prose: "A PING command consists of 2 frames" and "* Frame 0: …" lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from zwire_codegen.notation.document import Cell
from zwire_codegen.notation.markdown import plain
from zwire_codegen.source import Line, Place

_FRAME = re.compile(r"[ \t]*(?:[*+-][ \t]+)?frames?[ \t]+(\d{1,9}\+?)[ \t]*:", re.IGNORECASE)
_COMMAND = re.compile(
    r"\b(?:An?|The)\s+[*`_]{0,3}([A-Z][A-Z0-9_-]*)[*`_]{0,3}"
    r"\s+(?:command|message|frame)\s+(?:consists|is\s+made)\s+of\b"
)
_COUNT = re.compile(r"\b(\d{1,9}|[a-z]{3,5})(\s+or\s+more)?[\s-]+(?:frame|part)s?\b", re.IGNORECASE)
_CAPITALS = re.compile(r"[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)*")
_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}


@dataclass(frozen=True, slots=True)
class Introduction:
    """What the sentence in front of a table says: the command, and how many frames it has."""

    command: str
    comment: str
    declared: int | None
    open_ended: bool


def introduction(text: str) -> Introduction | None:
    """The introduction that a paragraph ends with, if it is one."""
    all_found = list(_COMMAND.finditer(text))
    if not all_found:
        return None
    found = all_found[-1]  # the one that stands next to the table
    declared, open_ended = None, False
    for count in _COUNT.finditer(text, found.end()):
        number = _WORDS.get(count[1].lower(), int(count[1]) if count[1].isdecimal() else None)
        if number is not None:
            declared, open_ended = number, count[2] is not None
            break
    return Introduction(found[1], plain(text[found.start() :]), declared, open_ended)


def command_in(heading: str) -> str:
    """The command that a heading names: its first word, or the first one in capitals; or ""."""
    words = plain(heading).split()
    if words and _is_command(words[0]):
        return words[0]
    return next((word for word in words if _is_command(word) and len(word) > 1), "")


def is_frame(text: str) -> bool:
    """Whether a line is one of a list of frames."""
    return _FRAME.match(text) is not None


def frame_cells(lines: Sequence[Line]) -> list[tuple[Cell, Cell]]:
    """Number and text of every frame in a list, continued lines joined."""
    found: list[tuple[Cell, Place, list[str]]] = []
    for line in lines:
        frame = _FRAME.match(line.text)
        if frame is not None:
            rest = line.text[frame.end() :]
            start = frame.end() + len(rest) - len(rest.lstrip())
            place = line.place(start, start + len(rest.strip()))
            found.append((Cell(frame[1], line.place(*frame.span(1))), place, [rest.strip()]))
        elif found:
            found[-1][2].append(line.text.strip())
    return [(number, Cell(" ".join(words), place)) for number, place, words in found]


def _is_command(word: str) -> bool:
    return _CAPITALS.fullmatch(word) is not None
