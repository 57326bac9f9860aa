"""The recording proxy: peers and their server notice nothing, and all they say is recorded."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import zmq

from support.ports import ANY_PORT
from support.processes import zwire
from support.raw import PATIENCE, eventually
from support.running import Scene, listener
from support.taps import IN, OUT, events, hop, messages, recorded
from support.wire import Mdpx
from zwire import Client, Worker
from zwire.core.effects import What
from zwire.io.between import Between
from zwire.io.endpoints import Endpoint
from zwire.io.taps import Recording

pytestmark = pytest.mark.process


@contextmanager
def between(back: str, folder: Path, protocol: str, **settings: Any) -> Iterator[Between]:
    recording = Recording(folder, "between")
    proxy = Between(Endpoint(ANY_PORT), Endpoint(back), recording, protocol, **settings)
    thread = threading.Thread(target=proxy.run)
    thread.start()
    try:
        yield proxy
    finally:
        proxy.stop()
        thread.join(PATIENCE)
        recording.close()
    assert not thread.is_alive()


def test_clients_and_workers_speak_through_it_under_their_own_identities(
    scene: Scene, tmp_path: Path
) -> None:
    running = scene.broker(listener("mdpx"))
    with (
        between(running.front, tmp_path / "front", "mdpx") as front,
        between(running.back, tmp_path / "back", "mdpx.worker") as back,
    ):
        worker = Worker(back.address.replace("tcp", "mdpx"), "echo")
        worker.handler(lambda body: body)
        with worker:
            running.wait_for(What.WORKER_JOINED)
            client = Client(front.address.replace("tcp", "mdpx"), identity=b"alice")
            with client:
                assert client.request("echo", "hi", request_id=b"mine").body == (b"hi",)
                assert b"alice" in clients_of(running)
    rows = recorded(tmp_path / "front")
    assert [hop(row) for row in messages(rows)] == [
        (IN, "mdpx.client", "client", "REQUEST"),
        (OUT, "mdpx.client", "broker", "FINAL"),
    ]
    assert {row.peer for row in messages(rows)} == {b"alice"}
    assert [row.peer for row in events(rows, "peer came")] == [b"alice"]
    words = [hop(row)[3] for row in messages(recorded(tmp_path / "back"))]
    assert words[:3] == ["READY", "REQUEST", "FINAL"]


def clients_of(running: Any) -> set[bytes]:
    """Whom the broker knows, by identity."""
    engine = running.broker._engine
    return {name for endpoint in engine.endpoints for name in endpoint.clients}


def test_what_nobody_knows_passes_untouched_and_is_recorded_as_it_is(
    scene: Scene, tmp_path: Path
) -> None:
    server, address = scene.fake_broker()
    with between(address, tmp_path, "") as proxy:
        odd = [b"", b"\0\1", b"x" * 100_000, b""]
        named, nameless = scene.peer(proxy.address, b"named"), scene.peer(proxy.address)
        named.send(*odd)
        assert server.receive() == [b"named", *odd]
        server.send(b"named", *reversed(odd))
        assert named.receive() == [*reversed(odd)]
        nameless.send(b"who am I")
        identity, asked = server.receive()
        assert asked == b"who am I"
        server.send(identity, b"you")
        assert nameless.receive() == [b"you"]
    rows = messages(recorded(tmp_path))
    assert [(row.direction, row.frames) for row in rows[:2]] == [
        (IN, tuple(odd)),
        (OUT, tuple(reversed(odd))),
    ]
    assert {(row.protocol, row.role, row.job) for row in rows} == {("", "", 0)}
    assert len(rows) == 4


def test_peers_that_are_gone_are_let_go_when_something_comes_for_them(
    scene: Scene, tmp_path: Path
) -> None:
    server, address = scene.fake_broker()
    with between(address, tmp_path, "mdpx") as proxy:
        brief = scene.peer(proxy.address, b"brief")
        brief.send(*Mdpx.ask(b"1", b"?"))
        server.receive()
        brief.close()

        def told_in_vain() -> bool:
            server.send(b"brief", *Mdpx.final(b"1", b"!"))
            return proxy.peers == 0

        eventually(told_in_vain, "nobody is left")
    (left,) = events(recorded(tmp_path), "peer left")
    assert (left.peer, left.facts["detail"]) == (b"brief", "it has gone")


def test_peers_that_are_silent_are_let_go(scene: Scene, tmp_path: Path) -> None:
    server, address = scene.fake_broker()
    with between(address, tmp_path, "mdpx", silence=0.5) as proxy:
        quiet = scene.peer(proxy.address, b"quiet")
        quiet.send(*Mdpx.ask(b"1", b"?"))
        server.receive()
        server.watch().disconnected()
        assert proxy.peers == 0
        quiet.send(*Mdpx.ask(b"2", b"?"))  # it may come again
        assert server.receive()[0] == b"quiet"
    told = events(recorded(tmp_path), "peer left")
    assert told[0].facts["detail"] == "silent for 0.5 s"


def test_there_is_a_limit_to_the_peers_it_speaks_for(scene: Scene, tmp_path: Path) -> None:
    server, address = scene.fake_broker()
    with between(address, tmp_path, "mdpx", max_peers=1) as proxy:
        first, second = scene.peer(proxy.address, b"1st"), scene.peer(proxy.address, b"2nd")
        first.send(*Mdpx.ask(b"1", b"?"))
        assert server.receive()[0] == b"1st"
        second.send(*Mdpx.ask(b"2", b"?"))
        first.send(*Mdpx.ask(b"3", b"?"))
        assert server.receive()[5] == b"?"
        eventually(lambda: proxy.peers == 1, "only the first is spoken for")
    rows = recorded(tmp_path)
    assert {row.peer for row in events(rows, "peer refused")} <= {b"2nd"}


def test_a_server_that_does_not_read_makes_its_peers_wait_and_loses_nothing(
    scene: Scene, tmp_path: Path
) -> None:
    server, address = scene.fake_broker()
    server.socket.setsockopt(zmq.RCVHWM, 1)
    count = 5_000
    with between(address, tmp_path, "mdpx") as proxy:
        talker = scene.peer(proxy.address, b"talker")

        def talk() -> None:
            for number in range(count):
                talker.send(*Mdpx.ask(b"%d" % number, b"x" * 2_000))

        thread = threading.Thread(target=talk)
        thread.start()
        for number in range(count):
            assert server.receive()[4] == b"%d" % number
        thread.join(PATIENCE)
    assert len(messages(recorded(tmp_path))) == count


def test_the_command_ends_cleanly_when_it_is_told_to(scene: Scene, tmp_path: Path) -> None:
    running = scene.broker(listener("mdpx"))
    options = ("--protocol", "mdpx", "--into", str(tmp_path), "--capture-bodies", "none", "--json")
    with zwire("capture", "--between", ANY_PORT, running.front, *options) as proxy:
        address = proxy.wait_for_json(event="listening")["front"]
        with Client(address.replace("tcp", "mdpx")) as client:
            assert client.request("mmi.service", "echo").body == (b"404",)
        assert proxy.stop() == 0
    rows = recorded(tmp_path)
    assert rows[-1].name == "recording-ended"
    assert [row.frames[-1] for row in messages(rows)] == [b"", b""]
