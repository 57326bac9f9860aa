"""Stories of ZRE/LOG: nodes report to the collectors that they meet."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import zmq

from support.nodes import Gathering, gathering
from support.raw import PATIENCE, Raw, eventually
from zwire.errors import Closed, NoAnswer
from zwire.io.keys import write_keys
from zwire.io.security import CurveServer
from zwire.io.zre_collector import LogCollector
from zwire.zre.endpoints import host_and_port
from zwire.zre.logs import uuid_hash
from zwire_protocols.zrelog import Event, Level, Log, encode

pytestmark = pytest.mark.process


@pytest.fixture
def here() -> Iterator[Gathering]:
    with gathering() as found:
        yield found


def wait_for(collector: LogCollector, event: Event, text: str) -> Log:
    while True:
        record = collector.receive(PATIENCE)
        assert record is not None
        if record.event is event and text in record.data:
            return record


def test_a_collector_hears_of_all_that_happens(here: Gathering) -> None:
    with LogCollector(settings=here.settings) as collector:
        assert 49152 <= host_and_port(collector.endpoint)[1] <= 65535
        ann = here.node("ann", groups=("chat",))
        # The very first record is not lost, though it was written before anybody had subscribed.
        first = wait_for(collector, Event.ENTER, "log entered")
        assert first.node == uuid_hash(ann.node.uuid.bytes)
        assert first.peer == uuid_hash(collector.node.uuid.bytes)
        assert collector.name_of(first.peer) == "log"
        # The record may have come before its author was met.
        eventually(lambda: collector.name_of(first.node) == "ann", "its author is known by name")
        bob = here.node("bob")
        wait_for(collector, Event.ENTER, "bob entered")
        ann.met(bob)
        bob.node.join("chat")
        assert wait_for(collector, Event.JOIN, "bob joined chat").peer in (
            0,
            uuid_hash(bob.node.uuid.bytes),
        )
        ann.node.leave("chat")
        assert wait_for(collector, Event.LEAVE, "ann left chat").level is Level.INFO
        bob.node.stop()
        assert wait_for(collector, Event.EXIT, "bob left").peer == uuid_hash(bob.node.uuid.bytes)


def test_garbage_is_discarded_and_counted(here: Gathering) -> None:
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    here.own(context.term)
    with LogCollector(level=Level.WARNING, settings=here.settings) as collector:
        with Raw(zmq.XPUB, context) as raw, ThreadPoolExecutor(1) as reader:
            found = reader.submit(collector.receive, PATIENCE)
            raw.connect(collector.endpoint)
            assert raw.receive() == [b"\x01\xaa\xa2"]
            raw.send(b"\xaa\xa2garbage")
            raw.send(b"\xaa\xa2")
            raw.send(b"not even subscribed to")
            raw.send(*encode(Log(Level.INFO, Event.JOIN, 1, 0, 0, "of no importance")))
            raw.send(*encode(Log(Level.ERROR, Event.EXIT, 0xABCD, 2, 0, "bad news")))
            record = found.result()
        assert record == Log(Level.ERROR, Event.EXIT, 0xABCD, 2, 0, "bad news")
        assert (collector.discarded, collector.filtered) == (2, 1)
        assert collector.name_of(0xABCD) == "abcd"
        with pytest.raises(NoAnswer):
            collector.receive(0.0)


def test_a_collector_is_stopped_from_another_thread(here: Gathering) -> None:
    with LogCollector(settings=here.settings) as collector:
        stopping = threading.Thread(target=collector.stop)
        stopping.start()
        assert list(collector) == []
        stopping.join()
    with pytest.raises(Closed):
        LogCollector(settings=here.settings).receive()


def test_logs_go_under_curve_too(here: Gathering, tmp_path: Path) -> None:
    authorised = tmp_path / "authorised"
    authorised.mkdir()
    keys = {}
    for name in ("ann", "log"):
        files = write_keys(tmp_path, name)
        (authorised / f"{name}.key").write_bytes(files.public.read_bytes())
        keys[name] = CurveServer.from_files(files.secret, authorised)
    with LogCollector(settings=here.settings, curve=keys["log"]) as collector:
        here.node("ann", curve=keys["ann"])
        wait_for(collector, Event.ENTER, "log entered")
