"""Beacons that tell nothing new: they are taken the quick way, and count as much as any other."""

from __future__ import annotations

from support.zre_peers import Peer, Stage, beacon
from zwire.zre.discovery import MAX_FAMILIAR
from zwire.zre.events import Evasive, Left
from zwire.zre.peer import Alert


def known_by_beacon(stage: Stage) -> tuple[Peer, bytes]:
    """A peer that has entered and was heard once, and the beacon that it repeats."""
    peer = Peer(stage)
    peer.enter()
    peer.beacon()
    stage.take()
    return peer, beacon(peer.uuid, peer.port)


def test_a_beacon_that_is_known_by_heart_keeps_its_peer_alive() -> None:
    stage = Stage()
    peer, octets = known_by_beacon(stage)
    before = stage.node.statistics.beacons_heard
    for _ in range(40):
        stage.now += 1.0
        assert stage.node.overhear(octets, peer.address, stage.now)
        stage.do(stage.node.tick(stage.now))
    assert not stage.told(Evasive)
    assert not stage.told(Left)
    assert stage.node.statistics.beacons_heard == before + 40


def test_what_is_new_is_not_taken_the_quick_way() -> None:
    stage = Stage()
    peer, octets = known_by_beacon(stage)
    overhear, now = stage.node.overhear, stage.now
    assert not overhear(octets, "10.9.9.9", now)
    assert not overhear(beacon(peer.uuid, 0), peer.address, now)
    assert not overhear(beacon(peer.uuid, peer.port + 1), peer.address, now)
    assert not overhear(b"ZRE", peer.address, now)


def test_a_quiet_peer_that_is_heard_again_is_calm_again() -> None:
    stage = Stage()
    peer, octets = known_by_beacon(stage)
    stage.wait(6.5)
    (known,) = stage.node.peers()
    assert known.alert is Alert.EVASIVE
    assert not stage.node.overhear(octets, peer.address, stage.now)
    peer.beacon()
    (known,) = stage.node.peers()
    assert known.alert is Alert.CALM
    assert stage.node.overhear(octets, peer.address, stage.now)


def test_a_peer_that_left_is_not_known_by_heart_any_more() -> None:
    stage = Stage()
    peer, octets = known_by_beacon(stage)
    peer.say("Goodbye")
    assert stage.told(Left)
    assert not stage.node.overhear(octets, peer.address, stage.now)
    assert not stage.node._state.familiar


def test_forged_beacons_cannot_fill_the_memory() -> None:
    stage = Stage()
    peer, octets = known_by_beacon(stage)
    for port in range(1, 1000):
        peer.beacon(port=port)
    assert len(stage.node._state.familiar) == MAX_FAMILIAR
    assert stage.node.overhear(octets, peer.address, stage.now)


def test_our_own_beacon_is_known_by_heart_too() -> None:
    stage = Stage()
    own = stage.node.own
    port = int(own.endpoint.rpartition(":")[2])
    octets = beacon(stage.node.uuid, port)
    assert stage.node.overhear(octets, "10.0.0.1", stage.now)
    assert stage.node.statistics.beacons_own == 1
