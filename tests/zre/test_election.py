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


def electorate(*numbers: int) -> tuple[Stage, list[Peer]]:
    """We are in the group, and so are these."""
    stage = Stage()
    peers = [Peer(stage, number) for number in numbers]
    for peer in peers:
        peer.groups = ["g"]
        peer.enter()
    stage.do(stage.node.join("g", stage.now))
    stage.take()
    return stage, peers


def test_the_last_words_of_an_older_election_do_not_decide_a_younger_one() -> None:
    """Three members stood one after another, and the words for the first came in after the second
    stood: each counted them as its own, and they followed different leaders ever after."""
    stage, (first, other) = electorate(0x20, 0x21)
    for peer in (other, first):
        peer.say("Elect", "g", text(first.uuid))
    first.say("Leader", "g", text(first.uuid))
    stage.do(stage.node.contest("g", stage.now))
    stage.take()
    other.say("Leader", "g", text(first.uuid))
    assert stage.take() == [], "that was about the election before"
    for peer in (first, other):
        peer.say("Elect", "g", OWN_TEXT)
    assert stage.said(first)[-1] == zre36.Leader(6, "g", OWN_TEXT)
    first.say("Leader", "g", OWN_TEXT)
    other.say("Leader", "g", text(first.uuid))
    assert stage.told(LeaderElected) == []
    other.say("Leader", "g", OWN_TEXT)
    assert stage.told(LeaderElected) == [LeaderElected("g", OWN, True)]
    stage.take()
    for peer in (first, other):
        peer.say("Leader", "g", text(first.uuid))
    stage.wait(4.9)
    assert stage.told(LeaderElected) == []
    assert stage.node.leader("g") == OWN


def test_who_hears_twice_from_one_member_still_waits_for_the_other() -> None:
    stage, (one, other) = electorate(0x20, 0x21)
    stage.do(stage.node.contest("g", stage.now))
    stage.take()
    one.say("Elect", "g", OWN_TEXT)
    one.say("Elect", "g", OWN_TEXT)
    assert stage.take() == []
    other.say("Elect", "g", OWN_TEXT)
    assert len(stage.take()) == 2


def test_nobody_stands_against_a_better_contestant() -> None:
    stage, (better, other) = electorate(0x05, 0x21)
    better.say("Elect", "g", text(better.uuid))
    stage.take()
    assert stage.node.contest("g", stage.now) == []
    better.leave("g")
    assert stage.said(other) == [zre36.Elect(4, "g", OWN_TEXT)], "but when it goes"


def test_a_leader_answers_a_contestant_that_has_not_heard_of_it() -> None:
    stage, (one, other) = electorate(0x20, 0x21)
    stage.do(stage.node.contest("g", stage.now))
    for word in ("Elect", "Leader"):
        for peer in (one, other):
            peer.say(word, "g", OWN_TEXT)
    assert stage.node.leader("g") == OWN
    stage.take()
    one.say("Elect", "g", text(one.uuid))
    assert stage.said(one) == [zre36.Elect(5, "g", OWN_TEXT)]
    assert stage.said(other) == [zre36.Elect(5, "g", OWN_TEXT)]
    assert stage.node.leader("g") == OWN


def test_a_leader_elected_again_is_not_told_again() -> None:
    stage, (one,) = electorate(0x20)
    for _ in range(2):
        stage.do(stage.node.contest("g", stage.now))
        one.say("Elect", "g", OWN_TEXT)
        one.say("Leader", "g", OWN_TEXT)
    assert stage.told(LeaderElected) == [LeaderElected("g", OWN, True)]


def test_a_leader_without_an_election_is_not_repeated_but_believed_in_the_end() -> None:
    """zyre ends itself when it hears LEADER and has not heard ELECT."""
    stage, (leader, other) = electorate(0x05, 0x21)
    leader.say("Leader", "g", text(leader.uuid))
    assert stage.take() == []
    stage.wait(4.9)
    assert stage.told(LeaderElected) == []
    stage.wait(0.2)
    assert stage.told(LeaderElected) == [LeaderElected("g", leader.uuid, False)]
    assert not any(isinstance(one, zre36.Leader | zre36.Elect) for one in stage.said(other))


def test_who_is_no_member_has_no_vote() -> None:
    stage, _ = electorate(0x20)
    stranger = Peer(stage, 0x05)
    stranger.enter()
    stranger.say("Elect", "g", text(stranger.uuid))
    stranger.say("Leader", "g", text(stranger.uuid))
    assert stage.take() == []
    stage.wait(10.0)
    assert stage.node.leader("g") is None


def test_a_newcomer_hears_whom_we_support_and_its_vote_is_waited_for() -> None:
    stage, (father, other) = electorate(0x05, 0x21)
    father.say("Elect", "g", text(father.uuid))
    stage.take()
    late = Peer(stage, 0x22)
    late.enter()
    late.join("g")
    assert stage.said(late) == [zre36.Elect(2, "g", text(father.uuid))]
    stage.take()
    other.say("Elect", "g", text(father.uuid))
    assert stage.take() == []
    late.say("Elect", "g", text(father.uuid))
    assert stage.said(father) == [zre36.Elect(3, "g", text(father.uuid))]


def test_a_contestant_that_begins_again_is_supported_again() -> None:
    stage, (father, other) = electorate(0x05, 0x21)
    for sequence in (3, 4):
        stage.take()
        father.say("Elect", "g", text(father.uuid))
        assert stage.said(other) == [zre36.Elect(sequence, "g", text(father.uuid))]
        other.say("Elect", "g", text(father.uuid))
        assert stage.said(father) == [zre36.Elect(sequence, "g", text(father.uuid))]


def test_a_group_that_nobody_contests_has_no_leader() -> None:
    network = Network("anarchy")
    for number in range(1, 4):
        network.start(number, Options(), groups=["g"])
    network.run(20.0)
    assert leaders(network) == {None}
