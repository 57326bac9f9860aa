"""Style: how a document should be written, beyond what can be read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from zwire_codegen.catalogue import problem
from zwire_codegen.model.types import Message
from zwire_codegen.notation.tree import Element, Terminal
from zwire_codegen.passes.names import key
from zwire_codegen.passes.walk import leaves
from zwire_codegen.problems import Problem
from zwire_codegen.source import Place


def check_messages(
    messages: Sequence[Message], places: Mapping[str, Place], file: str
) -> list[Problem]:
    """Commands in capitals, each with a comment."""
    problems = []
    for message in messages:
        place = places[key(message.name)]
        if message.name != message.name.upper():
            text = f'the command "{message.name}" is not in capitals'
            hint = f'write "{message.name.upper()}"'
            problems.append(problem(file, place, "ZW601", text, hint))
        if not message.origin.comment:
            text = f"nothing tells what {message.name} is for"
            hint = "write a comment above the rule, or a paragraph above the table"
            problems.append(problem(file, place, "ZW603", text, hint))
    return problems


def check_texts(elements: Iterable[Element], file: str) -> list[Problem]:
    """Constants that ABNF reads in capitals and small letters alike."""
    return [
        problem(
            file,
            leaf.place,
            "ZW602",
            f"{leaf.written} means capitals and small letters alike; only these octets are read",
            f"write %s{leaf.written.removeprefix('%i')}",
        )
        for element in elements
        for leaf in leaves(element)
        if isinstance(leaf, Terminal) and leaf.caseless
    ]
