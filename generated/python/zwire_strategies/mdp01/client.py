"""Messages of MDP 0.1 (client) for Hypothesis, and one example of each.

Made by `zwire generate` from mdp01.md, line 22; do not edit.
"""

from __future__ import annotations

from hypothesis import strategies as st

from zwire_protocols.mdp01 import client as codec
from zwire_strategies.values import frames, texts


def request() -> st.SearchStrategy[codec.Request]:
    """Any REQUEST that can be sent."""
    return st.builds(
        codec.Request,
        texts(1, None),
        frames(1),
    )


def reply() -> st.SearchStrategy[codec.Reply]:
    """Any REPLY that can be sent."""
    return st.builds(
        codec.Reply,
        texts(1, None),
        frames(1),
    )


def messages() -> st.SearchStrategy[codec.Message]:
    """Any message."""
    return st.one_of(
        request(),
        reply(),
    )


EXAMPLES: tuple[codec.Message, ...] = (
    codec.Request(
        service="abc",
        body=(b"body",),
    ),
    codec.Reply(
        service="abc",
        body=(b"body",),
    ),
)
"""One plain example of each message."""
