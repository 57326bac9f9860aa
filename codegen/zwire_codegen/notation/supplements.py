"""Supplements in our notation, brought to the place of the passage that they are anchored to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from zwire_codegen.notation.blocks import PipeTable
from zwire_codegen.notation.document import Cell, FrameTable, Row
from zwire_codegen.notation.errata import Supplement
from zwire_codegen.notation.tables import table_rows
from zwire_codegen.notation.tree import (
    Choice,
    Element,
    Grammar,
    Name,
    Prose,
    Range,
    Repeat,
    Rule,
    Sequence,
    Terminal,
)
from zwire_codegen.problems import Problem
from zwire_codegen.source import Line, Place


def placed_grammar(grammar: Grammar, place: Place) -> Grammar:
    """The grammar as if all of it stood at one place."""
    return replace(grammar, rules=tuple(_rule(rule, place) for rule in grammar.rules))


def placed_problems(problems: Iterable[Problem], place: Place) -> list[Problem]:
    """The problems of a supplement, told where its anchor stands."""
    return [replace(each, place=place, text=f"in the supplement: {each.text}") for each in problems]


def table_of(
    supplement: Supplement, place: Place, file: str
) -> tuple[FrameTable | None, list[Problem]]:
    """The frame table of a supplement."""
    lines = tuple(
        Line(text, place.line, place.column) for text in supplement.table.strip().split("\n")
    )
    found = table_rows(PipeTable(lines, place), file, lambda _: None)
    if found is None:
        return None, []
    rows, problems = found
    placed = tuple(_row(row, place) for row in rows)
    table = FrameTable(supplement.command, placed, place, comment=supplement.why)
    return table, placed_problems(problems, place)


def _row(row: Row, place: Place) -> Row:
    value, name, meaning = (Cell(cell.text, place) for cell in (row.value, row.name, row.meaning))
    return replace(row, value=value, name=name, meaning=meaning, place=place)


def _rule(rule: Rule, place: Place) -> Rule:
    name = replace(rule.name, place=place)
    return replace(rule, name=name, body=_element(rule.body, place), place=place)


def _element(element: Element, place: Place) -> Element:
    match element:
        case Name() | Terminal() | Range() | Prose():
            return replace(element, place=place)
        case Sequence() | Choice():
            items = tuple(_element(item, place) for item in element.items)
            return replace(element, items=items, place=place)
        case Repeat():
            return replace(element, item=_element(element.item, place), place=place)
        case _:
            assert_never(element)
