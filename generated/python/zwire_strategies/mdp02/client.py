"""Messages of MDP 0.2 (client) for Hypothesis, and one example of each.

Made by `zwire generate` from mdp02.md, line 22; do not edit.
"""

from __future__ import annotations

from hypothesis import strategies as st

from zwire_protocols.mdp02 import client as codec
from zwire_strategies.values import frames, texts


def request() -> st.SearchStrategy[codec.Request]:
    """Any REQUEST that can be sent."""
    return st.builds(
        codec.Request,
        texts(1, None),
        frames(1),
    )


def partial() -> st.SearchStrategy[codec.Partial]:
    """Any PARTIAL that can be sent."""
    return st.builds(
        codec.Partial,
        texts(1, None),
        frames(1),
    )


def final() -> st.SearchStrategy[codec.Final]:
    """Any FINAL that can be sent."""
    return st.builds(
        codec.Final,
        texts(1, None),
        frames(1),
    )


def messages() -> st.SearchStrategy[codec.Message]:
    """Any message."""
    return st.one_of(
        request(),
        partial(),
        final(),
    )


EXAMPLES: tuple[codec.Message, ...] = (
    codec.Request(
        service="abc",
        body=(b"body",),
    ),
    codec.Partial(
        service="abc",
        body=(b"body",),
    ),
    codec.Final(
        service="abc",
        body=(b"body",),
    ),
)
"""One plain example of each message."""
