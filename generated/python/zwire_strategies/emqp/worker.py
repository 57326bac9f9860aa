"""Messages of eMQP (worker) for Hypothesis, and one example of each.

Made by `zwire generate` from emqp.md, line 80; do not edit.
"""

from __future__ import annotations

from hypothesis import strategies as st

from zwire_protocols.emqp import worker as codec
from zwire_strategies.values import octets, texts


def inform() -> st.SearchStrategy[codec.Inform]:
    """Any INFORM that can be sent."""
    return st.builds(
        codec.Inform,
        octets(1, None),
        texts(1, None),
    )


def ready() -> st.SearchStrategy[codec.Ready]:
    """Any READY that can be sent."""
    return st.builds(
        codec.Ready,
        octets(1, None),
    )


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


def heartbeat() -> st.SearchStrategy[codec.Heartbeat]:
    """Any HEARTBEAT that can be sent."""
    return st.builds(
        codec.Heartbeat,
        octets(1, None),
    )


def disconnect() -> st.SearchStrategy[codec.Disconnect]:
    """Any DISCONNECT that can be sent."""
    return st.builds(
        codec.Disconnect,
        octets(1, None),
    )


def messages() -> st.SearchStrategy[codec.Message]:
    """Any message."""
    return st.one_of(
        inform(),
        ready(),
        request(),
        reply(),
        heartbeat(),
        disconnect(),
    )


EXAMPLES: tuple[codec.Message, ...] = (
    codec.Inform(
        msgid=bytes(1),
        queue_name="abc",
    ),
    codec.Ready(
        msgid=bytes(1),
    ),
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
    codec.Heartbeat(
        msgid=bytes(1),
    ),
    codec.Disconnect(
        msgid=bytes(1),
    ),
)
"""One plain example of each message."""
