"""The stages of a part: SELECTs one after the other, from frames to columns."""

from __future__ import annotations

from zwire_codegen.backends.spark.board import CHOSEN, WRONG, Board
from zwire_codegen.backends.spark.choosing import Choosing
from zwire_codegen.backends.spark.columns import Columns
from zwire_codegen.backends.spark.reading import Reading
from zwire_codegen.backends.spark.reasons import Reasons
from zwire_codegen.backends.spark.sql import among, array, cases, quoted
from zwire_codegen.model.types import Part

FINE = f"{WRONG} IS NULL"


def stages(part: Part, types: dict[str, str], places: Columns) -> list[str]:
    """The texts of the stages, each with `{source}` where the one before goes."""
    board, reasons = Board(), Reasons()
    choosing = Choosing(part, board, reasons)
    readings = {
        known.number: Reading(known.message, known.number, board, reasons)
        for known in choosing.known
    }
    alike: dict[str, list[int]] = {}  # messages that are judged alike
    for known in choosing.known:
        checks = choosing.objections(known) + readings[known.number].checks
        alike.setdefault(cases(checks), []).append(known.number)
    verdicts = [(among(CHOSEN, numbers), judging) for judging, numbers in alike.items()]
    verdict = cases(verdicts, choosing.unknown())
    texts = [_select(columns) for columns in board.stages()]
    texts.append(_select({WRONG: f"CAST({verdict} AS INT)"}))
    texts.append(_last(part, board, reasons, _values(readings, types, places)))
    return texts


def _values(readings: dict[int, Reading], types: dict[str, str], places: Columns) -> dict[str, str]:
    """The SQL of each column: whatever its field is in the message that was found."""
    found: dict[str, dict[str, list[int]]] = {column: {} for column in types}
    for number, reading in readings.items():
        for field, sql in reading.values.items():
            column = places[reading.message.name][field]
            found[column].setdefault(sql, []).append(number)
    everybody = list(readings)
    values = {}
    for column, ways in found.items():
        branches = [
            (FINE if numbers == everybody else f"{FINE} AND {among(CHOSEN, numbers)}", sql)
            for sql, numbers in ways.items()
        ]
        values[column] = f"CAST({cases(branches)} AS {types[column]})"
    return values


def _last(part: Part, board: Board, reasons: Reasons, values: dict[str, str]) -> str:
    names = array(quoted(message.name) for message in part.messages)
    name = f"get({names}, {CHOSEN} - 1)" if part.messages else "CAST(NULL AS STRING)"
    told = {"command": cases([(FINE, name)]), **reasons.columns(name), **values}
    return _select(told, [*board.names, WRONG])


def _select(columns: dict[str, str], without: list[str] | None = None) -> str:
    everything = f"* EXCEPT ({', '.join(without)})" if without else "*"
    lines = [everything]
    for name, sql in columns.items():
        indented = sql.replace("\n", "\n  ")
        lines.append(f"{indented} AS `{name}`")
    inner = ",\n  ".join(lines)
    return f"SELECT\n  {inner}\nFROM {{source}}"
