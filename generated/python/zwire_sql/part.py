"""What decodes the messages of a part in Spark: SELECTs, and the columns that they give.

Made by `zwire generate`; do not edit.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """How a part is decoded.

    `stages` are SELECTs, each with `{source}` where the relation before it goes. The first takes one
    with the columns `frames` (array<binary>) and `role` (string); all its columns pass through. The
    last adds `command` (the message's name; null where it is refused), `code`, `wrong_message`,
    `wrong_field`, `wrong_frame`, `wrong_offset` (all null where it is fine), and the columns of
    `fields`, with their types. `columns` tells in which of them a message's field stands.
    """

    protocol: str
    part: str
    fields: tuple[tuple[str, str], ...]
    columns: dict[str, dict[str, str]]
    stages: tuple[str, ...]

    @property
    def name(self) -> str:
        """Protocol and part: `mdpx.client`."""
        return f"{self.protocol}.{self.part}"

    def over(self, relation: str) -> str:
        """One query, in which all stages are applied to a relation: a table, a view, `(SELECT ...)`."""
        for stage in self.stages:
            relation = "(" + stage.replace("{source}", relation) + "\n)"
        return f"SELECT * FROM {relation}"
