"""What hostile and careless authors do: each story once went wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.documents import codes_of, compiled, document, message_of, part_of, table
from zwire_codegen.catalogue import problem
from zwire_codegen.compiler import load_source
from zwire_codegen.formatting import as_it_was, format_document
from zwire_codegen.model.automaton import automaton
from zwire_codegen.model.json import from_json, to_json
from zwire_codegen.notation.abnf_findings import MOST_ERRORS
from zwire_codegen.report import show
from zwire_codegen.source import Place, Source
from zwire_codegen.starter import BadName, starter

RULES = "; A\nM = %x01 a\na = OCTET"


def settled(settings: str) -> list[str]:
    """The codes of a small document with these settings."""
    return codes_of(document(abnf=RULES, dialog="d = C:M", settings=settings))


def formatted(text: str) -> str:
    once, _ = format_document(Source("t.md", text))
    assert format_document(Source("t.md", once))[0] == once
    return once


# ------------------------------------------------------------ sizes and shapes that took for ever


@pytest.mark.parametrize("blank", [" ", "\t", "\n", " \n"])
def test_a_file_of_blanks_is_read_in_one_go(blank: str) -> None:
    assert codes_of(blank * 200_000, "blank.abnf") == ["ZW005"]


def test_blanks_behind_a_grammar_are_read_in_one_go() -> None:
    assert "ZW005" not in codes_of("A = %x01" + "\n" * 200_000, "blank.abnf")


def test_a_ruler_of_blanks_is_no_table() -> None:
    text = "|a\n" + " " * 200_000 + "|\n"
    assert format_document(Source("t.md", text))[0] == text


@pytest.mark.parametrize(
    "dialog",
    [
        "d = 1*2000C:M",
        "d = " + " ".join(["[C:M]"] * 490),
        "d = *(C:M / B:M) C:M 9(C:M / B:M)",
    ],
    ids=["counted", "options", "remembered"],
)
def test_a_dialog_that_explodes_is_told_at_once(dialog: str) -> None:
    assert codes_of(document(abnf=RULES, dialog=dialog)) == ["ZW511"]


def test_a_long_but_plain_dialog_is_still_one() -> None:
    (dialog,) = part_of(document(abnf=RULES, dialog="d = 300C:M")).conversation.dialogs
    assert len(automaton(dialog).transitions) == 301


def test_a_block_of_errors_is_not_told_to_the_end() -> None:
    found = codes_of("a =\n" * (3 * MOST_ERRORS), "endless.abnf")
    assert found.count("ZW105") == MOST_ERRORS
    assert found.count("ZW107") == 1


# ------------------------------------------------------------ names and texts


@pytest.mark.parametrize(
    "name", ["class", "errors", "conversation", "talk_dialogs", "__init__", "1st", "größe", ""]
)
def test_a_name_that_no_module_can_have_is_refused(name: str) -> None:
    assert settled(f'[part]\nname = "{name}"') == ["ZW418"]
    named = document(abnf=RULES, dialog="d = C:M").replace('"sample"', f'"{name}"')
    assert codes_of(named) == ["ZW418"]


def test_a_document_named_after_our_modules_gets_another_name() -> None:
    loaded = compiled("; A\nM = %x01", "errors.abnf")
    assert loaded.protocol is not None
    assert loaded.protocol.name == "protocol_errors"


@pytest.mark.parametrize("name", ["class", "errors", "my-dialogs"])
def test_no_starter_is_written_that_would_not_lint(name: str) -> None:
    with pytest.raises(BadName):
        starter(name)


@pytest.mark.parametrize("name", ["größe", "🎉", "1x", "two words", "x\u200by"])
def test_a_field_is_named_as_a_rule_is_and_the_caret_stands_below_it(name: str) -> None:
    text = document(dialog="d = C:M", tables=table("M", "0 | %x01 |", f"1 | *OCTET | {name}"))
    (found,) = compiled(text).problems
    line = text.split("\n")[found.place.line - 1]
    assert found.code == "ZW418"
    assert line[found.place.column - 1 :].startswith(name)


def test_digits_of_other_scripts_number_no_frame() -> None:
    assert "ZW304" in codes_of(document(dialog="d = C:M", tables=table("M", "٠ | %x01 |")))


@pytest.mark.parametrize("text", [r"a\u0000b", r"two\nlines", r"red\u001b[31m", r"\u202eback"])
def test_a_title_is_one_line_that_can_be_printed(text: str) -> None:
    titled = document(abnf=RULES, dialog="d = C:M").replace(
        'name = "sample"', f'name = "sample"\ntitle = "{text}"'
    )
    assert codes_of(titled) == ["ZW303"]


def test_what_a_comment_of_the_page_hides_is_not_read() -> None:
    hidden = "<!-- a draft\n```abnf\nM = %x02 nothing\n```\n-->\n"
    text = document(dialog="d = C:M", tables=table("M", "0 | %x01 |", comment=f"{hidden}Says it."))
    assert message_of(text).origin.comment == "Says it."


def test_strange_values_survive_json() -> None:
    constants = (
        '[constants]\nhuge = 99999999999999999999\nodd = "\\u0000\\"\\\\é🎉"\nraw = "%x00.FF"'
    )
    loaded = compiled(document(abnf=RULES, dialog="d = C:M", settings=constants))
    assert loaded.protocol is not None
    assert from_json(json.loads(json.dumps(to_json(loaded.protocol)))) == loaded.protocol


# ------------------------------------------------------------ findings on a terminal


def shown(line: str, column: int, length: int) -> list[str]:
    found = problem("x.md", Place(1, column, length), "ZW101", "look", "here")
    return show([found], [Source("x.md", line)]).split("\n")[1:]


def test_the_caret_counts_the_columns_of_wide_characters() -> None:
    assert shown("表 = 表表", 5, 2) == ["    1 | 表 = 表表", "      |      ^^^^ here"]


def test_the_caret_does_not_count_combining_marks() -> None:
    assert shown("n\u0303 = (", 6, 1) == ["    1 | n\u0303 = (", "      |     ^ here"]


def test_a_finding_does_not_move_the_cursor() -> None:
    assert shown("a\x1b[31m = \u202e(", 10, 1) == ["    1 | a·[31m = ·(", "      |          ^ here"]
    told = problem("x\x1b.md", Place(1, 1), "ZW101", "a\rb", "c\x07d")
    assert show([told], []).isprintable() is False
    assert show([told], []).replace("\n", "").isprintable()


# ------------------------------------------------------------ formatting keeps what is not its own


def test_a_table_in_a_list_keeps_its_indentation() -> None:
    text = "- item\n\n  |a|b|\n  |-|-|\n  |1|2|\n"
    assert formatted(text) == "- item\n\n  | a   | b   |\n  | --- | --- |\n  | 1   | 2   |\n"


@pytest.mark.parametrize(
    "text",
    [
        "    |a|b|\n    |-|-|\n",
        "[[code]]\n|a|b|\n|-|-|\n[[/code]]\n",
        "<!--\n|a|b|\n|-|-|\n\n```abnf\na  =  b\n```\n-->\n",
        "````markdown\n```abnf\na  =  b\n```\n````\n",
        "> |a|b|\n> |-|-|\n",
        "- item\n\n  ```abnf\n  a  =  b\n  ```\n",
        "```abnf\na  =  b\n",
        "text  \nwith two blanks  \n\ttab\n\n\n\n",
        "|a|b|\nno ruler\n",
    ],
    ids=["indented", "wikidot", "comment", "nested", "quote", "list", "open", "blanks", "bars"],
)
def test_what_is_no_block_or_table_of_ours_stays_as_it_is(text: str) -> None:
    assert formatted(text) == text


def test_labels_and_suffixes_may_be_in_capitals() -> None:
    assert formatted("```ABNF\na  =  b\n```\n") == "```ABNF\na = b\n```\n"
    assert format_document(Source("T.ABNF", "a  =  b\n"))[0] == "a = b\n"


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_file_keeps_its_line_ends_and_its_byte_order_mark(end: bytes, mark: bytes) -> None:
    before = mark + end.join([b"# T", b"", b"|a|", b"|-|", b""])
    assert as_it_was("# T\n\n| a |\n", before) == mark + end.join([b"# T", b"", b"| a |", b""])


@pytest.mark.parametrize("suffix", ["md", "abnf"])
def test_a_grammar_is_the_same_after_formatting(suffix: str) -> None:
    rules = '; x\nA = %x01 (b / c) ; y\n ; z\nb = 2OCTET;q\nc=%d13.10\n\n; apart\n\n; above\nA2 = [ "" ]\n'
    text = rules if suffix == "abnf" else f"```abnf\n{rules}```\n"
    once, _ = format_document(Source(f"t.{suffix}", text))
    again, _ = format_document(Source(f"t.{suffix}", once))
    assert once == again != text
    assert [
        word for word in ("; x", "; y", "z", "; q", "; apart", "; above") if word not in once
    ] == []


def test_an_error_in_an_errata_file_is_told_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "slip.toml"
    path.write_text('[[erratum]]\nfind = 3\nreplace = ""\nwhy = "x"\n')
    loaded = load_source(Source("x.md", "# T\n"), errata=[path])
    (found,) = (one for one in loaded.problems if one.code == "ZW309")
    assert (found.file, found.place.line) == (path.as_posix(), 2)
