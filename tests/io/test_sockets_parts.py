"""The small parts around sockets: endpoints and envelopes."""

from __future__ import annotations

import pytest

from zwire.io.endpoints import Endpoint, is_loopback, read_endpoint
from zwire.io.envelopes import close_envelope, dealer_to_rep, open_envelope, rep_to_dealer
from zwire.io.errors import BadEndpoint, Malformed, NotSendable


@pytest.mark.parametrize(
    "endpoint",
    [
        "tcp://127.0.0.1:5555",
        "tcp://127.8.9.10:*",
        "tcp://localhost:5555",
        "tcp://lo:5555",
        "tcp://[::1]:5555",
        "tcp://[::ffff:127.0.0.1]:5555",
        "ipc:///run/zwire",
        "inproc://here",
    ],
)
def test_what_only_this_machine_can_reach_is_loopback(endpoint: str) -> None:
    assert is_loopback(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        "tcp://*:5555",
        "tcp://0.0.0.0:5555",
        "tcp://[::]:5555",
        "tcp://eth0:5555",
        "tcp://192.0.2.1:5555",
        "tcp://[2001:db8::1%eth0]:5555",
        "tcp://example.org:5555",
        "udp://127.0.0.1:5555",
        "nonsense",
        "",
    ],
)
def test_what_others_may_reach_or_nobody_understands_is_not_loopback(endpoint: str) -> None:
    assert not is_loopback(endpoint)


def test_an_endpoint_is_bound_unless_it_says_connect() -> None:
    assert read_endpoint("tcp://*:5555") == Endpoint("tcp://*:5555")
    assert read_endpoint("connect:tcp://host:5555") == Endpoint("tcp://host:5555", connects=True)
    assert str(read_endpoint("connect:ipc:///run/x")) == "connect:ipc:///run/x"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5555",
        "tcp://",
        "tcp://host",
        "tcp://:5555",
        "tcp://host:port",
        "tcp://host:65536",
        "connect:tcp://host:*",
        "http://host:80",
        "ipc://",
    ],
)
def test_what_is_no_endpoint_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(BadEndpoint, match="tcp://host:port"):
        read_endpoint(text)


def test_an_envelope_ends_at_its_first_empty_frame() -> None:
    opened = open_envelope([b"a", b"b", b"", b"data", b"", b"more"])
    assert opened.addresses == (b"a", b"b")
    assert opened.data == [b"data", b"", b"more"]
    assert close_envelope(*opened) == [b"a", b"b", b"", b"data", b"", b"more"]


@pytest.mark.parametrize("frames", [[], [b"a"], [b""], [b"a", b"b", b""]])
def test_an_envelope_without_delimiter_or_data_is_malformed(frames: list[bytes]) -> None:
    with pytest.raises(Malformed) as caught:
        open_envelope(frames)
    assert caught.value.frames == tuple(frames)


def test_nothing_is_put_in_an_envelope_that_would_come_out_otherwise() -> None:
    with pytest.raises(NotSendable, match="nothing in it"):
        close_envelope([b"a"], [])
    with pytest.raises(NotSendable, match="empty address"):
        close_envelope([b"a", b""], [b"data"])


def test_the_delimiter_between_dealer_and_rep_is_added_and_taken_off() -> None:
    assert dealer_to_rep([b"x", b""]) == [b"", b"x", b""]
    assert rep_to_dealer([b"", b"x", b""]) == [b"x", b""]
