"""Following captures while they grow: decoded and judged as they come, each row exactly once.

Two queries of Spark's run side by side. The first reads new rows, decodes them, and writes a file for
each table and batch; the second judges what the first one wrote down for it. A batch that is done
again after a crash finds its files there and leaves them: nothing is lost, and nothing doubled.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from pyarrow import parquet
from pyspark.sql import functions as F

from zwire.capture.reader import captures_in
from zwire_spark.compact import losses_in
from zwire_spark.decoding import check_sum, messages_of, parts_of, refused_of
from zwire_spark.failing import failures_told
from zwire_spark.judging_live import FAULTS, HEARD, judged
from zwire_spark.output import claimed_for_following
from zwire_spark.pieces import Wanted
from zwire_spark.rows import LOSS, SCHEMA
from zwire_spark.session import NoSpark, is_connect, require, start
from zwire_spark.shipping import ship
from zwire_spark.source import tail_captures
from zwire_spark.tables.hearings import heard
from zwire_spark.tailing import first_of
from zwire_sql import PARTS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

_PATIENCE = 600.0  # seconds of trying again: Spark gives a Python that it starts ten of them
_UNREADY = "failed to connect back"
_EVERY = "500 milliseconds"
_LOOK = 0.5  # seconds between two looks at the queries


@dataclass(slots=True)
class Seen:
    """What went by since this process has followed."""

    batches: int = 0
    messages: int = 0
    events: int = 0
    decoded: int = 0
    quarantined: int = 0
    faults: int = 0
    losses: int = 0
    newest: int = 0
    """The time of the newest row, in nanoseconds since 1970."""
    tables: dict[str, int] = field(default_factory=dict)


GoOn: TypeAlias = Callable[[Seen], bool]
"""Asked about twice a second whether to go on."""


def follow(
    inputs: Iterable[Path | str],
    into: Path | str,
    go_on: GoOn,
    *,
    master: str | None = None,
    since: int | None = None,
    until: int | None = None,
    once: bool = False,
) -> Seen:
    """Follow files and folders into a folder of tables, until `go_on` says no.

    With `once` it ends by itself when all is read that was there. Started again with the same folder
    it goes on where it ended, however that was. Raises ForeignFolder, MissingJava or NoSpark, and
    SparkFailed when it cannot go on.
    """
    if is_connect(master):
        raise NoSpark(f"{master}: following needs a Spark of its own, not one behind Spark Connect")
    paths = [Path(path).resolve() for path in inputs]
    require(master)
    ours = claimed_for_following(Path(into).resolve(), [str(path) for path in paths])
    with ours as folder, failures_told():
        spark = start(master)
        ship(spark)
        followed = _Followed(spark, folder, paths, Wanted(since, until, losses=True))
        with _small_batches(spark):
            followed.run(go_on, once=once)
        return followed.seen


@contextmanager
def _small_batches(spark: SparkSession) -> Iterator[None]:
    """Have Spark plan for little at a time; the session is then as it was."""
    # Each part of the state is a store with a task in every batch: as many as there are cores.
    name, cores = "spark.sql.shuffle.partitions", spark.sparkContext.defaultParallelism
    before = str(spark.conf.get(name))
    spark.conf.set(name, str(cores))
    try:
        yield
    finally:
        with suppress(Exception):  # an interrupted session may be gone already
            spark.conf.set(name, before)


class _Followed:
    def __init__(
        self, spark: SparkSession, folder: Path, paths: Sequence[Path], wanted: Wanted
    ) -> None:
        self._spark = spark
        self._tables = folder / "tables"
        self._heard = folder / ".heard"
        self._checkpoints = folder / ".checkpoint"
        self._scratch = folder / f".writing-{os.getpid()}"
        self._paths, self._wanted = paths, wanted
        self._begun: list[StreamingQuery] = []
        self._started = time.monotonic()
        self.seen = Seen()
        for killed in folder.glob(".writing-*"):
            shutil.rmtree(killed, ignore_errors=True)
        for needed in (self._tables, self._heard, self._checkpoints):
            needed.mkdir(exist_ok=True)

    def run(self, go_on: GoOn, *, once: bool) -> None:
        try:
            if once:
                # One after the other: the second reads what the first one has written.
                for begin in (self._reading, self._judging):
                    self._to_the_end(begin, go_on)
            else:
                self._both(go_on)
        finally:
            for query in self._begun:
                query.stop()
            shutil.rmtree(self._scratch, ignore_errors=True)

    def _both(self, go_on: GoOn) -> None:
        begins = {"rows": self._reading, "judging": self._judging}
        running = {name: begin(once=False) for name, begin in begins.items()}
        while go_on(self.seen):
            for name, query in running.items():
                if not query.isActive:
                    self._bear(query.exception())
                    running[name] = begins[name](once=False)
            time.sleep(_LOOK)

    def _to_the_end(self, begin: Callable[..., StreamingQuery], go_on: GoOn) -> None:
        query = begin(once=True)
        while go_on(self.seen):
            if not query.isActive:
                error = query.exception()
                if error is None:
                    return
                self._bear(error)
                query = begin(once=True)
            time.sleep(_LOOK)

    def _bear(self, error: Exception | None) -> None:
        """Take it as a busy machine's where it may be one, for a while; else raise what failed."""
        if error is None:
            raise NoSpark("Spark has ended a query by itself")
        late = time.monotonic() - self._started > _PATIENCE
        if late or _UNREADY not in str(error):
            raise error

    def _reading(self, *, once: bool) -> StreamingQuery:
        rows = tail_captures(self._spark, self._paths, self._wanted)
        return self._begin(rows, "rows", self._take_rows, once)

    def _judging(self, *, once: bool) -> StreamingQuery:
        written = self._spark.readStream.schema(HEARD).parquet(str(self._heard))
        return self._begin(judged(written), "judging", self._take_faults, once)

    def _begin(
        self, frame: DataFrame, name: str, take: Callable[[DataFrame, int], None], once: bool
    ) -> StreamingQuery:
        writer = frame.writeStream.foreachBatch(take).option(
            "checkpointLocation", str(self._checkpoints / name)
        )
        if once:
            writer = writer.trigger(availableNow=True)
        else:
            writer = writer.trigger(processingTime=_EVERY)
        query = writer.start()
        self._begun.append(query)
        return query

    def _take_rows(self, batch: DataFrame, number: int) -> None:
        """Write down a batch's rows and decode them; what judges hear comes last."""
        came = self._write_aside("came", batch)
        counts, newest = _counted(came)
        lost = _of_kind(LOSS, counts)
        if lost:
            everything = self._spark.read.schema(SCHEMA).parquet(str(came))
            self._write("losses", losses_in(everything), number)
            came = self._write_aside("rows", everything.where(F.col("kind") != LOSS))
        rows = self._spark.read.schema(SCHEMA).parquet(str(self._keep("rows", came, number)))
        spoken = {protocol for protocol, kind in counts if kind == "message"}
        messages = _of_kind("message", counts)
        inputs = {"rows": rows, "recordings": self._recordings()}
        inputs |= self._decode(rows, spoken, messages, number)
        self._write("", heard(inputs, spoken), number, self._heard)
        seen = self.seen
        seen.losses += lost
        seen.batches += 1
        seen.newest = max(seen.newest, newest)
        seen.messages += messages
        seen.events += _of_kind("event", counts)

    def _decode(
        self, batch: DataFrame, spoken: Collection[str], asked: int, number: int
    ) -> dict[str, DataFrame]:
        """Write the tables of the messages, of which there are so many, and what is none."""
        found = {}
        decoded = 0
        for protocol in dict.fromkeys(part.protocol for part in PARTS.values()):
            parts = [part for part in parts_of(protocol) if part in spoken]
            if not parts:
                continue
            table = f"messages_{protocol}"
            messages = messages_of(protocol, {part: _said(batch, part) for part in parts})
            file = self._write(table, messages, number)
            decoded += parquet.read_metadata(file).num_rows
            found[table] = self._spark.read.parquet(str(file))
        if decoded < asked:
            wrong = {part: _said(batch, part) for part in spoken if part in PARTS}
            unknown = batch.where("kind = 'message'").where(~batch.protocol.isin(*PARTS))
            file = self._write("quarantine", refused_of({**wrong, "": unknown}), number)
            check_sum("batch", asked, decoded, parquet.read_metadata(file).num_rows)
        self.seen.decoded += decoded
        self.seen.quarantined += asked - decoded
        return found

    def _take_faults(self, batch: DataFrame, number: int) -> None:
        file = self._write("faults", batch, number)
        self.seen.faults += parquet.read_metadata(file).num_rows

    def _recordings(self) -> DataFrame:
        """Where each recording begins that is not there from its first row on."""
        first: dict[str, int] = {}
        for path in self._paths:
            for file in captures_in(path) if path.is_dir() else [path]:
                known = first_of(file)
                if known is not None:
                    recorder, sequence = known
                    first[recorder] = min(sequence, first.get(recorder, sequence))
        late = [
            f"('{recorder}', {sequence}L)" for recorder, sequence in first.items() if sequence > 1
        ]
        # As a text, in which Spark sees that there are none: it then has nothing to join.
        values = ", ".join(late) or "('', 0L)"
        found = self._spark.sql(f"SELECT * FROM VALUES {values} AS t(recording, first_seq)")
        return found if late else found.where("false")

    def _write(self, table: str, frame: DataFrame, number: int, folder: Path | None = None) -> Path:
        """The batch's file of a table."""
        target = _file(folder or self._tables / table, number)
        if target.exists():
            return target  # written before a crash, by the same batch
        return self._keep(table, self._write_aside(table or "heard", frame), number, folder)

    def _write_aside(self, name: str, frame: DataFrame) -> Path:
        """One file that nobody looks at."""
        scratch = self._scratch / name
        frame.coalesce(1).write.mode("overwrite").parquet(str(scratch))
        (written,) = scratch.glob("*.parquet")
        return written

    def _keep(self, table: str, written: Path, number: int, folder: Path | None = None) -> Path:
        """Make it the batch's file of a table: there as a whole, or not at all."""
        target = _file(folder or self._tables / table, number)
        if not target.exists():
            target.parent.mkdir(exist_ok=True)
            written.rename(target)
            self.seen.tables[table] = self.seen.tables.get(table, 0) + 1
        return target


def _file(folder: Path, number: int) -> Path:
    return folder / f"batch-{number:09}.parquet"


def _counted(file: Path) -> tuple[dict[tuple[str, str], int], int]:
    """How many rows there are of each protocol and kind, and the newest time."""
    rows = parquet.read_table(file, columns=["protocol", "kind", "ts_ns"])
    found = rows.group_by(["protocol", "kind"]).aggregate([("ts_ns", "max"), ([], "count_all")])
    told = found.to_pylist()
    counts = {(row["protocol"], row["kind"]): row["count_all"] for row in told}
    return counts, max((row["ts_ns_max"] or 0 for row in told), default=0)


def _of_kind(kind: str, counts: Mapping[tuple[str, str], int]) -> int:
    return sum(count for (_, one), count in counts.items() if one == kind)


def _said(batch: DataFrame, part: str) -> DataFrame:
    return batch.where((batch.protocol == part) & (batch.kind == "message"))


__all__ = ["FAULTS", "GoOn", "Seen", "follow"]
