"""One process at each endpoint: who greets from where another was takes its place, and lies heal."""

from __future__ import annotations

import pytest

from support.zre_network import Network, Station
from support.zre_peers import Connect, Disconnect, Peer, Stage
from zwire.zre import Options
from zwire.zre.events import Entered, Left, Why
from zwire.zre.facts import Interrupted


def told(station: Station, kind: type) -> int:
    return sum(isinstance(event, kind) for event in station.events)


def whispers_arrive(network: Network, one: Station, other: Station) -> None:
    """What they whisper to each other gets there, and what only another should hear does not."""
    for source, target in ((one, other), (other, one)):
        before = len(target.heard[source.node.uuid])
        source.act(source.node.whisper(target.node.uuid, [b"to you"], network.now))
        network.run(1.0)
        assert target.heard[source.node.uuid][before:] == [b"to you"]


def interrupt(peer: Peer) -> None:
    """The link to a peer breaks, and stands again."""
    stage = peer.stage
    (link,) = (one for one in stage.node._state.peers.values() if one.uuid == peer.uuid)
    stage.do(stage.node.receive(Interrupted(link), stage.now))


def test_who_claims_the_place_of_one_whose_link_has_held_is_refused() -> None:
    stage = Stage()
    old, liar = Peer(stage, 0x20), Peer(stage, 0x21)
    old.enter()
    liar.address, liar.port = old.address, old.port
    liar.hello()
    assert stage.take() == []
    assert stage.node.statistics.greetings_refused == 1


def test_who_has_greeted_again_after_its_link_broke_is_still_there() -> None:
    stage = Stage()
    old, liar = Peer(stage, 0x20), Peer(stage, 0x21)
    old.enter()
    interrupt(old)
    stage.wait(2.0)
    old.hello()
    stage.take()
    liar.address, liar.port = old.address, old.port
    liar.hello()
    assert stage.take() == []


def test_who_greets_from_the_place_of_another_replaces_it() -> None:
    stage = Stage()
    old, new = Peer(stage, 0x20, name="old"), Peer(stage, 0x21, name="new")
    old.enter()
    interrupt(old)
    new.address, new.port = old.address, old.port
    new.hello()
    kinds = [type(one) for one in stage.effects]
    assert kinds.index(Disconnect) < kinds.index(Connect), "never two connections at one place"
    assert [(one.name, one.why) for one in stage.told(Left)] == [("old", Why.REPLACED)]
    assert [one.name for one in stage.told(Entered)] == ["new"]
    assert [one.name for one in stage.node.peers()] == ["new"]


def test_a_beacon_alone_takes_nobodys_place() -> None:
    stage = Stage()
    old, new = Peer(stage, 0x20), Peer(stage, 0x21)
    old.enter()
    new.address, new.port = old.address, old.port
    new.beacon()
    assert stage.take() == []
    assert stage.node.statistics.greetings_refused == 1
    assert [one.uuid for one in stage.node.peers()] == [old.uuid]


def test_a_beacon_takes_the_place_of_one_that_has_fallen_silent() -> None:
    stage = Stage()
    old, new = Peer(stage, 0x20), Peer(stage, 0x21)
    old.enter()
    new.address, new.port = old.address, old.port
    stage.wait(6.5)
    stage.take()
    new.beacon()
    assert [one.why for one in stage.told(Left)] == [Why.REPLACED]
    assert [one.endpoint for one in stage.of(Connect)] == [new.endpoint]


def test_of_two_that_only_sent_beacons_the_first_has_a_moment_to_answer() -> None:
    stage = Stage()
    first, second = Peer(stage, 0x20), Peer(stage, 0x21)
    second.address, second.port = first.address, first.port
    first.beacon()
    stage.take()
    second.beacon()
    assert stage.take() == []
    stage.wait(2.0)
    stage.take()
    second.beacon()
    assert [type(one) for one in stage.effects][:2] == [Disconnect, Connect]


def test_a_peer_that_moves_to_the_place_of_another_replaces_it() -> None:
    stage = Stage()
    old, new = Peer(stage, 0x20, name="old"), Peer(stage, 0x21, name="new")
    old.enter()
    new.enter()
    stage.wait(3.0)
    interrupt(old)
    new.address, new.port = old.address, old.port
    new.hello()
    assert [(one.name, one.why) for one in stage.told(Left)] == [
        ("new", Why.RESTARTED),
        ("old", Why.REPLACED),
    ]


def test_who_says_it_is_where_another_is_found_takes_nothing_from_it() -> None:
    """At the same port of two hosts, as where all nodes are given one port."""
    stage = Stage()
    old, new = Peer(stage, 0x20, name="old"), Peer(stage, 0x21, name="new")
    new.port = old.port
    old.enter()
    new.beacon()
    address, new.address = new.address, old.address
    new.hello()
    assert stage.told(Left) == []
    new.address = address
    new.say("Goodbye")
    stage.take()
    interrupt(old)
    third = Peer(stage, 0x22, name="third")
    third.address, third.port = old.address, old.port
    third.hello()
    assert [one.name for one in stage.told(Left)] == ["old"]


@pytest.mark.parametrize("pause", [0.0, 0.5, 20.0])
def test_a_node_restarted_at_its_endpoint_under_a_new_name_is_not_taken_for_the_old_one(
    pause: float,
) -> None:
    network = Network(("again", pause))
    ann, bob = network.start(1), network.start(2)
    network.run(5.0)
    network.kill(bob)
    network.run(pause)
    again = network.start(2, port=bob.port, name="again")
    network.run(3.0)
    network.check_quiet()
    assert told(ann, Left) == 1
    whispers_arrive(network, ann, again)


@pytest.mark.parametrize("found", [True, False], ids=["found by beacon", "out of the blue"])
def test_a_liar_that_claims_the_place_of_a_peer_does_not_keep_it(found: bool) -> None:
    network = Network(("liar", found))
    ann, bob = network.start(1), network.start(2)
    network.run(3.0)
    liar = network.start(9, Options(beacons=found))
    hello = liar.node._state.preferred.hello(liar.node.own, True, bob.endpoint)
    ann.act(ann.node.hear(b"\x01" + liar.node.uuid.bytes, hello, network.now))
    network.kill(liar)
    network.run(3.0)
    assert ann.present == {bob.node.uuid}
    assert bob.present == {ann.node.uuid}
    assert told(ann, Left) == 0
    whispers_arrive(network, ann, bob)


def test_a_liar_that_comes_first_does_not_keep_the_place_either() -> None:
    network = Network("first")
    ann = network.start(1)
    liar = Peer(Stage(), 0x77)
    liar.address, liar.port = "10.0.0.2", 50_002
    hello = liar.words.encode(liar.words.Hello(1, liar.endpoint, (), 0, "liar", ()))
    ann.act(ann.node.hear(b"\x01" + liar.uuid.bytes, hello, network.now))
    bob = network.start(2)
    network.run(3.0)
    network.check_quiet()
    whispers_arrive(network, ann, bob)


def test_places_are_forgotten_with_their_peers() -> None:
    stage = Stage()
    for number in range(0x20, 0x40):
        peer = Peer(stage, number)
        peer.enter()
        stage.wait(2.0)
        peer.port += 1000
        peer.hello()
        peer.say("Goodbye")
    assert stage.node._state.places == {}
