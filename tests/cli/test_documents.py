"""The commands for documents and messages, as a shell sees them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from zwire.cli.main import app

ROOT = Path(__file__).parents[2]
GRAMMARS = ROOT / "grammars"


def zwire(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(
        app, [str(one) for one in arguments], input=stdin, env={"COLUMNS": "150"}
    )


def test_lint_of_all_grammars_is_clean() -> None:
    result = zwire("lint", GRAMMARS, "--strict")
    assert result.exit_code == 0
    assert result.stdout.count("clean") == len(list(GRAMMARS.glob("*.md")))


def test_lint_tells_problems_as_json_and_fails(tmp_path: Path) -> None:
    path = tmp_path / "x.abnf"
    path.write_text("a = b c\nb = (%x01\n")
    result = zwire("lint", path, "--json")
    assert result.exit_code == 1
    problems = json.loads(result.stdout)
    assert {"file", "line", "column", "code", "severity", "text", "hint"} <= problems[0].keys()


def test_a_path_that_is_not_there_is_a_usage_error() -> None:
    result = zwire("lint", "nowhere.md", "elsewhere.md")
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        "nowhere.md: no such file or folder",
        "elsewhere.md: no such file or folder",
    ]


def test_model_gives_json_that_reads_in_again() -> None:
    from zwire_codegen.model.json import from_json, to_json

    result = zwire("model", GRAMMARS / "zre.md", "--json")
    value = json.loads(result.stdout)
    assert to_json(from_json(value)) == value
    assert "HELLO" in zwire("model", GRAMMARS / "zre.md").stdout


def test_format_check_names_what_would_change(tmp_path: Path) -> None:
    path = tmp_path / "x.abnf"
    path.write_text("a  =  %x01\n")
    assert zwire("format", path, "--check").exit_code == 1
    assert path.read_text() == "a  =  %x01\n"
    assert zwire("format", path).exit_code == 0
    assert path.read_text() == "a = %x01\n"
    assert zwire("format", path, "--check").exit_code == 0
    assert zwire("format", GRAMMARS, "--check").exit_code == 0


def test_diff_exits_1_on_what_breaks(tmp_path: Path) -> None:
    new = tmp_path / "zre.md"
    text = (GRAMMARS / "zre.md").read_text()
    new.write_text(text.replace("%x04 group status", "%x14 group status"))
    result = zwire("diff", GRAMMARS / "zre.md", new, "--json")
    assert result.exit_code == 1
    assert [change["kind"] for change in json.loads(result.stdout)] == ["renumbered"]
    same = zwire("diff", GRAMMARS / "zre.md", GRAMMARS / "zre.md")
    assert (same.exit_code, same.stdout) == (0, "no difference\n")


def test_explain_shows_a_message_or_says_which_there_are() -> None:
    assert "ipaddress" in zwire("explain", "zre", "hello").stdout
    assert "C:REQUEST" in zwire("explain", "mdpx").stdout
    unknown = zwire("explain", "zre", "HOLLA")
    assert unknown.exit_code == 2
    assert "HELLO" in unknown.stderr
    assert zwire("explain", "nothing").exit_code == 2


def test_new_lints_and_generates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert zwire("new", "my-own").exit_code == 0
    assert zwire("lint", "my-own.md", "--strict").exit_code == 0
    assert zwire("new", "my-own").exit_code == 2
    assert zwire("new", "Bad Name").exit_code == 2
    made = zwire("generate", "my-own.md", "--out", "src/pkg", "--target", "python")
    assert made.exit_code == 0, made.stderr
    code = "from pkg.my_own import Ping, decode, encode; assert decode(encode(Ping())) == Ping()"
    subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, 'src'); {code}"], check=True
    )
    assert zwire("generate", "my-own.md", "--out", "src/pkg", "--check").exit_code == 0
    (tmp_path / "src/pkg/my_own/messages.py").write_text("")
    drifted = zwire("generate", "my-own.md", "--out", "src/pkg", "--check")
    assert drifted.exit_code == 1
    assert "+class Ask" in drifted.stdout
    assert "zwire generate my-own.md --out src/pkg" in drifted.stderr


def test_generate_wants_to_know_where_and_what(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert zwire("generate").exit_code == 2
    assert zwire("generate", GRAMMARS / "zre.md").exit_code == 2
    wrong = zwire("generate", GRAMMARS / "zre.md", "--out", "x", "--target", "cobol")
    assert wrong.exit_code == 2
    assert "python" in wrong.stderr


def test_decode_gives_the_json_of_the_vectors() -> None:
    result = zwire("decode", "zre", "aaa1000204014101", "--json")
    assert json.loads(result.stdout) == {
        "message": "JOIN",
        "fields": {"sequence": 2, "group": "A", "status": 1},
    }
    assert "group = 'A'" in zwire("decode", "zre", "aaa1000204014101").stdout


def test_decode_of_something_malformed_says_where() -> None:
    result = zwire("decode", "zre", "aaa10002040541")
    assert result.exit_code == 1
    assert result.stderr == (
        "zre.messages: JOIN group: frame 0, offset 5: expected 5 octets, got 1 (truncated)\n"
    )
    told = json.loads(zwire("decode", "zre", "aaa10002040541", "--json").stdout)["error"]
    assert (told["code"], told["field"], told["offset"]) == ("truncated", "group", 5)


def test_decode_asks_for_the_role_where_octets_are_shared() -> None:
    assert zwire("decode", "ppp", "01").exit_code == 2
    assert json.loads(zwire("decode", "ppp", "01", "--role", "worker", "--json").stdout) == {
        "message": "READY",
        "fields": {},
    }
    ready = ("decode", "mdpx", "4d4458573031", "01", "6563686f", "--json")
    assert json.loads(zwire(*ready, "--role", "worker").stdout)["message"] == "READY"
    assert json.loads(zwire(*ready).stdout)["message"] == "READY"
    assert zwire("decode", "zre", "aaa1", "--role", "nobody").exit_code == 2


def test_decode_reads_raw_octets_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "frame"
    path.write_bytes(bytes.fromhex("aaa1000706"))
    assert json.loads(zwire("decode", "zre", "--file", path, "--json").stdout)["message"] == "PING"
    assert zwire("decode", "zre", "--file", tmp_path / "none").exit_code == 2
    assert zwire("decode", "zre").exit_code == 2
    assert zwire("decode", "zre", "xx").exit_code == 2
    assert zwire("decode", "nothing", "00").exit_code == 2


def test_encode_prints_a_frame_a_line() -> None:
    message = '{"message": "WHISPER", "fields": {"sequence": 1, "content": "6869"}}'
    assert zwire("encode", "zre", message).stdout == "aaa1000102\n6869\n"
    assert zwire("encode", "zre", "-", stdin=message).stdout == "aaa1000102\n6869\n"


@pytest.mark.parametrize(
    ("message", "code", "told"),
    [
        ("{", 2, "not JSON"),
        ("[]", 2, "expected an object"),
        ('{"message": "NO"}', 2, "has no message"),
        ('{"message": "PING", "fields": {"sequence": 65536}}', 1, "sequence"),
        ('{"message": "PING", "fields": {}}', 1, "sequence"),
    ],
)
def test_encode_says_what_is_wrong(message: str, code: int, told: str) -> None:
    result = zwire("encode", "zre", message)
    assert result.exit_code == code
    assert told in result.stderr


def test_help_is_quick_to_import() -> None:
    """The command line starts without the libraries that only some commands need."""
    code = "import sys, zwire.cli.main; print([m for m in ('lark', 'jinja2', 'zmq', 'black') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
