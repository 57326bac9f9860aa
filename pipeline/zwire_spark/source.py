"""The data source `zcap`: captures as a table of Spark's, at rest and while they grow.

    spark.dataSource.register(ZcapSource)
    spark.read.format("zcap").option("since", "1700000000000000000").load("captures")

Time bounds are options, in nanoseconds. There is no `pushFilters`: what one query pushes down stays
with the source and takes rows away from the next.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceStreamReader,
    InputPartition,
)

from zwire.capture.reader import find_files
from zwire_spark.pieces import PIECE, Wanted, read_pieces, shared_out
from zwire_spark.rows import SCHEMA
from zwire_spark.tailing import TailReader

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType


class ZcapSource(DataSource):
    """Options: `path` or `paths` (a JSON list), `since`, `until`, `losses`, `piece`."""

    @classmethod
    def name(cls) -> str:
        return "zcap"

    def schema(self) -> str:
        return SCHEMA

    def reader(self, schema: StructType) -> DataSourceReader:
        return RangeReader(self.options)

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        return TailReader(paths_in(self.options), wanted_in(self.options))


class RangeReader(DataSourceReader):
    """Files as they are now, in pieces."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self._paths = paths_in(options)
        self._wanted = wanted_in(options)
        self._piece = int(options.get("piece", PIECE))

    def partitions(self) -> Sequence[InputPartition]:
        tasks = shared_out(find_files(self._paths), self._piece)
        return [InputPartition(pieces) for pieces in tasks]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        # Without any piece Spark asks for one that nobody has made.
        return read_pieces(partition.value or (), self._wanted)


def paths_in(options: Mapping[str, str]) -> list[Path]:
    """What was given to `load`, or all of `paths`."""
    several = options.get("paths")
    return [Path(path) for path in (json.loads(several) if several else [options["path"]])]


def wanted_in(options: Mapping[str, str]) -> Wanted:
    """Which rows the options ask for."""
    since, until = options.get("since"), options.get("until")
    return Wanted(
        None if since is None else int(since),
        None if until is None else int(until),
        options.get("losses", "false").lower() == "true",
    )


def options_of(paths: Sequence[Path | str], wanted: Wanted) -> dict[str, str]:
    """The same as options."""
    bounds = {"since": wanted.since, "until": wanted.until}
    return {
        "paths": json.dumps([str(path) for path in paths]),
        "losses": str(wanted.losses).lower(),
        **{name: str(bound) for name, bound in bounds.items() if bound is not None},
    }


def read_captures(
    spark: SparkSession, paths: Sequence[Path | str], wanted: Wanted = Wanted()  # noqa: B008
) -> DataFrame:
    """The rows of these files and folders, as they are now."""
    spark.dataSource.register(ZcapSource)
    return spark.read.format("zcap").options(**options_of(paths, wanted)).load()


def tail_captures(
    spark: SparkSession, paths: Sequence[Path | str], wanted: Wanted = Wanted()  # noqa: B008
) -> DataFrame:
    """The rows of these files and folders, and those that are still to come."""
    spark.dataSource.register(ZcapSource)
    return spark.readStream.format("zcap").options(**options_of(paths, wanted)).load()
