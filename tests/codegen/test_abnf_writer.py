"""ABNF written out is canonical, keeps its comments, and reads in as the same tree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.abnf_texts import body, read, read_well
from zwire_codegen.notation.abnf import bare, without_places, write, write_element
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
from zwire_codegen.source import Place

HERE = Place(1, 1)


def test_rules_are_aligned_and_comments_kept() -> None:
    text = """\
;The greeting
S-HELLO=header %xaA.0b %I"ok" ;  says   hello
header = signature   ; two octets
;
signature=%XAA %Xa1


level = ERROR ; bad
 / INFO
 / DEBUG ; chatty
;done"""
    assert write(read_well(text)) == """\
; The greeting
S-HELLO   = header %xAA.0B "ok"  ; says hello
header    = signature            ; two octets
;
signature = %xAA %xA1

level     = ERROR  ; bad
          / INFO
          / DEBUG  ; chatty

; done
"""


def test_long_rules_are_broken_within_the_width() -> None:
    text = "message = " + " ".join(f"element-{number}" for number in range(12))
    written = write(read_well(f"{text}\nkind = {' / '.join('abcdefghij' * 3)}"), width=50)
    assert written.splitlines()[:3] == [
        "message = element-0 element-1 element-2 element-3",
        "          element-4 element-5 element-6 element-7",
        "          element-8 element-9 element-10",
    ]
    assert "kind    = a\n        / b\n" in written
    assert max(map(len, written.splitlines())) <= 50


def test_long_comments_go_on_below() -> None:
    rule = "a = b ; " + "word " * 30
    written = write(read_well(rule), width=60)
    assert len(written.splitlines()) > 2
    assert max(map(len, written.splitlines())) <= 60
    assert without_places(read_well(written)) == without_places(read_well(rule))


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("((a))", "a"),
        ("1*1a", "1a"),
        ("0*a", "*a"),
        ("*1a", "*1a"),
        ("2(3a)", "2(3a)"),
        ("2[a]", "2[a]"),
        ("( a b ) c", "(a b) c"),
        ("(a / b) / c", "(a / b) / c"),
        ("[ a / b ]", "[a / b]"),
        ("%D13.10", "%d13.10"),
        ("%xff-fF", "%xFF-FF"),
        ('%i"A"', '"A"'),
        ('%s"1"', '"1"'),
        ("<any>", "<any>"),
    ],
)
def test_elements_have_one_way_to_be_written(text: str, canonical: str) -> None:
    assert write_element(body(text)) == canonical
    assert write_element(body(canonical)) == canonical


@pytest.mark.parametrize(
    ("element", "text"),
    [
        (Terminal(b"PING", HERE, ""), '%s"PING"'),
        (Terminal(b"ping", HERE, "", caseless=True), '"ping"'),
        (Terminal(b'"', HERE, ""), "%x22"),
        (Terminal(b"", HERE, ""), '""'),
        (Terminal(b"\x01", HERE, "%x02"), "%x01"),
        (Range(1, 2, HERE, ""), "%x01-02"),
        (Sequence((), HERE), '""'),
    ],
)
def test_what_no_document_wrote_can_be_written(element: Element, text: str) -> None:
    assert write_element(element) == text


names = st.from_regex(r"[A-Za-z][A-Za-z0-9-]{0,6}", fullmatch=True).map(
    lambda text: Name(text, HERE)
)
said = st.builds(lambda name, role: Name(name.text, HERE, role), names, st.sampled_from("CSB"))
texts = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E, exclude_characters='"'))
exact = texts.map(lambda text: Terminal(text.encode(), HERE, f'%s"{text}"'))
plain = texts.map(
    lambda text: Terminal(text.encode(), HERE, f'"{text}"', any(c.isalpha() for c in text))
)
octets = st.binary(min_size=1, max_size=4).map(
    lambda value: Terminal(value, HERE, "%x" + ".".join(f"{octet:x}" for octet in value))
)
ranges = st.tuples(st.integers(0, 0x10FFFF), st.integers(0, 0x10FFFF)).map(
    lambda pair: Range(min(pair), max(pair), HERE, f"%d{min(pair)}-{max(pair)}")
)
prose = st.text(
    st.characters(min_codepoint=0x20, max_codepoint=0x7E, exclude_characters=">"), max_size=12
).map(lambda text: Prose(text, HERE))


def _compound(elements: st.SearchStrategy[Element]) -> st.SearchStrategy[Element]:
    several = st.lists(elements, min_size=2, max_size=4).map(tuple)
    bounds = st.tuples(st.integers(0, 9), st.none() | st.integers(9, 20))
    return (
        several.map(lambda items: Sequence(items, HERE))
        | several.map(lambda items: Choice(items, HERE))
        | elements.map(lambda item: Repeat(item, 0, 1, HERE, optional=True))
        | st.builds(lambda item, pair: Repeat(item, pair[0], pair[1], HERE), elements, bounds)
    )


elements: st.SearchStrategy[Element] = st.recursive(
    st.one_of(names, said, exact, plain, octets, ranges, prose), _compound, max_leaves=12
)
words = st.from_regex(r"[!-~]{1,9}( [!-~]{1,9}){0,9}", fullmatch=True)
above = st.lists(words | st.just(""), max_size=3).map(tuple)


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    element = draw(elements)
    beside = tuple(draw(st.lists(words, max_size=1)))
    if isinstance(element, Choice) and draw(st.booleans()):
        notes = draw(st.lists(words | st.just(""), min_size=2, max_size=len(element.items)))
        beside = (*notes[:-1], notes[-1] or "last")
    apart = draw(st.lists(st.lists(words, min_size=1, max_size=2).map(tuple), max_size=2))
    return Rule(
        draw(names),
        element,
        HERE,
        draw(above),
        beside,
        draw(st.booleans()),
        tuple(apart),
        draw(st.booleans()),
    )


@st.composite
def grammars(draw: st.DrawFn) -> Grammar:
    drawn = draw(st.lists(rules(), min_size=1, max_size=5))
    trailing = draw(above)
    return Grammar(tuple(drawn), trailing)


def _first_unspaced(grammar: Grammar) -> Grammar:
    """Above the first rule there is nothing to be set apart from."""
    first, *rest = without_places(grammar).rules
    head = Rule(
        first.name,
        first.body,
        first.place,
        first.above,
        first.beside,
        first.incremental,
        first.apart,
        False,
    )
    return Grammar((head, *rest), grammar.trailing)


@given(grammars(), st.sampled_from([30, 60, 90]))
def test_what_is_written_reads_in_as_the_same(grammar: Grammar, width: int) -> None:
    written = write(grammar, width=width)
    again, problems = read(written.removesuffix("\n"), strict=True, roles=True)
    assert problems == []
    assert without_places(again) == _first_unspaced(grammar)
    assert write(again, width=width) == written


@given(elements)
def test_an_element_reads_in_as_the_same(element: Element) -> None:
    grammar = read_well(f"rule = {write_element(element)}", roles=True)
    assert bare(grammar.rules[0].body) == bare(element)
