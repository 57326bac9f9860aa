"""The pipeline: what a message costs from the capture to the tables, in processor time of all processes.

ZWIRE_BENCH_MESSAGES chooses the sizes, a million and five million without it.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from cpu import Peak, spent
from figures import Figure
from pipeline_capture import write_capture
from pipeline_live import RATE, age_of_rows
from pipeline_rows import decode_by_udf, decode_rows
from pyspark.sql import DataFrame, SparkSession

from zwire.capture.reader import find_files
from zwire_spark.analysis import analyze
from zwire_spark.compact import read_compacted, read_protocol, write_compacted
from zwire_spark.decoding import column_names, decode
from zwire_spark.pieces import Wanted
from zwire_spark.session import start
from zwire_sql import PARTS

SIZES = [int(size) for size in os.environ.get("ZWIRE_BENCH_MESSAGES", "1000000,5000000").split(",")]
_ROUNDS = 3  # each takes minutes; the ratios are of one run
_ROOM = 4 * 2**30
_SPOKEN = ("mdpx.client", "mdpx.worker", "zre.messages")


def measure(rounds: int) -> list[Figure]:
    """Microseconds of processor time a message, in ratios to decoding row by row in Python."""
    with tempfile.TemporaryDirectory() as folder:
        spark = start()
        try:
            return _measure(spark, Path(folder), min(rounds, _ROUNDS))
        finally:
            spark.stop()


def _measure(spark: SparkSession, folder: Path, rounds: int) -> list[Figure]:
    figures: list[Figure] = []
    captures = {size: folder / f"captures-{size}" for size in SIZES}
    for size, there in captures.items():
        write_capture(there, size)
        figures += _steps(spark, folder, there, size, rounds)
    return [
        *figures,
        *_whole(folder, captures),
        *_beside_duckdb(spark, folder),
        Figure(
            f"age of live rows, {RATE:,} a second", age_of_rows(folder), "the limit", 2.0, "s", 1.0
        ),
    ]


def _steps(
    spark: SparkSession, folder: Path, captures: Path, size: int, rounds: int
) -> list[Figure]:
    """Reading and decoding, each once to warm up and then in turn with the peers."""
    rows = folder / f"rows-{size}"
    works: dict[str, Callable[[], None]] = {
        "compact": partial(_compact, spark, captures, rows),
        "arrow": partial(_by_rows, spark, rows, decode_rows),
        "udf": partial(_by_rows, spark, rows, decode_by_udf),
        "sql": partial(_by_sql, spark, rows),
    }
    costs: dict[str, list[float]] = {name: [] for name in works}
    for number in range(1 + rounds):
        shutil.rmtree(rows, ignore_errors=True)
        for name, work in works.items():
            cost = _cost(name, size, work)
            if number:
                costs[name].append(cost)
    ours = {name: median(some) for name, some in costs.items()}
    lean, plain = "row-wise Python, whole batches", "row-wise Python, a udf"
    decoded, compacted = f"decode by generated SQL, {size:,}", f"zcap to Parquet, {size:,}"
    return [
        Figure(decoded, ours["sql"], lean, ours["arrow"], "µs", 3.0),
        Figure(decoded, ours["sql"], plain, ours["udf"], "µs", 3.0),
        Figure(compacted, ours["compact"], lean, ours["arrow"], "µs", 1.3),
    ]


def _whole(folder: Path, captures: dict[int, Path]) -> list[Figure]:
    """All tables: what they cost for each size, and the memory that it takes."""
    costs, figures = [], []
    for size, there in captures.items():
        into = folder / "tables"
        began = time.monotonic()
        with Peak() as peak:
            costs.append(_cost("all tables", size, partial(analyze, [there], into)))
        _tell(f"{size} messages: {time.monotonic() - began:.0f} s, {peak.octets / 2**30:.2f} GiB")
        name = f"memory of all tables, {size:,} messages"
        figures.append(Figure(name, peak.octets / 2**30, "the limit", _ROOM / 2**30, "GiB", 1.0))
    for size, cost in zip(SIZES[1:], costs[1:], strict=True):
        name = f"all tables, a message of {size:,}"
        figures.append(Figure(name, cost, f"one of {SIZES[0]:,}", costs[0], "µs", 1 / 1.2))
    return figures


def _beside_duckdb(spark: SparkSession, folder: Path) -> list[Figure]:
    """The same sums over the same Parquet files, by whoever waits for them: wall time."""
    try:
        import duckdb
    except ImportError:
        return []
    messages = str(folder / "tables" / "tables" / "messages_mdpx" / "*.parquet")
    query = (
        "SELECT service, command, ts_ns // 60000000000 AS minute, count(*), sum(octets), "
        "max(octets) FROM {} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
    )
    spark.read.parquet(messages).createOrReplaceTempView("messages")
    ours = query.replace("//", "DIV").format("messages")
    theirs = query.format(f"read_parquet('{messages}')")
    _seconds(lambda: spark.sql(ours).collect())
    slow = median(_seconds(lambda: spark.sql(ours).collect()) for _ in range(5))
    quick = median(_seconds(lambda: duckdb.sql(theirs).fetchall()) for _ in range(5))
    return [Figure(f"sums over {SIZES[-1]:,} messages", slow, "DuckDB", quick, "s")]


def _compact(spark: SparkSession, captures: Path, into: Path) -> None:
    write_compacted(spark, find_files([captures]), Wanted(), PARTS, into)


def _by_sql(spark: SparkSession, rows: Path) -> None:
    """The columns in and out are those of the peer, and beside them what tells a cut message."""
    for part in _SPOKEN:
        said = read_protocol(spark, rows, part).select("seq", "role", "frames", "octets")
        fields = column_names(part).values()
        _away(decode(said, part).select("seq", "command", "code", *fields))


def _by_rows(spark: SparkSession, rows: Path, decoded: Callable[[DataFrame], DataFrame]) -> None:
    _away(decoded(read_compacted(spark, rows)))


def _away(frame: DataFrame) -> None:
    """Compute everything and keep nothing."""
    frame.write.format("noop").mode("overwrite").save()


def _cost(name: str, messages: int, work: Callable[[], Any]) -> float:
    began = spent()
    work()
    cost = (spent() - began) / messages * 1e6
    _tell(f"{name}: {cost:.2f} µs a message")
    return cost


def _seconds(work: Callable[[], Any]) -> float:
    began = time.monotonic()
    work()
    return time.monotonic() - began


def _tell(text: str) -> None:
    print(f"  {text}", file=sys.stderr, flush=True)
