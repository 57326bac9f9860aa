"""Clauses of 20/ZRE about beacons: a node that runs, and plain UDP sockets around it."""

from __future__ import annotations

import logging
import time
from random import Random

import pytest

from support.nodes import Gathering, broadcast, counted
from support.raw import eventually
from support.zre_raw import BOTH, ONLY20, Raw20, Tap
from zwire.io.zre_node import Node
from zwire.zre import Options
from zwire.zre.events import Entered
from zwire_protocols.zre import messages as zre20

pytestmark = pytest.mark.process


def heard(node: Node) -> int:
    """How many beacons of others a node took notice of, good and bad."""
    counts = node.statistics()
    return counts["beacons_heard"] + counts["beacons_malformed"] + counts["beacons_foreign"]


@pytest.mark.clause("ZRE-DISC-01", "ZRE-DISC-03")
@pytest.mark.parametrize("options", [ONLY20, BOTH], ids=["20", "both"])
def test_one_beacon_of_a_stranger_is_enough_to_be_greeted(
    here: Gathering, options: Options
) -> None:
    ann = here.node("ann", options=options)
    stranger = Raw20(here, 1)
    assert not stranger.mailbox.waiting()
    stranger.beacon()
    identity, *frames = stranger.hear_octets()
    assert identity[-16:] == ann.node.uuid.bytes
    assert frames[0][:2] == b"\xaa\xa1"
    stranger.beacon()
    stranger.beacon()
    eventually(lambda: heard(ann.node) == 3, "all beacons were heard")
    assert len(stranger.mailbox.drain()) == 0, "a known node is no new peer"


@pytest.mark.clause("ZRE-DISC-02")
def test_a_node_sends_its_beacon_again_and_again(here: Gathering) -> None:
    tap = Tap(here)
    begun = time.monotonic()
    options = Options(beacon_starts=(0.0,), beacon_every=0.2)
    ann = here.node("ann", options=options)
    beacons = [tap.hear(ann.node.uuid) for _ in range(6)]
    assert time.monotonic() - begun >= 5 * 0.2
    assert len(set(beacons)) == 1
    assert Options().beacon_every == 1.0


@pytest.mark.clause("ZRE-BCN-01", "ZRE-BCN-02", "ZRE-BCN-03", "ZRE-NET-02")
@pytest.mark.parametrize("options", [ONLY20, BOTH], ids=["20", "both"])
def test_a_beacon_is_letters_version_uuid_and_the_port_of_the_mailbox(
    here: Gathering, options: Options
) -> None:
    tap = Tap(here)
    ann = here.node("ann", options=options)
    octets = tap.hear(ann.node.uuid)
    assert octets[:4] == bytes([0x5A, 0x52, 0x45, 0x01])
    assert octets[4:20] == ann.node.uuid.bytes
    assert len(octets) == 22
    high, low = octets[20:]
    assert ann.node.endpoint.endswith(f":{256 * high + low}")
    # Somebody takes messages there.
    peer = Raw20(here, 1)
    peer.dealer.connect(f"tcp://127.0.0.1:{256 * high + low}")
    peer.say("Hello", peer.host, peer.port, (), 0, ())
    ann.wait_for(Entered, peer=peer.uuid)


def bad_beacons(uuid: bytes, port: bytes) -> list[bytes]:
    """One good beacon, made bad in every way."""
    good = b"ZRE\x01" + uuid + port
    chance = Random("beacons")
    bad = [b"", b"Z", b"ZRE\x01", good[:-1], good + b"\0", good * 2, good[:20] + b"\0\0"]
    bad += [good[:3] + bytes([version]) + good[4:] for version in (0, 2, 3, 9, 255)]
    bad += [b"ZRF" + good[3:], b"zre" + good[3:], b"\0" * 22, good[::-1]]
    for _ in range(150):
        place = chance.randrange(4)
        octet = bytes([chance.choice([one for one in range(256) if one != good[place]])])
        bad.append(good[:place] + octet + good[place + 1 :])
    bad += [good[: chance.randrange(22)] for _ in range(20)]
    return bad


@pytest.mark.clause("ZRE-BCN-02", "ZRE-BCN-04", "ZRE-BCN-05")
def test_of_many_beacons_only_the_valid_one_makes_a_peer(here: Gathering) -> None:
    ann = here.node("ann", options=ONLY20)
    victim, good = Raw20(here, 1), Raw20(here, 2)
    bad = bad_beacons(victim.uuid.bytes, victim.port.to_bytes(2, "big"))
    for number, octets in enumerate(bad, 1):
        broadcast(octets, here.port)
        if number % 20 == 0:
            eventually(lambda due=number: heard(ann.node) >= due, "they were read")  # type: ignore[misc]
    good.beacon()
    assert isinstance(good.hear(), zre20.Hello)
    counts = ann.node.statistics()
    assert counts["beacons_malformed"] + counts["beacons_foreign"] == len(bad)
    assert counts["beacons_heard"] == 1
    assert counts["messages_sent"] == 1, "only the good one was sent anything"
    assert victim.mailbox.drain() == []


@pytest.mark.clause("ZRE-BCN-06")
def test_the_sender_of_an_invalid_beacon_can_be_found_in_the_log(
    here: Gathering, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, "zwire.node"):
        ann = here.node("ann")
        broadcast(b"ZRE\x01 too short", here.port, "127.0.0.7")
        counted(ann.node, "beacons_malformed", 1)
        eventually(lambda: "127.0.0.7" in caplog.text, "its address is logged")


@pytest.mark.clause("ZRE-BCN-07")
def test_a_node_does_not_meet_itself(here: Gathering) -> None:
    tap = Tap(here)
    ann = here.node("ann")
    octets = tap.hear(ann.node.uuid)
    broadcast(octets, here.port, "127.0.0.7")
    other = Raw20(here, 1)
    other.beacon()
    counted(ann.node, "beacons_heard", 1)
    counts = ann.node.statistics()
    assert counts["beacons_own"] >= 1
    assert (counts["messages_sent"], counts["messages_own"]) == (1, 0), "to the other"
    assert ann.node.peers() == []
