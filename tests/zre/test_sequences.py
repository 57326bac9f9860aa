"""Numbers: gaps, both places to wrap, and how each is learned."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from support.zre_peers import Peer, Stage
from zwire.zre import Dialect, Options
from zwire.zre.effects import Connect, Disconnect, Send
from zwire.zre.events import Entered, Left, Warning, Whispered, Why
from zwire_protocols.zre36 import messages as zre36

BOTH = pytest.mark.parametrize("dialect", list(Dialect), ids=lambda one: one.value)


def numbers(stage: Stage, peer: Peer, first: int, count: int) -> list[int]:
    """Whisper from a number on, and see which numbers were used."""
    stage.node._state.peers[peer.uuid.bytes].sent = first - 1
    stage.take()
    for _ in range(count):
        stage.do(stage.node.whisper(peer.uuid, [b"x"], stage.now))
    return [peer.wire.sequence(one.frames[0]) for one in stage.of(Send)]


def hear_numbers(stage: Stage, peer: Peer, sequence: Sequence[int]) -> list[Whispered]:
    """The peer whispers under these numbers, having got as far as the first already."""
    stage.node._state.peers[peer.uuid.bytes].heard = sequence[0]
    stage.take()
    for number in sequence[1:]:
        content = (b"x",) if peer.dialect is Dialect.ZRE36 else b"x"
        peer.raw(peer.words.encode(peer.words.Whisper(number, content)))
    return stage.told(Whispered)


@BOTH
@pytest.mark.parametrize("wrong", [2, 0, 4, 65535])
def test_a_gap_drops_the_peer_with_an_event(dialect: Dialect, wrong: int) -> None:
    stage = Stage()
    peer = Peer(stage, dialect=dialect)
    peer.enter()
    peer.say("PingOk")
    peer.raw(peer.words.encode(peer.words.Ping(wrong)))
    assert [one.why for one in stage.told(Left)] == [Why.MESSAGES_LOST]
    assert len(stage.told(Warning)) == 1
    assert len(stage.of(Disconnect)) == 1
    assert stage.said(peer) == []
    assert stage.node.statistics.gaps == 1


def test_after_a_gap_the_next_beacon_begins_anew() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    peer.raw(zre36.encode(zre36.Ping(9)))
    stage.take()
    peer.say("Whisper", (b"still on the old link",))
    assert stage.take() == []
    peer.beacon()
    peer.hello()
    assert [type(one) for one in stage.events()] == [Entered]
    assert len(stage.of(Connect)) == 1


def test_20_zre_counts_to_65535_and_then_0() -> None:
    """ZRE-FMT-08."""
    stage = Stage()
    peer = Peer(stage, dialect=Dialect.ZRE20)
    peer.enter()
    assert numbers(stage, peer, 65533, 5) == [65533, 65534, 65535, 0, 1]
    assert len(hear_numbers(stage, peer, [65533, 65534, 65535, 0, 1])) == 4


def test_20_zre_does_not_wrap_early() -> None:
    stage = Stage()
    peer = Peer(stage, dialect=Dialect.ZRE20)
    peer.enter()
    assert hear_numbers(stage, peer, [65534, 0]) == []
    assert len(stage.told(Left)) == 1


@pytest.mark.parametrize(
    ("heard", "used"),
    [
        ([65533, 65534, 65535, 0, 1], [65533, 65534, 65535, 0, 1]),
        ([65533, 65534, 0, 1], [65533, 65534, 0, 1]),
        ([65534, 65535], [65533, 65534, 65535, 0, 1]),
    ],
)
def test_36_zre_wraps_where_the_peer_wrapped(heard: list[int], used: list[int]) -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    assert len(hear_numbers(stage, peer, heard)) == len(heard) - 1
    assert numbers(stage, peer, 65533, len(used)) == used
    assert stage.node.statistics.renumbered == 0


@pytest.mark.parametrize("wrap", [65536, 65535])
def test_before_that_an_option_decides(wrap: int) -> None:
    stage = Stage(Options(wrap=wrap))
    peer = Peer(stage)
    peer.enter()
    expected = [65534, 65535, 0, 1] if wrap == 65536 else [65534, 0, 1, 2]
    assert numbers(stage, peer, 65534, 4) == expected


def test_what_the_peer_did_counts_more_than_the_option() -> None:
    stage = Stage(Options(wrap=65536))
    peer = Peer(stage)
    peer.enter()
    hear_numbers(stage, peer, [65534, 0])
    assert numbers(stage, peer, 65534, 2) == [65534, 0]


def test_while_nobody_knows_numbers_begin_anew_with_a_hello_on_the_same_connection() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    assert numbers(stage, peer, 65533, 4) == [65533, 65534, 1, 2, 3]
    kinds = [type(one).__name__ for one in stage.said(peer)]
    assert kinds == ["Whisper", "Whisper", "Hello", "Whisper", "Whisper"]
    assert stage.of(Connect) == []
    assert stage.node.statistics.renumbered == 1


def test_the_answer_to_such_a_hello_is_no_restart() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    numbers(stage, peer, 65534, 2)
    stage.take()
    stage.now += 4.0
    peer.hello()
    assert stage.take() == []
    peer.say("Whisper", (b"x",))
    assert len(stage.told(Whispered)) == 1


@pytest.mark.parametrize("last", [65534, 65535])
def test_a_hello_where_numbers_wrap_is_no_restart_and_is_answered_in_kind(last: int) -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.groups = ["g"]
    peer.enter()
    stage.now += 4.0
    hear_numbers(stage, peer, [last])
    peer.hello()
    assert stage.events() == []
    assert stage.of(Connect) == []
    assert [type(one).__name__ for one in stage.said(peer)] == ["Hello"]
    stage.take()
    peer.say("Whisper", (b"x",))
    assert len(stage.told(Whispered)) == 1


def test_a_node_of_our_kind_says_that_it_takes_either_wrap() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.beacon()
    (hello,) = stage.said(peer)
    assert hello.headers_view == {"X-SEQUENCE-WRAP": "65536"}
    peer.headers = {"X-SEQUENCE-WRAP": "65536", "colour": "red"}
    peer.hello()
    assert [dict(one.headers) for one in stage.told(Entered)] == [{"colour": "red"}]
    assert numbers(stage, peer, 65534, 3) == [65534, 65535, 0]


def test_a_group_joined_just_where_numbers_begin_anew_is_told_once() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    stage.node._state.peers[peer.uuid.bytes].sent = 65534
    stage.do(stage.node.join("g", stage.now))
    assert [type(one).__name__ for one in stage.said(peer)] == ["Hello"]
    assert stage.said(peer)[0].groups == ("g",)
    stage.take()
    stage.do(stage.node.leave("g", stage.now))
    assert stage.said(peer) == [zre36.Leave(2, "g", 2)]


@BOTH
def test_seventy_thousand_messages_each_way_keep_their_order(dialect: Dialect) -> None:
    """ZRE-FMT-08."""
    stage = Stage()
    peer = Peer(stage, dialect=dialect)
    peer.headers = {"X-SEQUENCE-WRAP": "65536"} if dialect is Dialect.ZRE36 else {}
    peer.enter()
    expected, heard = 1, 0
    content = (b"x",) if dialect is Dialect.ZRE36 else b"x"
    for _ in range(70_000):
        (send,) = stage.node.whisper(peer.uuid, [b"x"], stage.now)
        assert isinstance(send, Send)
        expected = (expected + 1) % 65536
        assert peer.wire.sequence(send.frames[0]) == expected
        peer.say("Whisper", content)
        heard += len(stage.take())
    assert heard == 70_000
