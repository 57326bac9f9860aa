"""Peers that somebody told us of: static ones, with or without a name, and those from gossip."""

from __future__ import annotations

import pytest

from support.zre_network import Network, Weather
from support.zre_peers import ENDPOINT, OWN, Peer, Stage
from zwire.errors import LocalError
from zwire.zre import Dialect, Options
from zwire.zre.effects import Connect, Disconnect
from zwire.zre.events import Entered, Left
from zwire.zre.facts import (
    Beaconed,
    Discovered,
    Heard,
    Reached,
    Subscribed,
    Unsent,
    Vanished,
    Withdrawn,
)
from zwire.zre.peer import Peer as Link

MUTE = Options(beacons=False)


def test_a_static_peer_is_connected_to_and_known_by_its_hello() -> None:
    stage = Stage(MUTE)
    peer = Peer(stage)
    stage.do(stage.node.discover(b"", peer.endpoint, stage.now))
    (connect,) = stage.of(Connect)
    stage.take()
    peer.hello()
    assert stage.of(Connect) == []
    assert [one.peer for one in stage.told(Entered)] == [peer.uuid]
    assert connect.peer.uuid == peer.uuid


def sought(stage: Stage, *endpoints: str) -> list[Link]:
    """The links to endpoints that are sought."""
    for endpoint in endpoints:
        stage.do(stage.node.discover(b"", endpoint, stage.now))
    links = [one.peer for one in stage.of(Connect)]
    stage.take()
    return links


def test_a_static_peer_that_was_given_by_the_name_of_its_host_is_known_by_where_the_link_ends() -> (
    None
):
    stage = Stage(MUTE)
    peer = Peer(stage)
    (link,) = sought(stage, f"tcp://bobs-host:{peer.port}")
    stage.do(stage.node.reach(link, peer.endpoint, stage.now))
    peer.hello()
    assert stage.of(Connect) == []
    assert [one.uuid for one in stage.node.peers()] == [peer.uuid]
    assert not stage.node.seeking


def test_static_peers_with_names_and_the_same_port_are_told_apart() -> None:
    stage = Stage(MUTE)
    bob, eve = Peer(stage, 0x20), Peer(stage, 0x21)
    eve.port = bob.port
    to_bob, to_eve = sought(stage, f"tcp://bobs-host:{bob.port}", f"tcp://eves-host:{bob.port}")
    stage.do(stage.node.reach(to_bob, bob.endpoint, stage.now))
    stage.do(stage.node.reach(to_eve, eve.endpoint, stage.now))
    eve.hello()
    bob.hello()
    assert stage.of(Connect) == []
    assert (to_bob.uuid, to_eve.uuid) == (bob.uuid, eve.uuid)


def test_a_static_peer_behind_a_gateway_is_known_by_where_its_hello_comes_from() -> None:
    stage = Stage(MUTE)
    peer = Peer(stage)
    (link,) = sought(stage, f"tcp://198.51.100.7:{peer.port}")
    stage.do(stage.node.reach(link, f"tcp://198.51.100.7:{peer.port}", stage.now))
    peer.hello(source="198.51.100.7")
    assert stage.of(Connect) == []
    assert link.uuid == peer.uuid


def test_somebody_else_at_the_same_port_is_not_the_static_peer() -> None:
    stage = Stage(MUTE)
    absent, other = Peer(stage, 0x20), Peer(stage, 0x21)
    other.port = absent.port
    (link,) = sought(stage, absent.endpoint)
    other.hello(source=other.address)
    assert [one.endpoint for one in stage.of(Connect)] == [other.endpoint]
    assert link.key == b""
    absent.hello(source=absent.address)
    assert link.uuid == absent.uuid
    assert len(stage.node.peers()) == 2


def test_a_link_that_ends_at_a_known_peer_is_closed_and_sought_when_that_one_leaves() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    name = f"tcp://bobs-host:{peer.port}"
    (link,) = sought(stage, name)
    stage.do(stage.node.reach(link, peer.endpoint, stage.now))
    assert [one.peer for one in stage.of(Disconnect)] == [link]
    assert [one.endpoint for one in stage.of(Connect)] == [peer.endpoint], "and the other made anew"
    assert [type(one).__name__ for one in stage.said(peer)] == ["Hello"]
    stage.take()
    for _ in range(3):
        stage.wait(10.0)
        peer.beacon()
    assert stage.of(Connect) == []
    peer.say("Goodbye")
    stage.wait(1.1)
    assert [one.endpoint for one in stage.of(Connect)] == [name]


def test_a_beacon_tells_who_is_behind_an_endpoint() -> None:
    stage = Stage()
    peer = Peer(stage)
    stage.do(stage.node.discover(b"", peer.endpoint, stage.now))
    stage.take()
    peer.beacon()
    assert stage.of(Connect) == []
    peer.hello()
    assert len(stage.node.peers()) == 1


def test_a_static_peer_that_was_met_otherwise_is_not_connected_to_twice() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    stage.do(stage.node.discover(b"", peer.endpoint, stage.now))
    stage.do(stage.node.discover(peer.uuid.bytes, "tcp://elsewhere:50099", stage.now))
    stage.wait(1.0)
    assert stage.of(Connect) == []


def test_a_stand_in_is_closed_once_its_peer_turns_out_to_be_known() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.beacon(address="192.168.0.9")
    stage.do(stage.node.discover(b"", peer.endpoint, stage.now))
    assert len(stage.of(Connect)) == 2
    stage.take()
    peer.hello()
    assert len(stage.of(Disconnect)) == 1
    assert len(stage.node.peers()) == 1
    assert not stage.node._state.unknown


def test_both_dialects_are_tried_on_an_address_that_does_not_answer() -> None:
    stage = Stage(MUTE)
    peer = Peer(stage)
    stage.do(stage.node.discover(b"", peer.endpoint, stage.now))
    stage.wait(60.0)
    lengths = [len(one.identity) for one in stage.of(Connect)]
    assert lengths[:4] == [17, 16, 17, 16]
    assert len(lengths) <= 13


def test_somebody_found_by_beacon_is_only_spoken_to_in_the_preferred_dialect() -> None:
    stage = Stage()
    Peer(stage).beacon()
    stage.wait(25.0)
    assert {len(one.identity) for one in stage.of(Connect)} == {17}


def test_a_lost_static_peer_is_sought_again_with_growing_pauses_until_it_is_withdrawn() -> None:
    stage = Stage(MUTE)
    peer = Peer(stage)
    stage.do(stage.node.discover(peer.uuid.bytes, peer.endpoint, stage.now))
    peer.hello()
    stage.take()
    peer.say("Goodbye")
    assert len(stage.told(Left)) == 1
    stage.take()
    stage.wait(1.1)
    assert len(stage.of(Connect)) == 1
    peer.hello()
    assert len(stage.told(Entered)) == 1
    peer.say("Goodbye")
    stage.take()
    stage.node.withdraw(peer.endpoint)
    stage.wait(120.0)
    assert stage.of(Connect) == []
    assert stage.node.next_deadline() is None


def test_no_more_is_sought_than_there_may_be_peers() -> None:
    stage = Stage(Options(beacons=False, max_peers=10))
    for number in range(1, 100):
        key, endpoint = bytes([number] * 16), f"tcp://10.0.9.{number}:50000"
        stage.do(stage.node.discover(key, endpoint, stage.now))
    assert len(stage.of(Connect)) == 10
    assert stage.node.statistics.greetings_refused == 89


def test_we_do_not_seek_ourselves() -> None:
    stage = Stage(MUTE)
    assert stage.node.discover(OWN.bytes, "tcp://other:1", stage.now) == []
    assert stage.node.discover(b"", ENDPOINT, stage.now) == []
    with pytest.raises(LocalError, match="no endpoint"):
        stage.node.discover(b"", "http://example", stage.now)


@pytest.mark.parametrize("dialects", [(Dialect.ZRE36,), (Dialect.ZRE20,)])
def test_two_nodes_meet_when_one_of_them_knows_an_endpoint(dialects: tuple[Dialect, ...]) -> None:
    network = Network("static")
    ann = network.start(1, MUTE)
    bob = network.start(2, Options(beacons=False, dialects=dialects))
    ann.act(ann.node.discover(b"", bob.endpoint, network.now))
    network.run(12.0)
    network.check_quiet()
    network.kill(bob)
    network.run(60.0)
    assert ann.present == set()
    bob = network.start(2, Options(beacons=False, dialects=dialects))
    network.run(60.0)
    network.check_quiet()
    sent = ann.sent
    network.run(3.0)
    assert ann.sent - sent <= 2


def test_all_who_know_one_endpoint_find_it_in_bad_weather() -> None:
    network = Network("star", Weather(delay=0.05, jitter=0.3))
    hub = network.start(1, MUTE)
    others = [network.start(number, MUTE) for number in range(2, 6)]
    for station in others:
        station.act(station.node.discover(b"", hub.endpoint, network.now))
    network.run(30.0)
    assert hub.present == {one.node.uuid for one in others}
    assert all(one.present == {hub.node.uuid} for one in others)


def test_facts_may_come_as_objects() -> None:
    stage = Stage()
    peer = Peer(stage)
    node, now = stage.node, stage.now
    connect, send = node.receive(Discovered(peer.uuid.bytes, peer.endpoint), now)
    assert isinstance(connect, Connect)
    hello = peer.words.encode(peer.words.Hello(1, peer.endpoint, (), 0, "", ()))
    assert node.receive(Heard(b"\x01" + peer.uuid.bytes, hello), now)
    assert node.receive(Beaconed(b"ZRE", peer.address), now) == ()
    assert node.receive(Reached(connect.peer, peer.endpoint), now) == []
    assert node.receive(Unsent([send]), now)  # type: ignore[list-item]
    assert node.receive(Subscribed("tcp://nobody:1"), now) == []
    assert node.receive(Withdrawn(peer.endpoint), now) == ()
    assert node.receive(Vanished(connect.peer), now)
    assert node.peers() == []
