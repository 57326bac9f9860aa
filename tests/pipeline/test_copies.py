"""A copy of a capture beside it counts once, whatever it is called; and small captures go together."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.captures import RECORDER, noted, write_capture
from support.small_captures import request, write_parts
from zwire.capture.columns import write_rows
from zwire_spark.analysis import analyze
from zwire_spark.copies import Numbers, copies_in
from zwire_spark.pieces import CLASH, COPY, Wanted, packed, pieces_of, read_pieces
from zwire_spark.source import RangeReader, options_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

RANGES = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 12)), max_size=20)


def _seen(*paths: Path) -> tuple[list[int], list[str]]:
    """The numbers of all rows, and of what could not be read, why."""
    reader = RangeReader(options_of(paths, Wanted(losses=True)))
    numbers, losses = [], []
    for partition in reader.partitions():
        for batch in reader.read(partition):
            for row in batch.to_pylist():
                if row["kind"] == "loss":
                    losses.append(row["frames"][1].decode())
                else:
                    numbers.append(row["seq"])
    return sorted(numbers), losses


@given(RANGES)
def test_numbers_that_were_there_are_counted(ranges: list[tuple[int, int]]) -> None:
    numbers, plain = Numbers(), set[int]()
    for start, count in ranges:
        these = set(range(start, start + count))
        assert numbers.add(start, start + count) == len(these & plain)
        plain |= these


def test_a_copy_beside_its_capture_is_told_and_not_read(tmp_path: Path) -> None:
    write_capture(tmp_path / "some.zcap", [noted(b"1"), noted(b"2")], [noted(b"3")])
    shutil.copy(tmp_path / "some.zcap", tmp_path / "some copy.zcap")
    numbers, losses = _seen(tmp_path)
    assert numbers == [1, 2, 3]
    assert len(losses) == 2
    assert all(f'"rows": 0, "why": "{COPY}"' in told for told in losses)


def test_files_put_together_twice_are_read_once(tmp_path: Path) -> None:
    path = tmp_path / "some.zcap"
    write_capture(path, [noted(b"1")], [noted(b"2")])
    path.write_bytes(path.read_bytes() * 3)
    assert _seen(path)[0] == [1, 2]


def test_other_rows_under_the_same_numbers_are_lost_and_counted(tmp_path: Path) -> None:
    write_capture(tmp_path / "a.zcap", [noted(b"1"), noted(b"2"), noted(b"3")])
    forged = write_rows([noted(b"other")] * 4, RECORDER, 2)
    (tmp_path / "b.zcap").write_bytes(forged)
    assert copies_in([tmp_path / "a.zcap", tmp_path / "b.zcap"]) == {tmp_path / "b.zcap": {0: 4}}
    numbers, (loss,) = _seen(tmp_path)
    assert numbers == [1, 2, 3]
    assert f'"rows": 4, "why": "{CLASH}"' in loss


def test_recordings_with_the_same_numbers_are_no_copies_of_each_other(tmp_path: Path) -> None:
    for recorder in (1, 2):
        (tmp_path / f"{recorder}.zcap").write_bytes(write_rows([noted(b"x")], recorder, 1))
    assert _seen(tmp_path) == ([1, 1], [])


def test_what_is_damaged_is_stepped_over_when_copies_are_looked_for(tmp_path: Path) -> None:
    path = tmp_path / "some.zcap"
    starts = write_capture(path, *[[noted(b"%d" % number)] for number in range(3)])
    octets = bytearray(path.read_bytes())
    octets[starts[1] + 20] ^= 0xFF  # in its header
    path.write_bytes(bytes(octets) + octets)
    numbers, losses = _seen(path)
    assert numbers == [1, 3]
    assert len(losses) == 4


def test_a_thousand_small_captures_are_one_task(tmp_path: Path) -> None:
    for number in range(1000):
        octets = write_rows([noted(b"x")], number + 1, 1)
        (tmp_path / f"{number:04}.zcap").write_bytes(octets)
    reader = RangeReader(options_of([tmp_path], Wanted()))
    (together,) = reader.partitions()
    assert sum(batch.num_rows for batch in reader.read(together)) == 1000


@pytest.mark.parametrize("sizes", [[], [3_000_000], [10, 20, 3_000_000, 10, 1_048_570, 10]])
def test_large_pieces_stay_alone_and_none_is_left_out(sizes: list[int]) -> None:
    pieces = [piece for size in sizes for piece in pieces_of(Path("x"), 0, size)]
    groups = list(packed(pieces))
    assert [piece for group in groups for piece in group] == pieces
    assert all(len(group) == 1 or sum(p.end for p in group) <= 1_048_576 for group in groups)
    assert list(read_pieces((), Wanted())) == []


def test_a_copied_capture_gives_the_same_tables(spark: SparkSession, tmp_path: Path) -> None:
    captures = write_parts(tmp_path / "captures", [request(number) for number in range(30)])
    shutil.copy(captures / "some-000001.zcap", captures / "backup of some.zcap")
    summary = analyze([captures], tmp_path / "out", tables=["requests"])
    assert (summary.messages, summary.tables["requests"]) == (30, 30)
    assert (summary.losses, summary.rows_lost) == (3, 0)
