"""When two names are one: ABNF's names have no case, and `_` is how some write `-`."""

from __future__ import annotations


def folded(name: str) -> str:
    """The name as a key: equal for all the ways to write it."""
    return name.replace("_", "-").lower()


def same_name(one: str, other: str) -> bool:
    """Whether both name the same rule."""
    return one == other or folded(one) == folded(other)
