"""The same analysis on a cluster whose workers know nothing of zwire: the code comes with the job."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from support import clusters
from support.clusters import complained, part_of_spark
from support.processes import Program, zwire
from support.small_captures import patiently, request, unknown, write_parts
from zwire_spark.shipping import write_zip

SOAK = bool(os.environ.get("ZWIRE_SOAK"))
PATIENCE = 1800

pytestmark = [pytest.mark.process, pytest.mark.timeout(PATIENCE)]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return clusters.environment(tmp_path_factory.mktemp("python"))


@pytest.fixture
def master(environment: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """A standalone master with two workers."""
    here = ("--host", "127.0.0.1", "--port", "0", "--webui-port", "0")

    def begun(part: str, *arguments: str) -> Program:
        name = f"org.apache.spark.deploy.{part.lower()}.{part}"
        return part_of_spark("spark-class", name, *here, *arguments, environment=environment)

    with ExitStack() as running:
        address = complained(running.enter_context(begun("Master")), r"master at (spark://\S+)")
        for number in range(2):
            place = ("--work-dir", str(tmp_path / f"worker-{number}"))
            worker = begun("Worker", *place, "--cores", "1", "--memory", "1g", address)
            complained(running.enter_context(worker), r"(Successfully registered with master)")
        yield address


def _analyse(master: str, environment: dict[str, str], folder: Path) -> None:
    kinds = [request, request, unknown]
    captures = write_parts(folder / "captures", [kinds[number % 3](number) for number in range(60)])
    arguments = ("--into", str(folder / "out"), "--tables", "violations", "--master", master)
    with zwire("analyze", str(captures), *arguments, "--json", environment=environment) as program:
        patiently(lambda: not program.running)
        code = program.wait()
    assert code == 1, program.complaints  # something is in quarantine
    told = json.loads("\n".join(program.output))
    assert told["protocols"] == {
        "-": {"decoded": 0, "quarantined": 20},
        "mdpx.client": {"decoded": 40, "quarantined": 0},
    }
    # the machines have judged on the workers: nobody may send the same request again and again
    assert "violations" in told["tables"]


def test_a_standalone_cluster_with_two_workers(
    master: str, environment: dict[str, str], tmp_path: Path
) -> None:
    _analyse(master, {**environment, "PYSPARK_SUBMIT_ARGS": _SMALL}, tmp_path)


@pytest.mark.skipif(not SOAK, reason="three Javas more: a part of `make soak`")
def test_a_cluster_of_processes_on_this_machine(
    environment: dict[str, str], tmp_path: Path
) -> None:
    _analyse("local-cluster[2,1,1024]", {**environment, "PYSPARK_SUBMIT_ARGS": _SMALL}, tmp_path)


def test_the_same_code_gives_the_same_zip(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    assert write_zip(one).read_bytes() == write_zip(two).read_bytes()


_SMALL = "--conf spark.executor.memory=600m --conf spark.driver.memory=600m pyspark-shell"
