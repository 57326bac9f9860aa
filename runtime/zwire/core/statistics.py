"""The broker's counters."""

from __future__ import annotations

from zwire.core.effects import What


class Statistics:
    """Counts since the start; accepted = answered + expired + failed + gone + open, always."""

    __slots__ = ("accepted", "answered", "assigned", "ignored", "mmi", "partials", "told")

    def __init__(self) -> None:
        self.accepted = 0
        self.assigned = 0
        self.partials = 0
        self.answered = 0
        self.ignored = 0  # messages of peers on the record of the shunned
        self.mmi = 0
        self.told: dict[What, int] = dict.fromkeys(What, 0)

    def as_dict(self) -> dict[str, int]:
        """All counters by name, ready to be printed."""
        counts = {
            name: getattr(self, name)
            for name in ("accepted", "assigned", "partials", "answered", "ignored", "mmi")
        }
        counts.update({what.value: count for what, count in self.told.items()})
        return counts
