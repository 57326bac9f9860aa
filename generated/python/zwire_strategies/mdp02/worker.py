"""Messages of MDP 0.2 (worker) for Hypothesis, and one example of each.

Made by `zwire generate` from mdp02.md, line 80; do not edit.
"""

from __future__ import annotations

from hypothesis import strategies as st

from zwire_protocols.mdp02 import worker as codec
from zwire_strategies.values import frames, octets, texts


def ready() -> st.SearchStrategy[codec.Ready]:
    """Any READY that can be sent."""
    return st.builds(
        codec.Ready,
        texts(1, None),
    )


def request() -> st.SearchStrategy[codec.Request]:
    """Any REQUEST that can be sent."""
    return st.builds(
        codec.Request,
        octets(1, None),
        frames(1),
    )


def partial() -> st.SearchStrategy[codec.Partial]:
    """Any PARTIAL that can be sent."""
    return st.builds(
        codec.Partial,
        octets(1, None),
        frames(1),
    )


def final() -> st.SearchStrategy[codec.Final]:
    """Any FINAL that can be sent."""
    return st.builds(
        codec.Final,
        octets(1, None),
        frames(1),
    )


def heartbeat() -> st.SearchStrategy[codec.Heartbeat]:
    """Any HEARTBEAT that can be sent."""
    return st.just(codec.Heartbeat())


def disconnect() -> st.SearchStrategy[codec.Disconnect]:
    """Any DISCONNECT that can be sent."""
    return st.just(codec.Disconnect())


def messages() -> st.SearchStrategy[codec.Message]:
    """Any message."""
    return st.one_of(
        ready(),
        request(),
        partial(),
        final(),
        heartbeat(),
        disconnect(),
    )


EXAMPLES: tuple[codec.Message, ...] = (
    codec.Ready(
        service="abc",
    ),
    codec.Request(
        client_address=bytes(1),
        body=(b"body",),
    ),
    codec.Partial(
        client_address=bytes(1),
        body=(b"body",),
    ),
    codec.Final(
        client_address=bytes(1),
        body=(b"body",),
    ),
    codec.Heartbeat(),
    codec.Disconnect(),
)
"""One plain example of each message."""
