"""ZRE/LOG: what a node reports to which collector, and what a collector takes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.zre_network import Network
from support.zre_peers import OWN, Peer, Stage
from zwire.zre import Collector, Dialect, Options
from zwire.zre.effects import CloseLog, OpenLog, SendLog
from zwire.zre.logs import printable, uuid_hash
from zwire_protocols.zrelog import Event, Level, Log, decode, encode

PLACE = "tcp://10.0.0.32:51000"
BOTH = pytest.mark.parametrize("dialect", list(Dialect), ids=lambda one: one.value)


def with_collector(options: Options | None = None, **about: Any) -> tuple[Stage, Peer]:
    stage = Stage(options, **about)
    collector = Peer(stage, 0x20)
    collector.headers = {"X-ZRELOG": PLACE}
    collector.beacon()
    collector.hello()
    return stage, collector


def records(stage: Stage) -> list[Log]:
    return [decode(one.frames) for one in stage.of(SendLog)]


def test_the_hash_of_a_uuid() -> None:
    assert uuid_hash(b"") == 0
    assert uuid_hash(b"\x01") == 1
    assert uuid_hash(b"\x01\x02") == 33 ^ 2


@given(st.binary(min_size=16, max_size=16))
def test_the_hash_has_16_bits(key: bytes) -> None:
    value = 0
    for octet in key:
        value = (value * 33) ^ octet
    assert uuid_hash(key) == value % 65536


@BOTH
def test_a_collector_is_connected_to_when_it_enters_and_left_when_it_leaves(
    dialect: Dialect,
) -> None:
    """ZRE-LOG-03."""
    stage = Stage()
    collector = Peer(stage, dialect=dialect)
    collector.headers = {"X-ZRELOG": PLACE}
    collector.beacon()
    collector.hello()
    assert stage.of(OpenLog) == [OpenLog(PLACE)]
    stage.take()
    stage.wait(31.0)
    assert stage.of(CloseLog) == [CloseLog(PLACE)]


def test_records_wait_for_the_subscription_and_then_come_in_order() -> None:
    stage, collector = with_collector(epoch=1_000_000.0)
    other = Peer(stage, 0x21, name="bob")
    other.enter()
    other.join("g")
    assert stage.of(SendLog) == []
    stage.do(stage.node.subscribed(PLACE))
    found = records(stage)
    assert [one.event for one in found] == [Event.ENTER, Event.ENTER, Event.JOIN]
    assert found[1] == Log(
        Level.INFO,
        Event.ENTER,
        uuid_hash(OWN.bytes),
        uuid_hash(other.uuid.bytes),
        1_000_100_000,
        f"bob entered at {other.endpoint}",
    )
    stage.take()
    other.leave("g")
    other.say("Goodbye")
    assert [(one.event, one.data) for one in records(stage)] == [
        (Event.LEAVE, "bob left g"),
        (Event.EXIT, "bob left: it said goodbye"),
    ]
    assert {one.peer for one in records(stage)} == {uuid_hash(other.uuid.bytes)}
    assert collector.uuid in {one.uuid for one in stage.node.peers()}


def test_what_a_node_does_itself_is_about_peer_0() -> None:
    """ZRE-LOG-04, ZRE-LOG-06."""
    stage, _ = with_collector(name="ann")
    stage.do(stage.node.subscribed(PLACE))
    stage.take()
    stage.do(stage.node.join("g", stage.now))
    (sent,) = stage.of(SendLog)
    (octets,) = sent.frames
    assert octets[:5] == b"\xaa\xa2\x01\x03\x01"
    assert octets[5:7] == uuid_hash(OWN.bytes).to_bytes(2, "big")
    assert octets[7:9] == b"\0\0"
    assert octets[9:17] == (100_000).to_bytes(8, "big")
    assert octets[17:] == b"\x0cann joined g"


def test_how_a_peer_left_decides_how_bad_it_is() -> None:
    stage, _ = with_collector()
    stage.do(stage.node.subscribed(PLACE))
    lost = Peer(stage, 0x21)
    lost.enter()
    lost.raw(lost.words.encode(lost.words.Ping(77)))
    assert [(one.level, one.event) for one in records(stage)] == [(Level.ERROR, Event.EXIT)]


def test_only_what_is_bad_enough_is_reported() -> None:
    stage, _ = with_collector(Options(log_level=Level.WARNING))
    stage.do(stage.node.subscribed(PLACE))
    peer = Peer(stage, 0x21)
    peer.enter()
    assert stage.of(SendLog) == []


def test_too_many_records_push_out_the_oldest() -> None:
    stage, _ = with_collector(Options(max_logged=3))
    for number in range(5):
        stage.do(stage.node.join(f"g{number}", stage.now))
    stage.do(stage.node.subscribed(PLACE))
    assert [one.data[-2:] for one in records(stage)] == ["g2", "g3", "g4"]
    assert stage.node.statistics.logs_dropped == 3


def test_nobody_sends_us_to_a_collector_on_another_host() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.headers = {"X-ZRELOG": "tcp://10.0.0.99:51000"}
    peer.enter()
    assert stage.of(OpenLog) == []
    stage.node.join("chat", stage.now)
    assert stage.node.statistics.logged == 0


def test_two_peers_that_announce_one_collector_share_it() -> None:
    stage, first = with_collector()
    second = Peer(stage, 0x21)
    second.address = first.address
    second.headers = {"X-ZRELOG": PLACE}
    second.beacon()
    second.hello()
    assert len(stage.of(OpenLog)) == 1
    first.say("Goodbye")
    assert stage.of(CloseLog) == []
    second.say("Goodbye")
    assert len(stage.of(CloseLog)) == 1


def test_a_header_that_is_no_endpoint_is_no_collector() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.headers = {"X-ZRELOG": "over there"}
    peer.enter()
    assert stage.node.services() == {}
    assert stage.node.subscribed("over there") == []


def test_a_node_that_stops_closes_its_logs() -> None:
    stage, _ = with_collector()
    stage.do(stage.node.stop(stage.now))
    assert stage.of(CloseLog) == [CloseLog(PLACE)]


@given(st.text(max_size=400))
def test_any_text_can_be_logged(text: str) -> None:
    frames = encode(Log(Level.INFO, Event.JOIN, 1, 2, 3, printable(text)))
    assert decode(frames).data == printable(text)


def test_a_collector_takes_what_is_wanted_and_counts_the_rest() -> None:
    """ZRE-LOG-05."""
    collector = Collector(Level.WARNING)
    bad = encode(Log(Level.WARNING, Event.EXIT, 1, 2, 3, "gone"))
    fine = encode(Log(Level.INFO, Event.ENTER, 1, 2, 3, "here"))
    assert collector.receive(bad) == decode(bad)
    assert collector.receive(fine) is None
    for garbage in ([], [b""], [b"\xaa\xa1" + bad[0][2:]], [*bad, b""], [bad[0] + b"x"]):
        assert collector.receive(garbage) is None
    assert (collector.taken, collector.filtered, collector.discarded) == (1, 1, 5)


@pytest.mark.parametrize(("place", "wrong"), [(3, 0), (3, 4), (4, 0), (4, 5)])
def test_a_level_or_an_event_that_does_not_exist_is_garbage(place: int, wrong: int) -> None:
    """ZRE-LOG-06."""
    octets = bytearray(encode(Log(Level.INFO, Event.JOIN, 1, 2, 3, ""))[0])
    octets[place] = wrong
    collector = Collector()
    assert collector.receive([bytes(octets)]) is None
    assert collector.discarded == 1


def test_every_node_of_a_network_finds_the_collector() -> None:
    """ZRE-LOG-02."""
    network = Network("logs")
    place = "tcp://10.0.0.1:51000"
    assert network.start(1, headers={"X-ZRELOG": place}).endpoint.startswith("tcp://10.0.0.1:")
    others = [network.start(number) for number in range(2, 5)]
    network.run(3.0)
    assert all(list(one.logs) == [place] for one in others)
