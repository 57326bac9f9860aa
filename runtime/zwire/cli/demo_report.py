"""The end of `zwire demo`: what it recorded is analysed and reported on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from zwire.cli.console import Exit, fail

CAPTURES, TABLES = "captures", "tables"

# Small tables: what Spark gains by compiling queries and planning them anew costs more here.
_SMALL = {
    "spark_sql_shuffle_partitions": "1",
    "spark_sql_adaptive_enabled": "false",
    "spark_sql_codegen_wholeStage": "false",
    "spark_sql_codegen_factoryMode": "NO_CODEGEN",
    "spark_driver_extraJavaOptions": "-XX:TieredStopAtLevel=1",
}


@dataclass(slots=True)
class Reported:
    """Where the report is, or in `why_not` the sentence that says why there is none."""

    report: Path | None = None
    messages: int = 0
    violations: int = 0
    why_not: str = ""


def require_empty(into: Path) -> None:
    """End with a sentence where something is in the folder: nothing of others' is mixed in."""
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        fail(f"--into {into}: expected a new or an empty folder", Exit.USAGE)


def report_on(into: Path, tell: Callable[[str], None]) -> Reported:
    """Analyse the captures in this folder, and report on the tables."""
    from zwire.errors import LocalError

    try:
        import pandas  # noqa: F401
        import pyarrow  # noqa: F401
        import pyspark  # noqa: F401
    except ImportError as error:
        words = f"{error.name} is missing: pip install 'zwire[spark]'"
        return Reported(why_not=f"What was recorded is not analysed: {words}")
    try:
        return _analyse(into, tell)
    except LocalError as error:
        return Reported(why_not=f"What was recorded is not analysed: {error}")


def _analyse(into: Path, tell: Callable[[str], None]) -> Reported:
    from zwire.cli.reporting import quoted
    from zwire_spark.analysis import analyze
    from zwire_spark.report import write
    from zwire_spark.session import start

    tell("starting Spark, to analyse what was recorded")
    spark = start(**_SMALL)
    try:
        summary = analyze(
            [into / CAPTURES], into / TABLES, progress=lambda what, _done, _of: tell(what)
        )
    finally:
        spark.stop()
    written = write(summary.into, quote=quoted, title="What happened in the demo")
    return Reported(written.path, summary.messages, summary.tables["violations"])
