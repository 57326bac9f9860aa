"""The small parts of the engines: the fair queue, pauses that grow, and the two records of the past."""

from __future__ import annotations

import pytest

from support.broker_play import Play
from zwire.core import Backoff
from zwire.core.finished import FinishedIds
from zwire.core.shunned import Shunned


def test_clients_take_turns_in_a_queue() -> None:
    play = Play()
    for client, number in ((b"a", 1), (b"a", 2), (b"a", 3), (b"b", 4), (b"b", 5), (b"c", 6)):
        play.ask(client, b"%d" % number)
    queue = play.broker.services[b"echo"].queue
    assert queue.peek().number == 1
    taken = []
    while (job := queue.take()) is not None:
        taken.append(job.number)
    assert taken == [1, 4, 6, 2, 5, 3]
    assert queue.count == 0


def test_what_leaves_a_queue_out_of_turn_leaves_no_trace() -> None:
    play = Play()
    for client, number in ((b"a", 1), (b"b", 2), (b"b", 3)):
        play.ask(client, b"%d" % number)
    queue = play.broker.services[b"echo"].queue
    one, two, _ = queue
    queue.remove(one)
    queue.remove(two)
    queue.readmit(one)
    assert [job.number for job in queue] == [1, 3]
    assert queue.count == 2
    queue.remove(one)
    assert [job.number for job in queue] == [3]


def test_a_queue_finds_a_body_that_fits() -> None:
    play = Play()
    play.ask(b"a", b"1", b"two", b"frames")
    play.ask(b"b", b"2", b"one")
    queue = play.broker.services[b"echo"].queue
    fitting = queue.take(1)
    assert fitting is not None
    assert fitting.number == 2
    assert queue.take(1) is None
    assert queue.count == 1


@pytest.mark.parametrize(
    ("failures", "pause"), [(0, 1.0), (1, 2.0), (4, 16.0), (5, 32.0), (6, 32.0), (10_000, 32.0)]
)
def test_pauses_double_up_to_the_longest(failures: int, pause: float) -> None:
    assert Backoff(1.0, 2.0, 32.0).pause(failures) == pause


def test_a_first_pause_beyond_the_longest_is_cut() -> None:
    assert Backoff(5.0, 2.0, 3.0).pause(0) == 3.0


def test_finished_ids_are_remembered_to_a_bound() -> None:
    finished = FinishedIds(10)
    for number in range(100):
        finished.add((b"alice", b"%d" % number))
    remembered = [number for number in range(100) if (b"alice", b"%d" % number) in finished]
    assert 10 <= len(remembered) <= 21
    assert remembered[-1] == 99


def test_long_ids_are_remembered_by_something_shorter() -> None:
    finished = FinishedIds(10)
    finished.add((b"client", bytes(1_000_000)))
    assert (b"client", bytes(1_000_000)) in finished
    assert (b"client", bytes(999_999)) not in finished
    assert sum(len(part) for key in finished._young for part in key) < 100


def test_the_shunned_are_forgiven_in_time() -> None:
    shunned = Shunned(2)
    shunned.add(b"a", 5.0)
    assert shunned.holds(b"a", 4.9)
    assert not shunned.holds(b"a", 5.0)
    assert not shunned.holds(b"b", 0.0)


def test_without_room_nobody_is_shunned() -> None:
    shunned = Shunned(0)
    shunned.add(b"a", 5.0)
    assert not shunned.holds(b"a", 0.0)


def test_the_oldest_of_the_shunned_makes_room() -> None:
    shunned = Shunned(2)
    for identity in (b"a", b"b", b"a", b"c"):
        shunned.add(identity, 5.0)
    assert [shunned.holds(identity, 0.0) for identity in (b"a", b"b", b"c")] == [True, False, True]
