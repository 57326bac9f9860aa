"""HELLO: who becomes a peer, what it says, and what a second one means."""

from __future__ import annotations

from typing import Any

import pytest

from support.zre_peers import ENDPOINT, OWN, Peer, Stage, uuid_of
from zwire.errors import LocalError
from zwire.zre import Dialect, Node, Options
from zwire.zre.effects import Connect, Disconnect, OpenLog, Send
from zwire.zre.events import Entered, JoinedGroup, Left, LeftGroup, Whispered, Why
from zwire_protocols.zre import messages as zre20
from zwire_protocols.zre36 import messages as zre36

BOTH = pytest.mark.parametrize("dialect", list(Dialect), ids=lambda one: one.value)


@BOTH
def test_hello_is_the_first_thing_said_and_is_number_1(dialect: Dialect) -> None:
    """ZRE-HELLO-01, ZRE-FMT-08, ZRE-NET-05a."""
    stage = Stage(Options(dialects=(dialect,)))
    peer = Peer(stage, dialect=dialect)
    peer.beacon()
    connect, send = stage.take()
    assert isinstance(connect, Connect)
    assert isinstance(send, Send)
    assert send.frames[0][:2] == b"\xaa\xa1"
    hello = peer.wire.decode(send.frames)
    assert hello.sequence == 1


def test_a_hello_of_20_zre_says_address_mailbox_groups_status_and_headers() -> None:
    """ZRE-FMT-01, ZRE-EXT-02."""
    stage = Stage(Options(dialects=(Dialect.ZRE20,)), headers={"X-ZRELOG": "tcp://10.0.0.1:50123"})
    stage.node.join("a b", stage.now)
    stage.node.join("c", stage.now)
    peer = Peer(stage, dialect=Dialect.ZRE20)
    peer.beacon()
    assert stage.said(peer) == [
        zre20.Hello(1, "10.0.0.1", 50_001, ("a b", "c"), 2, ("X-ZRELOG=tcp://10.0.0.1:50123",))
    ]


def test_a_node_without_services_has_no_headers_in_20_zre() -> None:
    """ZRE-EXT-01."""
    stage = Stage(Options(dialects=(Dialect.ZRE20,)))
    peer = Peer(stage, dialect=Dialect.ZRE20)
    peer.beacon()
    (hello,) = stage.said(peer)
    assert hello.headers == ()


def test_a_hello_of_36_zre_says_endpoint_and_name() -> None:
    stage = Stage(Options(say_wrap=False), name="ann")
    peer = Peer(stage)
    peer.beacon()
    assert stage.said(peer) == [zre36.Hello(1, ENDPOINT, (), 0, "ann", ())]


@BOTH
def test_a_peer_enters_by_its_hello_with_name_headers_and_groups(dialect: Dialect) -> None:
    stage = Stage()
    peer = Peer(stage, dialect=dialect, name="bob")
    peer.headers = {"X-FILEMQ": "tcp://10.0.0.32:51000", "colour": "red"}
    peer.groups = ["a", "b"]
    peer.beacon()
    assert stage.told(Entered) == []
    peer.hello()
    name = "bob" if dialect is Dialect.ZRE36 else ""
    entered = Entered(peer.uuid, name, peer.endpoint, peer.headers, dialect)
    assert stage.events() == [
        entered,
        JoinedGroup(peer.uuid, name, "a"),
        JoinedGroup(peer.uuid, name, "b"),
    ]
    assert stage.node.peer_groups() == {"a": [peer.uuid], "b": [peer.uuid]}
    assert stage.node.services() == {"X-FILEMQ": {peer.uuid: "tcp://10.0.0.32:51000"}}
    found = stage.node.find_peer(peer.uuid)
    assert found is not None
    assert (found.name, found.dialect, found.groups) == (name, dialect, ("a", "b"))


@BOTH
def test_a_hello_without_any_beacon_makes_a_peer_that_is_dialled_and_greeted(
    dialect: Dialect,
) -> None:
    """ZRE-NET-11, ZRE-HELLO-03."""
    stage = Stage()
    peer = Peer(stage, dialect=dialect)
    peer.hello()
    (connect,) = stage.of(Connect)
    assert connect.endpoint == peer.endpoint
    assert connect.identity == peer.wire.identity(OWN.bytes)
    assert [type(one).__name__ for one in stage.said(peer)] == ["Hello"]
    assert len(stage.told(Entered)) == 1


@BOTH
def test_what_comes_before_hello_is_ignored(dialect: Dialect) -> None:
    """ZRE-HELLO-02."""
    stage = Stage()
    peer = Peer(stage, dialect=dialect)
    peer.beacon()
    stage.take()
    content = (b"too early",) if dialect is Dialect.ZRE36 else b"too early"
    peer.say("Whisper", content)
    peer.say("Join", "g", 1)
    assert stage.take() == []
    peer.hello()
    peer.say("Whisper", content)
    assert [one.content for one in stage.told(Whispered)] == [(b"too early",)]
    assert stage.node.peer_groups() == {}


@pytest.mark.parametrize(
    "frames",
    [
        [],
        [b""],
        [b"\xaa"],
        [b"\xaa\xa1"],
        [b"GET / HTTP/1.1"],
        [b"\xaa\xa2\x01\x02\0\1"],
        [b"", b""],
    ],
)
@pytest.mark.parametrize("identity", [16, 17, 5, 0, 255])
def test_what_is_no_message_is_discarded_silently(frames: list[bytes], identity: int) -> None:
    """ZRE-SIG-02."""
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    peer.raw(frames)
    peer.raw(frames, identity=b"\x77" * identity)
    assert stage.take() == []
    assert stage.node.statistics.messages_malformed == 2
    assert len(stage.node.peers()) == 1


def test_a_peer_that_connects_under_our_own_uuid_is_not_met() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.uuid = OWN
    peer.hello()
    assert stage.take() == []
    assert stage.node.statistics.messages_own == 1


@pytest.mark.parametrize("endpoint", ["", "tcp://:1", "tcp://a", "tcp://a:0", "tcp://a:99999", "x"])
def test_a_hello_that_names_no_place_to_answer_to_is_refused(endpoint: str) -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.raw(zre36.encode(zre36.Hello(1, endpoint, (), 0, "", ())))
    assert stage.take() == []
    assert stage.node.statistics.greetings_refused == 1


def test_a_hello_must_be_number_1() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.raw(zre36.encode(zre36.Hello(2, peer.endpoint, (), 0, "", ())))
    assert stage.take() == []


@BOTH
def test_a_second_hello_is_a_restarted_peer(dialect: Dialect) -> None:
    stage = Stage()
    peer = Peer(stage, dialect=dialect, name="bob")
    peer.groups, peer.headers = ["old"], {"colour": "red"}
    peer.enter()
    stage.wait(3.0)
    stage.take()
    peer.groups, peer.headers, peer.status = ["new"], {"colour": "blue"}, 7
    peer.hello()
    kinds = [type(one) for one in stage.events()]
    assert kinds == [Left, Entered, JoinedGroup]
    assert stage.told(Left)[0].why is Why.RESTARTED
    assert stage.node.peer_groups() == {"new": [peer.uuid]}
    (connect,) = stage.of(Connect)
    assert connect.endpoint == peer.endpoint
    assert [type(one).__name__ for one in stage.said(peer)] == ["Hello"]
    stage.take()
    peer.say("Ping")
    assert [type(one).__name__ for one in stage.said(peer)] == ["PingOk"]
    assert stage.said(peer)[0].sequence == 2


def test_a_peer_restarted_on_another_port_is_dialled_there() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    stage.wait(3.0)
    stage.take()
    peer.port += 1000
    peer.hello()
    (connect,) = stage.of(Connect)
    assert connect.endpoint == peer.endpoint


def test_a_hello_right_after_ours_answers_it_and_starts_no_quarrel() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.groups = ["a"]
    peer.enter()
    stage.wait(3.0)
    peer.hello()
    assert [type(one) for one in stage.events()] == [Left, Entered, JoinedGroup]
    stage.take()
    stage.now += 0.2
    peer.groups = ["b"]
    peer.hello()
    assert [type(one) for one in stage.events()] == [LeftGroup, JoinedGroup]
    assert stage.of(Connect) == []
    assert stage.of(Send) == []
    stage.take()
    peer.hello()
    assert len(stage.told(Left)) == 1, "one answer is enough"


def test_who_greeted_first_and_greets_again_at_once_was_restarted() -> None:
    """Ours was the answer already, and who has lost us shall not wait for another."""
    stage = Stage()
    peer = Peer(stage)
    peer.hello()
    stage.take()
    stage.now += 0.2
    peer.hello()
    assert [type(one) for one in stage.events()] == [Left, Entered]
    assert [type(one).__name__ for one in stage.said(peer)] == ["Hello"]


def test_two_engines_never_greet_each_other_for_ever() -> None:
    """Each HELLO is fed to the other at once; the exchange must come to an end."""
    ann = Node(uuid_of(1), "tcp://10.0.0.1:50001", Options(beacons=False))
    bob = Node(uuid_of(2), "tcp://10.0.0.2:50002", Options(beacons=False))
    ann.start(0.0)
    bob.start(0.0)
    frames = zre36.encode(zre36.Hello(1, "tcp://10.0.0.2:50002", (), 0, "", ()))
    for now in (0.0, 50.0):
        pending = [(ann, b"\x01" + bob.uuid.bytes, frames)]
        for _ in range(10):
            if not pending:
                break
            node, identity, message = pending.pop()
            other = bob if node is ann else ann
            for effect in node.hear(identity, message, now):
                if isinstance(effect, Send):
                    pending.append((other, b"\x01" + node.uuid.bytes, effect.frames))
        assert not pending


def test_a_peer_that_does_not_answer_our_greeting_is_greeted_again_and_then_forgotten() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.beacon()
    stage.take()
    stage.wait(5.0)
    assert len(stage.of(Connect)) == 1
    stage.wait(26.0)
    assert len(stage.of(Disconnect)) == 1
    assert stage.events() == []
    stage.take()
    peer.beacon()
    assert len(stage.of(Connect)) == 1


def test_peers_are_bounded_and_those_that_never_greeted_make_room() -> None:
    stage = Stage(Options(max_peers=2))
    good, silent, third, fourth = (Peer(stage, number) for number in (0x20, 0x21, 0x22, 0x23))
    good.enter()
    silent.beacon()
    stage.take()
    third.hello()
    assert [one.peer.key for one in stage.of(Disconnect)] == [silent.uuid.bytes]
    stage.take()
    fourth.hello()
    assert stage.take() == []
    assert {one.uuid for one in stage.node.peers()} == {good.uuid, third.uuid}
    assert stage.node.statistics.greetings_refused == 1


def test_in_a_flood_of_beacons_each_name_has_a_moment_to_answer_and_who_speaks_comes_first() -> (
    None
):
    stage = Stage(Options(max_peers=2))
    names = [Peer(stage, number) for number in range(0x20, 0x25)]
    for one in names:
        one.beacon()
    assert [one.peer.key for one in stage.of(Connect)] == [one.uuid.bytes for one in names[:2]]
    assert stage.of(Disconnect) == []
    stage.take()
    names[4].hello()
    assert [one.peer.key for one in stage.of(Disconnect)] == [names[0].uuid.bytes]
    stage.wait(1.0)
    stage.take()
    names[3].beacon()
    assert [one.peer.key for one in stage.of(Disconnect)] == [names[1].uuid.bytes]


def test_a_node_refuses_to_be_what_its_hello_cannot_say() -> None:
    with pytest.raises(LocalError, match="zero octet"):
        Node(uuid_of(0), ENDPOINT)
    Node(uuid_of(0), ENDPOINT, Options(dialects=(Dialect.ZRE36,)))
    with pytest.raises(LocalError, match="HELLO"):
        Node(OWN, ENDPOINT, headers={"long": "x" * 300})
    with pytest.raises(LocalError, match="HELLO"):
        Node(OWN, ENDPOINT, name="bell\a")
    node = Node(OWN, ENDPOINT)
    with pytest.raises(LocalError, match="HELLO"):
        node.set_header("long", "x" * 300)
    assert node.own.headers == {}
    node.set_header("short", "x")
    assert node.own.headers == {"short": "x"}


def test_headers_that_others_would_read_otherwise_are_refused() -> None:
    node = Node(OWN, ENDPOINT)
    for name in ("X-PUBLICKEY", "X-SEQUENCE-WRAP"):
        with pytest.raises(LocalError, match="nodes write themselves"):
            node.set_header(name, "x")
    with pytest.raises(LocalError, match="ends at the first ="):
        Node(OWN, ENDPOINT, headers={"a=b": "c"})
    Node(OWN, ENDPOINT, Options(dialects=(Dialect.ZRE36,)), headers={"a=b": "c"})


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"dialects": ()}, "dialects: expected at least one"),
        ({"wrap": 7}, "wrap: expected 65536, 65535 or None, got 7"),
        ({"public_key": b"short"}, "public_key: expected 32 octets, got 5"),
        ({"beacon_every": 0.0}, "beacon_every: expected more than 0 seconds, got 0.0"),
        ({"expired_after": float("nan")}, "expired_after: expected more than 0"),
        ({"max_peers": 0, "settle": -1.0}, "settle: .*; max_peers: expected at least 1, got 0"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises(LocalError, match=told):
        Options(**options)


@pytest.mark.parametrize(
    "endpoint",
    [
        "tcp://a-name-to-be-looked-up:50000",
        "ipc:///run/somebodys.socket",
        "inproc://zap",
        "tcp://0.0.0.0:50000",
        "tcp://[::]:50000",
        "tcp://224.0.0.1:50000",
        ENDPOINT,
    ],
)
def test_a_stranger_cannot_have_us_look_up_names_or_reach_into_this_host(endpoint: str) -> None:
    stage = Stage()
    hello = zre36.Hello(1, endpoint, (), 0, "stranger", (("X-ZRELOG", endpoint),))
    Peer(stage).raw(zre36.encode(hello))
    assert stage.take() == []
    assert stage.node.statistics.greetings_refused == 1


def test_a_peer_found_by_beacon_that_names_a_host_is_spoken_to_where_it_was_found() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.beacon()
    hello = zre36.Hello(
        1, "tcp://its-name:50000", (), 0, "bob", (("X-ZRELOG", "tcp://its-name:1"),)
    )
    peer.raw(zre36.encode(hello))
    assert [one.endpoint for one in stage.of(Connect)] == [peer.endpoint]
    assert [one.endpoint for one in stage.told(Entered)] == [peer.endpoint]
    assert stage.of(OpenLog) == []
