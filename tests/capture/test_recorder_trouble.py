"""The recorder in trouble: a full disk, a deaf listener, odd values; nobody it records may notice."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from support.captures import SmallDisk, rows_and_losses
from zwire.capture import Direction, Kind, Recorder, Row, find_files, read_all
from zwire.capture.series import File, open_new
from zwire.errors import LocalError


def say(recorder: Recorder, *frames: bytes, job: int = 0) -> None:
    recorder.message(Direction.IN, "", "mdpx.client", "client", b"alice", frames, job)


def rows_in(folder: Path) -> list[Row]:
    return list(read_all([folder]))


class Told:
    """Remembers what a recorder tells."""

    def __init__(self) -> None:
        self.events: list[tuple[str, Mapping[str, Any]]] = []

    def __call__(self, name: str, facts: Mapping[str, Any]) -> None:
        self.events.append((name, facts))


def test_a_full_disk_stops_the_recording_with_an_event_and_nothing_else(tmp_path: Path) -> None:
    told = Told()
    disk = SmallDisk(2_000)
    recorder = Recorder(tmp_path, hold=None, block=300, on_event=told, opener=disk)
    for number in range(100):
        say(recorder, b"%d" % number, b"x" * 200)
    recorder.event("still", {})
    recorder.flush()
    recorder.close()
    ((name, facts),) = told.events
    assert name == "recording-stopped"
    assert facts["why"] == recorder.failure == "No space left on device"
    assert facts["rows_lost"] > 0
    (file,) = find_files([tmp_path])
    rows, losses = rows_and_losses(file)
    assert not losses
    kept = [row.frames[0] for row in rows if row.kind is Kind.MESSAGE]
    assert kept == [b"%d" % number for number in range(len(kept))]
    assert 0 < len(kept) < 100


def test_a_disk_that_cannot_take_back_leaves_a_torn_tail(tmp_path: Path) -> None:
    class Stubborn(SmallDisk):
        def __call__(self, path: Path) -> File:
            file = super().__call__(path)

            def truncate(size: int, /) -> int:
                raise OSError("read only by now")

            file.truncate = truncate  # type: ignore[method-assign]
            return file

    with Recorder(tmp_path, hold=None, block=300, opener=Stubborn(1_000)) as recorder:
        for _ in range(20):
            say(recorder, b"x" * 200)
    (file,) = find_files([tmp_path])
    rows, losses = rows_and_losses(file)
    assert len(rows) > 1
    assert [loss.why for loss in losses] == ["torn"]


def test_a_disk_that_is_full_when_the_next_file_begins_stops_the_recording(tmp_path: Path) -> None:
    told = Told()

    def opener(path: Path) -> File:
        if path.name.endswith("-000002.zcap"):
            raise OSError(28, "No space left on device")
        return open_new(path)

    with Recorder(
        tmp_path, hold=None, block=1, max_size=1, on_event=told, opener=opener
    ) as recorder:
        for _ in range(5):
            say(recorder, b"x")
    assert [name for name, _ in told.events] == ["recording-stopped"]


def test_whoever_fails_to_listen_does_not_trouble_the_caller(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def deaf(name: str, facts: Mapping[str, Any]) -> None:
        raise RuntimeError("deaf")

    with caplog.at_level(logging.ERROR, "zwire.capture"):
        with Recorder(tmp_path, hold=None, on_event=deaf, opener=SmallDisk(200)) as recorder:
            say(recorder, b"x" * 500)
    assert "recording stopped: No space left on device" in caplog.text


def test_a_value_that_has_no_place_in_a_file_stops_the_recording(tmp_path: Path) -> None:
    with Recorder(tmp_path, hold=None) as recorder:
        say(recorder, b"x", job=-1)
        recorder.flush()
        assert "ValueError" in recorder.failure
        say(recorder, b"y")
    assert [row.name for row in rows_in(tmp_path)] == ["recording-began"]


def test_after_the_end_nothing_is_recorded_and_nobody_is_troubled(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, hold=None)
    recorder.close()
    say(recorder, b"late")
    recorder.event("late", {})
    recorder.flush()
    recorder.close()
    assert [row.name for row in rows_in(tmp_path)] == ["recording-began", "recording-ended"]


def test_a_folder_that_cannot_be_written_to_is_told_at_once(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file")
    with pytest.raises(LocalError, match="cannot record into"):
        Recorder(taken)


@pytest.mark.parametrize(
    "options",
    [
        {"name": ""},
        {"name": "a/b"},
        {"keep_body": -1},
        {"block": 0},
        {"hold": 0.0},
        {"max_age": -1.0},
    ],
)
def test_options_that_mean_nothing_are_refused(tmp_path: Path, options: dict[str, Any]) -> None:
    with pytest.raises(LocalError):
        Recorder(tmp_path, **options)
    assert not list(tmp_path.iterdir())
