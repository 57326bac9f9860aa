"""What strict ABNF means: every form of RFC 5234 and RFC 7405, with places and comments."""

from __future__ import annotations

import pytest

from support.abnf_texts import body, read, read_well, told
from zwire_codegen.notation.abnf import folded, parse, parse_element, same_name, write_element
from zwire_codegen.notation.core_rules import CORE_RULES, core_rule
from zwire_codegen.notation.tree import (
    Choice,
    Name,
    Prose,
    Range,
    Repeat,
    Sequence,
    Terminal,
)
from zwire_codegen.source import Line, Place


@pytest.mark.parametrize(
    ("text", "minimum", "maximum"),
    [
        ("3x", 3, 3),
        ("3*x", 3, None),
        ("*3x", 0, 3),
        ("2*3x", 2, 3),
        ("*x", 0, None),
        ("0x", 0, 0),
    ],
)
def test_every_repeat_says_how_often(text: str, minimum: int, maximum: int | None) -> None:
    element = body(text)
    assert isinstance(element, Repeat)
    assert (element.minimum, element.maximum, element.optional) == (minimum, maximum, False)


@pytest.mark.parametrize(
    ("text", "octets", "caseless"),
    [
        ("%x0D", b"\r", False),
        ("%XaA", b"\xaa", False),
        ("%d13.10", b"\r\n", False),
        ("%b1101", b"\r", False),
        ("%x50.49.4E.47", b"PING", False),
        ("%x0041", b"A", False),
        ("%x1F600", "\U0001f600".encode(), False),
        ('"ping"', b"ping", True),
        ('%i"ping"', b"ping", True),
        ('%s"PING"', b"PING", False),
        ('%S"PING"', b"PING", False),
        ('"12"', b"12", False),
        ('""', b"", False),
    ],
)
def test_terminals_are_their_octets(text: str, octets: bytes, caseless: bool) -> None:
    assert body(text) == Terminal(octets, Place(1, 8, len(text)), text, caseless)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("%x30-39", 48, 57), ("%d0-255", 0, 255), ("%b0-1", 0, 1), ("%xA0-D7FF", 0xA0, 0xD7FF)],
)
def test_ranges_have_bounds(text: str, low: int, high: int) -> None:
    assert body(text) == Range(low, high, Place(1, 8, len(text)), text)


def test_choice_binds_looser_than_sequence_and_groups_bind_tightest() -> None:
    element = body("a b / (c / d) [e] <f g>")
    assert isinstance(element, Choice)
    first, second = element.items
    assert isinstance(first, Sequence)
    assert [type(item) for item in first.items] == [Name, Name]
    assert isinstance(second, Sequence)
    group, option, prose = second.items
    assert isinstance(group, Choice)
    assert isinstance(option, Repeat)
    assert option.optional
    assert prose == Prose("f g", Place(1, 26, 5))


def test_an_incremental_rule_says_so() -> None:
    first, second = read_well("level = a\nlevel =/ b").rules
    assert (first.incremental, second.incremental) == (False, True)


def test_an_indented_line_continues_a_rule() -> None:
    grammar = read_well("a = b\n  c\n  / d\n\ne = f")
    assert [write_element(rule.body) for rule in grammar.rules] == ["b c / d", "f"]


def test_a_name_and_its_equals_sign_may_stand_on_two_lines() -> None:
    grammar = read_well("a ; why\n  = b")
    assert [(rule.name.text, rule.beside) for rule in grammar.rules] == [("a", ("why",))]


def test_a_block_may_be_indented_as_a_whole() -> None:
    grammar = read_well("    a = b\n        c\n\n    d = e")
    assert [rule.name.text for rule in grammar.rules] == ["a", "d"]
    assert grammar.rules[1].name.place == Place(4, 5, 1)


def test_a_block_in_the_middle_of_a_physical_line_keeps_its_places() -> None:
    grammar, problems = parse(
        [Line("a = bee", 7, 101), Line("c = = d", 7, 120)], "doc", strict=True
    )
    assert grammar.rules[0].name.place == Place(7, 101, 1)
    assert grammar.rules[0].body.place == Place(7, 105, 3)
    assert [problem.place for problem in problems] == [Place(7, 124, 1)]


def test_the_place_of_a_sequence_ends_with_its_last_element_on_that_line() -> None:
    grammar = read_well("a = bb *c\n    d")
    assert grammar.rules[0].body.place == Place(1, 5, 5)


def test_no_rules_are_no_problem() -> None:
    assert read_well("").rules == ()
    assert read_well("\n  \n; only a remark\n").trailing == ("only a remark",)


def test_names_are_the_same_in_any_case_and_with_either_dash() -> None:
    assert same_name("Key_Value", "key-value")
    assert not same_name("key-value", "keyvalue")
    assert folded("Key_Value") == "key-value"


def test_comments_stay_with_the_rule_that_they_explain() -> None:
    grammar = read_well("""\
; The whole file

; says hello
;   twice
a = b   ; first
        ; and more

; about c
c = d
; the end""")
    first, second = grammar.rules
    assert first.apart == (("The whole file",),)
    assert first.above == ("says hello", "  twice")
    assert first.beside == ("first and more",)
    assert first.comment == "first and more"
    assert (second.above, second.spaced) == (("about c",), True)
    assert grammar.trailing == ("the end",)


def test_comments_stay_with_the_alternative_or_item_that_they_explain() -> None:
    choice, sequence = read_well("""\
level = ERROR    ; bad
      / WARNING
      / INFO     ; fine
entry = time     ; when
        level
        text     ; what""").rules
    assert choice.beside == ("bad", "", "fine")
    assert sequence.beside == ("when", "", "what")
    assert sequence.comment == "when what"


def test_one_comment_on_a_long_rule_is_about_the_rule() -> None:
    (rule,) = read_well("a = b c ; about a\n    d e").rules
    assert rule.beside == ("about a",)


def test_elements_of_a_cell_are_read_at_its_place() -> None:
    element, problems = parse_element("*OCTET", Place(9, 30), "doc", strict=True)
    assert problems == []
    assert isinstance(element, Repeat)
    assert element.place == Place(9, 30, 6)


@pytest.mark.parametrize("text", ["", "(", "= b", "a = b", "%x", "a\nb = c"])
def test_a_cell_that_is_no_element_is_a_problem_within_it(text: str) -> None:
    element, problems = parse_element(text, Place(9, 30), "doc", strict=True)
    assert element is None
    assert problems
    assert all(problem.place.line == 9 and problem.place.column >= 30 for problem in problems)


def test_a_role_is_legal_where_roles_are() -> None:
    grammar = read_well("request = C:REQUEST *B:PARTIAL B:FINAL", roles=True)
    element = grammar.rules[0].body
    assert isinstance(element, Sequence)
    assert element.items[0] == Name("REQUEST", Place(1, 11, 9), "C")
    assert write_element(element) == "C:REQUEST *B:PARTIAL B:FINAL"


def test_the_core_rules_are_those_of_the_rfc() -> None:
    text = """\
ALPHA  = %x41-5A / %x61-7A
BIT    = "0" / "1"
CHAR   = %x01-7F
CR     = %x0D
CRLF   = CR LF
CTL    = %x00-1F / %x7F
DIGIT  = %x30-39
DQUOTE = %x22
HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
HTAB   = %x09
LF     = %x0A
LWSP   = *(WSP / CRLF WSP)
OCTET  = %x00-FF
SP     = %x20
VCHAR  = %x21-7E
WSP    = SP / HTAB"""
    written = {rule.name.text: write_element(rule.body) for rule in CORE_RULES.values()}
    assert written == {rule.name.text: write_element(rule.body) for rule in read_well(text).rules}
    found = core_rule("octet")
    assert found is not None
    assert found.name.text == "OCTET"
    assert core_rule("FRAME") is None


def test_what_is_only_tolerated_is_an_error_in_strict_text() -> None:
    _, problems = read("a = b | c")
    assert told(problems) == ['1:7+1 ZW106 "|" between alternatives (write /)']
