"""Starting Spark: embedded in this process, on a cluster, or behind Spark Connect."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from zwire.errors import LocalError
from zwire_spark.java import find_home, starting_home

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HERE = "local[*]"
_LOOPBACK = "127.0.0.1"
_LOG = Path(__file__).with_name("log4j2.properties")

# Those that a session behind Spark Connect may set too.
_QUERIES = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.ansi.enabled": "true",
    # The names of our folders are texts: a day stays one, and so does a protocol called "1".
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "4096",
    "spark.sql.codegen.cache.maxEntries": "1000",
    # Java leaves a method of more than this many octets uncompiled; Spark then makes shorter ones.
    "spark.sql.codegen.hugeMethodLimit": "8000",
    # Several files open at once, instead of sorting rows by the folder that they go to.
    "spark.sql.maxConcurrentOutputFileWriters": "100",
    # The only store that state of our own making can be kept in.
    "spark.sql.streaming.stateStore.providerClass": (
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
    ),
}
_PROCESS = {
    "spark.app.name": "zwire",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.memory": "2g",
    "spark.driver.defaultJavaOptions": f"-Dlog4j2.configurationFile={_LOG.as_uri()} -XX:+UseParallelGC",
}


class NoSpark(LocalError):
    """PySpark is not installed, or the master that was asked for cannot be reached."""


def start(master: str | None = None, **settings: str) -> SparkSession:
    """A session at this master: `local[2]`, `spark://host:7077`, `sc://host:15002`, …

    A session that this process already has is taken as it is. `settings` are Spark's own, with `_`
    for the points in their names. Raises MissingJava or NoSpark with a sentence that says what to do.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise NoSpark(
            f"the pipeline needs PySpark ({error.name} is missing): pip install 'zwire[spark]'"
        ) from error
    master = master or HERE
    given = {name.replace("_", "."): value for name, value in settings.items()}
    if master.startswith("sc://"):
        builder = SparkSession.builder.remote(master)
        chosen = {**_QUERIES, **given}
    else:
        builder = SparkSession.builder.master(master)
        chosen = {**_QUERIES, **_PROCESS, **_places(master), **given}
        if SparkSession.getActiveSession() is None:
            _prepare(master)
    for name, value in chosen.items():
        builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except Exception as error:  # Py4J, gRPC and Spark each have their own
        first = str(error).strip().splitlines() or [type(error).__name__]
        raise NoSpark(f"Spark could not be started at {master}: {first[0]}") from error


def _places(master: str) -> dict[str, str]:
    """Where things lie and listen: within this machine, unless the cluster is elsewhere."""
    places = {"spark.sql.warehouse.dir": str(Path(tempfile.gettempdir(), "zwire-warehouse"))}
    if master.startswith("local"):
        places |= {"spark.driver.host": _LOOPBACK, "spark.driver.bindAddress": _LOOPBACK}
    return places


def _prepare(master: str) -> None:
    """What Spark takes from the environment, left alone where somebody has set it."""
    os.environ["JAVA_HOME"] = str(starting_home(find_home()))
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    if master.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", _LOOPBACK)
