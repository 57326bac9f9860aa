"""Analyses that are ended from outside: quietly, in good order, and the next one does it all."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.processes import Program, zwire
from support.small_captures import patiently, request, write_parts
from zwire_spark.analysis import analyze

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.process, pytest.mark.timeout(1800)]


def _in_the_middle(captures: Path, into: Path) -> Program:
    """An analysis that is just writing something."""
    program = zwire(
        *("analyze", str(captures), "--into", str(into), "--master", "local[2]"),
        environment={"JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1"},
    )
    patiently(lambda: not program.running or list(into.glob(".next-*/*")))
    assert program.running, program.complaints
    return program


def test_an_interrupted_analysis_says_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    captures = write_parts(tmp_path / "captures", [request(number) for number in range(100)])
    with _in_the_middle(captures, tmp_path / "out") as program:
        program.signal(signal.SIGINT)
        patiently(lambda: not program.running)
        assert program.wait() == 130
    told = [line for line in program.complaints if "JDK_JAVA_OPTIONS" not in line]
    assert (program.output, told) == ([], [])
    assert not list((tmp_path / "out").glob(".next*"))


def test_after_a_killed_analysis_the_next_one_does_it_all(
    spark: SparkSession, tmp_path: Path
) -> None:
    captures = write_parts(tmp_path / "captures", [request(number) for number in range(100)])
    with _in_the_middle(captures, tmp_path / "out") as program:
        program.signal(signal.SIGKILL)
        program.wait()
        summary = analyze([captures], tmp_path / "out", tables=[])
    assert summary.tables["messages_mdpx"] == 100
