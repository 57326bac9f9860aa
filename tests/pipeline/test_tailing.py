"""Captures that grow: what may be read already, in which order, and the same whenever it is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxBytes

from support.captures import noted, write_capture
from zwire_spark.pieces import Wanted
from zwire_spark.tailing import TailReader, complete_until, first_of


def _sequences(reader: TailReader, start: dict[str, int], end: dict[str, int]) -> list[int]:
    return [
        number
        for partition in reader.partitions(start, end)
        for batch in reader.read(partition)
        for number in batch.column("seq").to_pylist()
    ]


def _three_blocks(path: Path) -> tuple[bytes, list[int]]:
    starts = write_capture(path, *[[noted(b"%d" % number)] for number in range(3)])
    return path.read_bytes(), starts


def test_a_block_that_is_not_complete_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "growing.zcap"
    octets, starts = _three_blocks(path)
    for length in range(len(octets) + 1):
        path.write_bytes(octets[:length])
        complete = [start for start in [*starts[1:], len(octets)] if start <= length]
        assert complete_until(path, 0) == max(complete, default=0)


def test_each_row_comes_once_however_the_file_grows(tmp_path: Path) -> None:
    path = tmp_path / "growing.zcap"
    octets, _ = _three_blocks(path)
    reader = TailReader([tmp_path], Wanted())
    seen, offset = [], reader.initialOffset()
    for length in range(0, len(octets) + 1, 7):
        path.write_bytes(octets[: length + 7])
        now = reader.latestOffset(offset, ReadAllAvailable())
        seen += _sequences(reader, offset, now)
        offset = now
    assert seen == [1, 2, 3]


def test_a_range_gives_the_same_rows_when_it_is_read_again_later(tmp_path: Path) -> None:
    path = tmp_path / "growing.zcap"
    octets, starts = _three_blocks(path)
    path.write_bytes(octets[: starts[2] + 10])
    reader = TailReader([tmp_path], Wanted(losses=True))
    offset = reader.latestOffset({}, ReadAllAvailable())
    before = _sequences(reader, {}, offset)
    path.write_bytes(octets)
    assert before == _sequences(reader, {}, offset) == [1, 2]


def test_a_damaged_block_is_stepped_over_once_another_one_follows(tmp_path: Path) -> None:
    path = tmp_path / "damaged.zcap"
    octets, starts = _three_blocks(path)
    broken = bytearray(octets)
    broken[starts[1] + 20] ^= 0xFF  # in its header: nobody knows how long it is
    path.write_bytes(broken[: starts[2]])
    assert complete_until(path, 0) == starts[1]
    path.write_bytes(broken)
    assert complete_until(path, 0) == len(octets)
    reader = TailReader([tmp_path], Wanted())
    # in two ranges, as a query sees it that was there when the block was the last one
    assert _sequences(reader, {}, {str(path): starts[1]}) == [1]
    assert _sequences(reader, {str(path): starts[1]}, {str(path): len(octets)}) == [3]


def test_new_files_are_taken_up_and_old_ones_first(tmp_path: Path) -> None:
    first, second = tmp_path / "a-000001.zcap", tmp_path / "a-000002.zcap"
    _three_blocks(first)
    reader = TailReader([tmp_path], Wanted())
    offset = reader.latestOffset({}, ReadMaxBytes(1))
    assert set(offset) == {str(first)}
    _three_blocks(second)
    both = reader.latestOffset({}, ReadMaxBytes(1))
    assert both == offset, "a limit of few octets still takes the oldest file, and no more"
    assert set(reader.latestOffset(offset, ReadMaxBytes(1))) == {str(first), str(second)}


def test_a_file_that_was_tidied_up_does_not_disturb(tmp_path: Path) -> None:
    path = tmp_path / "a.zcap"
    _three_blocks(path)
    reader = TailReader([tmp_path, tmp_path / "not-yet.zcap"], Wanted())
    offset = reader.latestOffset({}, ReadAllAvailable())
    path.unlink()
    assert reader.latestOffset(offset, ReadAllAvailable()) == offset
    with pytest.raises(Exception, match=r"a\.zcap"):
        _sequences(reader, {}, offset)


def test_all_that_is_available_now_does_not_grow_any_more(tmp_path: Path) -> None:
    path = tmp_path / "a.zcap"
    octets, starts = _three_blocks(path)
    path.write_bytes(octets[: starts[1]])
    reader = TailReader([tmp_path], Wanted())
    reader.prepareForTriggerAvailableNow()
    path.write_bytes(octets)
    assert reader.latestOffset({}, ReadAllAvailable())[str(path)] == starts[1]


def test_the_first_header_tells_whose_file_it_is_and_where_it_begins(tmp_path: Path) -> None:
    path = tmp_path / "a.zcap"
    _three_blocks(path)
    assert first_of(path) == ("0000000000001234", 1)
    path.write_bytes(path.read_bytes()[:20])
    assert first_of(path) is None
    assert first_of(tmp_path / "absent.zcap") is None
