"""ABNF as tests write it: text to lines, and problems to one line each."""

from __future__ import annotations

from zwire_codegen.notation.abnf import parse
from zwire_codegen.notation.tree import Element, Grammar
from zwire_codegen.problems import Problem
from zwire_codegen.source import Line


def lines_of(text: str) -> list[Line]:
    """The lines of a text that is a document of its own."""
    return [Line(line, number) for number, line in enumerate(text.split("\n"), start=1)]


def read(text: str, *, strict: bool = True, roles: bool = False) -> tuple[Grammar, list[Problem]]:
    return parse(lines_of(text), "test.abnf", strict=strict, roles=roles)


def read_well(text: str, *, strict: bool = True, roles: bool = False) -> Grammar:
    """The grammar of a text that nothing is wrong with."""
    grammar, problems = read(text, strict=strict, roles=roles)
    assert told(problems) == []
    return grammar


def body(text: str) -> Element:
    """What these elements mean, read strictly."""
    return read_well(f"rule = {text}").rules[0].body


def told(problems: list[Problem]) -> list[str]:
    """Problems as `line:column+length code text (hint)`."""
    return [
        f"{each.place.line}:{each.place.column}+{each.place.length} {each.code} {each.text}"
        + (f" ({each.hint})" if each.hint else "")
        for each in problems
    ]
