"""Every program in examples/ runs and does what it says."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.processes import Program
from support.scripted import Place, real_broker

pytestmark = pytest.mark.process
EXAMPLES = Path(__file__).parents[2] / "examples"
TESTED = {
    "ask.py",
    "ask_aio.py",
    "echo_worker.py",
    "echo_worker_aio.py",
    "stream.py",
    "stream_aio.py",
    "without_a_queue.py",
}


@pytest.fixture(scope="module")
def places() -> Iterator[dict[str, Place]]:
    # Workers with settings of their own: as in real life the usual heartbeats, and some patience.
    with real_broker(interval=2.5, liveness=12.0) as running:
        yield running


def example(name: str, *arguments: str) -> Program:
    assert name in TESTED
    return Program(sys.executable, str(EXAMPLES / name), *arguments)


def lines_of(program: Program) -> list[str]:
    with program:
        assert program.wait() == 0, program.complaints
        return [line.rstrip("\n") for line in program.output]


def test_no_example_is_left_out() -> None:
    # A program for something else has its test beside that: it names the file it runs.
    tests = "".join(path.read_text() for path in Path(__file__).parents[1].rglob("test_*.py"))
    assert {path.name for path in EXAMPLES.glob("*.py")} >= TESTED
    assert not [path.name for path in EXAMPLES.glob("*.py") if path.name not in tests]


@pytest.mark.parametrize("asking", ["ask.py", "ask_aio.py"])
def test_a_question_is_echoed(asking: str, places: dict[str, Place]) -> None:
    with example("echo_worker.py", places["mdpx"].back, f"echo for {asking}") as worker:
        words = lines_of(
            example(asking, places["mdp02"].front, f"echo for {asking}", "one", "fail", "two")
        )
        assert words == ["one", "sorry: you asked for it", "two"]
        assert worker.stop() == 0


def test_the_worker_in_asyncio_serves_two_queues(places: dict[str, Place]) -> None:
    with example("echo_worker_aio.py", places["emqp"].back, "mails", "notes") as worker:
        for queue in ("mails", "notes"):
            words = [f"{queue} {number}" for number in range(20)]
            assert lines_of(example("ask_aio.py", places["emqp"].front, queue, *words)) == words
        assert worker.stop() == 0


def test_pieces_are_streamed(places: dict[str, Place]) -> None:
    place = places["mdpx"]
    assert lines_of(example("stream.py", place.front, place.back)) == ["3", "2", "1", "lift-off"]
    assert lines_of(example("stream_aio.py", place.front, place.back)) == ["a", "b", "c"]


def test_a_client_does_without_a_queue() -> None:
    assert lines_of(example("without_a_queue.py")) == ["0 1 4 9 16"]
