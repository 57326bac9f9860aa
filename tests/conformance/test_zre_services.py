"""Clauses of 20/ZRE about services, and of ZRE/LOG: nodes and collectors that run, and raw ones."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import zmq

from support.nodes import Gathering, Listened
from support.raw import PATIENCE, Raw
from support.zre_raw import ONLY20, Raw20
from zwire.errors import NoAnswer
from zwire.io.zre_collector import LogCollector
from zwire.zre.endpoints import host_and_port
from zwire.zre.events import Entered
from zwire_protocols.zre import messages as zre20
from zwire_protocols.zrelog import Event, Level, Log

pytestmark = pytest.mark.process
IN_RANGE = range(0xC000, 0x10000)
GOOD = b"\xaa\xa2\x01\x03\x01\x12\x34\x00\x00" + (1).to_bytes(8, "big") + b"\x04text"


@pytest.mark.clause("ZRE-EXT-01", "ZRE-EXT-02")
def test_services_are_announced_by_headers_and_found_by_others(here: Gathering) -> None:
    with Raw(zmq.REP, here.context) as service:
        where = service.bind("tcp://127.0.0.1:*")
        plain = here.node("plain", options=ONLY20)
        serving = here.node("serving", headers={"X-ECHO": where}, options=ONLY20)
        peer = Raw20(here, 1)
        peer.greet(plain.node)
        hello = peer.hear()
        assert isinstance(hello, zre20.Hello)
        assert hello.headers == (), "who offers nothing announces nothing"
        other = Raw20(here, 2)
        other.greet(serving.node)
        hello = other.hear()
        assert isinstance(hello, zre20.Hello)
        assert hello.headers == (f"X-ECHO={where}",)
        plain.met(serving)
        found = plain.node.services()["X-ECHO"][serving.node.uuid]
        with Raw(zmq.REQ, here.context) as user:
            user.connect(found)
            user.send(b"hello")
            assert service.receive() == [b"hello"]


@pytest.mark.clause("ZRE-EXT-02")
def test_the_services_of_a_foreign_node_are_read_from_its_headers(here: Gathering) -> None:
    ann = here.node("ann", options=ONLY20)
    peer = Raw20(here, 1)
    peer.greet(ann.node, headers=["X-FILEMQ=tcp://127.0.0.1:50001", "colour=red", "X-ODD=nowhere"])
    ann.wait_for(Entered, peer=peer.uuid)
    assert ann.node.services() == {"X-FILEMQ": {peer.uuid: "tcp://127.0.0.1:50001"}}


@pytest.mark.clause("ZRE-LOG-01", "ZRE-LOG-02")
def test_a_collector_takes_records_in_the_range_of_ports_and_says_where(here: Gathering) -> None:
    with LogCollector(settings=here.settings) as collector:
        port = host_and_port(collector.endpoint)[1]
        assert port in IN_RANGE
        peer = Raw20(here, 1)
        peer.greet(collector.node)
        hello = peer.hear()
        assert isinstance(hello, zre20.Hello)
        assert hello.headers == (f"X-ZRELOG=tcp://127.0.0.1:{port}",)
        # What is bound there is a SUB: it subscribes, and takes what is published.
        with ThreadPoolExecutor(1) as reader, Raw(zmq.XPUB, here.context) as publisher:
            found = reader.submit(collector.receive, PATIENCE)
            publisher.connect(collector.endpoint)
            assert publisher.receive() == [b"\x01\xaa\xa2"]
            publisher.send(GOOD)
            assert found.result() == Log(Level.INFO, Event.JOIN, 0x1234, 0, 1, "text")


class RawCollector(Raw20):
    """A collector made of plain sockets."""

    def __init__(self, here: Gathering, number: int) -> None:
        super().__init__(here, number)
        self.sub = Raw(zmq.SUB, here.context)
        here.own(self.sub.close)
        self.sub.socket.setsockopt(zmq.SUBSCRIBE, b"")
        self.service = self.sub.bind("tcp://127.0.0.1:*")

    def meet(self, node: Listened) -> None:
        self.greet(node.node, headers=[f"X-ZRELOG={self.service}"])
        node.wait_for(Entered, peer=self.uuid)


def by_hand(octets: bytes) -> int:
    """The hash of a UUID, written down once more."""
    number = 0
    for octet in octets:
        number = (number * 33 ^ octet) % 65536
    return number


@pytest.mark.clause("ZRE-LOG-03", "ZRE-LOG-04", "ZRE-LOG-06")
def test_a_node_publishes_records_to_the_collector_octet_by_octet(here: Gathering) -> None:
    ann = here.node("ann", options=ONLY20)
    before = time.time()
    collector = RawCollector(here, 1)
    collector.meet(ann)
    ann.node.join("tea")
    ann.node.leave("tea")
    peer = Raw20(here, 2)
    peer.enter(ann)
    own = by_hand(ann.node.uuid.bytes).to_bytes(2, "big")
    met = by_hand(collector.uuid.bytes).to_bytes(2, "big")
    expected = [
        (3, met, f"{collector.uuid} entered at tcp://127.0.0.1:{collector.port}"),
        (1, b"\0\0", "ann joined tea"),
        (2, b"\0\0", "ann left tea"),
        (3, by_hand(peer.uuid.bytes).to_bytes(2, "big"), f"{peer.uuid} entered at "),
    ]
    for event, about, text in expected:
        (octets,) = collector.sub.receive()
        assert octets[:2] == b"\xaa\xa2"
        assert octets[2:5] == bytes((1, 3, event))
        assert octets[5:9] == own + about
        assert before - 1 <= int.from_bytes(octets[9:17], "big") / 1000 <= time.time() + 1
        assert octets[17] == len(octets) - 18
        assert octets[18:].decode().startswith(text)
    # An end that was not peaceful has another level.
    peer.sequence += 1
    peer.say("Ping")
    (octets,) = collector.sub.receive()
    assert octets[:5] == b"\xaa\xa2\x01\x01\x04", "an error, and an exit"


@pytest.mark.clause("ZRE-LOG-03")
def test_two_collectors_hear_the_same(here: Gathering) -> None:
    ann = here.node("ann", options=ONLY20)
    collectors = [RawCollector(here, 1), RawCollector(here, 2)]
    for collector in collectors:
        collector.meet(ann)
    ann.node.join("tea")
    heard = []
    for collector in collectors:
        while not (record := collector.sub.receive()[0]).endswith(b"ann joined tea"):
            pass
        heard.append(record)
    assert heard[0] == heard[1]


@pytest.mark.clause("ZRE-LOG-05", "ZRE-LOG-06")
def test_a_collector_takes_records_and_discards_all_else_in_silence(here: Gathering) -> None:
    other = [b"", b"\xaa", b"\xaa\xa1" + GOOD[2:], b"hello", GOOD[2:]]
    bad = [
        GOOD[:-1],
        GOOD + b"\0",
        GOOD[:2] + b"\x02" + GOOD[3:],
        *(GOOD[:3] + bytes([level]) + GOOD[4:] for level in (0, 4, 255)),
        *(GOOD[:4] + bytes([event]) + GOOD[5:] for event in (0, 5, 255)),
    ]
    with LogCollector(settings=here.settings) as collector, ThreadPoolExecutor(1) as reader:
        found = reader.submit(collector.receive, PATIENCE)
        with Raw(zmq.XPUB, here.context) as publisher:
            # Left to itself it would keep back what was not subscribed to.
            publisher.socket.setsockopt(zmq.XPUB_MANUAL, 1)
            publisher.connect(collector.endpoint)
            assert publisher.receive() == [b"\x01\xaa\xa2"]
            publisher.socket.setsockopt(zmq.SUBSCRIBE, b"")
            for octets in other + bad:
                publisher.send(octets)
            publisher.send(GOOD, b"a second frame")
            publisher.send(GOOD)
            assert found.result() == Log(Level.INFO, Event.JOIN, 0x1234, 0, 1, "text")
        with pytest.raises(NoAnswer):
            collector.receive(0.0)
        assert collector.discarded == len(bad) + 1
