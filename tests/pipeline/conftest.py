"""One Spark for all tests of the pipeline: starting it takes longer than most of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from zwire_spark.java import MissingJava
from zwire_spark.session import NoSpark, start

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


_PATIENCE = 900  # seconds: a busy machine takes minutes to start a Java alone


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whichever test comes first waits for Spark too."""
    for item in items:
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.timeout(_PATIENCE))


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """An embedded Spark with two threads, few partitions and a warehouse that vanishes."""
    try:
        session = start(
            "local[2]",
            spark_sql_shuffle_partitions="2",
            spark_sql_warehouse_dir=str(tmp_path_factory.mktemp("warehouse")),
            spark_driver_memory="1g",
            # The quick compiler alone: no query here runs long enough for the thorough one.
            spark_driver_extraJavaOptions="-XX:TieredStopAtLevel=1",
        )
    except (MissingJava, NoSpark) as error:
        pytest.skip(str(error))
    yield session
    session.stop()
