"""Blocks and frame tables of documents: Markdown, wikidot, reStructuredText, prose."""

from __future__ import annotations

import pytest

from zwire_codegen.notation.document import Document, FrameTable
from zwire_codegen.notation.reading import read
from zwire_codegen.problems import Problem, Severity
from zwire_codegen.source import Place, Source


def reading(text: str, name: str = "spec.md") -> tuple[Document, list[Problem]]:
    return read(Source(name, text))


def rules(document: Document) -> list[str]:
    return [
        rule.name.text for part in document.parts for block in part.wire for rule in block.rules
    ]


def tables(document: Document) -> list[FrameTable]:
    return [table for part in document.parts for table in part.tables]


def rows(table: FrameTable) -> list[tuple[str, str, str]]:
    """Frame, value and name of every row."""
    return [(f"{r.first}{'+' * r.more}", r.value.text, r.name.text) for r in table.rows]


def codes(problems: list[Problem]) -> list[str]:
    return [problem.code for problem in problems]


# ---------------------------------------------------------------- code blocks


@pytest.mark.parametrize(
    "text",
    [
        "```abnf\nsize = OCTET\n```",
        "~~~abnf\nsize = OCTET\n~~~",
        "````abnf\nsize = OCTET\n````",
        "```\nsize = OCTET\n```",
        "[[code]]\nsize = OCTET\n[[/code]]",
        '[[code type="abnf"]]\nsize = OCTET\n[[/code]]',
        "The size:\n\n    size = OCTET\n\nand more words.",
        "- a list\n\n  ```abnf\n  size = OCTET\n  ```\n",
    ],
)
def test_a_grammar_is_found_in_every_kind_of_code_block(text: str) -> None:
    document, problems = reading(text)
    assert rules(document) == ["size"]
    assert problems == []


def test_a_bare_file_is_one_grammar() -> None:
    document, problems = reading("size = OCTET\nname = size *VCHAR\n", "names.abnf")
    assert rules(document) == ["size", "name"]
    assert problems == []


def test_a_bare_file_is_read_tolerantly_only_where_that_helps() -> None:
    document, problems = reading("level = %x01 | %x02\n", "levels.abnf")
    assert rules(document) == ["level"]
    assert codes(problems) == ["ZW201"]
    _, problems = reading("a = = %x01\nb = 2 OCTET\n", "levels.abnf")
    assert codes(problems) == ["ZW101", "ZW208"]


def test_a_mistake_in_a_bare_file_does_not_hide_that_it_is_strict_otherwise() -> None:
    _, problems = reading("level = = %x01\nname = 1*VCHAR\n", "levels.abnf")
    (mistake,) = problems
    assert (mistake.code, mistake.severity, mistake.place.line) == ("ZW101", Severity.ERROR, 1)


def test_a_document_with_settings_of_ours_is_strict() -> None:
    grammar = "```abnf\nlevel = %x01 | %x02\n```\n"
    _, problems = reading(grammar)
    assert [problem.severity for problem in problems] == [Severity.WARNING]
    _, problems = reading('```zwire\n[protocol]\nname = "x"\n```\n' + grammar)
    assert Severity.ERROR in [problem.severity for problem in problems]


def test_rules_of_an_indented_block_keep_their_places() -> None:
    document, _ = reading("Words.\n\n    size = OCTET\n    name = size *VCHAR\n")
    places = [rule.place for rule in document.parts[0].wire[0].rules]
    assert [(place.line, place.column) for place in places] == [(3, 5), (4, 5)]


@pytest.mark.parametrize(
    "text",
    [
        "[[code]]\nservice-name=tcp://ipaddress:port\n[[/code]]",
        "```python\nsize = 1\n```",
        "```\n$ make demo\n```",
        "Words.\n\n    print('hello')\n",
        "```\n+-+-+-+-+\n| flags |\n+-+-+-+-+\n```",
    ],
)
def test_a_code_block_that_is_something_else_is_left_alone_with_a_note(text: str) -> None:
    document, problems = reading(text)
    assert rules(document) == []
    assert [(p.code, p.severity) for p in problems] == [("ZW306", Severity.NOTE)]


def test_an_indented_paragraph_of_a_list_is_no_code() -> None:
    _, problems = reading("* an item\n\n    with a second paragraph\n")
    assert problems == []


def test_a_code_block_without_an_end_is_told_and_read() -> None:
    document, problems = reading("Words.\n\n```abnf\nsize = OCTET\n")
    assert rules(document) == ["size"]
    assert [(p.code, p.place, p.hint) for p in problems] == [
        ("ZW318", Place(3, 1, 7), "close it with ```")
    ]


# ---------------------------------------------------------------- tables of pipes


OURS = """\
### REQUEST (worker)

Give the worker a request.
It is as the client wrote it.

More words.

| Frame | Value | Name | Meaning |
|-------|-------|------|---------|
| 0 | `%x01` | | The command |
| 1 | `*VCHAR` | service | A name \\| or two |
| 2+ | `*OCTET` | body | All the rest |
"""


def test_a_table_below_the_name_of_a_command_lists_its_frames() -> None:
    document, problems = reading(OURS)
    (table,) = tables(document)
    assert table.command == "REQUEST"
    assert table.comment == "Give the worker a request. It is as the client wrote it."
    assert rows(table) == [
        ("0", "%x01", ""),
        ("1", "*VCHAR", "service"),
        ("2+", "*OCTET", "body"),
    ]
    assert table.rows[1].meaning.text == "A name | or two"
    assert table.rows[1].value.place == Place(11, 8, 6)
    assert (table.declared, problems) == (None, [])


def test_a_table_of_something_else_is_nobodys_business() -> None:
    document, problems = reading("### REQ\n\n| Socket | Sends |\n|---|---|\n| REQ | asks |\n")
    assert (tables(document), problems) == ([], [])


def test_a_row_without_a_number_is_told() -> None:
    document, problems = reading(OURS.replace("| 2+ |", "| rest |"))
    assert len(tables(document)[0].rows) == 2
    assert [(p.code, p.place, p.text) for p in problems] == [
        ("ZW304", Place(12, 3, 4), '"rest" is not the number of a frame')
    ]


def test_a_table_of_frames_without_a_command_is_told() -> None:
    document, problems = reading(OURS.replace("### REQUEST (worker)", "### frames"))
    assert (tables(document), codes(problems)) == ([], ["ZW311"])


# ---------------------------------------------------------------- lists of frames


LIST = """\
A REQUEST command consists of a multipart message of 5 or more frames, formatted as follows:

* Frame 0: "ABC1" (four bytes, the protocol)
* Frame 1: 0x01 (one byte, representing REQUEST)
* Frame 2: Empty (zero bytes, envelope delimiter)
* Frame 3: Service name (printable string,
  never empty)
* Frames 4+: Request body (opaque binary)
"""


def test_a_list_of_frames_becomes_a_table() -> None:
    document, problems = reading(LIST)
    (table,) = tables(document)
    assert (table.command, table.declared, table.open_ended) == ("REQUEST", 5, True)
    assert rows(table) == [
        ("0", '%s"ABC1"', ""),
        ("1", "%x01", ""),
        ("2", '""', ""),
        ("3", "*VCHAR", "service-name"),
        ("4+", "*OCTET", "request-body"),
    ]
    assert table.rows[4].place == Place(8, 10, 2)
    assert problems == []


def test_what_a_frame_holds_has_to_be_told() -> None:
    document, problems = reading(LIST.replace('"ABC1" (four bytes, the protocol)', "Name of it"))
    assert rows(tables(document)[0])[0] == ("0", "*OCTET", "name-of-it")
    assert [(p.code, p.place) for p in problems] == [("ZW316", Place(3, 12, 10))]


@pytest.mark.parametrize(
    ("sentence", "declared", "open_ended"),
    [
        ("A PING command consists of 2 frames:", 2, False),
        ("A **PING** frame consists of a 4-frame multipart message.", 4, False),
        ("The PING message consists of two frames:", 2, False),
        ("A PING command consists of a multipart message of 5 or more frames:", 5, True),
        ("A PING frame consists of", None, False),
    ],
)
def test_the_sentence_before_a_list_says_how_many_frames(
    sentence: str, declared: int | None, open_ended: bool
) -> None:
    document, _ = reading(f"{sentence}\n\n* Frame 0: 0x01\n")
    (table,) = tables(document)
    assert (table.command, table.declared, table.open_ended) == ("PING", declared, open_ended)


# ---------------------------------------------------------------- simple tables


RULED = """\
Client
------

A **REQUEST** command consists of 4-frame message.

====== ============ ===========
FRAME  Value        Description
====== ============ ===========
0      _EMPTY_      leave empty
1      abc/1.0      Version
2      _MSG ID_     An id,
                    chosen freely
3      _BODY_       The message 9 you
====== ============ ===========

After the table, `what follows`, in a long line of words that goes on for a while: it says nothing.
"""


def test_a_simple_table_lists_frames() -> None:
    document, problems = reading(RULED, "spec.rst")
    (table,) = tables(document)
    assert (table.command, table.declared, problems) == ("REQUEST", 4, [])
    assert rows(table) == [
        ("0", '""', ""),
        ("1", '%s"abc/1.0"', ""),
        ("2", "*OCTET", "msg-id"),
        ("3", "*OCTET", "body"),
    ]
    assert table.rows[2].meaning.text == "An id, chosen freely"


def test_a_table_is_found_again_when_its_line_breaks_were_lost() -> None:
    lost = " ".join(RULED.replace("_MSG ID_", "_MSGID_").split())
    document, problems = reading(lost, "spec.rst")
    (table,) = tables(document)
    assert (table.command, table.declared, problems) == ("REQUEST", 4, [])
    assert [row[2] for row in rows(table)] == ["", "", "msgid", "body"]
    assert table.rows[3].meaning.text == "The message 9 you"
    for row in table.rows:
        assert row.place.line == 1
        assert lost[row.place.column - 1 :].startswith(f"{row.first} ")


def test_a_long_line_that_lost_nothing_stays_as_it_is() -> None:
    document, problems = reading("words === " * 60)
    assert (tables(document), problems) == ([], [])


def test_the_title_is_the_first_heading_or_the_first_line_alone() -> None:
    assert reading("# The `ABC` protocol\n\nWords.")[0].title == "The ABC protocol"
    assert reading("Protocol 0.1 (Draft)\n\nWords.")[0].title == "Protocol 0.1 (Draft)"
    assert reading("**** A title **** Words and more words.")[0].title == "A title"
    assert reading("Words.\n\n* Name: example.org/spec:9/ABC\n")[0].title == "9/ABC"
    assert reading("")[0].title == ""
