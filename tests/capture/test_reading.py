"""Reading captures back: whole, in ranges, damaged, torn, and several at once."""

from __future__ import annotations

import resource
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.captures import (
    BLOCKS,
    RECORDER,
    START,
    Ticking,
    noted,
    rows_and_losses,
    write_capture,
)
from zwire.capture import Direction, Losses, NotACapture, Recorder, find_files, read, read_all
from zwire.capture.columns import Noted, write_rows
from zwire.capture.layout import MARKER

THREE = ([noted(b"one"), noted(b"two")], [noted(b"three")], [noted(b"four"), noted(MARKER)])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.zcap"


def first_frames(path: Path) -> list[bytes]:
    return [row.frames[0] for row in read(path)]


def test_all_rows_come_back_and_nothing_is_lost(path: Path) -> None:
    write_capture(path, *THREE)
    rows, losses = rows_and_losses(path)
    assert [row.frames[0] for row in rows] == [b"one", b"two", b"three", b"four", MARKER]
    assert [row.sequence for row in rows] == [1, 2, 3, 4, 5]
    assert not losses


def test_damage_to_any_octet_loses_the_rows_of_its_block_and_no_others(path: Path) -> None:
    starts = write_capture(path, *THREE)
    octets = path.read_bytes()
    whole, _ = rows_and_losses(path)
    ends = [*starts[1:], len(octets)]
    first = 0
    for start, end, block in zip(starts, ends, THREE, strict=True):
        left = whole[:first] + whole[first + len(block) :]
        for at in range(start, end):
            for flip in (0x01, 0xFF):
                damaged = bytearray(octets)
                damaged[at] ^= flip
                path.write_bytes(damaged)
                rows, losses = rows_and_losses(path)
                assert rows == left
                (loss,) = losses
                assert (loss.start, loss.end) == (start, end)
                assert loss.rows in (None, len(block))
        first += len(block)


def test_a_file_torn_anywhere_keeps_all_complete_blocks(path: Path) -> None:
    starts = write_capture(path, *THREE)
    octets = path.read_bytes()
    whole, _ = rows_and_losses(path)
    for length in range(len(octets)):
        path.write_bytes(octets[:length])
        rows, losses = rows_and_losses(path)
        complete = sum(end <= length for end in [*starts[1:], len(octets)])
        assert rows == whole[: sum(map(len, THREE[:complete]))]
        torn = length - starts[complete]
        assert losses.octets == torn
        assert bool(losses) == (torn > 0)


def test_a_torn_block_says_how_many_rows_it_had(path: Path) -> None:
    write_capture(path, *THREE)
    path.write_bytes(path.read_bytes()[:-1])
    _, losses = rows_and_losses(path)
    (loss,) = losses
    assert (loss.why, loss.rows) == ("torn", 2)
    assert losses.rows == 2
    assert str(loss).endswith("torn; 2 rows lost")


def test_a_tail_of_zeros_loses_nothing_that_was_written(path: Path) -> None:
    write_capture(path, *THREE)
    end = path.stat().st_size
    path.write_bytes(path.read_bytes() + bytes(3_000_000))
    rows, losses = rows_and_losses(path)
    assert len(rows) == 5
    (loss,) = losses
    assert (loss.start, loss.octets, loss.rows) == (end, 3_000_000, 0)
    assert loss.why == "zeros, where nothing was written"


def test_a_block_whose_end_became_zeros_is_lost_alone(path: Path) -> None:
    starts = write_capture(path, *THREE)
    octets = path.read_bytes()
    for kept in range(starts[2] + 1, len(octets)):
        path.write_bytes(octets[:kept] + bytes(len(octets) - kept + 100))
        rows, losses = rows_and_losses(path)
        zeros = not any(octets[kept:])
        assert len(rows) == (5 if zeros else 3)
        assert losses


def test_a_torn_block_in_the_middle_does_not_take_its_neighbour_along(path: Path) -> None:
    starts = write_capture(path, *THREE)
    octets = path.read_bytes()
    for end in range(starts[1], starts[2]):
        path.write_bytes(octets[:end] + octets[starts[2] :])
        assert first_frames(path) == [b"one", b"two", b"four", MARKER]


def test_a_stranger_among_the_blocks_is_stepped_over(path: Path) -> None:
    starts = write_capture(path, *THREE)
    octets = path.read_bytes()
    path.write_bytes(b"junk" + octets[: starts[1]] + b"more junk" + octets[starts[1] :])
    rows, losses = rows_and_losses(path)
    assert len(rows) == 5
    assert [loss.octets for loss in losses] == [4, 9]
    assert losses.rows == 0


def test_two_files_put_together_read_as_both(path: Path) -> None:
    write_capture(path, *THREE)
    path.write_bytes(path.read_bytes() * 2)
    rows, losses = rows_and_losses(path)
    assert len(rows) == 10
    assert not losses


def test_an_empty_file_has_no_rows_and_no_losses(path: Path) -> None:
    path.write_bytes(b"")
    rows, losses = rows_and_losses(path)
    assert not rows
    assert not losses


def test_a_marker_is_found_across_the_chunks_in_which_a_file_is_searched(path: Path) -> None:
    block = write_rows([noted(b"late")], RECORDER, 1)
    for before in range(1024 * 1024 - 9, 1024 * 1024 + 2):
        path.write_bytes(b"x" * before + block)
        assert first_frames(path) == [b"late"]


# ------------------------------------------------------------------ ranges


def split_rows(path: Path, cuts: list[int]) -> tuple[list[object], list[object]]:
    size = path.stat().st_size
    places = [0, *sorted(cut % (size + 1) for cut in cuts), size]
    rows: list[object] = []
    lost: list[object] = []
    for start, end in pairwise(places):
        some, losses = rows_and_losses(path, start, end)
        rows += some
        lost += losses.found
    return rows, lost


def test_a_file_split_in_two_anywhere_gives_each_row_once(path: Path) -> None:
    write_capture(path, *THREE)
    whole, _ = rows_and_losses(path)
    for cut in range(path.stat().st_size + 1):
        assert split_rows(path, [cut]) == (whole, [])


@given(
    BLOCKS,
    st.lists(st.integers(0, 2**20), max_size=6),
    st.lists(st.tuples(st.integers(0, 2**20), st.integers(1, 255)), max_size=4),
    st.sampled_from([b"", bytes(50), b"junk", MARKER, MARKER[:5]]),
)
def test_any_split_of_any_file_gives_the_same_rows_and_the_same_losses(
    tmp_path_factory: pytest.TempPathFactory,
    blocks: list[list[Noted]],
    cuts: list[int],
    damage: list[tuple[int, int]],
    tail: bytes,
) -> None:
    path = tmp_path_factory.mktemp("split") / "a.zcap"
    write_capture(path, *blocks)
    octets = bytearray(path.read_bytes() + tail)
    for place, flip in damage:
        octets[place % len(octets)] ^= flip
    path.write_bytes(octets)
    whole, losses = rows_and_losses(path)
    assert split_rows(path, cuts) == (whole, losses.found)


def test_a_range_reads_a_block_that_begins_in_it_to_its_end(path: Path) -> None:
    starts = write_capture(path, *THREE)
    rows, losses = rows_and_losses(path, starts[1], starts[1] + 1)
    assert [row.frames[0] for row in rows] == [b"three"]
    rows, _ = rows_and_losses(path, starts[1] + 1, starts[2])
    assert not rows
    assert not losses


# ------------------------------------------------------------------ several files


def record(folder: Path, name: str, clock: Ticking, *bodies: bytes) -> None:
    with Recorder(folder, name, hold=None, clock=clock) as recorder:
        for body in bodies:
            recorder.message(Direction.IN, "", "mdpx.client", "client", b"", [body])


def test_recordings_side_by_side_are_merged_by_time(tmp_path: Path) -> None:
    early, late = Ticking(), Ticking()
    late.now += 500
    record(tmp_path, "broker", early, b"1", b"3")
    record(tmp_path, "worker", late, b"2", b"4")
    bodies = [row.frames[0] for row in read_all([tmp_path]) if not row.name]
    assert bodies == [b"1", b"2", b"3", b"4"]


def test_a_thousand_recordings_need_no_thousand_open_files(tmp_path: Path) -> None:
    for number in range(150):
        rows = [[noted(b"%d" % number, time=START + 1000 * number + n)] for n in range(3)]
        write_capture(tmp_path / f"some-{number}.zcap", *rows)
    damaged = tmp_path / "some-7.zcap"
    octets = bytearray(damaged.read_bytes())
    octets[octets.index(MARKER, 1) + 80] ^= 0xFF
    damaged.write_bytes(octets)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = len(list(Path("/proc/self/fd").iterdir()))
    resource.setrlimit(resource.RLIMIT_NOFILE, (used + 20, limits[1]))
    losses = Losses()
    try:
        times = [row.time for row in read_all([tmp_path], losses)]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert times == sorted(times)
    assert (len(times), losses.rows) == (449, 1)


def test_whoever_waits_is_told_of_every_octet(path: Path) -> None:
    write_capture(path, *THREE)
    path.write_bytes(path.read_bytes() + bytes(100))
    passed: list[int] = []
    assert len(list(read_all([path], passed=passed.append))) == 5
    assert sum(passed) == path.stat().st_size


def test_files_of_one_recording_follow_each_other(tmp_path: Path) -> None:
    with Recorder(tmp_path, hold=None, clock=Ticking(), block=1, max_size=1) as recorder:
        for number in range(12):
            recorder.message(Direction.OUT, "", "ppp", "worker", b"", [b"%d" % number])
    assert len(find_files([tmp_path])) > 10
    rows = list(read_all([tmp_path]))
    assert [row.sequence for row in rows] == list(range(1, len(rows) + 1))


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    record(tmp_path, "broker", Ticking(), b"1")
    (file,) = find_files([tmp_path])
    assert len(list(read_all([file, tmp_path, file]))) == 3


def test_what_is_no_capture_is_told_in_a_sentence(tmp_path: Path) -> None:
    foreign = tmp_path / "notes.txt"
    foreign.write_text("nothing of ours")
    with pytest.raises(NotACapture, match="not a capture"):
        find_files([foreign])
    with pytest.raises(NotACapture, match="no captures"):
        find_files([tmp_path])
    with pytest.raises(NotACapture, match="No such file"):
        list(read(tmp_path / "nowhere.zcap"))


def test_a_folder_that_is_called_like_a_capture_is_none(tmp_path: Path) -> None:
    (tmp_path / "inner.zcap").mkdir()
    with pytest.raises(NotACapture, match="no captures"):
        find_files([tmp_path])
    write_capture(tmp_path / "some.zcap", [noted(b"x")])
    assert find_files([tmp_path]) == [tmp_path / "some.zcap"]


def test_a_capture_that_leads_nowhere_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "some.zcap").symlink_to(tmp_path / "nowhere")
    with pytest.raises(NotACapture, match=r"some\.zcap: No such file or directory"):
        find_files([tmp_path])


def test_a_foreign_file_under_our_suffix_is_one_loss(path: Path) -> None:
    path.write_bytes(b"PAR1" * 100)
    losses = Losses()
    assert not list(read_all([path], losses))
    assert [str(loss) for loss in losses] == [
        f"{path}: octets 0 to 400: octets that belong to no block; an unknown number of rows lost"
    ]


def test_times_come_back_to_the_nanosecond(path: Path) -> None:
    times = [START + 5, START, START + 10**15 + 1]
    write_capture(path, [noted(b"x", time=time) for time in times])
    assert [row.time for row in read(path)] == times
