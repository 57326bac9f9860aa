"""Commands for documents, given what they do not expect: a sentence and an exit code, no more."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from support.documents import document
from zwire.cli.main import app

GRAMMARS = Path(__file__).parents[2] / "grammars"
ZRE = GRAMMARS / "zre.md"
RULES = "; A\nM = %x01 a\na = OCTET"


def zwire(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(one) for one in arguments], env={"COLUMNS": "80"})


@pytest.fixture
def prose(tmp_path: Path) -> Path:
    path = tmp_path / "prose.md"
    path.write_text("Just prose.\n")
    return path


def test_diff_tells_why_there_is_nothing_to_compare(prose: Path) -> None:
    result = zwire("diff", prose, ZRE)
    assert (result.exit_code, result.stderr) == (1, f"{prose} holds no protocol\n")
    result = zwire("diff", GRAMMARS, ZRE)
    assert (result.exit_code, result.stderr) == (
        2,
        "diff compares two documents; a folder is none\n",
    )


def test_a_document_without_a_protocol_has_no_model(prose: Path) -> None:
    result = zwire("model", prose, "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"{prose} holds no protocol\n"


def test_the_table_of_lint_cuts_no_path_when_it_is_not_for_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / f"{'long' * 25}.md"
    path.write_text(ZRE.read_text(encoding="utf-8"), encoding="utf-8")
    assert path.name in zwire("lint", path).stdout.replace("\n", "")


def test_marks_in_names_and_titles_are_printed_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "[/bold].md"
    path.parent.mkdir()
    settings = '[constants]\nodd = "[/red]"\n[roles]\n"[/dim]" = { letter = "C" }'
    text = document(abnf=RULES, dialog="d = C:M", settings=settings)
    path.write_text(text.replace('name = "sample"', 'name = "sample"\ntitle = "[/green]"'))
    changed = tmp_path / "new.md"
    changed.write_text(path.read_text().replace("[/red]", "[/blue]").replace("[/green]", "[/x]"))
    assert "[/bold].md" in zwire("lint", path).stdout
    assert "[/green]" in zwire("lint", path).stdout
    assert 'odd = "[/red]"' in zwire("model", path).stdout
    assert "[/dim]" in zwire("explain", path, "M").stdout
    result = zwire("diff", path, changed)
    assert result.exit_code == 1
    assert "[/blue]" in result.stdout


def test_a_broken_errata_file_is_told_once_with_its_line(tmp_path: Path) -> None:
    errata = tmp_path / "slip.toml"
    errata.write_text("[[erratum]]\nfind = \n")
    result = zwire("lint", ZRE, GRAMMARS / "ppp.md", "--errata", errata)
    assert result.exit_code == 1
    assert result.stderr.count("ZW309") == 1
    assert "    2 | find = \n" in result.stderr
    told = json.loads(zwire("lint", ZRE, ZRE, "--errata", errata, "--json").stdout)
    assert [one["code"] for one in told] == ["ZW309"]


def test_two_documents_of_one_name_do_not_overwrite_each_other(tmp_path: Path) -> None:
    twin = tmp_path / "twin.md"
    twin.write_text(ZRE.read_text(encoding="utf-8"), encoding="utf-8")
    result = zwire("generate", ZRE, twin, "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "two documents describe a protocol named 'zre'" in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_file_is_no_folder_to_write_into(prose: Path) -> None:
    result = zwire("generate", ZRE, "--out", prose)
    assert result.exit_code == 2
    assert "is no folder" in result.stderr
    result = zwire("new", "parcel", "--folder", prose)
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr


def test_format_passes_over_folders_that_look_like_documents(tmp_path: Path) -> None:
    (tmp_path / "folder.md").mkdir()
    assert zwire("format", tmp_path).exit_code == 0


def test_format_keeps_line_ends_and_the_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "dos.md"
    path.write_bytes(b"\xef\xbb\xbf# T\r\n\r\n```abnf\r\na  = b\r\n```\r\n")
    assert zwire("format", path).exit_code == 0
    assert path.read_bytes() == b"\xef\xbb\xbf# T\r\n\r\n```abnf\r\na = b\r\n```\r\n"


def test_explain_shows_the_dialogs_of_a_message_and_not_of_one_named_like_it(
    tmp_path: Path,
) -> None:
    path = tmp_path / "names.md"
    rules = "; A\nPING = %x01\n; B\nPING-OK = %x02"
    path.write_text(document(abnf=rules, dialog="one = C:PING\nother = B:PING-OK"))
    assert "other" not in zwire("explain", path, "PING").stdout
