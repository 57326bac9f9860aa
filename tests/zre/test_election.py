"""Elections of 36/ZRE: one leader for a group, whoever comes and goes."""

from __future__ import annotations

from uuid import UUID

import pytest

from support.zre_network import Network, Station, Weather
from support.zre_peers import OWN, Peer, Stage, uuid_of
from zwire.zre import Dialect, Options
from zwire.zre.events import LeaderElected
from zwire_protocols.zre36 import messages as zre36

OWN_TEXT = OWN.hex.upper()


def text(uuid: UUID) -> str:
    return uuid.hex.upper()


def contest(network: Network, *stations: Station) -> None:
    for station in stations:
        station.act(station.node.contest("g", network.now))


def leaders(network: Network) -> set[UUID | None]:
    return {station.node.leader("g") for station in network.stations}


def test_a_contestant_proposes_itself_when_a_peer_joins() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    stage.do(stage.node.join("g", stage.now))
    assert stage.node.contest("g", stage.now) == []
    stage.take()
    peer.join("g")
    assert stage.said(peer) == [zre36.Elect(3, "g", OWN_TEXT)]


def test_a_proposal_that_comes_back_from_everybody_has_won() -> None:
    stage = Stage()
    one, other = Peer(stage, 0x20), Peer(stage, 0x21)
    for peer in (one, other):
        peer.groups = ["g"]
        peer.enter()
    stage.do(stage.node.join("g", stage.now))
    stage.do(stage.node.contest("g", stage.now))
    one.say("Elect", "g", OWN_TEXT)
    stage.take()
    other.say("Elect", "g", OWN_TEXT)
    assert stage.said(one) == [zre36.Leader(4, "g", OWN_TEXT)]
    assert stage.told(LeaderElected) == []
    one.say("Leader", "g", OWN_TEXT)
    other.say("Leader", "g", OWN_TEXT)
    assert stage.told(LeaderElected) == [LeaderElected("g", OWN, True)]
    assert stage.node.leader("g") == OWN


def test_a_better_proposal_is_taken_over_passed_on_and_echoed() -> None:
    stage = Stage()
    father, other = Peer(stage, 0x05), Peer(stage, 0x21)
    for peer in (father, other):
        peer.groups = ["g"]
        peer.enter()
    stage.do(stage.node.join("g", stage.now))
    stage.do(stage.node.contest("g", stage.now))
    stage.take()
    father.say("Elect", "g", text(father.uuid))
    assert stage.said(other) == [zre36.Elect(4, "g", text(father.uuid))]
    assert stage.said(father) == []
    stage.take()
    other.say("Elect", "g", text(other.uuid))
    assert stage.take() == [], "a worse one is ignored"
    other.say("Elect", "g", text(father.uuid))
    assert stage.said(father) == [zre36.Elect(4, "g", text(father.uuid))]
    stage.take()
    father.say("Leader", "g", text(father.uuid))
    assert stage.said(other) == [zre36.Leader(5, "g", text(father.uuid))]
    other.say("Leader", "g", text(father.uuid))
    assert stage.told(LeaderElected) == [LeaderElected("g", father.uuid, False)]


def test_who_is_not_in_the_group_takes_no_part() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.groups = ["g"]
    peer.enter()
    peer.say("Elect", "g", text(peer.uuid))
    peer.say("Leader", "g", text(peer.uuid))
    assert stage.take() == []


@pytest.mark.parametrize("nonsense", ["", "x", "00" * 15, "zz" * 16, " " * 32])
def test_who_is_no_node_cannot_lead(nonsense: str) -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.groups = ["g"]
    peer.enter()
    stage.do(stage.node.join("g", stage.now))
    stage.take()
    peer.say("Elect", "g", nonsense)
    peer.say("Leader", "g", nonsense)
    assert stage.take() == []


def test_peers_of_20_zre_do_not_count() -> None:
    stage = Stage()
    new, old = Peer(stage, 0x20), Peer(stage, 0x21, Dialect.ZRE20)
    for peer in (new, old):
        peer.groups = ["g"]
        peer.enter()
    stage.do(stage.node.join("g", stage.now))
    stage.do(stage.node.contest("g", stage.now))
    stage.take()
    new.say("Elect", "g", OWN_TEXT)
    new.say("Leader", "g", OWN_TEXT)
    assert len(stage.told(LeaderElected)) == 1
    assert stage.said(old) == []


def test_a_contestant_whom_nobody_outbids_leads_after_the_patience() -> None:
    stage = Stage()
    peer = Peer(stage, 0x20)
    peer.groups = ["g"]
    peer.enter()
    stage.do(stage.node.join("g", stage.now))
    stage.do(stage.node.contest("g", stage.now))
    stage.take()
    stage.wait(5.1)
    said = [one for one in stage.said(peer) if not isinstance(one, zre36.Ping)]
    assert [type(one).__name__ for one in said] == ["Elect", "Leader"]
    assert stage.told(LeaderElected) == [LeaderElected("g", OWN, True)]
    stage.take()
    peer.say("Leader", "g", OWN_TEXT)
    assert stage.take() == [], "it is not told a second time"


def test_an_election_without_a_result_is_forgotten_by_those_who_do_not_stand() -> None:
    stage = Stage()
    peer = Peer(stage, 0x20)
    peer.groups = ["g"]
    peer.enter()
    stage.do(stage.node.join("g", stage.now))
    peer.say("Elect", "g", text(uuid_of(3)))
    for _ in range(6):
        stage.wait(1.0)
        peer.beacon()
    assert stage.told(LeaderElected) == []
    assert stage.node.leader("g") is None


@pytest.mark.parametrize("seed", range(40))
def test_all_members_agree_whatever_the_weather_and_the_order_of_joining(seed: int) -> None:
    network = Network(seed, Weather(delay=0.001, jitter=0.2))
    stations = [network.start(number) for number in range(1, 6)]
    network.run(3.0)
    contest(network, *network.chance.sample(stations, 3))
    network.chance.shuffle(stations)
    for station in stations:
        station.act(station.node.join("g", network.now))
        network.run(network.chance.random())
    network.run(15.0)
    network.check_quiet()
    assert len(leaders(network)) == 1
    (leader,) = leaders(network)
    assert leader is not None
    assert leader in {station.node.uuid for station in network.stations}


@pytest.mark.parametrize("politely", [True, False])
def test_when_the_leader_goes_the_others_elect_another(politely: bool) -> None:
    network = Network("succession")
    stations = [network.start(number, groups=["g"]) for number in range(1, 5)]
    network.run(2.0)
    contest(network, *stations)
    network.run(10.0)
    assert leaders(network) == {stations[0].node.uuid}
    if politely:
        network.stop(stations[0])
    else:
        network.kill(stations[0])
    network.run(60.0)
    assert leaders(network) == {stations[1].node.uuid}
    stations[1].act(stations[1].node.leave("g", network.now))
    network.run(10.0)
    assert stations[1].node.leader("g") is None
    assert {stations[2].node.leader("g"), stations[3].node.leader("g")} == {stations[2].node.uuid}


def test_a_group_that_nobody_contests_has_no_leader() -> None:
    network = Network("anarchy")
    for number in range(1, 4):
        network.start(number, Options(), groups=["g"])
    network.run(20.0)
    assert leaders(network) == {None}
