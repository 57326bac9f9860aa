"""Messages of ZRE (beacon) for Hypothesis, and one example of each.

Made by `zwire generate` from zre.md, line 107; do not edit.
"""

from __future__ import annotations

from uuid import UUID

from hypothesis import strategies as st

from zwire_protocols.zre import beacon as codec
from zwire_strategies.values import numbers


def beacon() -> st.SearchStrategy[codec.Beacon]:
    """Any BEACON that can be sent."""
    return st.builds(
        codec.Beacon,
        st.uuids(),
        numbers(1, 65535),
    )


def messages() -> st.SearchStrategy[codec.Message]:
    """Any message."""
    return st.one_of(
        beacon(),
    )


EXAMPLES: tuple[codec.Message, ...] = (
    codec.Beacon(
        uuid=UUID(int=1),
        port=1,
    ),
)
"""One plain example of each message."""
