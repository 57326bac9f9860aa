"""Messages of PPP (messages) for Hypothesis, and one example of each.

Made by `zwire generate` from ppp.md, line 7; do not edit.
"""

from __future__ import annotations

from hypothesis import strategies as st

from zwire_protocols.ppp import messages as codec
from zwire_strategies.values import frames, sendable, stacks


def ready() -> st.SearchStrategy[codec.Ready]:
    """Any READY that can be sent."""
    return st.just(codec.Ready())


def heartbeat() -> st.SearchStrategy[codec.Heartbeat]:
    """Any HEARTBEAT that can be sent."""
    return st.just(codec.Heartbeat())


def request() -> st.SearchStrategy[codec.Request]:
    """Any REQUEST that can be sent."""
    return st.builds(
        codec.Request,
        st.none() | st.none() | stacks(),
        frames(1),
    ).filter(sendable(codec.encode))


def reply() -> st.SearchStrategy[codec.Reply]:
    """Any REPLY that can be sent."""
    return st.builds(
        codec.Reply,
        st.none() | st.none() | stacks(),
        frames(1),
    ).filter(sendable(codec.encode))


def messages() -> st.SearchStrategy[codec.Message]:
    """Any message."""
    return st.one_of(
        ready(),
        heartbeat(),
        request(),
        reply(),
    )


EXAMPLES: tuple[codec.Message, ...] = (
    codec.Ready(),
    codec.Heartbeat(),
    codec.Request(
        stack=(b"address",),
        content=(b"body",),
    ),
    codec.Reply(
        stack=(b"address",),
        content=(b"body",),
    ),
)
"""One plain example of each message."""
