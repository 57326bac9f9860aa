"""Comments of a chunk as texts: which paragraph stands above a rule, which line beside what part."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from zwire_codegen.notation.abnf_chunks import Chunk
from zwire_codegen.notation.abnf_scanner import Token
from zwire_codegen.notation.tree import Choice, Element, Sequence

_OPENERS = {"_OPEN", "OPEN_OPTION"}
_CLOSERS = {"_CLOSE", "CLOSE_OPTION"}
_BARS = {"_SLASH", "_BAR"}
_PREFIXES = {"REPEAT", "ROLE"}


def line_of(comment: Token) -> str:
    """The text of a comment that has its line to itself, with its indentation but for one blank."""
    return comment.text[1:].removeprefix(" ").rstrip()


def paragraphs(comments: list[Token], head: int) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """Comments above a rule whose name is on line `head`: those set apart by empty lines, and
    those directly above it."""
    found: list[list[str]] = []
    last = 0
    for comment in comments:
        line = comment.line
        if not found or line > last + 1:
            found.append([])
        found[-1].append(line_of(comment))
        last = line
    above = found.pop() if found and last + 1 >= head else []
    return [tuple(paragraph) for paragraph in found], tuple(above)


def beside(chunk: Chunk, body: Element) -> tuple[str, ...]:
    """The comments behind a rule's lines: one about the rule, or one for each part of its body.

    A comment with a line to itself goes on with the one before it.
    """
    if not chunk.beside:
        return ()
    first = chunk.tokens[0].line
    token_lines = {token.line for token in chunk.tokens}
    notes: list[tuple[int, list[str]]] = []  # line, words
    for comment in chunk.beside:
        words, line = comment.text[1:].split(), comment.line
        if notes and line not in token_lines:
            notes[-1][1].extend(words)
        else:
            notes.append((line, words))
    notes = [note for note in notes if note[1]]
    if not notes:
        return ()
    starts = list(_starts(chunk.tokens, body))
    parts: list[list[str]] = [[] for _ in starts]
    for line, words in notes:
        parts[max(0, bisect_right(starts, line) - 1)].extend(words)
    filled = [number for number, words in enumerate(parts) if words]
    ends = isinstance(body, Sequence) and filled[0] == len(parts) - 1
    if len(filled) == 1 and (ends or notes[0][0] <= first):
        return (" ".join(parts[filled[0]]),)
    return tuple(" ".join(words) for words in parts[: filled[-1] + 1])


def _starts(tokens: list[Token], body: Element) -> Iterator[int]:
    """The line on which each part of the body begins: alternatives, or else items."""
    depth = 0
    of_choice = isinstance(body, Choice)
    before = "_SLASH"
    for token in tokens[2:]:
        kind = token.type
        begins = before in _BARS if of_choice else before not in _PREFIXES and kind not in _CLOSERS
        if depth == 0 and begins:
            yield token.line
        depth += (kind in _OPENERS) - (kind in _CLOSERS)
        before = kind
