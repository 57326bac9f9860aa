"""Starting Spark: embedded in this process, on a cluster, or behind Spark Connect."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from zwire.errors import LocalError
from zwire_spark.failing import first_line
from zwire_spark.java import find_home, starting_home

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HERE = "local[*]"
_CONNECT = "sc://"
_CLIENT = ("grpc", "grpc_status", "google.rpc", "zstandard")
_PATIENCE = 20  # seconds for a server to answer at all
_RETRIES = 6  # of one call, in about a minute: a session does not outlive its server
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
    "spark.sql.codegen.cache.maxEntries": "1000",
    "spark.driver.memory": "2g",
    # Spark looks through what a query failed of by expressions that need a deep stack for a long text.
    "spark.driver.defaultJavaOptions": (
        f"-Dlog4j2.configurationFile={_LOG.as_uri()} -XX:+UseParallelGC -Xss64m"
    ),
}


_started: list[SparkSession] = []


class NoSpark(LocalError):
    """PySpark is not installed, or the master that was asked for cannot be reached."""


def is_connect(master: str | None) -> bool:
    """Whether this is a server of Spark Connect's, and no master of Spark's own."""
    return master is not None and master.startswith(_CONNECT)


def require(master: str | None) -> None:
    """Raise what `start` would raise, as far as it can be told before anything is started."""
    if is_connect(master):
        _reach(str(master))
    else:
        find_home()


def start(master: str | None = None, **settings: str) -> SparkSession:
    """A session at this master: `local[2]`, `spark://host:7077`, `sc://host:15002`, …

    A session that this process already has is taken as it is. `settings` are Spark's own, with `_`
    for the points in their names. Raises MissingJava or NoSpark with a sentence that says what to do.
    """
    known = _session_class()
    master = master or HERE
    given = {name.replace("_", "."): value for name, value in settings.items()}
    if is_connect(master):
        _reach(master)
        os.environ.setdefault("SPARK_CONNECT_RELEASE_SESSION_ON_EXIT", "true")
        builder = known.builder.remote(master)
        chosen = {**_QUERIES, **given}
    else:
        builder = known.builder.master(master)
        chosen = {**_QUERIES, **_PROCESS, **_places(master), **given}
        if known.getActiveSession() is None:
            _prepare(master)
    for name, value in chosen.items():
        builder = builder.config(name, value)
    try:
        session = builder.getOrCreate()
    except Exception as error:  # Py4J, gRPC and Spark each have their own
        raise NoSpark(f"Spark could not be started at {master}: {first_line(error)}") from error
    if is_connect(master):
        _hurry(session)
    _started.append(session)
    return session


def abandon() -> None:
    """End what our sessions are doing, without a word: this process is about to end too.

    For a thread that does not use them; what another one is waiting for then fails.
    """
    for session in _started:
        with suppress(Exception):  # it may have ended before us
            if behind_connect(session):
                session.interruptAll()
            else:
                session.sparkContext.setLogLevel("OFF")
                session.sparkContext.cancelAllJobs()


def behind_connect(session: SparkSession) -> bool:
    """Whether a session is one of Spark Connect's."""
    return type(session).__module__.startswith("pyspark.sql.connect")


def _session_class() -> type[SparkSession]:
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise NoSpark(
            f"the pipeline needs PySpark ({error.name} is missing): pip install 'zwire[spark]'"
        ) from error
    return SparkSession


def _reach(url: str) -> None:
    """See that a server of Spark Connect's answers; its client would try for ten minutes."""
    for module in _CLIENT:
        try:
            import_module(module)
        except ImportError as error:
            raise NoSpark(
                f"Spark Connect needs a client ({error.name} is missing): pip install 'zwire[connect]'"
            ) from error
    import grpc
    from pyspark.sql.connect.client import DefaultChannelBuilder

    try:
        channel = DefaultChannelBuilder(url).toChannel()
    except Exception as error:  # PySpark's own, or a ValueError of the address
        raise NoSpark(f"{url}: {first_line(error)}") from error
    with channel:
        try:
            grpc.channel_ready_future(channel).result(timeout=_PATIENCE)
        except grpc.FutureTimeoutError:
            raise NoSpark(
                f"{url}: no Spark Connect server has answered for {_PATIENCE} seconds"
            ) from None


def _hurry(session: SparkSession) -> None:
    from pyspark.sql.connect.client.retries import DefaultPolicy

    session.client.set_retry_policies([DefaultPolicy(max_retries=_RETRIES)])


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
