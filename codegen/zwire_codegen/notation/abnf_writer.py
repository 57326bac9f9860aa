"""Grammars written out: canonical ABNF, aligned, with its comments, that reads in as the same tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from textwrap import wrap
from typing import assert_never

from zwire_codegen.notation import tree
from zwire_codegen.notation.abnf_values import canonical
from zwire_codegen.notation.tree import Element, Grammar, Name, Prose, Range, Repeat, Rule, Terminal
from zwire_codegen.source import Place

_WIDEST_NAME = 24  # longer names stand out to the right of the others' "="
_WIDEST_BODY = 60  # longer lines do not move the comments beside the others
_NARROWEST_NOTE = 24  # a comment beside gets as many columns, whatever the width
_NOWHERE = Place(0, 0, 0)


def write(grammar: Grammar, *, width: int = 90) -> str:
    """The grammar as text, each line ended by a newline."""
    pad = max((len(_name(rule.name)) for rule in grammar.rules), default=0)
    pad = min(pad, _WIDEST_NAME)
    lines: list[str] = []
    for group in _groups(grammar.rules):
        bodies = [_lines(rule, pad, width) for rule in group]
        lengths = (len(line) for body in bodies for line, _ in body)
        column = max((length for length in lengths if length <= _WIDEST_BODY), default=0) + 2
        for rule, body in zip(group, bodies, strict=True):
            if rule.spaced and lines:
                lines.append("")
            for paragraph in rule.apart:
                lines += [*map(_comment, paragraph), ""]
            lines += map(_comment, rule.above)
            lines += _annotated(body, column, width)
    if grammar.trailing:
        lines += [*([""] if lines else []), *map(_comment, grammar.trailing)]
    return "".join(f"{line}\n" for line in lines)


def write_element(element: Element) -> str:
    """The element on one line."""
    return " ".join(_words(element))


def without_places(grammar: Grammar) -> Grammar:
    """The grammar with all places alike and values in canonical form: two that say the same,
    with the same comments, are equal."""
    return replace(grammar, rules=tuple(map(_bare_rule, grammar.rules)))


def bare(element: Element) -> Element:
    """The element with all places alike and values in canonical form."""
    match element:
        case tree.Sequence() | tree.Choice():
            return replace(element, items=tuple(map(bare, element.items)), place=_NOWHERE)
        case Repeat():
            return replace(element, item=bare(element.item), place=_NOWHERE)
        case Terminal() | Range():
            return replace(element, written=canonical(element), place=_NOWHERE)
        case Name() | Prose():
            return replace(element, place=_NOWHERE)
        case _:
            assert_never(element)


def _bare_rule(rule: Rule) -> Rule:
    name = replace(rule.name, place=_NOWHERE)
    return replace(rule, name=name, body=bare(rule.body), place=_NOWHERE)


def _groups(rules: Sequence[Rule]) -> Iterator[list[Rule]]:
    """Rules that stand together without an empty line between them."""
    group: list[Rule] = []
    for rule in rules:
        if group and (rule.spaced or rule.apart):
            yield group
            group = []
        group.append(rule)
    if group:
        yield group


def _lines(rule: Rule, pad: int, width: int) -> list[tuple[str, str]]:
    """The lines of a rule, each with the comment that stands beside it."""
    name = _name(rule.name).ljust(pad)
    opening = f"{name} {'=/' if rule.incremental else '='} "
    bar = " " * (len(name) + 1) + "/ "
    indent = " " * len(bar)
    notes = [" ".join(note.split()) for note in rule.beside] or [""]
    whole = opening + write_element(rule.body)
    if len(notes) == 1 and (len(whole) <= width or not isinstance(rule.body, tree.Choice)):
        lines = _filled(_words(rule.body), opening, indent, width)
        return list(zip_longest(lines, notes, fillvalue=""))
    written: list[tuple[str, str]] = []
    for number, part in enumerate(_parts(rule.body)):
        again = bar if isinstance(rule.body, tree.Choice) else indent
        lines = _filled(part, again if number else opening, indent, width)
        note = notes[number : number + 1]
        written += zip_longest(lines, note, fillvalue="")
    return written + [("", note) for note in notes[number + 1 :]]


def _parts(body: Element) -> list[list[str]]:
    """The words of each part that has a line of its own: alternatives, or else items."""
    match body:
        case tree.Choice(items):
            return [_words(item, in_choice=True) for item in items]
        case tree.Sequence(items) if items:
            return [_words(item, in_sequence=True) for item in items]
        case _:
            return [_words(body)]


def _filled(words: Sequence[str], opening: str, indent: str, width: int) -> list[str]:
    """The words on as few lines as the width allows, the later ones indented."""
    lines = [opening + words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(indent + word)
    return lines


def _annotated(lines: Iterable[tuple[str, str]], column: int, width: int) -> Iterator[str]:
    """The lines with their comments, which begin in this column and go on below."""
    room = max(width - column - 2, _NARROWEST_NOTE)
    for line, note in lines:
        if not note:
            yield line
            continue
        first, *more = wrap(note, room, break_long_words=False, break_on_hyphens=False)
        yield f"{line.ljust(column - 2)}  ; {first}"
        for text in more:
            yield " " * column + f"; {text}"


def _words(element: Element, *, in_sequence: bool = False, in_choice: bool = False) -> list[str]:
    """The element as words that a line may be broken between, grouped where it must be."""
    match element:
        case Name():
            return [_name(element)]
        case Terminal() | Range():
            return [canonical(element)]
        case Prose(text):
            return [f"<{text}>"]
        case tree.Choice(items) | tree.Sequence(items) if not items:
            return ['""']
        case tree.Choice(items):
            words: list[str] = []
            for item in items:
                words += (
                    ["/", *_words(item, in_choice=True)] if words else _words(item, in_choice=True)
                )
            return _wrapped("(", words, ")") if in_sequence or in_choice else words
        case tree.Sequence(items):
            words = []
            for item in items:
                words += _words(item, in_sequence=True)
            return _wrapped("(", words, ")") if in_sequence else words
        case Repeat(item, optional=True):
            return _wrapped("[", _words(item), "]")
        case Repeat(item, minimum, maximum):
            words = _words(item, in_sequence=True)
            if isinstance(item, Repeat) and not item.optional:
                words = _wrapped("(", words, ")")
            return _wrapped(_count(minimum, maximum), words, "")
        case _:
            assert_never(element)


def _wrapped(before: str, words: list[str], behind: str) -> list[str]:
    words[0] = before + words[0]
    words[-1] += behind
    return words


def _count(minimum: int, maximum: int | None) -> str:
    if minimum == maximum:
        return str(minimum)
    return f"{minimum or ''}*{'' if maximum is None else maximum}"


def _name(name: Name) -> str:
    return f"{name.role}:{name.text}" if name.role else name.text


def _comment(text: str) -> str:
    return f"; {text}".replace("\n", " ").rstrip()
