"""The tokens of a block cut into rules, each with the comments that belong to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from zwire_codegen.notation.abnf_scanner import Token


@dataclass(slots=True)
class Chunk:
    """The tokens from one rule's name to the next, and its comments.

    `above` stand before it; `beside` stand between or behind its tokens. `end` is the last line
    that it or one of its comments takes. A block's first chunk has no name when there is text
    before the first rule; its last one has no tokens when comments end the block.
    """

    above: list[Token]
    tokens: list[Token]
    beside: list[Token] = field(default_factory=list)
    end: int = 0


def cut(tokens: Iterable[Token]) -> list[Chunk]:
    """The chunks of a block, in order."""
    chunks: list[Chunk] = []
    waiting: list[Token] = []  # comments not yet known to belong to the rule before or after
    current: list[Token] = []  # tokens of the last chunk
    for token in tokens:
        kind = token.type
        if kind == "COMMENT":
            waiting.append(token)
        elif kind == "HEAD" or not chunks:
            if waiting or chunks:
                waiting = _divide(chunks, waiting, token)
            current = [token]
            chunks.append(Chunk(waiting, current))
            waiting = []
        else:
            if waiting:
                chunks[-1].beside += waiting
                waiting = []
            current.append(token)
    waiting = _divide(chunks, waiting, None)
    if waiting:
        chunks.append(Chunk(waiting, [], end=waiting[-1].line))
    return chunks


def _divide(chunks: list[Chunk], comments: list[Token], head: Token | None) -> list[Token]:
    """Give the last chunk those of the comments that are its own; return the others.

    Its own are: one on its last line, and below that line without a gap those that are indented
    further than its name, unless the next rule begins in their column.
    """
    if not chunks:
        return comments
    chunk = chunks[-1]
    first, end = chunk.tokens[0], chunk.tokens[-1].line
    own = 0
    for comment in comments:
        line, column = comment.line, comment.column
        continues = column > first.column and (head is None or column != head.column)
        if line != end and not (line == end + 1 and continues):
            break
        end = line
        own += 1
    chunk.beside += comments[:own]
    chunk.end = end
    return comments[own:]
