"""Messages of ZGOSSIP (messages) for Hypothesis, and one example of each.

Made by `zwire generate` from zgossip.md, line 7; do not edit.
"""

from __future__ import annotations

from hypothesis import strategies as st

from zwire_protocols.zgossip import messages as codec
from zwire_strategies.values import numbers, texts


def hello() -> st.SearchStrategy[codec.Hello]:
    """Any HELLO that can be sent."""
    return st.just(codec.Hello())


def publish() -> st.SearchStrategy[codec.Publish]:
    """Any PUBLISH that can be sent."""
    return st.builds(
        codec.Publish,
        texts(0, 255),
        texts(0, 4294967295),
        numbers(0, 4294967295),
    )


def ping() -> st.SearchStrategy[codec.Ping]:
    """Any PING that can be sent."""
    return st.just(codec.Ping())


def pong() -> st.SearchStrategy[codec.Pong]:
    """Any PONG that can be sent."""
    return st.just(codec.Pong())


def invalid() -> st.SearchStrategy[codec.Invalid]:
    """Any INVALID that can be sent."""
    return st.just(codec.Invalid())


def messages() -> st.SearchStrategy[codec.Message]:
    """Any message."""
    return st.one_of(
        hello(),
        publish(),
        ping(),
        pong(),
        invalid(),
    )


EXAMPLES: tuple[codec.Message, ...] = (
    codec.Hello(),
    codec.Publish(
        key="abc",
        value="abc",
        ttl=1,
    ),
    codec.Ping(),
    codec.Pong(),
    codec.Invalid(),
)
"""One plain example of each message."""
