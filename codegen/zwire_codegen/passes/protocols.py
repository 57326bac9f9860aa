"""A whole document through the passes: its parts, and what they have in common."""

from __future__ import annotations

from pathlib import PurePath

from zwire_codegen.catalogue import problem
from zwire_codegen.model.types import Origin, Part, Protocol
from zwire_codegen.notation.document import Document, PartText
from zwire_codegen.passes.names import in_code, serves_as_module
from zwire_codegen.passes.parts import build_part
from zwire_codegen.passes.settings import read_protocol
from zwire_codegen.problems import Problem, failed
from zwire_codegen.source import Place


def build(document: Document) -> tuple[Protocol | None, list[Problem]]:
    """The protocol that a document describes (None after an error, or where there is none), and
    all that is wrong with it."""
    file = document.source.name
    name = PurePath(file).name
    texts = [text for text in document.parts if _has_content(text)]
    if not texts:
        text = "there is no grammar, frame table or dialog in this document"
        return None, [problem(file, Place(1, 1), "ZW005", text)]
    given, constants, problems = read_protocol(document.settings, file, name)
    parts: list[Part] = []
    taken: set[str] = set()
    for part_text in texts:
        part, told = build_part(part_text, file, name)
        problems += told
        if part.name in taken:
            place = part_text.settings.place_of("part", "name")
            what = f'a second part is named "{part.name}"'
            problems.append(problem(file, place, "ZW418", what, "give each part a name"))
        taken.add(part.name)
        parts.append(part)
    if failed(problems) or not any(part.messages for part in parts):
        return None, problems
    short = given.get("name") or _module_name(name)
    return (
        Protocol(
            short,
            given.get("title") or document.title or short,
            given.get("version", ""),
            given.get("summary", ""),
            tuple(parts),
            constants,
            Origin(name, document.settings.place.line),
        ),
        problems,
    )


def _has_content(text: PartText) -> bool:
    rules = any(grammar.rules for grammar in (*text.wire, *text.dialogs))
    return rules or bool(text.tables)


def _module_name(file: str) -> str:
    """A name for the protocol of a document that gives itself none."""
    name = in_code(file.rsplit(".", 1)[0])
    return name if serves_as_module(name) else f"protocol_{name}".rstrip("_")
