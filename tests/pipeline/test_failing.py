"""When Spark fails, one sentence tells why; the rest is for those who ask for the cause."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from support.small_captures import request, write_parts
from zwire.capture.reader import NotACapture
from zwire_spark.analysis import analyze
from zwire_spark.failing import SparkFailed, cause_of, failures_told
from zwire_spark.output import read_marker

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FULL = """An error occurred while calling o119.parquet.
: org.apache.spark.SparkException: [TASK_WRITE_FAILED] Task failed while writing rows to file:/x
\tat org.apache.spark.sql.errors.QueryExecutionErrors$.failed(QueryExecutionErrors.scala:823)
Caused by: org.apache.hadoop.fs.FSError: java.io.IOException: No space left on device
\tat org.apache.hadoop.fs.RawLocalFileSystem.write(RawLocalFileSystem.java:549)
Caused by: java.io.IOException: No space left on device
\t... 47 more
"""
WORKER = """[STREAM_FAILED] Query terminated with exception: Job aborted due to stage failure:
org.apache.spark.api.python.PythonException: Traceback (most recent call last):
  File "pieces.py", line 63, in read_piece
    raise OSError(f"{path}: {piece.size} octets were there, now there are {scan.size}")
OSError: a.zcap: 20 octets were there, now there are 3

\tat org.apache.spark.api.python.BasePythonRunner.handle(PythonRunner.scala:581)
"""
CALLBACK = """[FOREACH_BATCH_USER_FUNCTION_ERROR] Traceback (most recent call last):
  File "following.py", line 180, in _take_rows
zwire_spark.decoding.RowsAstray: batch: 3 messages were read, 1 decoded
"""
UNREACHABLE = """An error occurred while calling None.org.apache.spark.sql.classic.SparkSession.
: java.lang.IllegalStateException: Cannot call methods on a stopped SparkContext.
This stopped SparkContext was created at: here
"""


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (FULL, "No space left on device"),
        (WORKER, "a.zcap: 20 octets were there, now there are 3"),
        (CALLBACK, "batch: 3 messages were read, 1 decoded"),
        (UNREACHABLE, "Cannot call methods on a stopped SparkContext."),
        ("[TABLE_OR_VIEW_NOT_FOUND] no such table", "[TABLE_OR_VIEW_NOT_FOUND] no such table"),
        ("", "Py4JError"),
        ("x" * 1000, "x" * 300 + "…"),
    ],
)
def test_the_innermost_cause_is_told(text: str, cause: str) -> None:
    assert cause_of(Py4JError(text)) == cause


@pytest.mark.parametrize("error", [Py4JError("it broke"), PySparkException("it broke")])
def test_an_error_of_sparks_becomes_one_of_ours(error: Exception) -> None:
    with pytest.raises(SparkFailed, match=r"^Spark could not go on: it broke$"), failures_told():
        raise error


def test_an_error_of_our_own_stays_what_it_is() -> None:
    with pytest.raises(ZeroDivisionError), failures_told():
        raise ZeroDivisionError


def test_a_capture_that_vanishes_meanwhile_is_told_and_the_last_result_stays(
    spark: SparkSession, tmp_path: Path
) -> None:
    captures, into = write_parts(tmp_path / "captures", [request(1)]), tmp_path / "out"
    analyze([captures], into, tables=[])
    before = read_marker(into)

    def take_away(what: str, done: int, steps: int) -> None:
        if what.startswith("reading"):
            (captures / "some-000001.zcap").unlink()

    with pytest.raises(NotACapture, match=r"some-000001\.zcap: No such file"):
        analyze([captures], into, tables=[], progress=take_away)
    assert read_marker(into) == before
    assert not list(into.glob(".next*"))
