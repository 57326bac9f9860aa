"""The intermediate columns of a part, sorted into stages: each uses only what stands before it.

A column stands as late as it can. Between some stages Spark copies rows, and what is not there yet
is not copied.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from zwire_codegen.backends.spark.sql import among, cases

COUNT = "_n"  # how many frames there are
CHOSEN = "_m"  # the number of the message, from 1; null: none fits
WRONG = "_w"  # the number of the reason why it is refused; null: it is fine

_NAMES = re.compile(r"\b_\w+")


@dataclass
class _Column:
    sql: str
    needs: frozenset[str]  # other columns
    apart: bool = False  # from those that nothing else needs
    messages: set[int] = field(default_factory=set)  # empty: worked out for all rows


class Board:
    """Columns by name. Messages that need the same expression share its column."""

    def __init__(self) -> None:
        self._columns: dict[str, _Column] = {}
        self._names: dict[str, str] = {}  # of columns, by their SQL
        self.add(COUNT, "coalesce(size(frames), 0)")

    def add(self, name: str, sql: str) -> str:
        """A column that all rows need; its name."""
        return self._add(name, sql, ()).name

    def frame(self, index: int) -> str:
        """The frame with a known number; null where there is none."""
        return self.add(f"_f{index}", f"get(frames, {index})")

    def share(self, name: str, sql: str, message: int, *, apart: bool = False) -> str:
        """A column that a message needs; its name, which has a number where another has taken it.

        One that stands `apart` has others behind it, so that rows are copied without them.
        """
        found = self._add(name, sql, (CHOSEN,))
        found.column.messages.add(message)
        found.column.apart = apart
        return found.name

    @property
    def names(self) -> list[str]:
        return list(self._columns)

    def stages(self) -> list[dict[str, str]]:
        """The columns of each stage: name and SQL."""
        before_end: dict[str, int] = {}  # stages behind that of a column
        for name in reversed(self._columns):  # who needs it stands behind it
            users = [other for other, column in self._columns.items() if name in column.needs]
            least = int(self._columns[name].apart)
            before_end[name] = max((before_end[user] + 1 for user in users), default=least)
        last = max(before_end.values())
        found: list[dict[str, str]] = [{} for _ in range(last + 1)]
        for name, column in self._columns.items():
            found[last - before_end[name]][name] = _guarded(column)
        return found

    def _add(self, name: str, sql: str, needs: tuple[str, ...]) -> _Found:
        if sql not in self._names:
            unique, number = name, 1
            while unique in self._columns:
                number += 1
                unique = f"{name}_{number}"
            used = {*_NAMES.findall(sql), *needs} & self._columns.keys()
            self._columns[unique] = _Column(sql, frozenset(used))
            self._names[sql] = unique
        found = self._names[sql]
        return _Found(found, self._columns[found])


@dataclass(frozen=True)
class _Found:
    name: str
    column: _Column


def _guarded(column: _Column) -> str:
    if not column.messages:
        return column.sql
    return cases([(among(CHOSEN, sorted(column.messages)), column.sql)])
