"""No text, whatever its characters, gives a traceback or hangs; what is too large is told first."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.abnf_texts import lines_of, read, told
from zwire_codegen.notation.abnf import parse, refuse, without_places, write
from zwire_codegen.problems import failed
from zwire_codegen.source import Line

CORPUS = Path(__file__).parent / "corpus" / "abnf"
PIECES = st.sampled_from(
    [
        "a", "b-c", "d_e", "S:", "S: ", " ", "  ", "\n", "\n\n", "=", "=/", "/", "|", "(", ")", "[", "]", "*",
        "2", "1*3", "%x", "%x41", "%d13.10", "%06", "%x30-39", "%d'M'", '"', '"x"', '%s"y"', '"A"-"Z"',
        "<", "<p>", ">", ";", "; note", "::=", "é", "\t", "\r", "\x00", "'", "{", "\ud800", "\u2028",
    ]
)  # fmt: skip
GRAMMAR = """\
; a greeting
S-HELLO = header %x01 *( group / "x" ) [ status ] ; beside
          2*4OCTET <prose>
header  = %xAA.A1 / %d1-5
group   =/ %s"G" "" """


def _check(text: str, *, strict: bool, roles: bool) -> None:
    lines = lines_of(text)
    grammar, problems = parse(lines, "any", strict=strict, roles=roles)
    for problem in problems:
        assert 1 <= problem.place.line <= len(lines)
        length = len(lines[problem.place.line - 1].text)
        assert 1 <= problem.place.column <= length + 1
    if grammar.rules and not failed(problems):
        again, _ = read(write(grammar).removesuffix("\n"), strict=False, roles=True)
        assert write(again) == write(grammar)
        assert without_places(again) == without_places(grammar)


@given(st.text(), st.booleans(), st.booleans())
def test_any_text_is_read_or_told_about(text: str, strict: bool, roles: bool) -> None:
    _check(text, strict=strict, roles=roles)


@given(st.lists(PIECES, max_size=25), st.booleans(), st.booleans())
def test_any_heap_of_pieces_is_read_or_told_about(
    pieces: list[str], strict: bool, roles: bool
) -> None:
    _check("a = b" + "".join(pieces), strict=strict, roles=roles)


@given(
    st.lists(st.tuples(st.integers(0, len(GRAMMAR)), st.integers(0, 4), PIECES), max_size=4),
    st.booleans(),
)
def test_a_changed_grammar_is_read_or_told_about(
    changes: list[tuple[int, int, str]], strict: bool
) -> None:
    text = GRAMMAR
    for start, length, piece in changes:
        text = text[:start] + piece + text[start + length :]
    _check(text, strict=strict, roles=False)


def test_over_4_mib_is_refused() -> None:
    _, problems = read("a = b\n" * 700_000)
    assert told(problems) == [
        "1:1+1 ZW003 the document has more than 4 MiB "
        "(split it, or leave out what is no specification)"
    ]
    assert refuse("é" * 2_200_000) is not None
    assert refuse("é" * 2_000_000) is None


@pytest.mark.parametrize("text", ["(" * 100_000, "a = " + "([" * 50_000, "a = b\n c\n" + "(" * 300])
def test_deep_nesting_is_refused_before_parsing(text: str) -> None:
    grammar, problems = parse([Line(text.replace("\n", " "), 3, 11)], "deep", strict=False)
    assert grammar.rules == ()
    assert [(problem.code, problem.place.line) for problem in problems] == [("ZW004", 3)]
    assert problems[0].hint == "give the inner groups rules of their own"


def test_nesting_that_empty_lines_hide_is_refused_too() -> None:
    grammar, problems = read("a = " + "(\n\n" * 300 + "b" + ")" * 300, strict=False)
    assert grammar.rules == ()
    assert [problem.code for problem in problems if failed([problem])] == ["ZW004"]


def test_200_groups_are_read_and_written() -> None:
    text = "a = " + "*( b / c " * 200 + "d" + " )" * 200
    grammar, problems = read(text)
    assert problems == []
    written = write(without_places(grammar))
    again, problems = read(written.removesuffix("\n"))
    assert problems == []
    assert write(without_places(again)) == written
    assert written.count("*(") == 200


def test_brackets_in_text_and_comments_do_not_nest() -> None:
    grammar, problems = read("a = " + '"(" <[> ' * 150 + "; " + "(" * 300)
    assert (len(grammar.rules), problems) == (1, [])


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.abnf")), ids=lambda path: path.stem)
def test_every_beginning_of_a_broken_text_is_told_about(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for end in range(0, len(text), 7):
        _check(text[:end], strict=False, roles=False)


def test_a_hundred_thousand_rules_are_read() -> None:
    text = "\n".join(f"r{number} = s" for number in range(100_000))
    grammar, problems = read(text)
    assert (len(grammar.rules), problems) == (100_000, [])


@pytest.mark.parametrize(
    "text",
    [
        "a = b" + "\n ; c" * 50_000 + "\n d",
        "a = b" + " ; c\n / d" * 50_000,
        "a" * 300_000,
        '""' * 50_000,
    ],
    ids=["comments", "alternatives", "name", "texts"],
)
def test_long_rules_take_no_more_than_their_share(text: str) -> None:
    """Each of these took minutes if anything in it were quadratic; the suite's time-out sees it."""
    grammar, _ = read(text, strict=False)
    write(grammar)
