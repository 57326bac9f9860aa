"""Following a capture that grows: each row once, complete blocks only, losses told at the end."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.captures import BLOCKS, noted, rows_and_losses, waits, write_capture
from zwire.capture import Direction, Losses, NotACapture, Recorder, Row, follow
from zwire.capture.columns import Noted
from zwire.capture.layout import MARKER


def growing(path: Path, octets: bytes, places: list[int]) -> tuple[list[Row], Losses]:
    """What a follower sees of a file that is written in several goes."""
    path.write_bytes(b"")
    ends = [*sorted(place % (len(octets) + 1) for place in places), len(octets)]
    losses = Losses()
    steps = [lambda end=end: path.write_bytes(octets[:end]) for end in ends]
    return list(follow(path, waits(*steps), losses)), losses


@given(
    BLOCKS,
    st.lists(st.integers(0, 2**20), max_size=6),
    st.lists(st.tuples(st.integers(0, 2**20), st.integers(1, 255)), max_size=3),
    st.sampled_from([b"", bytes(50), b"junk", MARKER, MARKER[:5]]),
)
def test_whoever_follows_sees_what_a_later_reader_sees(
    tmp_path_factory: pytest.TempPathFactory,
    blocks: list[list[Noted]],
    places: list[int],
    damage: list[tuple[int, int]],
    tail: bytes,
) -> None:
    path = tmp_path_factory.mktemp("follow") / "a.zcap"
    write_capture(path, *blocks)
    octets = bytearray(path.read_bytes() + tail)
    for place, flip in damage:
        octets[place % len(octets)] ^= flip
    rows, losses = growing(path, bytes(octets), places)
    whole, lost = rows_and_losses(path)
    assert rows == whole
    assert losses.found == lost.found


def test_half_a_block_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "a.zcap"
    write_capture(path, [noted(b"one")], [noted(b"two")])
    octets = path.read_bytes()
    for place in range(len(octets)):
        rows, losses = growing(path, octets, [place])
        assert [row.frames[0] for row in rows] == [b"one", b"two"]
        assert not losses


def test_a_folder_is_followed_into_its_next_files(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, hold=None, block=1, max_size=1)

    def say(body: bytes) -> None:
        recorder.message(Direction.IN, "", "ppp", "client", b"", [body])

    steps = waits(lambda: say(b"one"), lambda: say(b"two"), lambda: say(b"three"), recorder.close)
    rows = list(follow(tmp_path, steps))
    assert [row.frames[0] for row in rows if not row.name] == [b"one", b"two", b"three"]
    assert [row.sequence for row in rows] == list(range(1, len(rows) + 1))


def test_an_empty_folder_is_waited_at_and_a_missing_one_is_not(tmp_path: Path) -> None:
    assert not list(follow(tmp_path, waits()))
    with pytest.raises(NotACapture, match="No such file"):
        list(follow(tmp_path / "nowhere", waits()))


def test_a_file_that_somebody_removes_ends_quietly(tmp_path: Path) -> None:
    path = tmp_path / "a.zcap"
    write_capture(path, [noted(b"one")])
    rows = list(follow(path, waits(path.unlink)))
    assert [row.frames[0] for row in rows] == [b"one"]


def test_rows_are_handed_on_before_anybody_waits(tmp_path: Path) -> None:
    path = tmp_path / "a.zcap"
    write_capture(path, [noted(b"one")])
    waited: list[bool] = []

    def wait() -> bool:
        waited.append(True)
        return False

    rows = follow(path, wait)
    assert next(rows).frames[0] == b"one"
    assert not waited
    assert not list(rows)
    assert waited == [True]
