"""Stories of the worker with threads, against brokers that are played by hand."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import ExitStack
from functools import partial

import pytest
import zmq

from support.raw import PATIENCE, Context
from support.scripted import STREAMING, WORKERS, BackEnd
from zwire import Job, Worker, WorkerSettings
from zwire.io import worker_base
from zwire.io.handlers import Handler
from zwire.io.options import Options

pytestmark = pytest.mark.process
every_dialect = pytest.mark.parametrize("dialect", WORKERS)
streaming = pytest.mark.parametrize("dialect", STREAMING)

# A broker played by hand need not send heartbeats for a while.
PATIENT = WorkerSettings(interval=5.0, liveness=24.0, reconnect=0.01, reconnect_longest=0.02)
Play = Callable[..., BackEnd]


@pytest.fixture
def context() -> Iterator[Context]:
    own: Context = zmq.Context()
    yield own
    own.destroy(linger=0)


@pytest.fixture
def play(context: Context) -> Iterator[Play]:
    """A scripted broker with a worker of ours that has registered."""
    with ExitStack() as undo:

        def begin(
            dialect: str,
            handler: Handler,
            settings: WorkerSettings = PATIENT,
            on_error: Callable[[BaseException], str] | None = None,
        ) -> BackEnd:
            broker = BackEnd(dialect, context)
            undo.callback(broker.close)
            worker = Worker(broker.url, "echo", settings=settings, on_error=on_error)
            worker.handler(handler)
            undo.enter_context(worker)
            broker.heard("ready")
            return broker

        yield begin


@every_dialect
def test_a_worker_registers_and_answers(dialect: str, play: Play) -> None:
    broker = play(dialect, lambda word: b"re " + word)
    for tag in (b"1", b"2"):
        broker.give(b"hello", tag=tag)
        assert broker.heard("final") == broker.answer_to(tag, b"re hello")


def a_function(word: bytes) -> list[bytes | str]:
    return [word + b"!"]


async def a_coroutine(word: bytes) -> bytes:
    return word + b"!"


def a_generator(word: bytes) -> Generator[bytes, None, bytes]:
    yield b""
    return word + b"!"


async def an_asynchronous_generator(word: bytes) -> AsyncIterator[bytes]:
    yield word + b"!"


class AnObject:
    async def __call__(self, job: Job) -> str:
        return job.body[0].decode() + "!"


@pytest.mark.parametrize("dialect", ["mdpx", "emqp"])
@pytest.mark.parametrize(
    "handler",
    [a_function, a_coroutine, a_generator, an_asynchronous_generator, AnObject()],
    ids=lambda handler: getattr(handler, "__name__", "an_object"),
)
def test_handlers_are_functions_generators_and_coroutines(
    handler: Handler, dialect: str, play: Play
) -> None:
    broker = play(dialect, handler)
    broker.give(b"hello")
    replies: list[tuple[str, list[bytes]]] = []
    while not replies or replies[-1][0] != "final":
        replies.append(broker.said())
        if replies[-1][0] in ("beat", "offer"):
            replies.pop()
    # Whole in a dialect without partial replies, else in one of the pieces.
    assert [rest[-1] for _, rest in replies if rest[-1]] == [b"hello!"]


@streaming
def test_what_a_generator_yields_is_a_partial_reply(dialect: str, play: Play) -> None:
    going_on = threading.Event()

    def count(_: bytes) -> Generator[bytes | list[bytes], None, bytes]:
        yield b"1"
        going_on.wait(PATIENCE)
        yield [b"2", b"two"]
        return b"3"

    broker = play(dialect, count)
    broker.give(b"")
    assert broker.heard("partial") == broker.answer_to(b"1", b"1")
    going_on.set()  # the first piece was here while the handler was still at work
    assert broker.heard("partial") == broker.answer_to(b"1", b"2", b"two")
    assert broker.heard("final") == broker.answer_to(b"1", b"3")


def test_pieces_wait_for_a_slow_network_and_arrive_in_order(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A queue of one message and pieces that fill the network's buffers: there is never room.
    monkeypatch.setattr(worker_base, "Options", partial(Options, send_queue=1))

    def many(_: bytes) -> Iterator[bytes]:
        yield from (b"%d" % number * 50_000 for number in range(300))

    broker = play("mdpx", many)
    broker.give(b"")
    for number in range(300):
        assert broker.heard("partial")[-1] == b"%d" % number * 50_000
    assert broker.heard("final")[-1] == b""


def test_five_thousand_pieces_arrive_in_order(play: Play) -> None:
    def many(_: bytes) -> Iterator[bytes]:
        yield from (b"%d" % number for number in range(5000))

    broker = play("mdpx", many)
    broker.give(b"")
    for number in range(5000):
        assert broker.heard("partial")[-1] == b"%d" % number
    assert broker.heard("final")[-1] == b""


def raising(word: bytes) -> bytes:
    if word == b"exit":
        raise SystemExit(3)
    if word == b"fail":
        raise RuntimeError("no luck")
    return 7 if word == b"odd" else word  # type: ignore[return-value]


@every_dialect
@pytest.mark.parametrize("word", [b"fail", b"exit", b"odd"])
def test_a_raising_handler_sends_one_final_reply_and_goes_on(
    dialect: str, word: bytes, play: Play
) -> None:
    broker = play(dialect, raising)
    broker.give(word, tag=b"1")
    assert broker.heard("final") == broker.answer_to(b"1", b"")
    broker.give(b"good", tag=b"2")
    assert broker.heard("final") == broker.answer_to(b"2", b"good")


@streaming
def test_a_generator_that_raises_half_way_sends_one_final_reply(dialect: str, play: Play) -> None:
    def broken(_: bytes) -> Iterator[bytes]:
        yield b"1"
        raise RuntimeError("no luck")

    broker = play(dialect, broken, on_error=lambda error: f"error: {error}")
    for tag in (b"1", b"2"):
        broker.give(b"", tag=tag)
        assert broker.heard("partial") == broker.answer_to(tag, b"1")
        assert broker.heard("final") == broker.answer_to(tag, b"error: no luck")


def test_an_on_error_that_raises_itself_leaves_an_empty_reply(play: Play) -> None:
    broker = play("mdpx", raising, on_error=lambda error: str(1 // 0))
    broker.give(b"fail")
    assert broker.heard("final") == broker.answer_to(b"1", b"")


def test_emqp_refuses_a_reply_of_two_frames(play: Play) -> None:
    broker = play("emqp", lambda word: [word, word], on_error=lambda error: str(error))
    broker.give(b"x")
    assert b"one frame" in broker.heard("final")[-1]


@pytest.mark.parametrize("dialect", [name for name in WORKERS if name != "ppp"])
def test_a_dismissed_worker_comes_back_as_another(dialect: str, play: Play) -> None:
    broker = play(dialect, lambda word: word)
    identities = {broker.worker}
    for _ in range(3):
        broker.dismiss()
        broker.heard("ready")
        identities.add(broker.worker)
    assert len(identities) == 4
    broker.give(b"still here")
    assert broker.heard("final") == broker.answer_to(b"1", b"still here")


@every_dialect
def test_a_silent_broker_is_left_for_a_new_conversation(dialect: str, play: Play) -> None:
    impatient = WorkerSettings(interval=0.02, liveness=3, reconnect=0.01, reconnect_longest=0.02)
    broker = play(dialect, lambda word: word, impatient)
    first = broker.worker
    broker.heard("ready")
    assert broker.worker != first


@every_dialect
def test_a_handler_that_blocks_for_ten_liveness_periods_keeps_its_registration(
    dialect: str, play: Play
) -> None:
    done = threading.Event()

    def slow(word: bytes) -> bytes:
        done.wait(PATIENCE)
        return word

    interval, liveness = 0.02, 3
    # The broker is patient, since the machine may stall: it counts the signs of life instead.
    broker = play(dialect, slow, WorkerSettings(interval=interval, liveness=2000))
    worker = broker.worker
    broker.give(b"hello")
    beats = 0
    while beats < 10 * liveness:
        command, _ = broker.said()
        assert command in ("beat", "offer")
        assert broker.worker == worker
        beats += command == "beat"
        broker.beat()
    done.set()
    assert broker.heard("final") == broker.answer_to(b"1", b"hello")
    assert broker.worker == worker


@pytest.mark.parametrize("dialect", [name for name in WORKERS if name != "ppp"])
def test_a_reply_to_a_conversation_that_is_over_is_dropped(dialect: str, play: Play) -> None:
    done, entered = threading.Event(), threading.Event()

    def slow(word: bytes) -> bytes:
        entered.set()
        done.wait(PATIENCE)
        return word

    broker = play(dialect, slow, WorkerSettings(5.0, 24.0, 2, 0.01, 0.02))
    broker.give(b"old", tag=b"1")
    assert entered.wait(PATIENCE)
    broker.dismiss()
    broker.heard("ready")
    done.set()
    broker.give(b"new", tag=b"2")
    assert broker.heard("final") == broker.answer_to(b"2", b"new")


def test_a_generator_nobody_listens_to_any_more_is_closed(play: Play) -> None:
    closed, entered = threading.Event(), threading.Event()

    def endless(_: bytes) -> Iterator[bytes]:
        try:
            while True:
                yield b"more"
                entered.set()
        finally:
            closed.set()

    broker = play("mdpx", endless)
    broker.give(b"")
    assert entered.wait(PATIENCE)
    broker.dismiss()
    while broker.said()[0] != "ready":
        pass
    assert closed.wait(PATIENCE)


def test_slots_are_worked_at_side_by_side(play: Play) -> None:
    together = threading.Barrier(3)

    def meet(word: bytes) -> bytes:
        together.wait(PATIENCE)
        return word

    broker = play("emqp", meet, WorkerSettings(5.0, 24.0, slots=3))
    for _ in range(3):
        assert broker.said()[0] == "offer"
    for tag in (b"1", b"2", b"3"):
        broker.give(b"x", tag=tag)
    answered = {broker.heard("final")[0] for _ in range(3)}
    assert answered == {b"1", b"2", b"3"}


def test_emqp_offers_a_slot_again_after_each_reply(play: Play) -> None:
    broker = play("emqp", lambda word: word)
    assert broker.said()[0] == "offer"
    broker.give(b"x")
    assert [broker.said()[0] for _ in range(2)] == ["final", "offer"]


def test_a_worker_for_several_queues_knows_which_one_a_request_came_for(context: Context) -> None:
    broker = BackEnd("emqp", context)
    worker = Worker(broker.url, "mails", "calls", "rest", settings=PATIENT)

    @worker.handler("mails")
    def mail(job: Job) -> str:
        return f"mail to {job.header_values['to']} as {job.request_id.decode()}"

    @worker.handler
    async def other(job: Job) -> str:
        return f"{job.service}: {job.body[0].decode()}"

    with worker:
        assert broker.heard("ready")[-1] == b"mails,calls,rest"
        for queue, reply in ((b"mails", b"mail to ann as 1"), (b"calls", b"calls: hi")):
            broker.give(b"hi", queue=queue)
            assert broker.heard("final")[-1] == reply
    broker.close()
