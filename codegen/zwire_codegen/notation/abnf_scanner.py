"""Text becomes tokens: the terminals of abnf.lark in one pattern, tried in their order."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark.lexer import TerminalDef


@dataclass(slots=True)
class Token:
    """A word of ABNF: its terminal, its text, where it stands, and later its part of the tree.

    Line and column count from 1 within the block; `start` and `end` are offsets in its text.
    """

    type: str
    text: str
    line: int
    column: int
    start: int
    end: int
    value: Any = None

    def __str__(self) -> str:
        return self.text

    @property
    def shown(self) -> str:
        """The text as a message quotes it, cut where it is long."""
        text = brief(self.text)
        if text.startswith(('"', "%", "<")):
            return text
        return f'"{text}"' if text.isprintable() else repr(text)


def brief(text: str) -> str:
    """The text, cut where it is too long for a message."""
    return text if len(text) <= 40 else f"{text[:40]}…"


def pattern_of(terminals: Iterable[TerminalDef]) -> re.Pattern[str]:
    """One pattern of all terminals, those of higher priority first; white space goes before."""
    ordered = sorted(terminals, key=lambda terminal: (-terminal.priority, terminal.name))
    choices = "|".join(f"(?P<{each.name}>{each.pattern.to_regexp()})" for each in ordered)
    return re.compile(rf"[ \t\n]*+(?:{choices})")


def scan(text: str, pattern: re.Pattern[str]) -> list[Token]:
    """The tokens of a text. The last terminal takes any character, so none is passed over."""
    tokens = []
    line, begin = 1, 0  # the line that was reached, and its first offset
    newline = text.find("\n")
    stop = len(text.rstrip(" \t\n"))  # blanks at the end would be tried from each of them
    for match in pattern.finditer(text, 0, stop):
        kind = match.lastgroup or ""
        start, end = match.span(kind)
        while -1 < newline < start:
            line, begin = line + 1, newline + 1
            newline = text.find("\n", begin)
        tokens.append(Token(kind, text[start:end], line, start - begin + 1, start, end))
    return tokens
