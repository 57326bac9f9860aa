"""Stories of how a worker with threads starts and ends, against brokers that are played by hand."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
import zmq

from support.raw import PATIENCE, Context
from support.scripted import WORKERS, BackEnd
from zwire import Closed, LocalError, Worker, WorkerEvent, WorkerSettings

pytestmark = pytest.mark.process
PATIENT = WorkerSettings(interval=5.0, liveness=24.0, reconnect=0.01, reconnect_longest=0.02)


@pytest.fixture
def context() -> Iterator[Context]:
    own: Context = zmq.Context()
    yield own
    own.destroy(linger=0)


@pytest.mark.parametrize("dialect", [name for name in WORKERS if name != "ppp"])
def test_a_worker_that_is_closed_says_goodbye(dialect: str, context: Context) -> None:
    broker = BackEnd(dialect, context)
    worker = Worker(broker.url, "echo", settings=PATIENT)
    worker.handler(lambda word: word)
    with worker:
        broker.heard("ready")
    broker.heard("bye")
    broker.close()
    worker.close()
    with pytest.raises((Closed, LocalError)):
        worker.start()


@pytest.mark.parametrize("dialect", WORKERS)
def test_a_stopped_worker_first_finishes_what_is_open(dialect: str, context: Context) -> None:
    broker = BackEnd(dialect, context)
    events: list[WorkerEvent] = []
    worker = Worker(broker.url, "echo", settings=PATIENT, on_event=events.append)
    entered, done = threading.Event(), threading.Event()

    @worker.handler
    def slow(word: bytes) -> bytes:
        entered.set()
        done.wait(PATIENCE)
        return word

    running = threading.Thread(target=worker.run, kwargs={"drain": PATIENCE})
    running.start()
    broker.heard("ready")
    broker.give(b"hello")
    assert entered.wait(PATIENCE)
    worker.stop()
    done.set()
    assert broker.heard("final") == broker.answer_to(b"1", b"hello")
    if dialect != "ppp":
        broker.heard("bye")
    running.join(PATIENCE)
    assert not running.is_alive()
    assert [event.what for event in events] == ["ready", "draining", "left"]
    broker.close()


def test_a_worker_told_twice_stops_at_once(context: Context) -> None:
    broker = BackEnd("mdpx", context)
    worker = Worker(broker.url, "echo", settings=PATIENT)
    entered, never = threading.Event(), threading.Event()

    @worker.handler
    def stuck(word: bytes) -> bytes:
        entered.set()
        never.wait(PATIENCE)
        return word

    running = threading.Thread(target=worker.run, kwargs={"drain": 600.0})
    running.start()
    broker.heard("ready")
    broker.give(b"hello")
    assert entered.wait(PATIENCE)
    worker.stop()
    worker.stop(at_once=True)
    broker.heard("bye")
    running.join(PATIENCE)
    assert not running.is_alive()
    never.set()
    broker.close()


def test_a_worker_may_be_stopped_before_it_runs() -> None:
    worker = Worker("mdpx://127.0.0.1:1", "echo")
    worker.handler(lambda word: word)
    worker.stop()
    worker.run()


def test_mistakes_are_told_to_whoever_makes_them() -> None:
    with pytest.raises(LocalError, match="one service"):
        Worker("mdpx://127.0.0.1:1", "a", "b")
    with pytest.raises(LocalError, match="only a PPP worker may bind"):
        Worker("mdpx://127.0.0.1:1", "a", bind=True)
    worker = Worker("emqp://127.0.0.1:1", "a", "b")
    with pytest.raises(LocalError, match="does not serve 'c'"):
        worker.handler("c")
    with pytest.raises(LocalError, match="a handler first"):
        worker.start()
    worker.handler("a")(lambda word: word)
    with pytest.raises(LocalError, match="a handler first"):
        worker.start()
    worker.handler("b")(lambda word: word)
    with worker, pytest.raises(LocalError, match="runs already"):
        worker.start()


def test_a_time_that_is_no_number_is_refused() -> None:
    for name in ("interval", "liveness", "reconnect", "reconnect_longest"):
        with pytest.raises(LocalError, match=name):
            WorkerSettings(**{name: float("nan")})  # type: ignore[arg-type]


def test_settings_tell_all_their_mistakes() -> None:
    with pytest.raises(LocalError) as caught:
        WorkerSettings(interval=0, liveness=0, slots=0, reconnect=0)
    for name in ("interval", "liveness", "slot", "reconnect"):
        assert name in str(caught.value)
