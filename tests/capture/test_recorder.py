"""The recorder: what it notes, when it writes, and how it gives up without troubling anybody."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from support.captures import START, Ticking, rows_and_losses
from zwire.capture import Direction, Kind, Recorder, Row, Sync, find_files, read_all
from zwire.capture.columns import Noted
from zwire.capture.series import File, open_new

SECOND = 1_000_000_000


def say(recorder: Recorder, *frames: bytes, job: int = 0) -> None:
    recorder.message(
        Direction.IN, "tcp://127.0.0.1:5555", "mdpx.client", "client", b"alice", frames, job
    )


def rows_in(folder: Path) -> list[Row]:
    return list(read_all([folder]))


def messages_in(folder: Path) -> list[Row]:
    return [row for row in rows_in(folder) if row.kind is Kind.MESSAGE]


def test_a_message_is_recorded_with_all_that_is_known_of_it(tmp_path: Path) -> None:
    with Recorder(tmp_path, "broker", hold=None, clock=Ticking(), identity=99) as recorder:
        say(recorder, b"MDXC01", b"\1", b"echo", job=7)
    (row,) = messages_in(tmp_path)
    assert row == Row(
        kind=Kind.MESSAGE,
        time=START + 2_000,
        sequence=2,
        recorder=99,
        direction=Direction.IN,
        endpoint="tcp://127.0.0.1:5555",
        protocol="mdpx.client",
        role="client",
        peer=b"alice",
        job=7,
        frames=(b"MDXC01", b"\1", b"echo"),
        lengths=(6, 1, 4),
    )


def test_an_event_is_recorded_between_the_messages(tmp_path: Path) -> None:
    with Recorder(tmp_path, hold=None) as recorder:
        say(recorder, b"one")
        recorder.event("retried", {"why": "größer", "path": tmp_path}, peer=b"bob", job=3)
        say(recorder, b"two")
    _, _, row, _, _ = rows_in(tmp_path)
    assert (row.kind, row.name, row.peer, row.job) == (Kind.EVENT, "retried", b"bob", 3)
    assert row.facts == {"why": "größer", "path": str(tmp_path)}


def test_every_file_tells_at_its_beginning_who_wrote_it(tmp_path: Path) -> None:
    with Recorder(tmp_path, "front-desk", hold=None, block=1, max_size=1) as recorder:
        say(recorder, b"one")
        say(recorder, b"two")
    for file in find_files([tmp_path]):
        first = rows_and_losses(file)[0][0]
        assert first.name == "recording-began"
        assert (first.facts["name"], first.facts["pid"]) == ("front-desk", os.getpid())
        assert first.recorder == recorder.identity


def test_a_recording_that_was_closed_ends_with_its_number_of_rows(tmp_path: Path) -> None:
    with Recorder(tmp_path, hold=None) as recorder:
        say(recorder, b"one")
    last = rows_in(tmp_path)[-1]
    assert (last.name, last.facts) == ("recording-ended", {"rows": 3})


def test_facts_that_cannot_be_told_trouble_nobody(tmp_path: Path) -> None:
    loop: dict[str, Any] = {}
    loop["again"] = loop
    with Recorder(tmp_path, hold=None) as recorder:
        recorder.event("odd", loop)
        recorder.event("\ud800", {"half": "\ud800"})
    assert not recorder.failure
    assert [row.name for row in rows_in(tmp_path)][1:3] == ["odd", "?"]


def test_the_callers_list_of_frames_may_change_afterwards(tmp_path: Path) -> None:
    frames = [b"one", b"two"]
    with Recorder(tmp_path, hold=None) as recorder:
        recorder.message(Direction.OUT, "", "ppp", "client", b"", frames)
        frames.clear()
    assert messages_in(tmp_path)[0].frames == (b"one", b"two")


def test_what_is_flushed_can_be_read_while_recording_goes_on(tmp_path: Path) -> None:
    with Recorder(tmp_path, hold=None) as recorder:
        say(recorder, b"one")
        assert not messages_in(tmp_path)
        recorder.flush()
        assert len(messages_in(tmp_path)) == 1


def test_a_full_block_is_written_at_once(tmp_path: Path) -> None:
    with Recorder(tmp_path, hold=None, block=1_000) as recorder:
        say(recorder, b"x" * 500)
        assert not messages_in(tmp_path)
        say(recorder, b"x" * 500)
        assert len(messages_in(tmp_path)) == 2


@pytest.mark.process
def test_without_further_messages_the_last_ones_are_written_soon(tmp_path: Path) -> None:
    with Recorder(tmp_path, hold=0.01) as recorder:
        say(recorder, b"one")
        patience = threading.Event()
        for _ in range(3_000):
            if messages_in(tmp_path):
                break
            patience.wait(0.01)
        assert len(messages_in(tmp_path)) == 1


@pytest.mark.process
def test_many_threads_may_record_at_once(tmp_path: Path) -> None:
    def talk(number: int) -> None:
        for turn in range(500):
            say(recorder, b"%d" % number, b"%d" % turn)

    with Recorder(tmp_path, block=2_000, hold=0.01) as recorder:
        threads = [threading.Thread(target=talk, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    rows = messages_in(tmp_path)
    assert len({row.frames for row in rows}) == len(rows) == 4_000
    by_thread = [[row.frames[1] for row in rows if row.frames[0] == b"%d" % n] for n in range(8)]
    assert all(turns == [b"%d" % turn for turn in range(500)] for turns in by_thread)


def test_a_message_noted_while_others_are_being_written_is_not_lost(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, hold=None)

    class Interrupted(list[Noted]):
        """Rows, of which another thread notes one more right after the first were taken."""

        def __getitem__(self, where: Any) -> Any:
            taken = super().__getitem__(where)
            if len(taken) == 1:
                say(recorder, b"two")
            return taken

    recorder._noted = Interrupted()
    say(recorder, b"one")
    recorder.flush()
    recorder._noted = [*recorder._noted]
    recorder.close()
    assert [row.frames for row in messages_in(tmp_path)] == [(b"one",), (b"two",)]


def test_times_never_run_backwards_in_a_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wall = START
    monkeypatch.setattr("time.time_ns", lambda: wall)
    with Recorder(tmp_path, hold=None) as recorder:
        say(recorder, b"one")
        recorder.flush()
        wall -= 3600 * SECOND
        say(recorder, b"two")
        recorder.flush()
        wall += 2 * 3600 * SECOND
        say(recorder, b"three")
    began, *times = [row.time for row in rows_in(tmp_path)][:-1]
    assert abs(began - START) < 600 * SECOND
    assert times == sorted(times)
    assert times[2] - times[1] > 1800 * SECOND


# ------------------------------------------------------------------ bodies


def test_bodies_can_be_cut_and_their_lengths_are_kept(tmp_path: Path) -> None:
    with Recorder(tmp_path, hold=None, keep_body=3, body_at=lambda *_: 1) as recorder:
        say(recorder, b"header", b"secrets", b"ab")
    (row,) = messages_in(tmp_path)
    assert row.frames == (b"header", b"sec", b"ab")
    assert row.lengths == (6, 7, 2)
    assert (row.whole, row.octets) == (False, 15)


def test_bodies_can_be_left_out(tmp_path: Path) -> None:
    with Recorder(tmp_path, hold=None, keep_body=0, body_at=lambda *_: 1) as recorder:
        say(recorder, b"header", b"secrets")
    assert b"secrets" not in b"".join(file.read_bytes() for file in find_files([tmp_path]))
    assert messages_in(tmp_path)[0].frames == (b"header", b"")


def test_where_nobody_knows_the_body_all_of_it_is_cut(tmp_path: Path) -> None:
    def lost(protocol: str, role: str, frames: Sequence[bytes]) -> int:
        raise LookupError(protocol)

    for body_at in (None, lost):
        folder = tmp_path / str(body_at is None)
        with Recorder(folder, hold=None, keep_body=0, body_at=body_at) as recorder:
            say(recorder, b"header", b"secrets")
        assert messages_in(folder)[0].frames == (b"", b"")


# ------------------------------------------------------------------ files


def test_a_file_is_followed_by_the_next_when_it_is_large_enough(tmp_path: Path) -> None:
    with Recorder(tmp_path, hold=None, block=1_000, max_size=5_000) as recorder:
        for _ in range(40):
            say(recorder, b"x" * 500)
    sizes = [file.stat().st_size for file in find_files([tmp_path])]
    assert len(sizes) > 3
    assert all(5_000 <= size < 7_000 for size in sizes[:-1])
    assert len(messages_in(tmp_path)) == 40


def test_a_file_is_followed_by_the_next_when_it_is_old_enough(tmp_path: Path) -> None:
    clock = Ticking(step=20 * SECOND)
    with Recorder(tmp_path, hold=None, block=1, max_age=60.0, clock=clock) as recorder:
        for _ in range(9):
            say(recorder, b"x")
    files = find_files([tmp_path])
    assert len(files) > 2
    for file in files:
        rows, _ = rows_and_losses(file)
        assert rows[-1].time - rows[0].time <= 80 * SECOND
    assert len(messages_in(tmp_path)) == 9


def test_names_of_files_sort_in_the_order_of_writing(tmp_path: Path) -> None:
    clock = Ticking()
    with Recorder(tmp_path, "b", hold=None, block=1, max_size=1, clock=clock, identity=7) as one:
        say(one, b"x")
    names = [file.name for file in find_files([tmp_path])]
    assert names[0] == "b-20231114T221320Z-0000000000000007-000001.zcap"
    assert names == sorted(names)
    assert names[1].endswith("-000002.zcap")


def test_a_recording_never_touches_the_files_of_another(tmp_path: Path) -> None:
    for _ in range(3):
        with Recorder(tmp_path, hold=None, clock=Ticking()) as recorder:
            say(recorder, b"x")
    assert len(find_files([tmp_path])) == 3


def test_others_may_not_read_what_was_recorded(tmp_path: Path) -> None:
    with Recorder(tmp_path, hold=None):
        (file,) = find_files([tmp_path])
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("sync", "least", "most"), [("never", 0, 0), ("file", 1, 1), ("block", 4, 9)]
)
def test_files_are_brought_to_the_disk_as_often_as_was_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sync: str, least: int, most: int
) -> None:
    synced: list[int] = []
    opened: list[File] = []

    def opener(path: Path) -> File:
        opened.append(open_new(path))
        return opened[-1]

    monkeypatch.setattr("os.fsync", synced.append)
    with Recorder(tmp_path, hold=None, block=1, sync=Sync(sync), opener=opener) as recorder:
        number = opened[0].fileno()
        say(recorder, b"x")
        say(recorder, b"x")
    assert least <= synced.count(number) <= most
