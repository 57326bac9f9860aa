"""The whole analysis of captures: rows, decoded messages, quarantine and all tables, in one folder."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pyarrow import dataset, parquet
from pyspark.sql import functions as F

from zwire.capture.reader import find_files
from zwire_spark.compact import NONE, read_compacted, read_losses, read_protocol, write_compacted
from zwire_spark.decoding import check_sum, messages_of, parts_of, refused_of
from zwire_spark.failing import failures_told
from zwire_spark.output import ROWS, TABLES, claimed, publish
from zwire_spark.pieces import Wanted
from zwire_spark.rows import LOSS
from zwire_spark.session import require, start
from zwire_spark.shipping import ship
from zwire_spark.tables import ORDER
from zwire_spark.tables import TABLES as BUILDERS
from zwire_sql import PARTS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Progress: TypeAlias = Callable[[str, int, int], None]
"""Told what comes next, the number of steps done, and of all steps as far as they are known."""


@dataclass(slots=True)
class Spoken:
    """The messages of one protocol."""

    messages: int = 0
    decoded: int = 0
    quarantined: int = 0


@dataclass(slots=True)
class Summary:
    """What an analysis read and wrote."""

    into: Path
    files: int = 0
    octets: int = 0
    messages: int = 0
    events: int = 0
    losses: int = 0
    rows_lost: int = 0
    protocols: dict[str, Spoken] = field(default_factory=dict)
    tables: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def quarantined(self) -> int:
        return sum(one.quarantined for one in self.protocols.values())

    def told(self) -> dict[str, Any]:
        """For the marker of the folder."""
        return {
            "version": version("zwire"),
            "files": self.files,
            "octets": self.octets,
            "messages": self.messages,
            "events": self.events,
            "losses": self.losses,
            "rows_lost": self.rows_lost,
            "protocols": {
                name: {"decoded": one.decoded, "quarantined": one.quarantined}
                for name, one in sorted(self.protocols.items())
            },
            "tables": self.tables,
        }


def analyze(
    inputs: Iterable[Path | str],
    into: Path | str,
    *,
    master: str | None = None,
    since: int | None = None,
    until: int | None = None,
    tables: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> Summary:
    """Analyse these captures into a folder, in the place of what an earlier analysis wrote there.

    `tables` names those to make beside messages, quarantine and losses; all without it. Raises
    NotACapture, ForeignFolder, MissingJava or NoSpark, before anything is written, and SparkFailed
    when it could not be completed: what was there before then stays.
    """
    began = time.monotonic()
    files = [path.resolve() for path in find_files(inputs)]
    chosen = list(BUILDERS) if tables is None else [name for name in BUILDERS if name in tables]
    into = Path(into).resolve()
    require(master)
    with claimed(into) as folder, failures_told():
        run = _Run(folder, Summary(into), len(chosen) + 4, progress or _silent)
        run.step("starting Spark")
        run.begin(master)
        run.compact(files, Wanted(since, until, losses=True))
        run.decode()
        run.build(chosen)
        publish(into, folder, {**run.summary.told(), "inputs": [_input(path) for path in files]})
    run.summary.seconds = time.monotonic() - began
    return run.summary


class _Inputs(dict[str, "DataFrame"]):
    """The tables by name; one that was not asked for is made where another one needs it."""

    def __missing__(self, name: str) -> DataFrame:
        if name not in BUILDERS:
            raise KeyError(name)
        self[name] = BUILDERS[name](self)
        return self[name]


class _Run:
    """One analysis, step by step, into a folder that nobody looks at yet."""

    def __init__(self, folder: Path, summary: Summary, steps: int, progress: Progress) -> None:
        self._rows = folder / ROWS
        self._tables = folder / TABLES
        self.summary = summary
        self._steps, self._done = steps, -1
        self._progress = progress
        self._spark: SparkSession

    def step(self, what: str) -> None:
        self._done += 1
        self._progress(what, self._done, self._steps)

    def begin(self, master: str | None) -> None:
        self._spark = start(master)
        ship(self._spark)

    def compact(self, files: Sequence[Path], wanted: Wanted) -> None:
        """Read everything once; from here on nothing looks at the captures any more."""
        summary = self.summary
        summary.files = len(files)
        summary.octets = sum(path.stat().st_size for path in files)
        self.step(f"reading {summary.files} captures, {summary.octets / 1e6:,.1f} MB")
        counts = write_compacted(self._spark, files, wanted, PARTS, self._rows)
        for (protocol, kind), count in counts.items():
            if kind == "message":
                summary.messages += count
                summary.protocols[protocol] = Spoken(count)
            elif kind != LOSS:
                summary.events += count
        self._write("losses", read_losses(self._spark, self._rows), ("file", "offset"))
        lost = parquet.read_table(self._tables / "losses", columns=["rows"]).column("rows")
        summary.losses = len(lost)
        summary.rows_lost = sum(rows or 0 for rows in lost.to_pylist())

    def decode(self) -> None:
        """Messages by protocol, and what is none; each message has to come out on one side."""
        spoken = self.summary.protocols
        self._steps += len({PARTS[part].protocol for part in spoken if part in PARTS})
        for protocol in dict.fromkeys(part.protocol for part in PARTS.values()):
            parts = [part for part in parts_of(protocol) if part in spoken]
            if parts:
                self.step(f"decoding {protocol}")
                table = f"messages_{protocol}"
                messages = messages_of(protocol, {part: self._said(part) for part in parts})
                self._write_as_it_comes(table, messages)
                for name, count in _counts(self._tables / table, "part").items():
                    spoken[f"{protocol}.{name}"].decoded = count
        self.step("looking at what does not decode")
        wrong = {
            part: self._said(part)
            for part, one in spoken.items()
            if part not in PARTS or one.decoded < one.messages
        }
        nothing = {NONE: self._said(NONE).where("false")}
        self._write("quarantine", refused_of(wrong or nothing), ("recorder", "seq"))
        for name, count in _counts(self._tables / "quarantine", "protocol").items():
            spoken[name if name in PARTS else NONE].quarantined += count
        self._check()

    def _said(self, part: str) -> DataFrame:
        return read_protocol(self._spark, self._rows, part)

    def _check(self) -> None:
        for name, one in self.summary.protocols.items():
            check_sum(name, one.messages, one.decoded, one.quarantined)

    def build(self, chosen: Sequence[str]) -> None:
        """The analytic tables, each from those that are there by then."""
        inputs = _Inputs(rows=read_compacted(self._spark, self._rows).where(F.col("kind") != LOSS))
        for name in self.summary.tables:
            inputs[name] = self._spark.read.parquet(str(self._tables / name))
        for name in chosen:
            self.step(f"making the table {name}")
            self._write(name, BUILDERS[name](inputs), ORDER[name])
            inputs[name] = self._spark.read.parquet(str(self._tables / name))

    def _write(self, name: str, table: DataFrame, order: Sequence[str]) -> None:
        """One sorted file: the same capture gives the same, byte by byte."""
        sorted_ = table.repartition(1).sortWithinPartitions(*order)
        self._write_as_it_comes(name, sorted_)

    def _write_as_it_comes(self, name: str, table: DataFrame) -> None:
        folder = self._tables / name
        table.write.parquet(str(folder))
        self.summary.tables[name] = sum(
            parquet.read_metadata(file).num_rows for file in folder.glob("*.parquet")
        )


def _counts(folder: Path, column: str) -> Counter[str]:
    """How often each value of a column occurs in a table, read piece by piece."""
    counts: Counter[str] = Counter()
    for batch in dataset.dataset(folder, format="parquet").to_batches(columns=[column]):
        for one in batch.column(column).value_counts():
            counts[one["values"].as_py()] += one["counts"].as_py()
    return counts


def _silent(what: str, done: int, steps: int) -> None:
    return None


def _input(path: Path) -> dict[str, Any]:
    return {"path": str(path), "octets": path.stat().st_size}
