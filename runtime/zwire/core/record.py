"""A dataclass for events and effects: slotted at run time, frozen to the type checker.

A dataclass frozen at run time costs nearly three times as much to make, and the broker makes two for
every request it switches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True)
def record(cls: type[_T]) -> type[_T]:
    """The class as a slotted dataclass whose fields the type checker holds for read-only."""
    return dataclass(slots=True)(cls)
