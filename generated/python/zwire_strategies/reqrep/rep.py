"""Messages of REQREP (rep) for Hypothesis, and one example of each.

Made by `zwire generate` from reqrep.md, line 77; do not edit.
"""

from __future__ import annotations

from hypothesis import strategies as st

from zwire_protocols.reqrep import rep as codec
from zwire_strategies.values import frames, sendable, stacks


def request() -> st.SearchStrategy[codec.Request]:
    """Any REQUEST that can be sent."""
    return st.builds(
        codec.Request,
        stacks(),
        frames(1),
    ).filter(sendable(codec.encode))


def reply() -> st.SearchStrategy[codec.Reply]:
    """Any REPLY that can be sent."""
    return st.builds(
        codec.Reply,
        stacks(),
        frames(1),
    ).filter(sendable(codec.encode))


def messages() -> st.SearchStrategy[codec.Message]:
    """Any message."""
    return st.one_of(
        request(),
        reply(),
    )


EXAMPLES: tuple[codec.Message, ...] = (
    codec.Request(
        envelope=(b"address",),
        data=(b"body",),
    ),
    codec.Reply(
        envelope=(b"address",),
        data=(b"body",),
    ),
)
"""One plain example of each message."""
