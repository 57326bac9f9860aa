"""Reads a document, whoever wrote it and in whatever markup, into its parts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zwire_codegen.catalogue import problem
from zwire_codegen.notation.blocks import Block, Code, Heading, Paragraph
from zwire_codegen.notation.document import Document
from zwire_codegen.notation.files import LARGEST
from zwire_codegen.notation.identity import name_line, title_of
from zwire_codegen.notation.interpreting import Interpreter
from zwire_codegen.notation.lost_breaks import restore_breaks
from zwire_codegen.notation.mending import Anchored, mend
from zwire_codegen.notation.scanning import blocks_of
from zwire_codegen.problems import Problem
from zwire_codegen.source import Line, Place, Source


def read(
    source: Source, *, errata: Sequence[Path] = (), known_errata: bool = True
) -> tuple[Document, list[Problem]]:
    """The document with all that is in it, and what is to be said about it.

    `errata` are files of the caller's own; the known ones apply to published documents that are
    recognised, unless `known_errata` is false.
    """
    if len(source.text.encode("utf-8", "surrogatepass")) > LARGEST:
        empty, _ = read(Source(source.name, ""), known_errata=False)
        too_large = "the document has more than 4 MiB"
        return empty, [problem(source.name, Place(1, 1), "ZW003", too_large)]
    bare = source.name.lower().endswith(".abnf")
    name, title = name_line(source.text), title_of(source.text)
    mending, problems = mend(source, name, title, errata, known=known_errata)
    blocks: list[Block]
    if bare:
        blocks = [Code(tuple(mending.mended.lines()), Place(1, 1), "abnf")]
    else:
        blocks, told = blocks_of(restore_breaks(mending.mended), source.name)
        problems += told
    interpreter = Interpreter(source.name, mending.cells, strict=not bare and _is_ours(blocks))
    anchored = list(mending.anchored)
    for at, block in enumerate(blocks):
        following = blocks[at + 1] if at + 1 < len(blocks) else None
        interpreter.add_supplements(_due(anchored, following))
        interpreter.add(block)
    interpreter.add_supplements(anchored)
    problems += interpreter.problems
    return interpreter.assembly.finished(source, title), problems


def _is_ours(blocks: Sequence[Block]) -> bool:
    """Whether the document was written for us: then its grammars are strict."""
    return any(isinstance(block, Code) and block.label == "zwire" for block in blocks)


def _due(anchored: list[Anchored], following: Block | None) -> list[Anchored]:
    """The supplements whose anchor stands before the following block; they are taken away."""
    due: list[Anchored] = []
    while anchored and (following is None or _before(anchored[0].place, following)):
        due.append(anchored.pop(0))
    return due


def _before(place: Place, block: Block) -> bool:
    first = block.place if isinstance(block, Heading) else _first(block)
    return (place.line, place.column) < (first.line, first.column)


def _first(block: Block) -> Place:
    lines: tuple[Line, ...] = () if isinstance(block, Heading | Code) else block.lines
    if isinstance(block, Paragraph) and lines:
        return Place(lines[0].line, lines[0].column)
    return block.place
