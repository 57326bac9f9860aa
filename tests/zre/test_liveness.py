"""Silence: who is asked, who is evasive, silent, gone, and who is left in peace."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.zre_network import Network
from support.zre_peers import Peer, Stage
from zwire.zre import Alert, Dialect, Options
from zwire.zre.effects import Connect, Disconnect, Send
from zwire.zre.events import Entered, Evasive, Left, Silent, Why

BOTH = pytest.mark.parametrize("dialect", list(Dialect), ids=lambda one: one.value)


@BOTH
def test_a_silent_peer_is_pinged_then_evasive_then_silent_then_gone(dialect: Dialect) -> None:
    """ZRE-PING-01, ZRE-PING-02, ZRE-NET-06a."""
    stage = Stage()
    peer = Peer(stage, dialect=dialect)
    peer.enter()
    stage.wait(4.9)
    assert stage.events() == []
    assert stage.said(peer) == []
    stage.wait(0.2)
    assert stage.events() == [], "it may answer"
    assert [type(one).__name__ for one in stage.said(peer)] == ["Ping"]
    stage.wait(1.0)
    assert [type(one) for one in stage.events()] == [Evasive]
    assert stage.node.peers()[0].alert is Alert.EVASIVE
    stage.wait(4.0)
    assert [type(one) for one in stage.events()] == [Evasive, Silent]
    stage.wait(19.8)
    assert stage.told(Left) == []
    assert 2 <= len(stage.said(peer)) <= 6
    stage.wait(0.2)
    assert [one.why for one in stage.told(Left)] == [Why.EXPIRED]
    assert len(stage.of(Disconnect)) == 1
    assert stage.node.peers() == []


def test_the_times_are_options() -> None:
    stage = Stage(Options(evasive_after=0.5, silent_after=1.0, expired_after=2.0))
    Peer(stage).enter()
    stage.wait(0.9)
    assert stage.told(Evasive) == []
    stage.wait(0.2)
    assert len(stage.told(Evasive)) == 1
    stage.wait(1.0)
    assert len(stage.told(Left)) == 1


@BOTH
def test_whoever_answers_is_asked_again_and_again_but_never_suspected(dialect: Dialect) -> None:
    """Static peers and those from gossip may have no beacons, and nothing to say."""
    stage = Stage(Options(beacons=False))
    peer = Peer(stage, dialect=dialect)
    peer.hello()
    stage.take()
    asked = 0
    for _ in range(1200):
        stage.wait(0.05)
        if len(stage.said(peer)) > asked:
            asked = len(stage.said(peer))
            peer.say("PingOk")
    assert 10 <= asked <= 12
    assert stage.events() == []


def test_two_nodes_without_beacons_and_with_nothing_to_say_are_calm() -> None:
    network = Network("calm")
    ann, bob = (network.start(number, Options(beacons=False)) for number in (1, 2))
    ann.act(ann.node.discover(b"", bob.endpoint, network.now))
    network.run(120.0)
    network.check_quiet()
    assert [type(event) for event in ann.events + bob.events] == [Entered, Entered]


@BOTH
def test_whoever_sends_beacons_is_never_pinged(dialect: Dialect) -> None:
    """ZRE-PING-03."""
    stage = Stage()
    peer = Peer(stage, dialect=dialect)
    peer.enter()
    for _ in range(60):
        stage.wait(1.0)
        peer.beacon()
    assert stage.said(peer) == []
    assert stage.events() == []


@BOTH
def test_whoever_speaks_is_never_pinged(dialect: Dialect) -> None:
    """ZRE-PING-03."""
    stage = Stage()
    peer = Peer(stage, dialect=dialect)
    peer.enter()
    for _ in range(20):
        stage.wait(3.0)
        peer.say("PingOk")
    assert stage.said(peer) == []
    assert stage.events() == []


def test_any_sign_of_life_takes_the_suspicion_back() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    signs: list[Callable[[], None]] = [lambda: peer.say("PingOk"), peer.beacon]
    for sign in signs:
        stage.wait(12.0)
        assert stage.node.peers()[0].alert is Alert.SILENT
        sign()
        assert stage.node.peers()[0].alert is Alert.CALM
        stage.wait(4.0)
        assert stage.node.peers()[0].alert is Alert.CALM
        sign()
    assert stage.told(Left) == []
    assert len(stage.told(Evasive)) == 2


@BOTH
def test_a_ping_is_answered_over_our_own_link(dialect: Dialect) -> None:
    """ZRE-PINGOK-01."""
    stage = Stage()
    peer = Peer(stage, dialect=dialect)
    peer.enter()
    peer.say("Ping")
    peer.say("Ping")
    answers = stage.said(peer)
    assert [type(one).__name__ for one in answers] == ["PingOk", "PingOk"]
    assert [one.sequence for one in answers] == [2, 3]


def test_garbage_is_no_sign_of_life() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    for _ in range(29):
        stage.wait(1.0)
        peer.raw([b"\xaa\xa1garbage"])
    stage.wait(2.0)
    assert len(stage.told(Left)) == 1


def test_a_peer_whose_process_is_gone_leaves_at_once_and_may_return() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.beacon()
    (connect,) = stage.of(Connect)
    peer.hello()
    stage.take()
    stage.do(stage.node.vanish(connect.peer, stage.now))
    assert [one.why for one in stage.told(Left)] == [Why.VANISHED]
    assert stage.node.vanish(connect.peer, stage.now) == []
    stage.take()
    peer.enter()
    assert len(stage.node.peers()) == 1


def test_a_peer_that_was_only_seen_vanishes_without_a_word() -> None:
    stage = Stage()
    Peer(stage).beacon()
    (connect,) = stage.of(Connect)
    stage.take()
    stage.do(stage.node.vanish(connect.peer, stage.now))
    assert [type(one) for one in stage.take()] == [Disconnect]


def test_a_late_tick_judges_nobody_before_the_sockets_are_empty() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    stage.now += 60.0
    stage.do(stage.node.tick(stage.now, drained=False))
    assert stage.events() == []
    peer.say("PingOk")
    stage.do(stage.node.tick(stage.now))
    assert stage.events() == []
    assert stage.of(Send) == []


def test_a_peer_that_returns_is_entered_again_cleanly() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.groups = ["g"]
    for _ in range(3):
        peer.beacon()
        peer.hello()
        stage.wait(31.0)
    assert [type(one) for one in stage.events() if isinstance(one, Entered | Left)] == [
        Entered,
        Left,
    ] * 3
    assert stage.node.peer_groups() == {}
    assert stage.node.statistics.peers_entered == stage.node.statistics.peers_left == 3


def test_ten_thousand_comings_and_goings_leave_nothing_behind() -> None:
    stage = Stage()
    for number in range(10_000):
        peer = Peer(stage, 0x20 + number % 200)
        peer.groups = ["g"]
        peer.hello()
        peer.say("Goodbye")
        stage.take()
    state = stage.node._state
    left = (state.peers, state.by_identity, state.groups, state.unknown, state.congested)
    assert [len(one) for one in left] == [0] * 5
