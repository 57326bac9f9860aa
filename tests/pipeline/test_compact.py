"""Captures become Parquet: each row in its folder, once, however often a task is done."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from support.captures import START
from support.small_captures import ready, request, unknown, write_parts
from zwire_spark.compact import task_that_writes
from zwire_spark.pieces import Wanted, shared_out
from zwire_sql import PARTS

DAY = 86_400 * 10**9


def done(captures: Path, into: Path) -> Counter[tuple[str, str]]:
    """Do all tasks of a capture; what they counted."""
    tasks = shared_out(sorted(captures.glob("*.zcap")))
    write = task_that_writes(tasks, Wanted(losses=True), frozenset(PARTS), into)
    numbers = pa.RecordBatch.from_pydict({"id": list(range(len(tasks)))})
    counts: Counter[tuple[str, str]] = Counter()
    for batch in write(iter([numbers])):
        for row in batch.to_pylist():
            counts[row["protocol"], row["kind"]] += row["rows"]
    return counts


def numbers_in(folder: Path) -> list[int]:
    found = [
        parquet.read_table(file, partitioning=None) for file in sorted(folder.rglob("*.parquet"))
    ]
    return [seq for table in found for seq in table.column("seq").to_pylist()]


def test_rows_are_in_folders_by_protocol_and_day_in_their_order(tmp_path: Path) -> None:
    rows = [request(1), ready(2), request(3), unknown(4)]
    later = [(at + DAY, *others) for at, *others in (request(5), ready(6))]
    captures = write_parts(tmp_path / "captures", [*rows, *later], block=2)  # type: ignore[list-item]
    (into := tmp_path / "rows").mkdir()
    counts = done(captures, into)
    assert counts == {
        ("mdpx.client", "message"): 3,
        ("mdpx.worker", "message"): 2,
        ("-", "message"): 1,
    }
    days = {path.name for path in into.glob("*/*")}
    assert len(days) == 2
    first, second = sorted(days)
    assert numbers_in(into / "protocol=mdpx.client" / first) == [1, 3]
    assert numbers_in(into / "protocol=mdpx.client" / second) == [5]
    assert numbers_in(into / "protocol=mdpx.worker") == [2, 6]
    assert numbers_in(into / "protocol=-") == [4]


def test_what_names_no_protocol_that_we_know_keeps_its_claim(tmp_path: Path) -> None:
    captures = write_parts(tmp_path / "captures", [unknown(1), request(2)])
    (into := tmp_path / "rows").mkdir()
    done(captures, into)
    (file,) = (into / "protocol=-").rglob("*.parquet")
    assert parquet.read_table(file, partitioning=None).column("claimed").to_pylist() == [
        "../up/and: away"
    ]


def test_what_was_lost_has_no_day(tmp_path: Path) -> None:
    captures = write_parts(tmp_path / "captures", [request(1)])
    with (captures / "some-000001.zcap").open("ab") as file:
        file.write(b"torn")
    (into := tmp_path / "rows").mkdir()
    assert done(captures, into)["-", "loss"] == 1
    assert (into / "protocol=-" / "date=-").is_dir()


def test_a_task_that_is_done_again_changes_nothing(tmp_path: Path) -> None:
    captures = write_parts(tmp_path / "captures", [request(number) for number in range(1, 40)])
    (into := tmp_path / "rows").mkdir()

    def files() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in into.rglob("*") if path.is_file()}

    first = done(captures, into)
    before = files()
    assert done(captures, into) == first
    assert files() == before


def test_a_task_of_a_run_that_was_given_up_leaves_nothing_behind(tmp_path: Path) -> None:
    captures = write_parts(tmp_path / "captures", [request(1)])
    (into := tmp_path / "rows").mkdir()
    shutil.rmtree(into)
    with pytest.raises(FileNotFoundError):
        done(captures, into)
    assert not into.exists()


def test_times_of_the_last_nanosecond_of_a_day_are_of_that_day(tmp_path: Path) -> None:
    midnight = START // DAY * DAY + DAY
    rows = [(midnight + offset, *request(number)[1:]) for number, offset in ((1, -1), (2, 0))]
    captures = write_parts(tmp_path / "captures", rows)
    (into := tmp_path / "rows").mkdir()
    done(captures, into)
    first, second = sorted((into / "protocol=mdpx.client").iterdir())
    assert (numbers_in(first), numbers_in(second)) == ([1], [2])
