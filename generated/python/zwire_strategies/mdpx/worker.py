"""Messages of MDPX (worker) for Hypothesis, and one example of each.

Made by `zwire generate` from mdpx.md, line 94; do not edit.
"""

from __future__ import annotations

from hypothesis import strategies as st

from zwire_protocols.mdpx import worker as codec
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
        octets(1, None),
        frames(1),
    )


def partial() -> st.SearchStrategy[codec.Partial]:
    """Any PARTIAL that can be sent."""
    return st.builds(
        codec.Partial,
        octets(1, None),
        octets(1, None),
        frames(1),
    )


def final() -> st.SearchStrategy[codec.Final]:
    """Any FINAL that can be sent."""
    return st.builds(
        codec.Final,
        octets(1, None),
        octets(1, None),
        frames(1),
    )


def ping() -> st.SearchStrategy[codec.Ping]:
    """Any PING that can be sent."""
    return st.just(codec.Ping())


def pong() -> st.SearchStrategy[codec.Pong]:
    """Any PONG that can be sent."""
    return st.just(codec.Pong())


def disconnect() -> st.SearchStrategy[codec.Disconnect]:
    """Any DISCONNECT that can be sent."""
    return st.just(codec.Disconnect())


def disconnect_mdpw02() -> st.SearchStrategy[codec.DisconnectMdpw02]:
    """Any DISCONNECT-MDPW02 that can be sent."""
    return st.just(codec.DisconnectMdpw02())


def messages() -> st.SearchStrategy[codec.Message]:
    """Any message."""
    return st.one_of(
        ready(),
        request(),
        partial(),
        final(),
        ping(),
        pong(),
        disconnect(),
        disconnect_mdpw02(),
    )


EXAMPLES: tuple[codec.Message, ...] = (
    codec.Ready(
        service="abc",
    ),
    codec.Request(
        client_address=bytes(1),
        request_id=bytes(1),
        body=(b"body",),
    ),
    codec.Partial(
        client_address=bytes(1),
        request_id=bytes(1),
        body=(b"body",),
    ),
    codec.Final(
        client_address=bytes(1),
        request_id=bytes(1),
        body=(b"body",),
    ),
    codec.Ping(),
    codec.Pong(),
    codec.Disconnect(),
    codec.DisconnectMdpw02(),
)
"""One plain example of each message."""
