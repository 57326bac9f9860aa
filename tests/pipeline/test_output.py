"""The folder of the tables: ours or not, replaced as a whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from zwire_spark.output import (
    MARKER,
    ForeignFolder,
    claimed,
    claimed_for_following,
    publish,
    read_marker,
)


def _publish(folder: Path, text: str) -> None:
    with claimed(folder) as following:
        for name in ("rows", "tables"):
            (following / name).mkdir()
            (following / name / "file").write_text(text)
        publish(folder, following, {"text": text})


def test_a_second_result_takes_the_place_of_the_first(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    _publish(folder, "one")
    _publish(folder, "two")
    assert (folder / "tables" / "file").read_text() == "two"
    assert read_marker(folder)["text"] == "two"
    assert sorted(one.name for one in folder.iterdir()) == [".lock", "rows", "tables", MARKER]


def test_a_run_that_fails_leaves_the_result_as_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    _publish(folder, "one")

    def fail() -> None:
        with claimed(folder) as following:
            (following / "tables").mkdir()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert (folder / "tables" / "file").read_text() == "one"
    assert not list(folder.glob(".next*"))


def test_what_a_killed_run_left_behind_is_tidied_up(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    _publish(folder, "one")
    for leftover in (".next-1234", ".old"):
        (folder / leftover).mkdir()
        (folder / leftover / "junk").write_text("x")
    _publish(folder, "two")
    assert sorted(one.name for one in folder.iterdir()) == [".lock", "rows", "tables", MARKER]


def test_who_still_writes_for_a_killed_run_does_not_write_into_the_next(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with claimed(folder) as killed:
        (killed / "tables").mkdir()
    with claimed(folder) as following:
        for name in ("rows", "tables"):
            (following / name).mkdir()
        (killed / "tables").mkdir(parents=True)
        (killed / "tables" / "late").write_text("x")
        publish(folder, following, {})
    assert not list((folder / "tables").iterdir())


def test_a_run_that_is_killed_while_it_publishes_leaves_no_complete_result(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    _publish(folder, "one")
    with claimed(folder) as following:
        (following / "rows").mkdir()
        with pytest.raises(FileNotFoundError):
            publish(folder, following, {"text": "two"})
    assert read_marker(folder)["state"] == "begun"


def test_a_foreign_folder_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "cat.jpg").write_text("miaow")
    with pytest.raises(ForeignFolder, match=r"photos: holds cat\.jpg"), claimed(folder):
        pass
    assert [one.name for one in folder.iterdir()] == ["cat.jpg"]


@pytest.mark.parametrize("text", ["", "[]", "nonsense", json.dumps({"format": "another 1"})])
def test_a_marker_of_somebody_else_is_no_permission(tmp_path: Path, text: str) -> None:
    (tmp_path / MARKER).write_text(text)
    with pytest.raises(ForeignFolder, match=MARKER), claimed(tmp_path):
        pass
    assert (tmp_path / MARKER).read_text() == text


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("x")
    with pytest.raises(ForeignFolder, match="is a file"), claimed(path):
        pass


def test_a_place_where_nothing_can_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for place in (tmp_path / "file" / "out", Path("/dev/null/out")):
        with pytest.raises(ForeignFolder, match="cannot be written to: Not a directory"):
            with claimed(place):
                pass


def test_two_analyses_do_not_write_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with claimed(folder):
        with pytest.raises(ForeignFolder, match="another analysis"), claimed(folder):
            pass
        assert list(folder.glob(".next-*"))


def test_a_followed_folder_is_not_replaced_and_belongs_to_its_captures(tmp_path: Path) -> None:
    folder = tmp_path / "live"
    with claimed_for_following(folder, ["a"]):
        pass
    with claimed_for_following(folder, ["a"]):
        pass
    with pytest.raises(ForeignFolder, match="follows a"), claimed_for_following(folder, ["b"]):
        pass
    with pytest.raises(ForeignFolder, match="with --follow"), claimed(folder):
        pass
