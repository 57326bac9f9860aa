"""Values of every kind of field, for Hypothesis: ordinary ones, and those at the limits.

Made by `zwire generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import strategies as st

from zwire_protocols.errors import EncodeError

_Item = TypeVar("_Item")

_LONGEST = 65_535  # of what is tried where a specification allows more

# Everything but control characters and halves of surrogate pairs.
_CHARACTERS = st.characters(exclude_categories=["Cc", "Cs"])


def numbers(least: int, most: int) -> st.SearchStrategy[int]:
    """Numbers, often the least or the greatest."""
    return st.sampled_from((least, most)) | st.integers(least, most)


def texts(least: int, most: int | None) -> st.SearchStrategy[str]:
    """Texts of at least and at most so many octets of UTF-8."""
    limit = _LONGEST if most is None else min(most, _LONGEST)
    short = st.text(_CHARACTERS, min_size=least, max_size=max(least, min(limit // 4, 20)))
    fitting = short.filter(lambda text: least <= len(text.encode()) <= limit)
    return fitting | st.sampled_from(("a" * least, "a" * min(limit, 255)))


def octets(least: int, most: int | None) -> st.SearchStrategy[bytes]:
    """Octets of at least and at most so many."""
    limit = _LONGEST if most is None else min(most, _LONGEST)
    return st.binary(min_size=least, max_size=min(limit, least + 40))


def tuples_of(items: st.SearchStrategy[_Item]) -> st.SearchStrategy[tuple[_Item, ...]]:
    """Some items, rarely as many as an octet can count."""
    few = st.lists(items, max_size=4).map(lambda found: tuple(found))
    return few | items.map(lambda item: (item,) * 255)


def frames(least: int) -> st.SearchStrategy[tuple[bytes, ...]]:
    """Frames, empty ones and those that look like commands among them."""
    one = st.sampled_from((b"", b"\x01", b"\x02")) | st.binary(max_size=20)
    return st.lists(one, min_size=least, max_size=least + 3).map(lambda found: tuple(found))


def stacks() -> st.SearchStrategy[tuple[bytes, ...]]:
    """Address stacks."""
    addresses = st.lists(st.binary(min_size=1, max_size=17), max_size=3)
    return addresses.map(lambda found: tuple(found))


def sendable(encode: Callable[[Any], list[bytes]]) -> Callable[[Any], bool]:
    """A filter for messages of which some would read as something else."""

    def test(message: Any) -> bool:
        try:
            encode(message)
        except EncodeError:
            return False
        return True

    return test
