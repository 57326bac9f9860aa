"""Stories of the client's words in every dialect: requests out, replies in."""

from __future__ import annotations

import pytest

from zwire.core.asking import Ask
from zwire.dialects.asking import CLIENT_DIALECTS, Heard
from zwire.dialects.headers import read_headers, write_headers
from zwire.errors import LocalError, RemoteError

SAID = {
    "mdpx": [b"MDXC01", b"\x01", b"echo", b"id", b"hello"],
    "mdp01": [b"", b"MDPC01", b"echo", b"hello"],
    "mdp02": [b"MDPC02", b"\x01", b"echo", b"hello"],
    "emqp": [b"", b"eMQP/1.0", b"REQUEST", b"id", b"echo", b"", b"hello"],
    "ppp": [b"id", b"", b"hello"],
}
FINAL = {
    "mdpx": [b"MDXC01", b"\x03", b"echo", b"id", b"hello"],
    "mdp01": [b"", b"MDPC01", b"echo", b"hello"],
    "mdp02": [b"MDPC02", b"\x03", b"echo", b"hello"],
    "emqp": [b"", b"eMQP/1.0", b"REPLY", b"id", b"hello"],
    "ppp": [b"id", b"", b"hello"],
}
every_dialect = pytest.mark.parametrize("name", CLIENT_DIALECTS)


def ask(*body: bytes, envelope: tuple[bytes, ...] = ()) -> Ask:
    return Ask(b"id", b"echo", body, envelope, 0.0, 1.0, 1.0)


@every_dialect
def test_a_request_is_said_in_the_words_of_the_dialect(name: str) -> None:
    assert CLIENT_DIALECTS[name].request(ask(b"hello")) == SAID[name]


@every_dialect
def test_a_final_reply_is_heard_with_its_id_where_there_is_one(name: str) -> None:
    heard = CLIENT_DIALECTS[name].hear(FINAL[name])
    expected = b"id" if CLIENT_DIALECTS[name].pipelines else None
    assert (heard.request_id, list(heard.body), heard.final) == (expected, [b"hello"], True)


@pytest.mark.parametrize(
    ("name", "frames", "request_id"),
    [
        ("mdpx", [b"MDXC01", b"\x02", b"echo", b"id", b"part"], b"id"),
        ("mdp02", [b"MDPC02", b"\x02", b"echo", b"part"], None),
    ],
)
def test_a_partial_reply_is_told_from_a_final_one(
    name: str, frames: list[bytes], request_id: bytes | None
) -> None:
    assert CLIENT_DIALECTS[name].hear(frames) == Heard(request_id, [b"part"], False)


@every_dialect
def test_what_is_no_reply_is_refused(name: str) -> None:
    good = FINAL[name]
    damaged = [
        [],
        [b"nonsense"],
        good[:-1],
        [b"", *good],
        *([*good[:place], b"other", *good[place + 1 :]] for place in range(2) if name != "ppp"),
    ]
    for frames in damaged:
        with pytest.raises(RemoteError):
            CLIENT_DIALECTS[name].hear(frames)


@pytest.mark.parametrize("name", ["mdpx", "emqp"])
def test_a_reply_with_an_empty_id_is_refused(name: str) -> None:
    frames = [b"" if frame == b"id" else frame for frame in FINAL[name]]
    with pytest.raises(RemoteError):
        CLIENT_DIALECTS[name].hear(frames)


@pytest.mark.parametrize("name", ["mdpx", "mdp01", "mdp02", "emqp"])
@pytest.mark.parametrize("service", ["", "two\nlines", "\x00"])
def test_a_service_has_a_printable_name(name: str, service: str) -> None:
    with pytest.raises(LocalError, match="printable"):
        CLIENT_DIALECTS[name].check(service, [b"x"])


@every_dialect
def test_a_body_has_at_least_one_frame(name: str) -> None:
    with pytest.raises(LocalError):
        CLIENT_DIALECTS[name].check("echo", [])
    CLIENT_DIALECTS[name].check("echo", [b""])


def test_emqp_carries_exactly_one_frame_and_headers_beside_it() -> None:
    emqp = CLIENT_DIALECTS["emqp"]
    with pytest.raises(LocalError, match="exactly one frame"):
        emqp.check("echo", [b"one", b"two"])
    assert emqp.request(ask(b"x", envelope=(b"to:ann",)))[5] == b"to:ann"


def test_headers_written_are_headers_read() -> None:
    headers = {"to": "ann", "flag": "", "when": "12:30"}
    assert write_headers(headers) == b"to:ann,flag,when:12:30"
    assert read_headers(write_headers(headers)) == headers
    assert read_headers(write_headers({})) == {}


def test_headers_of_others_are_trimmed_and_the_first_of_a_name_counts() -> None:
    assert read_headers(b" a : 1 ,, a:2,:3,b") == {"a": "1", "b": ""}
    assert read_headers(b"\xff:1") == {"�": "1"}


@pytest.mark.parametrize(
    "headers", [{"": "x"}, {"a:b": "x"}, {"a": "x,y"}, {"a,b": ""}, {" a": "x"}, {"a": "x\n"}]
)
def test_headers_that_would_read_back_otherwise_are_refused(headers: dict[str, str]) -> None:
    with pytest.raises(LocalError, match="a header is"):
        write_headers(headers)
