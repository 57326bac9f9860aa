"""Following a capture: the same rows and faults as a batch, each once, whatever happens in between."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyarrow import parquet

from support.captures import RECORDER, START
from support.processes import zwire
from support.small_captures import malformed, patiently, ready, request, said, unknown
from zwire.capture import read_all
from zwire.capture.columns import Noted, write_rows
from zwire.capture.layout import MARKER
from zwire_protocols.mdpx import client
from zwire_spark import following
from zwire_spark.analysis import analyze
from zwire_spark.following import Seen, follow

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.process, pytest.mark.timeout(1800)]


class Growing:
    """A capture that somebody is still writing, in files that follow each other."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._rows = 0
        self._files = 1

    def grow(self, count: int) -> None:
        """Blocks of ten rows more."""
        for _ in range(count // 10):
            rows = [_row(number) for number in range(self._rows, self._rows + 10)]
            octets = write_rows(rows, RECORDER, self._rows + 1)
            with open(self._folder / f"some-{self._files:06}.zcap", "ab") as file:
                file.write(octets)
            self._rows += 10

    def turn(self) -> None:
        """Begin the next file."""
        self._files += 1


def _row(number: int) -> Noted:
    """Requests, and every ninth a reply that nobody waits for: a fault of the machines."""
    if number % 9 == 0:
        reply = client.Final("echo", b"never-asked-%d" % number, (b"!",))
        return said(number, client.encode(reply), role="broker")
    return (request, ready, malformed, unknown)[number % 13 % 4](number)


def _numbers(folder: Path, *tables: str) -> list[int]:
    """The sequence numbers in all files of these tables, sorted; twice is twice."""
    return sorted(
        number
        for table in tables
        if (folder / "tables" / table).exists()
        for number in parquet.read_table(folder / "tables" / table).column("seq").to_pylist()
    )


def _same_as_a_batch(captures: Path, live: Path, into: Path) -> None:
    rows = [row.sequence for row in read_all([captures])]
    assert _numbers(live, "rows") == rows
    assert _numbers(live, "messages_mdpx", "quarantine") == rows
    analyze([captures], into, tables=["violations"])
    found = parquet.read_table(into / "tables" / "violations").to_pylist()
    judged = sorted(row["seq"] for row in found if row["source"] == "machine")
    assert judged
    assert _numbers(live, "faults") == judged


def _on(seen: Seen) -> bool:
    return True


def test_what_failed_in_the_middle_of_a_batch_is_done_once(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    growing = Growing(tmp_path / "captures")
    growing.grow(100)
    live = tmp_path / "live"
    follow([tmp_path / "captures"], live, _on, once=True)
    growing.grow(50)
    growing.turn()
    growing.grow(50)

    def fail(inputs: dict[str, DataFrame], spoken: set[str]) -> DataFrame:
        raise ZeroDivisionError("the power failed")

    with monkeypatch.context() as patched:
        # The rows of the batch and its messages are written by then, what judges hear is not.
        patched.setattr(following, "heard", fail)
        with pytest.raises(Exception, match="the power failed"):
            follow([tmp_path / "captures"], live, _on, once=True)
    assert len(_numbers(live, "rows")) == 200
    assert max(_numbers(live, "faults")) <= 100, "of that batch nothing was judged yet"
    follow([tmp_path / "captures"], live, _on, once=True)
    _same_as_a_batch(tmp_path / "captures", live, tmp_path / "out")


def test_a_killed_job_resumes_without_losing_or_doubling_a_row(
    spark: SparkSession, tmp_path: Path
) -> None:
    captures, live = tmp_path / "captures", tmp_path / "live"
    growing = Growing(captures)
    growing.grow(100)
    arguments = ("analyze", str(captures), "--into", str(live), "--follow")
    quick = {"JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1"}
    with zwire(*arguments, "--master", "local[2]", environment=quick) as program:
        patiently(lambda: not program.running or _numbers(live, "rows"))
        assert program.running, program.complaints
        for _ in range(10):
            growing.grow(20)
            growing.turn()
        # Whatever it is doing now, it does not end it.
        program.signal(signal.SIGKILL)
        program.wait()
    growing.grow(30)
    follow([captures], live, _on, once=True)
    _same_as_a_batch(captures, live, tmp_path / "out")


def test_what_is_damaged_is_told_while_following_too(spark: SparkSession, tmp_path: Path) -> None:
    growing = Growing(tmp_path / "captures")
    growing.grow(30)
    (path,) = (tmp_path / "captures").iterdir()
    octets = bytearray(path.read_bytes())
    octets[octets.index(MARKER, 1) + 100] ^= 0xFF
    path.write_bytes(octets)
    seen = follow([tmp_path / "captures"], tmp_path / "live", _on, once=True)
    assert (seen.messages, seen.losses) == (20, 1)
    (loss,) = parquet.read_table(tmp_path / "live" / "tables" / "losses").to_pylist()
    assert (loss["file"], loss["rows"], loss["why"]) == ("some-000001.zcap", 10, "damaged")
    assert len(_numbers(tmp_path / "live", "rows")) == 20


def test_a_row_is_as_old_as_its_time_says(spark: SparkSession, tmp_path: Path) -> None:
    growing = Growing(tmp_path / "captures")
    growing.grow(20)
    seen = follow([tmp_path / "captures"], tmp_path / "live", _on, once=True)
    assert seen.newest == START + 19_000
    assert seen.messages == seen.decoded + seen.quarantined == 20
