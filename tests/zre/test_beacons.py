"""Beacons: when ours go out and what they say, and what becomes of those of others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.zre_peers import OWN, Peer, Stage, beacon, uuid_of
from zwire.zre import Dialect, Node, Options
from zwire.zre.effects import Connect, Disconnect, SendBeacon
from zwire.zre.events import Entered, Left, Whispered, Why
from zwire.zre.keys import z85_decode, z85_encode


def times_of_beacons(options: Options, seconds: float) -> list[float]:
    node = Node(OWN, "tcp://10.0.0.1:49153", options)
    found, now = [], 0.0
    effects = node.start(now)
    while now <= seconds:
        found += [now] * sum(isinstance(one, SendBeacon) for one in effects)
        due = node.next_deadline()
        assert due is not None
        now = due
        effects = node.tick(now)
    return found


def test_a_beacon_is_zre_version_1_uuid_and_port() -> None:
    """ZRE-BCN-01, -02, -03, ZRE-NET-02."""
    node = Node(OWN, "tcp://10.0.0.1:49153")
    (sent,) = node.start(0.0)
    assert isinstance(sent, SendBeacon)
    assert sent.octets == b"ZRE\x01" + OWN.bytes + b"\xc0\x01"


def test_the_first_beacons_come_in_quick_succession_and_then_one_a_second() -> None:
    """ZRE-DISC-02."""
    found = times_of_beacons(Options(), 4.0)
    assert found == pytest.approx([0, 0.05, 0.1, 0.2, 0.3, 1.3, 2.3, 3.3])


def test_the_period_is_an_option_and_may_be_switched_off() -> None:
    found = times_of_beacons(Options(beacon_every=0.25, beacon_starts=(0.0,)), 1.0)
    assert found == pytest.approx([0, 0.25, 0.5, 0.75, 1.0])
    assert Node(OWN, "tcp://10.0.0.1:49153", Options(beacons=False)).start(0.0) == []


def test_a_node_that_slept_sends_one_beacon_and_not_all_it_missed() -> None:
    node = Node(OWN, "tcp://10.0.0.1:49153")
    node.start(0.0)
    assert len(node.tick(60.0)) == 1
    assert node.tick(60.0) == []
    assert node.next_deadline() == pytest.approx(61.0)


def test_a_beacon_of_an_unknown_node_makes_it_a_peer() -> None:
    """ZRE-DISC-03, ZRE-NET-05."""
    stage = Stage()
    peer = Peer(stage)
    peer.beacon()
    (connect,) = stage.of(Connect)
    assert connect.endpoint == peer.endpoint
    assert connect.identity == b"\x01" + OWN.bytes
    assert [type(one).__name__ for one in stage.said(peer)] == ["Hello"]
    stage.take()
    peer.beacon()
    assert stage.take() == []


@pytest.mark.parametrize(
    ("octets", "counter"),
    [
        (b"", "beacons_malformed"),
        (b"ZRE", "beacons_malformed"),
        (beacon(uuid_of(9), 50_000)[:21], "beacons_malformed"),
        (beacon(uuid_of(9), 50_000) + b"x", "beacons_malformed"),
        (b"ZRF\x01" + uuid_of(9).bytes + b"\xc0\x01", "beacons_malformed"),
        (beacon(uuid_of(9), 0), "beacons_malformed"),
        (beacon(uuid_of(9), 50_000, version=9), "beacons_foreign"),
        (beacon(uuid_of(9), 50_000, version=3, key=bytes(32)), "beacons_foreign"),
        (beacon(OWN, 50_001), "beacons_own"),
    ],
)
def test_what_is_no_beacon_for_us_is_dropped_silently_and_counted(
    octets: bytes, counter: str
) -> None:
    """ZRE-BCN-02, -05, -07."""
    stage = Stage()
    assert stage.node.beacon(octets, "10.0.0.9", stage.now) == ()
    assert stage.node.statistics.as_dict()[counter] == 1
    assert stage.node.peers() == []


@given(octets=st.binary(max_size=60), place=st.integers(0, 21), octet=st.integers(0, 255))
def test_only_valid_beacons_make_peers(octets: bytes, place: int, octet: int) -> None:
    """ZRE-BCN-04."""
    good = bytearray(beacon(uuid_of(9), 50_000))
    good[place] = octet
    for datagram in (octets, bytes(good)):
        stage = Stage()
        effects = stage.node.beacon(datagram, "10.0.0.9", stage.now)
        valid = len(datagram) == 22 and datagram[:4] == b"ZRE\x01" and datagram[20:] != b"\0\0"
        assert bool(effects) == (valid and datagram[4:20] != OWN.bytes)


def test_port_0_is_a_goodbye_of_a_36_peer() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    peer.beacon(port=0)
    stage.wait(0.2)
    assert [one.why for one in stage.told(Left)] == [Why.GOODBYE]
    assert len(stage.of(Disconnect)) == 1


def test_a_goodbye_that_overtook_the_last_messages_waits_for_them() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    peer.beacon(port=0)
    stage.now += 0.05
    peer.say("Whisper", (b"one more thing",))
    stage.now += 0.1
    stage.do(stage.node.tick(stage.now, drained=False))
    assert stage.told(Left) == [], "there may be more in the mailbox"
    stage.wait(1.0)
    assert [type(one) for one in stage.events()] == [Whispered, Left]


def test_who_is_back_before_its_goodbye_is_believed_stays() -> None:
    """A node that is stopped and started again at once, under the same UUID."""
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    stage.wait(3.0)
    peer.beacon(port=0)
    stage.now += 0.05
    peer.hello()
    assert [type(one) for one in stage.events()] == [Left, Entered], "it was restarted"
    stage.take()
    stage.wait(3.0)
    assert stage.told(Left) == []
    assert len(stage.node.peers()) == 1


def test_port_0_is_nothing_from_a_20_peer() -> None:
    """ZRE-BCN-04."""
    stage = Stage()
    peer = Peer(stage, dialect=Dialect.ZRE20)
    peer.enter()
    peer.beacon(port=0)
    stage.wait(0.2)
    assert stage.events() == []
    assert len(stage.node.peers()) == 1


def test_nobody_says_goodbye_for_another() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    peer.beacon(port=0, address="10.9.9.9")
    stage.wait(0.2)
    assert stage.events() == []
    assert len(stage.node.peers()) == 1


def test_who_has_sent_beacons_in_a_peers_name_cannot_say_its_goodbye_either() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    peer.beacon(address="10.0.0.66")
    peer.beacon(port=0, address="10.0.0.66")
    stage.wait(0.2)
    assert stage.told(Left) == []
    peer.beacon(port=0)
    stage.wait(0.2)
    assert [one.why for one in stage.told(Left)] == [Why.GOODBYE]


def test_a_node_that_stops_says_goodbye_by_beacon_and_by_message() -> None:
    stage = Stage()
    new, old = Peer(stage, 0x20), Peer(stage, 0x21, Dialect.ZRE20)
    new.enter()
    old.enter()
    stage.do(stage.node.stop(stage.now))
    assert [one.octets for one in stage.of(SendBeacon)] == [beacon(OWN, 0)]
    assert [type(one).__name__ for one in stage.said(new)] == ["Goodbye"]
    assert stage.said(old) == []
    assert [one.linger for one in stage.of(Disconnect)] == [True, True]
    assert stage.node.next_deadline() is None
    assert stage.node.tick(stage.now + 100) == ()


def test_a_node_of_20_zre_alone_stops_without_a_beacon_of_port_0() -> None:
    stage = Stage(Options(dialects=(Dialect.ZRE20,)))
    assert stage.node.stop(stage.now) == []


def test_under_curve_only_version_3_counts_and_the_key_is_used() -> None:
    ours, theirs = bytes(range(32)), bytes(range(32, 64))
    stage = Stage(Options(public_key=ours))
    stage.wait(1.5)
    sent, *_ = stage.of(SendBeacon)
    assert sent.octets == beacon(OWN, 50_001, version=3, key=ours)
    stage.take()
    peer = Peer(stage)
    peer.beacon()
    assert stage.take() == []
    octets = beacon(peer.uuid, peer.port, version=3, key=theirs)
    stage.do(stage.node.beacon(octets, peer.address, stage.now))
    (connect,) = stage.of(Connect)
    assert connect.server_key == theirs
    (hello,) = stage.said(peer)
    assert hello.headers_view["X-PUBLICKEY"] == z85_encode(ours)


def test_under_curve_a_hello_without_a_key_is_refused() -> None:
    stage = Stage(Options(public_key=bytes(range(32))))
    peer = Peer(stage)
    peer.hello()
    assert stage.take() == []
    assert stage.node.statistics.greetings_refused == 1
    peer.headers["X-PUBLICKEY"] = z85_encode(bytes(32))
    peer.hello()
    assert [one.server_key for one in stage.of(Connect)] == [bytes(32)]
    assert [dict(one.headers) for one in stage.node.peers()] == [{}]


@given(st.binary(min_size=32, max_size=32))
def test_keys_survive_being_written(key: bytes) -> None:
    assert z85_decode(z85_encode(key)) == key


@pytest.mark.parametrize("text", ["", "x" * 39, "~" * 40, "#" * 40])
def test_what_is_no_key_is_none(text: str) -> None:
    assert z85_decode(text) == b""


def test_the_known_example_of_z85() -> None:
    octets = bytes.fromhex("864fd26fb559f75b")
    assert z85_encode(octets) == "HelloWorld"


def test_a_node_that_starts_on_a_busy_host_still_sends_its_quick_beacons() -> None:
    node = Node(OWN, "tcp://10.0.0.1:49153")
    node.start(0.0)
    held_up = 0.17  # the one that was due at 0.05
    assert len(node.tick(held_up)) == 1
    found = []
    for _ in range(4):
        due = node.next_deadline()
        assert due is not None
        found.append(due - held_up)
        assert len(node.tick(due)) == 1
    assert found == pytest.approx([0.05, 0.15, 0.25, 1.25])
