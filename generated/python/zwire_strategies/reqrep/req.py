"""Messages of REQREP (req) for Hypothesis, and one example of each.

Made by `zwire generate` from reqrep.md, line 35; do not edit.
"""

from __future__ import annotations

from hypothesis import strategies as st

from zwire_protocols.reqrep import req as codec
from zwire_strategies.values import frames


def request() -> st.SearchStrategy[codec.Request]:
    """Any REQUEST that can be sent."""
    return st.builds(
        codec.Request,
        frames(1),
    )


def reply() -> st.SearchStrategy[codec.Reply]:
    """Any REPLY that can be sent."""
    return st.builds(
        codec.Reply,
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
        data=(b"body",),
    ),
    codec.Reply(
        data=(b"body",),
    ),
)
"""One plain example of each message."""
