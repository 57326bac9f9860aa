"""Many engines on a simulated network, in any weather, and the proof that it notices broken ones."""

from __future__ import annotations

import os
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.zre_lives import live
from support.zre_network import Network, Weather
from support.zre_saboteurs import SABOTEURS, Saboteur
from zwire.zre.effects import SendBeacon
from zwire.zre.events import Entered, Evasive, Left, Why

LIVES = 2_000 if os.environ.get("ZWIRE_SOAK") else 20


def test_nodes_meet_within_400_milliseconds_though_a_third_of_the_beacons_is_lost() -> None:
    took = []
    for seed in range(200):
        network = Network(seed, Weather(beacon_loss=0.3, delay=0.0005, jitter=0.002))
        one, other = network.start(1), network.start(2)
        while not (one.present and other.present):
            network.run(0.005)
        took.append(network.now)
    took.sort()
    assert took[100] < 0.06
    assert took[198] < 0.4


def test_a_mesh_of_twelve_is_complete_and_quiet() -> None:
    network = Network("mesh", Weather(beacon_loss=0.2, jitter=0.05))
    stations = [network.start(number, groups=["g"]) for number in range(1, 13)]
    network.run(3.0)
    network.check_quiet()
    sent = sum(one.sent for one in stations)
    assert sent == 12 * 11
    network.weather = Weather(jitter=0.05)
    network.run(30.0)
    assert sum(one.sent for one in stations) == sent, "PING is for silent peers"
    assert not any(isinstance(event, Evasive) for one in stations for event in one.events)


def test_a_shout_reaches_every_member_in_order() -> None:
    network = Network("shout", Weather(jitter=0.2))
    stations = [network.start(number, groups=["g"]) for number in range(1, 6)]
    network.run(3.0)
    for number in range(100):
        stations[0].act(stations[0].node.shout("g", [b"%d" % number], network.now))
    network.run(2.0)
    for station in stations[1:]:
        assert station.heard[stations[0].node.uuid] == [b"%d" % number for number in range(100)]


def test_a_partition_parts_and_healing_joins() -> None:
    network = Network("partition")
    left = [network.start(number, groups=["g"]) for number in (1, 2)]
    right = [network.start(number, groups=["h"]) for number in (3, 4)]
    network.run(3.0)
    for one in left:
        for other in right:
            network.part(one, other)
    left[0].act(left[0].node.join("new", network.now))
    network.run(40.0)
    for side in (left, right):
        for one in side:
            assert one.present == {other.node.uuid for other in side if other is not one}
    network.heal()
    network.run(5.0)
    network.check_quiet()


def test_a_short_partition_goes_unnoticed() -> None:
    network = Network("hiccup")
    one, other = network.start(1), network.start(2)
    network.run(3.0)
    network.part(one, other)
    one.act(one.node.whisper(other.node.uuid, [b"on hold"], network.now))
    network.run(4.0)
    network.heal()
    network.run(3.0)
    assert other.heard[one.node.uuid] == [b"on hold"]
    assert not any(isinstance(event, Left | Evasive) for event in one.events + other.events)


def test_a_killed_node_is_noticed_at_once_where_the_sockets_tell() -> None:
    network = Network("killed")
    stations = [network.start(number) for number in (1, 2, 3)]
    network.run(3.0)
    network.kill(stations[0], noticed=True)
    left = [event for event in stations[1].events if isinstance(event, Left)]
    assert [event.why for event in left] == [Why.VANISHED]
    network.run(3.0)
    network.check_quiet()


@pytest.mark.parametrize("same_port", [True, False])
@pytest.mark.parametrize("pause", [0.0, 0.5, 10.0, 40.0])
def test_a_node_restarted_under_its_old_name_is_entered_again(
    same_port: bool, pause: float
) -> None:
    network = Network(("restart", same_port, pause))
    ann, bob = network.start(1, groups=["a"]), network.start(2, groups=["b"])
    network.run(5.0)
    network.kill(bob)
    network.run(pause)
    port = bob.port if same_port else bob.port + 100
    again = network.start(2, uuid=bob.node.uuid, port=port, groups=["c"])
    network.run(20.0)
    network.check_quiet()
    assert sum(isinstance(event, Entered) for event in ann.events) == 2
    ann.act(ann.node.whisper(again.node.uuid, [b"welcome back"], network.now))
    again.act(again.node.whisper(ann.node.uuid, [b"thanks"], network.now))
    network.run(1.0)
    assert again.heard[ann.node.uuid] == [b"welcome back"]
    assert ann.heard[again.node.uuid] == [b"thanks"]


def test_hostile_noise_harms_no_good_peer() -> None:
    network = Network("noise")
    one, other = network.start(1, groups=["g"]), network.start(2, groups=["g"])
    network.run(3.0)
    chance = Random("hostile")
    for _ in range(5_000):
        identity = chance.randbytes(chance.choice((0, 5, 16, 17, 17, 40)))
        head = chance.choice((b"\xaa\xa1", b"\xaa\xa1\x01\x02\0\1", b""))
        frames = [head + chance.randbytes(chance.randrange(40)), b"x"][: chance.randrange(3)]
        one.act(one.node.hear(identity, frames, network.now))
        beacon = chance.choice((b"ZRE\x01", b"ZRE\x03", b"")) + chance.randbytes(
            chance.choice((18, 18, 50, 3))
        )
        effects = one.node.beacon(beacon, "6.6.6.6", network.now)
        one.act([effect for effect in effects if not isinstance(effect, SendBeacon)])
    network.run(3.0)
    assert other.node.uuid in one.present
    network.run(60.0)
    network.check_quiet()
    assert not any(isinstance(event, Left) for event in one.events + other.events)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=15)
def test_whatever_happens_the_story_makes_sense_and_ends_well(seed: int) -> None:
    live(Random(seed))


def live_often() -> None:
    for seed in range(LIVES):
        live(Random(seed))


def test_many_lives_end_well() -> None:
    live_often()


@pytest.mark.parametrize("saboteur", SABOTEURS, ids=lambda one: one.__name__)
def test_the_network_notices_an_engine_that_would(
    saboteur: Saboteur, monkeypatch: pytest.MonkeyPatch
) -> None:
    saboteur(monkeypatch)
    with pytest.raises((AssertionError, KeyError)):  # broken books may also stop the engine itself
        live_often()
