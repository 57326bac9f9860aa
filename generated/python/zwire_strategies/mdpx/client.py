"""Messages of MDPX (client) for Hypothesis, and one example of each.

Made by `zwire generate` from mdpx.md, line 28; do not edit.
"""

from __future__ import annotations

from hypothesis import strategies as st

from zwire_protocols.mdpx import client as codec
from zwire_strategies.values import frames, octets, texts


def request() -> st.SearchStrategy[codec.Request]:
    """Any REQUEST that can be sent."""
    return st.builds(
        codec.Request,
        texts(1, None),
        octets(1, None),
        frames(1),
    )


def partial() -> st.SearchStrategy[codec.Partial]:
    """Any PARTIAL that can be sent."""
    return st.builds(
        codec.Partial,
        texts(1, None),
        octets(1, None),
        frames(1),
    )


def final() -> st.SearchStrategy[codec.Final]:
    """Any FINAL that can be sent."""
    return st.builds(
        codec.Final,
        texts(1, None),
        octets(1, None),
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
        request_id=bytes(1),
        body=(b"body",),
    ),
    codec.Partial(
        service="abc",
        request_id=bytes(1),
        body=(b"body",),
    ),
    codec.Final(
        service="abc",
        request_id=bytes(1),
        body=(b"body",),
    ),
)
"""One plain example of each message."""
