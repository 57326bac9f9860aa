"""Messages of ZRE/LOG (messages) for Hypothesis, and one example of each.

Made by `zwire generate` from zrelog.md, line 7; do not edit.
"""

from __future__ import annotations

from hypothesis import strategies as st

from zwire_protocols.zrelog import messages as codec
from zwire_strategies.values import numbers, texts


def log() -> st.SearchStrategy[codec.Log]:
    """Any LOG that can be sent."""
    return st.builds(
        codec.Log,
        st.sampled_from(codec.Level),
        st.sampled_from(codec.Event),
        numbers(0, 65535),
        numbers(0, 65535),
        numbers(0, 18446744073709551615),
        texts(0, 255),
    )


def messages() -> st.SearchStrategy[codec.Message]:
    """Any message."""
    return st.one_of(
        log(),
    )


EXAMPLES: tuple[codec.Message, ...] = (
    codec.Log(
        level=codec.Level.ERROR,
        event=codec.Event.JOIN,
        node=1,
        peer=1,
        time=1,
        data="abc",
    ),
)
"""One plain example of each message."""
