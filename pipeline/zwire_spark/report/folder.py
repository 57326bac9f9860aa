"""The folder of an analysis as a report reads it: whether it is one, and its tables by columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import compute, dataset

from zwire.errors import LocalError
from zwire_spark.output import MARKER, TABLES, read_marker


class NoReport(LocalError):
    """There is nothing here that a report could be made of."""


class NotMade(Exception):
    """A table that was not asked for when the analysis was made."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Folder:
    """The tables of one analysis."""

    def __init__(self, path: Path) -> None:
        """Raises NoReport or ForeignFolder where this is no complete result of an analysis."""
        if not path.exists():
            raise NoReport(
                f"{path}: no such folder; `zwire analyze CAPTURE --into {path}` makes it"
            )
        if not path.is_dir():
            raise NoReport(f"{path}: is a file, expected the folder of `zwire analyze --into`")
        self.path = path
        self.told = read_marker(path)
        if self.told.get("mode") == "follow":
            raise NoReport(
                f"{path}: was written with --follow, which makes no tables to report on; "
                "`zwire analyze` the same captures without --follow, into another folder"
            )
        if self.told.get("state") != "complete":
            raise NoReport(f"{path}: its analysis was begun and not completed; run it again")
        named = self.told.get("tables")
        self.tables: dict[str, int] = named if isinstance(named, dict) else {}
        if not self.tables:
            raise NoReport(f"{path / MARKER}: names no tables; run `zwire analyze` again")
        for name in self.tables:
            if not list((path / TABLES / name).glob("*.parquet")):
                raise NoReport(
                    f"{path / TABLES / name}: is missing, and {MARKER} names it; "
                    "run `zwire analyze` again"
                )

    def read(self, name: str, columns: Sequence[str], where: Any = None) -> pa.Table:
        """These columns of a table, of those rows for which `where` is true.

        Raises NotMade where it was not asked for, and NoReport where it cannot be read.
        """
        return self._reading(
            name, lambda found: found.to_table(columns=list(columns), filter=where)
        )

    def rows(self, name: str, columns: Sequence[str], where: Any = None) -> list[dict[str, Any]]:
        """The same, row by row: for small tables."""
        found: list[dict[str, Any]] = self.read(name, columns, where).to_pylist()
        return found

    def batches(self, name: str, column: str) -> Iterator[Any]:
        """One column as arrays, piece by piece: for the largest tables."""
        batches = self._reading(name, lambda found: found.to_batches(columns=[column]))
        while (batch := self._guarded(name, lambda: next(batches, None))) is not None:
            yield batch.column(0).to_numpy(zero_copy_only=False)

    def _reading(self, name: str, read: Any) -> Any:
        if name not in self.tables:
            raise NotMade(name)
        return self._guarded(
            name, lambda: read(dataset.dataset(self.path / TABLES / name, format="parquet"))
        )

    def _guarded(self, name: str, read: Any) -> Any:
        try:
            return read()
        except (pa.ArrowException, OSError) as error:
            first = str(error).splitlines()[0]
            raise NoReport(
                f"{self.path / TABLES / name}: cannot be read ({first}); run `zwire analyze` again"
            ) from error


def equal(column: str, value: Any) -> Any:
    """A condition for `where`; None stands for what is not known."""
    field = compute.field(column)
    return field.is_null() if value is None else field == value


def summed(table: pa.Table, keys: Sequence[str], what: Sequence[tuple[str, str]]) -> pa.Table:
    """Groups of a table, largest first by the first of what is computed, then by their keys."""
    grouped = table.group_by(list(keys)).aggregate(list(what))
    first = "_".join(what[0])
    return grouped.sort_by([(first, "descending"), *((key, "ascending") for key in keys)])
