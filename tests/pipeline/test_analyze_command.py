"""`zwire analyze` on bad input: a sentence before Spark is started, and nothing written."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from support.captures import noted, write_capture
from support.ports import ReservedPort
from zwire.cli.main import app
from zwire_spark import analysis, following, java, session


def _refused(*arguments: object) -> str:
    """What the command says; it ends with the exit code for a wrong use."""
    result = CliRunner().invoke(app, ["analyze", *map(str, arguments)])
    assert result.exit_code == 2, result.output
    return " ".join(result.output.split())


@pytest.fixture(autouse=True)
def _no_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever starts Spark here has come too far."""

    def start(*_: object, **__: object) -> None:
        raise AssertionError("Spark was started")

    monkeypatch.setattr(analysis, "start", start)
    monkeypatch.setattr(following, "start", start)


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    write_capture(tmp_path / "some.zcap", [noted(b"x")])
    return tmp_path / "some.zcap"


def test_a_folder_without_captures_is_refused(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    told = _refused(tmp_path / "photos", "--into", tmp_path / "out")
    assert "no captures (*.zcap) in this folder" in told
    assert not (tmp_path / "out").exists()


def test_a_foreign_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Sir or Madam")
    told = _refused(tmp_path / "letter.txt", "--into", tmp_path / "out")
    assert "not a capture" in told
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("following", [[], ["--follow"]])
def test_a_capture_that_is_not_there_is_refused(tmp_path: Path, following: list[str]) -> None:
    told = _refused(tmp_path / "absent.zcap", "--into", tmp_path / "out", *following)
    assert "No such file" in told
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("following", [[], ["--follow"]])
def test_a_folder_of_somebody_else_is_left_alone(
    tmp_path: Path, capture: Path, following: list[str]
) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    (photos / "cat.jpg").write_text("miaow")
    assert "was not written by `zwire analyze`" in _refused(capture, "--into", photos, *following)
    assert [path.name for path in photos.iterdir()] == ["cat.jpg"]


def test_a_time_that_is_none_is_refused(tmp_path: Path, capture: Path) -> None:
    told = _refused(capture, "--into", tmp_path / "out", "--until", "yesterday")
    assert "--until: expected a time such as 2026-03-01T12:00, or 10m; got 'yesterday'" in told


def test_an_unknown_table_is_refused_with_those_that_there_are(
    tmp_path: Path, capture: Path
) -> None:
    told = _refused(capture, "--into", tmp_path / "out", "--tables", "requests,gossip")
    assert "there is no table 'gossip'; there are" in told
    assert "latency" in told


def test_without_java_one_sentence_says_what_to_do(
    tmp_path: Path, capture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(java, "_candidates", lambda: iter(()))
    told = _refused(capture, "--into", tmp_path / "out")
    assert told.startswith("Spark needs Java 17 or later, and none was found")
    assert not (tmp_path / "out").exists()


def test_without_pyspark_one_sentence_says_what_to_install(
    tmp_path: Path, capture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    told = _refused(capture, "--into", tmp_path / "out")
    assert "needs PySpark (pyspark is missing): pip install 'zwire[spark]'" in told


def test_without_the_client_of_spark_connect_one_sentence_says_what_to_install(
    tmp_path: Path, capture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "grpc_status", None)
    told = _refused(capture, "--into", tmp_path / "out", "--master", "sc://127.0.0.1:15002")
    assert told == (
        "Spark Connect needs a client (grpc_status is missing): pip install 'zwire[connect]'"
    )
    assert not (tmp_path / "out").exists()


def test_a_server_that_does_not_answer_is_told_before_anything_is_written(
    tmp_path: Path, capture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "_PATIENCE", 0.1)
    with ReservedPort() as port:
        server = f"sc://127.0.0.1:{port.number}"
        told = _refused(capture, "--into", tmp_path / "out", "--master", server)
    assert told == f"{server}: no Spark Connect server has answered for 0.1 seconds"
    assert not (tmp_path / "out").exists()


def test_an_address_that_is_none_is_refused(tmp_path: Path, capture: Path) -> None:
    told = _refused(capture, "--into", tmp_path / "out", "--master", "sc://")
    assert "Hostname is missing" in told
    assert not (tmp_path / "out").exists()


def test_nobody_follows_behind_spark_connect(tmp_path: Path, capture: Path) -> None:
    told = _refused(capture, "--into", tmp_path / "out", "--follow", "--master", "sc://some-host")
    assert "following needs a Spark of its own, not one behind Spark Connect" in told
    assert not (tmp_path / "out").exists()
