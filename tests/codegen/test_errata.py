"""Errata: slips mended, prose supplemented, words of tables told, and places kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from zwire_codegen.notation.document import Document
from zwire_codegen.notation.errata import KNOWN, Errata, known_errata, parse_errata
from zwire_codegen.notation.mended import Mended
from zwire_codegen.notation.reading import read
from zwire_codegen.problems import Problem
from zwire_codegen.source import Place, Source

SPEC = """\
The ABC protocol is small.

* Name: example.org/spec:9/ABC

A PING command consists of 3 frames:

* Frame 0: Protocol name
* Frame 1: 0x01 (one byte)

The client sends PING as often as it likes.
"""


def mended(tmp_path: Path, toml: str, text: str = SPEC) -> tuple[Document, list[Problem]]:
    path = tmp_path / "abc.toml"
    path.write_text(toml, encoding="utf-8")
    return read(Source("abc.txt", text), errata=[path])


def told(problems: list[Problem]) -> list[tuple[str, Place, str]]:
    return [(problem.code, problem.place, problem.text) for problem in problems]


def test_an_erratum_mends_a_passage_and_says_so(tmp_path: Path) -> None:
    document, problems = mended(
        tmp_path,
        '[[erratum]]\nfind = "consists of 3 frames"\nreplace = "consists of 2 frames"\n'
        'why = "the list has two"\n[[cell]]\ntext = "Protocol name"\nvalue = "%x41"\nwhy = "A"\n',
    )
    (table,) = document.parts[0].tables
    assert table.declared == 2
    assert table.rows[0].value.text == "%x41"
    assert told(problems) == [
        ("ZW307", Place(5, 28, 1), "erratum of abc.toml applied: the list has two")
    ]
    assert problems[0].hint == '"3" is read as "2"'


def test_the_same_words_may_stand_for_other_octets_in_another_part(tmp_path: Path) -> None:
    cells = "".join(
        f'[[cell]]\ntext = "Protocol name"\nvalue = "{value}"\npart = "{part}"\nwhy = "so"\n'
        for part, value in (("client", "%x43"), ("worker", "%x57"))
    )
    anchors = "".join(
        f'[[supplement]]\nanchor = "{anchor}"\nwhy = "so"\nsettings.part.name = "{part}"\n'
        for part, anchor in (("client", "A PING command"), ("worker", "A PONG command"))
    )
    text = SPEC + "\nA PONG command consists of 1 frame:\n\n* Frame 0: Protocol name\n"
    document, _ = mended(tmp_path, cells + anchors, text)
    values = [part.tables[0].rows[0].value.text for part in document.parts]
    assert values == ["%x43", "%x57"]


def test_an_erratum_whose_passage_is_missing_is_a_problem(tmp_path: Path) -> None:
    toml = '[[erratum]]\nfind = "of 4 frames"\nreplace = ""\nwhy = "none"\n'
    _, problems = mended(tmp_path, toml)
    assert told(problems)[0] == (
        "ZW308",
        Place(1, 1),
        'abc.toml quotes "of 4 frames", which is not in the document',
    )


def test_a_passage_that_stands_there_twice_is_a_problem(tmp_path: Path) -> None:
    toml = '[[supplement]]\nanchor = "PING"\nwhy = "none"\nabnf = "a = OCTET"\n'
    document, problems = mended(tmp_path, toml)
    assert told(problems)[0] == (
        "ZW308",
        Place(10, 18, 4),
        'abc.toml quotes "PING", which is there more than once',
    )
    assert document.parts[0].wire == ()


SUPPLEMENT = """\
[document]
name = "example.org/spec:9/ABC"

[[supplement]]
anchor = "The client sends PING"
why = "who speaks"
abnf = "PONG = %x02"
dialog = "ping = C:PING"
command = "BYE"
table = '''
| Frame | Value | Name | Meaning |
|---|---|---|---|
| 0 | %x03 | | The command |
'''
[supplement.settings.roles]
client = { letter = "C", socket = "DEALER" }
"""


def test_a_supplement_says_in_our_notation_what_stands_in_prose(tmp_path: Path) -> None:
    document, problems = mended(tmp_path, SUPPLEMENT)
    (part,) = document.parts
    anchor = Place(10, 1, 21)
    assert part.wire[0].rules[0].name.text == "PONG"
    assert part.wire[0].rules[0].body.place == anchor
    assert part.dialogs[0].rules[0].place == anchor
    assert [table.command for table in part.tables] == ["PING", "BYE"]
    assert part.tables[1].rows[0].value.place == anchor
    assert part.settings.values == {"roles": {"client": {"letter": "C", "socket": "DEALER"}}}
    assert told(problems)[0] == (
        "ZW314",
        anchor,
        "supplement of abc.toml applied: who speaks",
    )


def test_a_mistake_in_a_supplement_is_told_where_its_anchor_stands(tmp_path: Path) -> None:
    toml = SUPPLEMENT.replace("PONG = %x02", "PONG = = %x02")
    _, problems = mended(tmp_path, toml)
    (wrong,) = [problem for problem in problems if problem.code == "ZW101"]
    assert wrong.place == Place(10, 1, 21)
    assert wrong.text.startswith("in the supplement: ")


def test_errata_for_another_document_are_not_used(tmp_path: Path) -> None:
    document, problems = mended(tmp_path, SUPPLEMENT.replace("9/ABC", "8/XYZ"))
    assert document.parts[0].wire == ()
    assert told(problems)[0] == (
        "ZW317",
        Place(1, 1),
        "the errata in abc.toml are for another document",
    )


@pytest.mark.parametrize(
    ("header", "fits"),
    [
        ('name = "example.org/spec:9/ABC"', True),
        ('name = "example.org/spec:8/ABC"', False),
        ('title = "9/ABC"', True),
        ('title = "9/ABC"\nanchors = ["sends PING"]', True),
        ('title = "9/ABC"\nanchors = ["sends PONG"]', False),
        ('title = "Another"', False),
        ("", True),
    ],
)
def test_a_document_is_known_by_its_name_or_by_title_and_anchors(header: str, fits: bool) -> None:
    errata = parse_errata(Source("abc.toml", f"[document]\n{header}\n"))
    assert isinstance(errata, Errata)
    assert errata.fits("example.org/spec:9/ABC", "9/ABC", SPEC) is fits


@pytest.mark.parametrize(
    ("toml", "place", "text"),
    [
        ("[[erratum", Place(1, 1), "the errata are not TOML"),
        ("[[errata]]\n", Place(1, 3, 6), "the file has no errata"),
        ('[[erratum]]\nfind = "a"\nwhy = "b"\n', Place(1, 1, 11), "[[erratum]] lacks replace"),
        ('[[erratum]]\nfind = 1\nreplace = ""\nwhy = "b"\n', Place(2, 1, 4), "find is to be a"),
        ('[erratum]\nfind = "a"\n', Place(1, 2, 7), "erratum is written [[erratum]]"),
        ('[[supplement]]\nanchor = "a"\nwhy = "b"\ntable = "c"\n', Place(4, 1, 5), "a table needs"),
        ("[document]\nanchors = 7\n", Place(2, 1, 7), "anchors is to be a list"),
        ("a = " + "[" * 100_000, Place(1, 1), "values are nested too deep"),
    ],
)
def test_an_errata_file_that_is_not_understood_is_one_problem(
    toml: str, place: Place, text: str
) -> None:
    problem = parse_errata(Source("abc.toml", toml))
    assert isinstance(problem, Problem)
    assert (problem.file, problem.code, problem.place) == ("abc.toml", "ZW309", place)
    assert problem.text.startswith(text)


def test_an_errata_file_that_is_not_there_is_one_problem(tmp_path: Path) -> None:
    _, problems = read(Source("abc.txt", "Words."), errata=[tmp_path / "none.toml"])
    assert [problem.code for problem in problems] == ["ZW001"]


def test_all_errata_that_ship_with_the_package_are_understood() -> None:
    names = {errata.file for errata in known_errata()}
    assert names == {path.name for path in KNOWN.glob("*.toml")}
    assert {"20-zre.toml", "28-reqrep.toml", "6-ppp.toml", "emqp.toml", "mdpx.toml"} <= names


def test_every_known_erratum_says_which_document_it_is_for() -> None:
    assert all(errata.name or (errata.title and errata.anchors) for errata in known_errata())


def test_known_errata_can_be_left_out() -> None:
    text = "The Paranoid Pirate Protocol (PPP) defines\n\n* Name: rfc.zeromq.org/spec:6/PPP\n"
    _, with_them = read(Source("6.txt", text))
    _, without = read(Source("6.txt", text), known_errata=False)
    assert {problem.code for problem in with_them} == {"ZW308", "ZW314"}
    assert without == []


# ---------------------------------------------------------------- places in mended text


def test_what_is_not_mended_keeps_its_place() -> None:
    before = Mended.of(Source("x", "one two three\nfour five"))
    after = before.replace(4, 7, "2 and a half\nlines")
    assert after.text == "one 2 and a half\nlines three\nfour five"
    assert after.place(after.text.index("three")) == Place(1, 9)
    assert after.place(after.text.index("five"), len(after.text)) == Place(2, 6, 4)
    lines = [(line.text, line.line, line.column) for line in after.lines()]
    assert lines == [("one 2 and a half", 1, 1), ("lines three", 1, 5), ("four five", 2, 1)]


def test_mending_twice_keeps_places_too() -> None:
    text = Mended.of(Source("x", "one two three\nfour five"))
    for old, new in (("three", "3"), ("one", "the first"), ("four", "4")):
        start = text.text.index(old)
        text = text.replace(start, start + len(old), new)
    assert text.text == "the first two 3\n4 five"
    assert text.place(text.text.index("two")) == Place(1, 5)
    assert text.place(text.text.index("3")) == Place(1, 9)
    assert text.place(text.text.index("five")) == Place(2, 6)
