"""Messages of eMQP (client) for Hypothesis, and one example of each.

Made by `zwire generate` from emqp.md, line 26; do not edit.
"""

from __future__ import annotations

from hypothesis import strategies as st

from zwire_protocols.emqp import client as codec
from zwire_strategies.values import octets, texts


def request() -> st.SearchStrategy[codec.Request]:
    """Any REQUEST that can be sent."""
    return st.builds(
        codec.Request,
        octets(1, None),
        texts(1, None),
        octets(0, None),
        octets(0, None),
    )


def reply() -> st.SearchStrategy[codec.Reply]:
    """Any REPLY that can be sent."""
    return st.builds(
        codec.Reply,
        octets(1, None),
        octets(0, None),
    )


def messages() -> st.SearchStrategy[codec.Message]:
    """Any message."""
    return st.one_of(
        request(),
        reply(),
    )


EXAMPLES: tuple[codec.Message, ...] = (
    codec.Request(
        msgid=bytes(1),
        queue_name="abc",
        headers=bytes(1),
        msg=bytes(1),
    ),
    codec.Reply(
        msgid=bytes(1),
        msg=bytes(1),
    ),
)
"""One plain example of each message."""
