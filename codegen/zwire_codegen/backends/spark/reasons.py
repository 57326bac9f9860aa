"""Why a message is refused: each reason has a number, which stands for code, field and place."""

from __future__ import annotations

from dataclasses import dataclass

from zwire_codegen.backends.spark.board import WRONG
from zwire_codegen.backends.spark.sql import among, array, cases, quoted


@dataclass(frozen=True, slots=True)
class Reason:
    """What a refusal says. `frame` and `offset` are SQL; `chosen`: it blames the chosen message."""

    code: str
    field: str = ""
    frame: str = "0"
    offset: str = "0"
    chosen: bool = False


class Reasons:
    """All reasons of a part, numbered from 1 as they come up."""

    def __init__(self) -> None:
        self._numbers: dict[Reason, int] = {}

    def number(self, reason: Reason) -> str:
        """The number of a reason, as SQL."""
        return str(self._numbers.setdefault(reason, len(self._numbers) + 1))

    def columns(self, name: str) -> dict[str, str]:
        """What is told of the reason with the number `_w`, by the name of its column; `name` is that
        of the chosen message."""
        return {
            "code": self._looked_up([quoted(reason.code) for reason in self._numbers]),
            "wrong_message": cases([*self._blaming(name), (f"{WRONG} > 0", "''")]),
            "wrong_field": self._looked_up([quoted(reason.field) for reason in self._numbers]),
            "wrong_frame": self._place({reason: reason.frame for reason in self._numbers}),
            "wrong_offset": self._place({reason: reason.offset for reason in self._numbers}),
        }

    def _blaming(self, name: str) -> list[tuple[str, str]]:
        """Reasons that blame the chosen message."""
        found = [number for reason, number in self._numbers.items() if reason.chosen]
        return [(among(WRONG, found), name)] if found else []

    def _looked_up(self, values: list[str]) -> str:
        return f"get({array(values)}, {WRONG} - 1)"

    def _place(self, places: dict[Reason, str]) -> str:
        """A number: most are known, the others depend on the message."""
        known = [place if place.isdigit() else "NULL" for place in places.values()]
        by_place: dict[str, list[str]] = {}
        for reason, place in places.items():
            if not place.isdigit():
                by_place.setdefault(place, []).append(str(self._numbers[reason]))
        branches = [
            (f"{WRONG} IN ({', '.join(numbers)})", f"CAST({place} AS INT)")
            for place, numbers in by_place.items()
        ]
        if all(place == "NULL" for place in known):
            return cases(branches)
        return cases(branches, self._looked_up(known))
