"""`zwire decode`, `zwire encode` and `zwire generate` with what they should not be given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from support.documents import document
from zwire.cli.main import app

DOCUMENT = document(settings='[senders]\nPING = ["client"]', abnf="; Ping.\nPING = %x01")


def zwire(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(one) for one in arguments], env={"COLUMNS": "150"})


@pytest.mark.parametrize("name", [None, 7, ["PING"], {"PING": 1}, True])
def test_a_name_that_is_no_text_is_a_usage_error(name: object) -> None:
    result = zwire("encode", "zre", json.dumps({"message": name, "fields": {}}))
    assert result.exit_code == 2
    assert "zre has no message" in result.stderr


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "9" * 5_000, "[]", "null", '"PING"'])
def test_what_is_no_json_object_is_a_usage_error(text: str) -> None:
    result = zwire("encode", "zre", text)
    assert result.exit_code == 2
    assert "JSON" in result.stderr or "expected an object" in result.stderr


def test_writing_needs_no_role_even_where_reading_does() -> None:
    told = {"message": "REQUEST", "fields": {"stack": ["0a"], "content": ["01"]}}
    result = zwire("encode", "ppp", json.dumps(told))
    assert result.exit_code == 0, result.stderr
    assert result.stdout == "0a\n\n01\n"
    frames = result.stdout.split("\n")[:-1]
    assert zwire("decode", "ppp", *frames).exit_code == 2
    read = zwire("decode", "ppp", "--role", "client", "--json", *frames)
    assert json.loads(read.stdout) == told


def test_the_command_that_mends_names_targets_and_folder(tmp_path: Path) -> None:
    path = tmp_path / "my protocol.md"
    path.write_text(DOCUMENT)
    folder = tmp_path / "deep" / "er"
    asked = ("generate", path, "--out", folder, "--target", "vectors")
    result = zwire(*asked, "--check")
    assert result.exit_code == 1
    told = result.stderr.replace("\n", "")
    assert f"zwire generate '{path}' --out {folder} --target vectors" in told
    assert zwire(*asked).exit_code == 0
    assert zwire(*asked, "--check").exit_code == 0


def test_a_protocol_of_ones_own_is_written_once_and_then_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "sample.md"
    path.write_text(DOCUMENT)
    asked = ("generate", path, "--out", tmp_path / "a" / "b" / "package", "--target", "python")
    assert "0 as they were" in zwire(*asked).stdout
    assert "0 written" in zwire(*asked).stdout
    assert "up to date" in zwire(*asked, "--check").stdout
