"""The tolerant dialect: forms of published documents, each understood and told with its fix."""

from __future__ import annotations

import pytest

from support.abnf_texts import read, told
from zwire_codegen.notation.abnf import write_element
from zwire_codegen.problems import Severity


@pytest.mark.parametrize(
    ("text", "meaning", "finding"),
    [
        ("a = b | c", "b / c", '1:7+1 ZW201 "|" between alternatives (write /)'),
        (
            "a = key_value",
            "key_value",
            '1:5+9 ZW203 "_" in the name "key_value" (write key-value)',
        ),
        ("a = %06", "%x06", "1:5+3 ZW204 %06 does not say the base of its digits (write %x06)"),
        (
            "a = %AA.A1",
            "%xAA.A1",
            "1:5+6 ZW204 %AA.A1 does not say the base of its digits (write %xAA.A1)",
        ),
        (
            "a = %d'M'",
            '%s"M"',
            "1:5+5 ZW205 %d'M' is neither a number nor a text (write %s\"M\")",
        ),
        (
            'a = %x"PING"',
            '%s"PING"',
            '1:5+8 ZW205 %x"PING" is neither a number nor a text (write %s"PING")',
        ),
        (
            'a = "A"-"Z"',
            "%x41-5A",
            '1:5+7 ZW206 "A"-"Z": a range has numbers for bounds (write %x41-5A)',
        ),
        (
            'a = b"c"',
            'b "c"',
            '1:6+3 ZW208 no white space between "b" and "c" (put a blank between them)',
        ),
        ("a = 2 b", "2b", '1:5+1 ZW208 the repeat "2" stands apart from its element (write 2b)'),
        (
            'a = "°"',
            "%xC2.B0",
            "1:6+1 ZW209 a text holds U+00B0, which is not printable ASCII (write %xC2.B0)",
        ),
        (
            "a = S:HELLO",
            "S:HELLO",
            '1:5+2 ZW202 the role "S:" in front of an element '
            "(say who sends what in a dialog, and leave the role out here)",
        ),
        (
            "a = S: *PARTIAL",
            "*S:PARTIAL",
            '1:5+2 ZW202 the role "S:" in front of an element '
            "(say who sends what in a dialog, and leave the role out here)",
        ),
    ],
)
def test_a_tolerance_is_understood_and_told(text: str, meaning: str, finding: str) -> None:
    grammar, problems = read(text, strict=False)
    assert [write_element(rule.body) for rule in grammar.rules] == [meaning]
    assert told(problems) == [finding]
    assert {problem.severity for problem in problems} == {Severity.WARNING}


def test_a_role_may_stand_before_the_name_of_a_rule() -> None:
    grammar, problems = read("S:HELLO = %x01", strict=False)
    assert (grammar.rules[0].name.role, grammar.rules[0].name.text) == ("S", "HELLO")
    assert told(problems) == [
        '1:1+7 ZW202 the role "S:" in front of a rule\'s name '
        "(write HELLO =, and S:HELLO where it is said)"
    ]


def test_a_role_before_a_group_goes_to_all_its_names_that_have_none() -> None:
    grammar, _ = read("a = S: *( b / R:c [d] )", strict=False)
    assert write_element(grammar.rules[0].body) == "*(S:b / R:c [S:d])"


def test_newlines_mean_nothing_and_a_name_with_an_equals_sign_starts_a_rule() -> None:
    grammar, problems = read("a = b\nc\n  d = e f = g\n\n  h", strict=False)
    assert [(rule.name.text, write_element(rule.body)) for rule in grammar.rules] == [
        ("a", "b c"),
        ("d", "e"),
        ("f", "g h"),
    ]
    assert told(problems) == [
        '2:1+1 ZW207 this line goes on with the rule "a" but is not indented '
        "(indent it, or give it a name and =)",
        '3:3+1 ZW207 the rule "d" is indented more than others '
        "(begin all rules in the same column)",
        '3:9+1 ZW207 the rule "f" begins in the middle of a line '
        "(begin it on a line of its own)",
        '5:3+1 ZW207 this line goes on with the rule "f", which ended above '
        "(take out the empty line, or indent the comment, between them)",
    ]


def test_where_roles_are_legal_they_stand_directly_before_a_name() -> None:
    _, problems = read("a = C: REQUEST B:*PARTIAL", strict=False, roles=True)
    assert told(problems) == [
        '1:5+2 ZW208 the role "C:" stands apart from its name (write C:REQUEST)',
        '1:16+2 ZW202 the role "B:" stands before the repeat "*" '
        "(write the repeat first: *B:NAME)",
    ]
