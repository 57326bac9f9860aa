"""Messages of ZRE (messages) for Hypothesis, and one example of each.

Made by `zwire generate` from zre.md, line 24; do not edit.
"""

from __future__ import annotations

from hypothesis import strategies as st

from zwire_protocols.zre import messages as codec
from zwire_strategies.values import numbers, octets, texts, tuples_of


def hello() -> st.SearchStrategy[codec.Hello]:
    """Any HELLO that can be sent."""
    return st.builds(
        codec.Hello,
        numbers(0, 65535),
        texts(0, 255),
        numbers(0, 65535),
        tuples_of(texts(0, 255)),
        numbers(0, 255),
        tuples_of(texts(0, 255)),
    )


def whisper() -> st.SearchStrategy[codec.Whisper]:
    """Any WHISPER that can be sent."""
    return st.builds(
        codec.Whisper,
        numbers(0, 65535),
        octets(0, None),
    )


def shout() -> st.SearchStrategy[codec.Shout]:
    """Any SHOUT that can be sent."""
    return st.builds(
        codec.Shout,
        numbers(0, 65535),
        texts(0, 255),
        octets(0, None),
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
    )


EXAMPLES: tuple[codec.Message, ...] = (
    codec.Hello(
        sequence=1,
        ipaddress="abc",
        mailbox=1,
        groups=("abc",),
        status=1,
        headers=("name=value",),
    ),
    codec.Whisper(
        sequence=1,
        content=bytes(1),
    ),
    codec.Shout(
        sequence=1,
        group="abc",
        content=bytes(1),
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
)
"""One plain example of each message."""
