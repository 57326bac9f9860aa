"""Judging while the messages come in: one judge for each peer, kept in Spark's state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from zwire_spark.judging import Judge, Said
from zwire_spark.tables.hearings import FAULTS, HEARD, fault_row

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.stateful_processor import TimerValues

_NAMES = [column.split()[0] for column in FAULTS.split(",")]


class LiveJudge(StatefulProcessor):
    """Takes up its judge where the batch before has left it, and puts it away again."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._kept = handle.getValueState("judge", "octets binary")

    def handleInputRows(
        self, key: Any, rows: Iterator[Row], timerValues: TimerValues
    ) -> Iterator[Row]:
        heard = sorted(rows, key=lambda row: row.seq)
        kept = self._kept.get()
        judge = Judge(heard[0].midway) if kept is None else Judge.loads(bytes(kept[0]))
        for row in heard:
            said = Said(row.part, row.direction, row.role, row.command, tuple(row.key))
            fault = judge.hear(said)
            if fault is not None:
                told = fault_row(row.recorder, row.seq, said, fault)
                yield Row(**dict(zip(_NAMES, told, strict=True)))
        self._kept.update((judge.dumps(),))

    def close(self) -> None:
        return None


def judged(heard: DataFrame) -> DataFrame:
    """The faults (columns FAULTS) in a stream of what was heard (columns HEARD)."""
    return heard.groupBy("recorder", "conversation").transformWithState(
        statefulProcessor=LiveJudge(),
        outputStructType=FAULTS,
        outputMode="Append",
        timeMode="None",
    )


__all__ = ["FAULTS", "HEARD", "LiveJudge", "judged"]
