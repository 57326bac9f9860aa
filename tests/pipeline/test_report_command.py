"""`zwire report` on a folder that is none of ours, incomplete or damaged: a sentence, nothing written."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("pyarrow", reason="the report needs pyarrow")

from support.tabled import write_tables
from zwire.cli.main import app
from zwire_spark.output import write_marker


def _run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["report", *map(str, arguments)])
    return result.exit_code, " ".join(result.output.split())


def _refused(folder: Path, *arguments: object) -> str:
    code, told = _run(folder, *arguments)
    assert code == 2, told
    assert not (folder / "report.html").exists()
    return told


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_tables(tmp_path / "out", {})


def test_the_report_lies_beside_the_tables(folder: Path) -> None:
    code, told = _run(folder)
    assert code == 0, told
    assert f"report: {folder / 'report.html'}" in told
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_it_goes_where_it_is_asked_for(folder: Path, tmp_path: Path) -> None:
    code, _ = _run(folder, "--html", tmp_path / "monday.html", "--title", "Monday")
    assert code == 0
    assert "<h1>Monday</h1>" in (tmp_path / "monday.html").read_text(encoding="utf-8")
    assert not (folder / "report.html").exists()


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert "no such folder; `zwire analyze CAPTURE --into" in _refused(tmp_path / "absent")


def test_a_file_instead_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Sir or Madam")
    assert "is a file, expected the folder of `zwire analyze" in _refused(tmp_path / "letter.txt")


def test_a_folder_of_somebody_else(tmp_path: Path) -> None:
    (tmp_path / "cat.jpg").write_text("miaow")
    assert "no result of `zwire analyze`" in _refused(tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["cat.jpg"]


def test_an_analysis_that_was_never_completed(folder: Path) -> None:
    write_marker(folder, {"state": "begun", "mode": "batch"})
    assert "was begun and not completed; run it again" in _refused(folder)


def test_a_folder_that_follows(folder: Path) -> None:
    write_marker(folder, {"state": "begun", "mode": "follow", "inputs": []})
    assert "was written with --follow" in _refused(folder)


def test_a_table_that_vanished(folder: Path) -> None:
    shutil.rmtree(folder / "tables" / "requests")
    told = _refused(folder)
    assert "requests: is missing, and zwire.json names it; run `zwire analyze` again" in told


def test_a_damaged_table(folder: Path) -> None:
    (folder / "tables" / "liveness" / "part-0.parquet").write_bytes(b"PAR1 and then nothing")
    told = _refused(folder)
    assert "liveness: cannot be read" in told
    assert "run `zwire analyze` again" in told


def test_a_marker_without_tables(folder: Path) -> None:
    write_marker(folder, {"state": "complete", "mode": "batch"})
    assert "names no tables" in _refused(folder)


def test_a_place_that_cannot_be_written_to(folder: Path, tmp_path: Path) -> None:
    assert "cannot be written" in _refused(
        folder, "--html", tmp_path / "no" / "such" / "folder.html"
    )


def test_neither_spark_nor_java_is_needed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("zwire_spark")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyspark", None)
    code, told = _run(folder)
    assert code == 0, told


def test_without_pyarrow_one_sentence_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("zwire_spark.report")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "needs pyarrow (pyarrow is missing): pip install 'zwire[spark]'" in _refused(folder)
