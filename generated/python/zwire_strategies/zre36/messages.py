"""Messages of 36/ZRE (messages) for Hypothesis, and one example of each.

Made by `zwire generate` from zre36.md, line 22; do not edit.
"""

from __future__ import annotations

from hypothesis import strategies as st

from zwire_protocols.zre36 import messages as codec
from zwire_strategies.values import frames, numbers, texts, tuples_of


def hello() -> st.SearchStrategy[codec.Hello]:
    """Any HELLO that can be sent."""
    return st.builds(
        codec.Hello,
        numbers(0, 65535),
        texts(0, 255),
        tuples_of(texts(0, 4294967295)),
        numbers(0, 255),
        texts(0, 255),
        tuples_of(st.tuples(texts(0, 255), texts(0, 4294967295))),
    )


def whisper() -> st.SearchStrategy[codec.Whisper]:
    """Any WHISPER that can be sent."""
    return st.builds(
        codec.Whisper,
        numbers(0, 65535),
        frames(0),
    )


def shout() -> st.SearchStrategy[codec.Shout]:
    """Any SHOUT that can be sent."""
    return st.builds(
        codec.Shout,
        numbers(0, 65535),
        texts(0, 255),
        frames(0),
    )


def join() -> st.SearchStrategy[codec.Join]:
    """Any JOIN that can be sent."""
    return st.builds(
        codec.Join,
        numbers(0, 65535),
        texts(0, 255),
        numbers(0, 255),
    )


def leave() -> st.SearchStrategy[codec.Leave]:
    """Any LEAVE that can be sent."""
    return st.builds(
        codec.Leave,
        numbers(0, 65535),
        texts(0, 255),
        numbers(0, 255),
    )


def ping() -> st.SearchStrategy[codec.Ping]:
    """Any PING that can be sent."""
    return st.builds(
        codec.Ping,
        numbers(0, 65535),
    )


def ping_ok() -> st.SearchStrategy[codec.PingOk]:
    """Any PING-OK that can be sent."""
    return st.builds(
        codec.PingOk,
        numbers(0, 65535),
    )


def elect() -> st.SearchStrategy[codec.Elect]:
    """Any ELECT that can be sent."""
    return st.builds(
        codec.Elect,
        numbers(0, 65535),
        texts(0, 255),
        texts(0, 255),
    )


def leader() -> st.SearchStrategy[codec.Leader]:
    """Any LEADER that can be sent."""
    return st.builds(
        codec.Leader,
        numbers(0, 65535),
        texts(0, 255),
        texts(0, 255),
    )


def goodbye() -> st.SearchStrategy[codec.Goodbye]:
    """Any GOODBYE that can be sent."""
    return st.builds(
        codec.Goodbye,
        numbers(0, 65535),
    )


def messages() -> st.SearchStrategy[codec.Message]:
    """Any message."""
    return st.one_of(
        hello(),
        whisper(),
        shout(),
        join(),
        leave(),
        ping(),
        ping_ok(),
        elect(),
        leader(),
        goodbye(),
    )


EXAMPLES: tuple[codec.Message, ...] = (
    codec.Hello(
        sequence=1,
        endpoint="abc",
        groups=("abc",),
        status=1,
        name="abc",
        headers=(("name", "value"),),
    ),
    codec.Whisper(
        sequence=1,
        content=(b"body",),
    ),
    codec.Shout(
        sequence=1,
        group="abc",
        content=(b"body",),
    ),
    codec.Join(
        sequence=1,
        group="abc",
        status=1,
    ),
    codec.Leave(
        sequence=1,
        group="abc",
        status=1,
    ),
    codec.Ping(
        sequence=1,
    ),
    codec.PingOk(
        sequence=1,
    ),
    codec.Elect(
        sequence=1,
        group="abc",
        challenger_id="abc",
    ),
    codec.Leader(
        sequence=1,
        group="abc",
        leader_id="abc",
    ),
    codec.Goodbye(
        sequence=1,
    ),
)
"""One plain example of each message."""
