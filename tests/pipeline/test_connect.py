"""The same analysis behind a Spark Connect server, which knows nothing of zwire either."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyarrow import parquet

from support import clusters
from support.processes import zwire
from support.small_captures import malformed, patiently, ready, request, unknown, write_parts
from zwire_spark.analysis import analyze
from zwire_spark.session import NoSpark, start
from zwire_spark.tables import TABLES

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SOAK = bool(os.environ.get("ZWIRE_SOAK"))

# Each table takes the server a second or two: some of each kind, or all of them.
CHOSEN = tuple(TABLES) if SOAK else ("recordings", "requests", "violations")

pytestmark = [pytest.mark.process, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that only this test uses."""
    settings = {
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": "0",
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
    }
    program = clusters.part_of_spark(
        "spark-submit",
        *("--class", "org.apache.spark.sql.connect.service.SparkConnectServer"),
        *("--master", "local[2]"),
        *(word for name, value in settings.items() for word in ("--conf", f"{name}={value}")),
        "spark-internal",
        environment={
            **clusters.environment(tmp_path_factory.mktemp("python")),
            "SPARK_DAEMON_MEMORY": "1g",
        },
    )
    with program:
        yield "sc://" + clusters.complained(program, r"Connect server started at: (\S+)")


def _content(folder: Path) -> dict[str, list[str]]:
    return {
        path.name: sorted(map(str, parquet.read_table(path).to_pylist()))
        for path in sorted((folder / "tables").iterdir())
    }


def test_a_server_makes_the_same_tables_and_they_can_be_reported(
    server: str, spark: SparkSession, tmp_path: Path
) -> None:
    kinds = [request, ready, malformed, unknown, request]
    captures = write_parts(
        tmp_path / "captures", [kinds[number % 5](number) for number in range(60)]
    )
    arguments = ("--into", str(tmp_path / "there"), "--tables", ",".join(CHOSEN))
    with zwire("analyze", str(captures), *arguments, "--master", server, "--json") as program:
        patiently(lambda: not program.running)
        assert program.wait() == 1, program.complaints  # something is in quarantine
    told = json.loads("\n".join(program.output))
    assert told["messages"] == 60
    assert not program.complaints

    analyze([captures], tmp_path / "here", tables=CHOSEN)
    assert _content(tmp_path / "there") == _content(tmp_path / "here")

    with zwire("report", str(tmp_path / "there")) as report:
        patiently(lambda: not report.running)
        assert report.wait() == 0, report.complaints
    assert (tmp_path / "there" / "report.html").exists()


def test_a_process_with_a_spark_of_its_own_says_so(server: str, spark: SparkSession) -> None:
    with pytest.raises(NoSpark, match=r"already"):
        start(server)
