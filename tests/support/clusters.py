"""Parts of Spark in processes of their own, whose Python knows nothing of zwire."""

from __future__ import annotations

import re
import sys
import sysconfig
from pathlib import Path

import pyspark

from support.processes import Program
from support.small_captures import patiently
from zwire_spark.java import find_home, starting_home


def environment(folder: Path) -> dict[str, str]:
    """Java for all, and for Spark's workers a Python that has libraries but no zwire."""
    stranger = folder / "python"
    libraries = sysconfig.get_path("purelib")
    stranger.write_text(
        "#!/bin/sh\n"
        # Without its `site` nobody reads the .pth file that leads to our packages.
        f'PYTHONPATH="$PYTHONPATH:{libraries}" exec {sys.executable} -S "$@"\n'
    )
    stranger.chmod(0o700)
    return {
        "JAVA_HOME": str(starting_home(find_home())),
        "PYSPARK_PYTHON": str(stranger),
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1",
        "SPARK_DAEMON_MEMORY": "256m",
    }


def part_of_spark(script: str, *arguments: str, environment: dict[str, str]) -> Program:
    """One of the programs that come with PySpark: `spark-class`, `spark-submit`."""
    path = Path(pyspark.__file__).parent / "bin" / script
    return Program(str(path), *arguments, environment=environment)


def complained(program: Program, pattern: str) -> str:
    """Wait until a line of its standard error has this; what is in the brackets."""

    def found() -> list[str]:
        assert program.running, "".join(program.complaints[-20:])
        return [match[1] for line in program.complaints if (match := re.search(pattern, line))]

    patiently(found)
    return found()[0]
