"""MDPX: how the running broker opens, keeps and closes its conversations with raw workers."""

from __future__ import annotations

import pytest

from support.raw import eventually
from support.running import Peer, Scene, listener
from support.wire import Frames, Mdpx
from zwire.core.effects import What

pytestmark = pytest.mark.process


def serve_one(client: Peer, worker: Peer, address: bytes) -> None:
    """See a request through, to show that the broker is well."""
    client.send(*Mdpx.ask(b"last", b"?"))
    assert worker.receive() == Mdpx.task(address, b"last", b"?")
    worker.send(*Mdpx.done(address, b"last", b"!"))
    assert client.receive() == Mdpx.final(b"last", b"!")


# Opening and closing


@pytest.mark.clause("MDPX-CONN-07", "MDPX-FMT-04", "MDPX-FMT-08", "MDPX-FMT-09", "MDPX-HB-06")
def test_ready_is_not_answered_and_every_ping_is(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx"))
    worker = scene.peer(broker.back, b"W")
    worker.send(b"MDXW01", b"\x01", b"echo")
    for _ in range(5):
        worker.send(b"MDXW01", b"PING")
    assert [worker.receive() for _ in range(5)] == [[b"MDXW01", b"PONG"]] * 5
    broker.close()
    assert worker.rest() == [Mdpx.DISCONNECT]


@pytest.mark.clause("MDPX-CONN-08")
def test_a_goodbye_before_anything_else_is_taken_in_silence(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx"))
    early = scene.peer(broker.back, b"early")
    early.send(*Mdpx.DISCONNECT)
    early.send(*Mdpx.PING)
    broker.wait_for_count("ignored", 1)
    serve_one(scene.peer(broker.front, b"C"), scene.worker(broker, b"W"), b"C")
    broker.close()
    assert early.rest() == []


@pytest.mark.clause("MDPX-CONN-09")
def test_a_worker_that_said_goodbye_hears_nothing_more(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx"))
    leaving = scene.worker(broker, b"leaving")
    leaving.send(*Mdpx.DISCONNECT)
    leaving.send(*Mdpx.PING)
    broker.wait_for(What.WORKER_LEFT, peer=b"leaving")
    broker.wait_for_count("ignored", 1)
    client = scene.peer(broker.front, b"C")
    client.send(*Mdpx.ask(b"1", b"?"))
    staying = scene.peer(broker.back, b"staying")
    staying.send(*Mdpx.ready())
    assert staying.receive() == Mdpx.task(b"C", b"1", b"?")
    broker.close()
    assert leaving.rest() == []


@pytest.mark.clause("MDPX-CONN-10", "MDPX-FMT-10")
def test_a_broker_that_stops_dismisses_the_workers_that_have_spoken_and_nobody_else(
    scene: Scene,
) -> None:
    broker = scene.broker(listener("mdpx"))
    silent = scene.peer(broker.back, b"silent")
    silent.watch().connected()
    worker = scene.worker(broker, b"W")
    broker.broker.stop()
    assert worker.receive() == [b"MDXW01", b"\x06"]
    broker.close()
    assert worker.rest() == silent.rest() == []


UNEXPECTED: dict[str, list[Frames]] = {
    "PING before READY": [Mdpx.PING],
    "a second READY": [Mdpx.ready(), Mdpx.ready()],
    "FINAL without a request": [Mdpx.ready(), Mdpx.done(b"C", b"1", b"!")],
    "PARTIAL without a request": [Mdpx.ready(), Mdpx.part(b"C", b"1", b"!")],
    "FINAL before READY": [Mdpx.done(b"C", b"1", b"!")],
}


@pytest.mark.clause("MDPX-CONN-05", "MDPX-CONN-11", "MDPX-FMT-10")
@pytest.mark.parametrize("said", UNEXPECTED.values(), ids=UNEXPECTED)
def test_a_valid_command_at_the_wrong_time_is_answered_by_disconnect_and_silence(
    scene: Scene, said: list[Frames]
) -> None:
    broker = scene.broker(listener("mdpx"))
    worker = scene.peer(broker.back, b"W")
    for frames in said:
        worker.send(*frames)
    assert worker.receive() == Mdpx.DISCONNECT
    worker.send(*Mdpx.PING)
    worker.send(*Mdpx.ready())
    broker.wait_for_count("ignored", 2)
    serve_one(scene.peer(broker.front, b"C"), scene.worker(broker, b"other"), b"C")
    broker.close()
    assert worker.rest() == []


@pytest.mark.clause("MDPX-CONN-11")
@pytest.mark.parametrize(
    ("answers", "wrong"),
    [
        ([Mdpx.done(b"C", b"1", b"!")], Mdpx.part(b"C", b"1", b"more")),
        ([Mdpx.done(b"C", b"1", b"!")], Mdpx.done(b"C", b"1", b"again")),
        ([], Mdpx.done(b"C", b"2", b"!")),
        ([], Mdpx.done(b"D", b"1", b"!")),
    ],
    ids=["PARTIAL after FINAL", "second FINAL", "another id", "another client"],
)
def test_a_reply_that_fits_no_open_request_is_answered_by_disconnect_and_silence(
    scene: Scene, answers: list[Frames], wrong: Frames
) -> None:
    broker = scene.broker(listener("mdpx"))
    worker, client = scene.worker(broker, b"W"), scene.peer(broker.front, b"C")
    client.send(*Mdpx.ask(b"1", b"?"))
    assert worker.receive() == Mdpx.task(b"C", b"1", b"?")
    for frames in (*answers, wrong):
        worker.send(*frames)
    assert worker.receive() == Mdpx.DISCONNECT
    worker.send(*Mdpx.PING)
    broker.wait_for_count("ignored", 1)
    broker.close()
    assert worker.rest() == []
    assert client.rest() == [Mdpx.final(b"1", b"!") for _ in answers]


INVALID: dict[str, Frames] = {
    "the client's header": [b"MDXC01", b"\x01", b"echo"],
    "another header": [b"MDPW02", b"\x01", b"echo"],
    "the reserved command": [b"MDXW01", b"\x05"],
    "an unknown command": [b"MDXW01", b"\x07"],
    "ping in small letters": [b"MDXW01", b"ping"],
    "PING with a frame too many": [b"MDXW01", b"PING", b""],
    "DISCONNECT with a frame too many": [b"MDXW01", b"\x06", b""],
    "READY without a service": [b"MDXW01", b"\x01"],
    "READY with two services": [b"MDXW01", b"\x01", b"echo", b"more"],
    "READY with an empty service": [b"MDXW01", b"\x01", b""],
    "a header alone": [b"MDXW01"],
    "an empty frame": [b""],
}


@pytest.mark.clause(
    "MDPX-CONN-02", "MDPX-CONN-12", "MDPX-FMT-04", "MDPX-FMT-08", "MDPX-FMT-09", "MDPX-FMT-10"
)
@pytest.mark.parametrize("nonsense", INVALID.values(), ids=INVALID)
def test_what_is_not_valid_is_dropped_and_its_sender_heard_no_more(
    scene: Scene, nonsense: Frames
) -> None:
    broker = scene.broker(listener("mdpx"))
    worker = scene.peer(broker.back, b"W")
    worker.send(*nonsense)
    broker.wait_for(What.INVALID, peer=b"W")
    worker.send(*Mdpx.ready())
    worker.send(*Mdpx.PING)
    broker.wait_for_count("ignored", 2)
    serve_one(scene.peer(broker.front, b"C"), scene.worker(broker, b"other"), b"C")
    broker.close()
    assert worker.rest() == []


@pytest.mark.clause("MDPX-FMT-10")
def test_disconnect_as_the_text_prints_it_is_understood_and_reported(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx"))
    worker = scene.worker(broker, b"W")
    worker.send(b"MDPW02", b"\x06")
    broker.wait_for(What.VIOLATION, peer=b"W")
    broker.wait_for(What.WORKER_LEFT, peer=b"W")
    broker.close()
    assert worker.rest() == []


# Signs of life


@pytest.mark.clause("MDPX-HB-01")
def test_a_ping_during_work_is_answered_and_the_work_goes_on(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx"))
    worker, client = scene.worker(broker, b"W"), scene.peer(broker.front, b"C")
    client.send(*Mdpx.ask(b"1", b"?"))
    assert worker.receive() == Mdpx.task(b"C", b"1", b"?")
    worker.send(*Mdpx.PING)
    assert worker.receive() == Mdpx.PONG
    worker.send(*Mdpx.part(b"C", b"1", b"."))
    worker.send(*Mdpx.PING)
    worker.send(*Mdpx.done(b"C", b"1", b"!"))
    assert [client.receive() for _ in range(2)] == [
        Mdpx.partial(b"1", b"."),
        Mdpx.final(b"1", b"!"),
    ]
    assert worker.receive() == Mdpx.PONG


@pytest.mark.clause("MDPX-HB-02", "MDPX-HB-03")
def test_a_worker_that_only_works_stays_alive_and_is_sent_nothing_but_work(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx", interval=1.0, liveness=4.0))
    worker, client = scene.worker(broker, b"W"), scene.peer(broker.front, b"C")
    for number in range(6):
        name = b"%d" % number
        client.send(*Mdpx.ask(name, b"?"))
        assert worker.receive() == Mdpx.task(b"C", name, b"?")
        scene.let_pass(broker, 1.5)
        worker.send(*Mdpx.part(b"C", name, b"."))
        assert client.receive() == Mdpx.partial(name, b".")
        scene.let_pass(broker, 1.5)
        worker.send(*Mdpx.done(b"C", name, b"!"))
        assert client.receive() == Mdpx.final(name, b"!")
    assert not broker.told(What.WORKER_LOST)
    broker.close()
    assert worker.rest() == [Mdpx.DISCONNECT]


@pytest.mark.clause("MDPX-HB-07", "MDPX-HB-09", "MDPX-GOAL-02")
def test_a_silent_worker_is_lost_its_request_goes_on_and_it_hears_one_disconnect_if_it_speaks(
    scene: Scene,
) -> None:
    broker = scene.broker(listener("mdpx", interval=1.0, liveness=4.0))
    mute, client = scene.worker(broker, b"mute"), scene.peer(broker.front, b"C")
    client.send(*Mdpx.ask(b"1", b"?"))
    assert mute.receive() == Mdpx.task(b"C", b"1", b"?")
    scene.let_pass(broker, 3.5)
    assert not broker.told(What.WORKER_LOST)
    other = scene.worker(broker, b"other")
    scene.let_pass(broker, 1.0)
    assert broker.told(What.WORKER_LOST, peer=b"mute")
    assert other.receive() == Mdpx.task(b"C", b"1", b"?")
    other.send(*Mdpx.done(b"C", b"1", b"!"))
    assert client.receive() == Mdpx.final(b"1", b"!")
    # Nothing came to the lost one until it spoke: the first that it hears is the answer to that.
    mute.send(*Mdpx.done(b"C", b"1", b"too late"))
    assert mute.receive() == Mdpx.DISCONNECT
    mute.send(*Mdpx.PING)
    broker.wait_for_count("ignored", 1)
    broker.close()
    assert mute.rest() == client.rest() == []


@pytest.mark.clause("MDPX-HB-01", "MDPX-HB-07")
def test_a_worker_that_pings_is_kept_as_long_as_it_likes(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx", interval=1.0, liveness=4.0))
    worker = scene.worker(broker, b"W")
    for _ in range(5):
        scene.let_pass(broker, 3.0)
        worker.send(*Mdpx.PING)
        assert worker.receive() == Mdpx.PONG
    assert not broker.told(What.WORKER_LOST)


@pytest.mark.clause("MDPX-GOAL-02")
def test_a_worker_that_leaves_in_the_middle_of_its_work_hands_it_on(scene: Scene) -> None:
    broker = scene.broker(listener("mdpx"))
    leaving, client = scene.worker(broker, b"leaving"), scene.peer(broker.front, b"C")
    client.send(*Mdpx.ask(b"1", b"?"))
    assert leaving.receive() == Mdpx.task(b"C", b"1", b"?")
    other = scene.worker(broker, b"other")
    leaving.send(*Mdpx.DISCONNECT)
    assert other.receive() == Mdpx.task(b"C", b"1", b"?")
    eventually(lambda: len(broker.told(What.REDELIVERED)) == 1, "it was handed on")
