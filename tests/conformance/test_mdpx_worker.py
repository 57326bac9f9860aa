"""MDPX: our worker against a scripted broker."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Iterator

import pytest

from support.raw import PATIENCE, Raw
from support.running import Scene
from support.wire import Frames, Mdpx
from zwire import Worker, WorkerSettings
from zwire.dialects.serving import worker_dialect

pytestmark = pytest.mark.process

# Where silence is not the matter: no heartbeats, and a broker that may be silent for ever.
CALM = WorkerSettings(interval=1000.0, reconnect=0.1)


def meet(scene: Scene, settings: WorkerSettings = CALM) -> tuple[Raw, Worker]:
    """A scripted broker, and a worker of it that is not yet started."""
    router, address = scene.fake_broker()
    worker = scene.own(Worker(address, "echo", dialect="mdpx", settings=settings))
    return router, worker


def echo(*body: bytes) -> tuple[bytes, ...]:
    return body


def start(router: Raw, worker: Worker) -> bytes:
    """Start it and hear its READY; the identity under which it came."""
    worker.start()
    identity, *ready = router.receive()
    assert ready == Mdpx.ready()
    return identity


def next_ready(router: Raw, old: bytes) -> bytes:
    """The identity of the next conversation, whatever was still said in the old one."""
    while True:
        identity, *frames = router.receive()
        if identity != old:
            assert frames == Mdpx.ready()
            return identity


@pytest.mark.clause("MDPX-CONN-01", "MDPX-CONN-04", "MDPX-CONN-05", "MDPX-CONN-06", "MDPX-FMT-04")
def test_one_socket_one_ready_and_then_a_thousand_requests(scene: Scene) -> None:
    router, worker = meet(scene)
    worker.handler(echo)
    worker.start()
    identity, *ready = router.receive()
    assert ready == [b"MDXW01", b"\x01", b"echo"]
    # No answer to READY, and it is there for work all the same.
    for number in range(1000):
        name = b"%d" % number
        router.send(identity, *Mdpx.task(b"C", name, name))
        assert router.receive() == [identity, *Mdpx.done(b"C", name, name)]
    worker.close()
    assert router.receive() == [identity, *Mdpx.DISCONNECT]
    router.watch().disconnected()
    assert router.drain() == []


@pytest.mark.clause("MDPX-FMT-06", "MDPX-FMT-07", "MDPX-RR-01")
def test_a_streaming_handler_sends_its_parts_and_one_final(scene: Scene) -> None:
    router, worker = meet(scene)

    @worker.handler
    def count(body: bytes) -> Generator[bytes | list[bytes], None, bytes]:
        yield b"1"
        yield [b"2", b""]
        return b"end"

    identity = start(router, worker)
    router.send(identity, *Mdpx.task(b"C", b"id", b"?"))
    assert [router.receive() for _ in range(3)] == [
        [identity, b"MDXW01", b"\x03", b"C", b"", b"id", b"1"],
        [identity, b"MDXW01", b"\x03", b"C", b"", b"id", b"2", b""],
        [identity, b"MDXW01", b"\x04", b"C", b"", b"id", b"end"],
    ]
    worker.close()
    assert router.receive() == [identity, *Mdpx.DISCONNECT]


@pytest.mark.clause("MDPX-RR-01")
def test_a_handler_that_raises_or_has_nothing_to_say_still_sends_one_final(scene: Scene) -> None:
    router, worker = meet(scene)

    @worker.handler
    def moody(mood: bytes) -> Iterator[bytes]:
        if mood == b"raise":
            raise ValueError("on purpose")
        if mood == b"break off":
            yield b"begun"
            raise ValueError("on purpose")

    identity = start(router, worker)
    for number, mood in enumerate((b"raise", b"nothing", b"break off", b"nothing")):
        router.send(identity, *Mdpx.task(b"C", b"%d" % number, mood))
    assert [router.receive() for _ in range(5)] == [
        [identity, *Mdpx.done(b"C", b"0", b"")],
        [identity, *Mdpx.done(b"C", b"1", b"")],
        [identity, *Mdpx.part(b"C", b"2", b"begun")],
        [identity, *Mdpx.done(b"C", b"2", b"")],
        [identity, *Mdpx.done(b"C", b"3", b"")],
    ]


@pytest.mark.clause("MDPX-CONN-02", "MDPX-FMT-05", "MDPX-RR-02", "MDPX-RR-03", "MDPX-RR-04")
@pytest.mark.parametrize(
    "nonsense",
    [
        [b"MDPW02", b"\x02", b"C", b"", b"id", b"wrong"],
        [b"MDXW01", b"\x04", b"C", b"", b"id", b"wrong"],
        [b"MDXW01", b"\x02", b"", b"id", b"wrong"],
        [b"MDXW01", b"\x02", b"C", b"D", b"", b"id", b"wrong"],
        [b"MDXW01", b"\x02", b"C", b"x", b"id", b"wrong"],
        [b"MDXW01", b"\x02", b"C", b"", b"", b"wrong"],
        [b"MDXW01", b"\x02", b"C", b"", b"id"],
        [b"MDXW01", b"pong"],
        [b""],
    ],
    ids=[
        "other header",
        "other command",
        "no address",
        "two addresses",
        "not empty",
        "no id",
        "no body",
        "small letters",
        "nothing",
    ],
)
def test_what_is_no_request_is_not_worked_on(scene: Scene, nonsense: Frames) -> None:
    router, worker = meet(scene)
    worker.handler(echo)
    identity = start(router, worker)
    router.send(identity, *nonsense)
    router.send(identity, *Mdpx.task(b"C", b"id", b"right"))
    assert router.receive() == [identity, *Mdpx.done(b"C", b"id", b"right")]


@pytest.mark.clause("MDPX-CONN-13", "MDPX-CONN-14", "MDPX-FMT-10", "MDPX-CONN-04")
@pytest.mark.parametrize("goodbye", [[b"MDXW01", b"\x06"], [b"MDPW02", b"\x06"]])
def test_a_dismissed_worker_says_nothing_more_and_comes_back_on_a_new_socket(
    scene: Scene, goodbye: Frames
) -> None:
    router, worker = meet(scene)
    working, dismissed = threading.Event(), threading.Event()

    @worker.handler
    def slow(body: bytes) -> bytes:
        working.set()
        assert dismissed.wait(PATIENCE)
        return body

    identity = start(router, worker)
    router.send(identity, *Mdpx.task(b"C", b"1", b"unfinished"))
    assert working.wait(PATIENCE)
    router.send(identity, *goodbye)
    router.watch().disconnected()
    dismissed.set()
    again, *ready = router.receive()
    assert ready == Mdpx.ready()
    assert again != identity
    router.send(again, *Mdpx.task(b"C", b"2", b"anew"))
    # The reply to what it was dismissed from has gone nowhere.
    assert router.receive() == [again, *Mdpx.done(b"C", b"2", b"anew")]


# Signs of life


@pytest.mark.clause("MDPX-HB-04", "MDPX-FMT-08", "MDPX-FMT-09")
def test_an_idle_worker_pings_again_and_again(scene: Scene) -> None:
    router, worker = meet(scene, WorkerSettings(interval=0.1, liveness=10_000.0))
    worker.handler(echo)
    identity = start(router, worker)
    for _ in range(5):
        assert router.receive() == [identity, b"MDXW01", b"PING"]
        router.send(identity, b"MDXW01", b"PONG")


@pytest.mark.clause("MDPX-HB-04", "MDPX-HB-01")
def test_a_worker_whose_handler_blocks_goes_on_pinging(scene: Scene) -> None:
    router, worker = meet(scene, WorkerSettings(interval=0.1, liveness=10_000.0))
    done = threading.Event()

    @worker.handler
    def block(body: bytes) -> bytes:
        assert done.wait(PATIENCE)
        return body

    identity = start(router, worker)
    router.send(identity, *Mdpx.task(b"C", b"1", b"?"))
    for _ in range(10):
        assert router.receive() == [identity, *Mdpx.PING]
    done.set()
    while (frames := router.receive()) == [identity, *Mdpx.PING]:
        pass
    assert frames == [identity, *Mdpx.done(b"C", b"1", b"?")]


@pytest.mark.clause("MDPX-HB-05", "MDPX-HB-08", "MDPX-CONN-06")
def test_a_mute_broker_is_held_for_lost_and_met_anew(scene: Scene) -> None:
    router, worker = meet(scene, WorkerSettings(interval=0.2, reconnect=0.1))
    worker.handler(echo)
    assert 3 <= worker_dialect("mdpx", ["echo"]).manners.heartbeat.liveness <= 5
    first = start(router, worker)
    second = next_ready(router, first)
    third = next_ready(router, second)
    assert len({first, second, third}) == 3


@pytest.mark.clause("MDPX-HB-02", "MDPX-HB-03")
def test_a_worker_in_steady_traffic_sends_no_heartbeats_and_keeps_its_broker(scene: Scene) -> None:
    interval = 0.5
    router, worker = meet(scene, WorkerSettings(interval=interval, liveness=4.0, reconnect=0.1))
    worker.handler(echo)
    identity = start(router, worker)
    # Only a stretch without a pause tells anything: when the machine stalls, it begins anew.
    began = before = time.monotonic()
    limit = began + 3 * PATIENCE
    pings = number = 0
    while before - began < 5 * interval:  # longer than it would wait for a mute broker
        assert before < limit, "the machine stalls too often to tell"
        number += 1
        router.send(identity, *Mdpx.task(b"C", b"%d" % number, b"?"))
        while (frames := router.receive())[1:] != Mdpx.done(b"C", b"%d" % number, b"?"):
            if frames[0] != identity:
                identity = frames[0]
                router.send(identity, *Mdpx.task(b"C", b"%d" % number, b"?"))
            pings += 1
        now = time.monotonic()
        if now - before > interval / 3:
            began, pings = now, 0
        before = now
    assert pings == 0
