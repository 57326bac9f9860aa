"""Stories of a worker: conversations, heartbeats, back-off, and exactly one final reply a task."""

from __future__ import annotations

from itertools import pairwise

import pytest

from zwire.core import BeatStyle, Heartbeat, Serving, ServingRules
from zwire.core.serving import (
    TRANSITIONS,
    Answer,
    Connect,
    Disconnect,
    Drop,
    Goodbye,
    Offer,
    Perform,
    Phase,
    Pulse,
    Register,
    Renounce,
    ServeEffect,
    Task,
    Turn,
)
from zwire.errors import LocalError


def rules(style: BeatStyle = BeatStyle.ANSWER) -> ServingRules:
    return ServingRules(Heartbeat(1.0, 4.0, style))


def started(style: BeatStyle = BeatStyle.ANSWER) -> Serving:
    serving = Serving(rules(style))
    serving.start(0.0)
    return serving


def given(serving: Serving, now: float, tag: bytes = b"1") -> Task:
    [perform] = serving.assign(tag, [b"hello"], now)
    assert isinstance(perform, Perform)
    return perform.task


def pass_time(serving: Serving, end: float) -> list[tuple[float, ServeEffect]]:
    """What a worker does until then, if it wakes exactly when it wants and hears nothing."""
    done: list[tuple[float, ServeEffect]] = []
    while (due := serving.next_deadline()) is not None and due <= end:
        done += [(due, effect) for effect in serving.tick(due)]
        after = serving.next_deadline()
        assert after is None or after > due
    return done


def test_a_conversation_begins_on_a_new_socket_with_a_registration() -> None:
    assert Serving(rules()).start(0.0) == [Connect(), Register()]


def test_slots_are_offered_where_the_dialect_asks_for_it() -> None:
    serving = Serving(ServingRules(offers_slots=True, slots=3))
    assert serving.start(0.0) == [Connect(), Register(), Offer(), Offer(), Offer()]
    task = given(serving, 1.0)
    assert serving.answer(task, [b"hi"], True, 2.0) == [Answer(task, [b"hi"], True), Offer()]


@pytest.mark.parametrize("style", BeatStyle)
def test_an_idle_worker_beats_every_interval(style: BeatStyle) -> None:
    serving = started(style)
    beats = [when for when, effect in pass_time(serving, 3.9) if effect == Pulse()]
    assert beats == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("style", "beats"), [(BeatStyle.ANSWER, 0), (BeatStyle.QUIET, 0), (BeatStyle.STEADY, 4)]
)
def test_traffic_both_ways_spares_the_beats_but_the_steady_ones(
    style: BeatStyle, beats: int
) -> None:
    serving = started(style)
    seen = 0
    for step in range(1, 9):
        now = step / 2
        seen += sum(effect == Pulse() for effect in serving.tick(now))
        serving.answer(given(serving, now), [b""], True, now)
    assert seen == beats


def test_a_worker_that_streams_still_asks_whether_the_broker_is_there() -> None:
    serving = started(BeatStyle.ANSWER)
    task = given(serving, 0.0)
    seen = 0
    for step in range(1, 8):
        serving.answer(task, [b"part"], False, step / 2)
        seen += sum(effect == Pulse() for effect in serving.tick(step / 2))
    assert seen == 3


def test_a_silent_broker_is_given_up_and_met_anew_after_growing_pauses() -> None:
    serving = started()
    happened = [(when, effect) for when, effect in pass_time(serving, 60.0) if effect != Pulse()]
    silent = Disconnect("the broker is silent")
    again = [Connect(), Register()]
    assert happened[:6] == [
        (4.0, silent),
        *((5.0, effect) for effect in again),
        (9.0, silent),
        *((11.0, effect) for effect in again),
    ]
    pauses = [
        connected - lost for (lost, what), (connected, _) in pairwise(happened) if what == silent
    ]
    assert pauses == [1.0, 2.0, 4.0, 8.0, 16.0]


def test_pauses_grow_only_to_the_longest() -> None:
    serving = started()
    happened = pass_time(serving, 400.0)
    losses = [when for when, effect in happened if isinstance(effect, Disconnect)]
    connects = [when for when, effect in happened if effect == Connect()]
    assert connects[-1] - losses[len(connects) - 1] == 32.0


def test_a_word_of_the_broker_makes_the_pauses_short_again() -> None:
    serving = started()
    pass_time(serving, 11.0)
    serving.pulse(11.5)
    serving.dismiss(12.0)
    assert serving.next_deadline() == 13.0


def test_any_word_of_the_broker_keeps_the_conversation() -> None:
    serving = started()
    for step in range(1, 20):
        now = step * 3.0
        given(serving, now) if step % 2 else serving.pulse(now)
        serving.tick(now)
    assert serving.conversation == 1


def test_a_worker_that_wakes_late_reads_before_it_gives_the_broker_up() -> None:
    serving = started()
    assert serving.tick(100.0, drained=False) == [Pulse()]
    serving.pulse(100.0)
    assert serving.tick(100.0) == ()
    assert serving.conversation == 1


def test_a_dismissed_worker_says_nothing_more_and_begins_anew() -> None:
    serving = started()
    task = given(serving, 0.5)
    assert serving.dismiss(1.0) == [Disconnect("the broker sent us away")]
    assert serving.answer(task, [b"hi"], True, 1.5) == [Drop(task, True)]
    assert serving.tick(1.9) == ()
    assert serving.tick(2.0) == [Connect(), Register()]


def test_a_broken_connection_ends_the_conversation_for_the_broker_too_and_a_new_one_begins() -> (
    None
):
    serving = Serving(ServingRules())
    serving.start(0.0)
    task = given(serving, 0.1)
    assert serving.interrupt(0.2) == [Renounce("the connection broke")]
    assert serving.interrupt(0.3) == ()
    assert isinstance(serving.answer(task, [b"late"], True, 0.4)[0], Drop)
    assert serving.tick(1.3)[:2] == [Connect(), Register()]


def test_a_dialect_without_a_goodbye_just_begins_anew_after_a_broken_connection() -> None:
    serving = Serving(ServingRules(says_goodbye=False))
    serving.start(0.0)
    assert serving.interrupt(0.2) == [Disconnect("the connection broke")]


def test_the_answer_of_an_old_conversation_is_not_sent_in_the_new_one() -> None:
    serving = started()
    task = given(serving, 0.5)
    serving.dismiss(1.0)
    serving.tick(2.0)
    assert serving.answer(task, [b"hi"], True, 3.0) == [Drop(task, True)]


def test_what_arrives_between_conversations_is_not_heard() -> None:
    serving = started()
    serving.dismiss(1.0)
    assert serving.assign(b"1", [b"hello"], 1.1) == ()
    assert serving.pulse(1.1) == ()
    assert serving.dismiss(1.1) == ()


def test_a_task_is_answered_exactly_once() -> None:
    serving = started()
    task = given(serving, 0.5)
    serving.answer(task, [b"part"], False, 0.6)
    serving.answer(task, [b"all"], True, 0.7)
    for final in (False, True):
        with pytest.raises(LocalError, match="sent already"):
            serving.answer(task, [b"more"], final, 0.8)
    assert serving.open == set()


def test_parts_wait_for_the_whole_where_the_dialect_has_none() -> None:
    serving = Serving(ServingRules(partials=False))
    serving.start(0.0)
    task = given(serving, 0.5)
    assert serving.answer(task, [b"a"], False, 0.6) == ()
    assert serving.answer(task, [b"b"], True, 0.7) == [Answer(task, [b"a", b"b"], True)]


def test_a_worker_leaves_with_a_goodbye() -> None:
    serving = started()
    assert serving.stop(1.0) == [Goodbye(), Disconnect("we leave")]
    assert serving.stop(1.0) == ()
    assert serving.next_deadline() is None


def test_a_dialect_without_a_goodbye_just_closes() -> None:
    serving = Serving(ServingRules(says_goodbye=False))
    serving.start(0.0)
    assert serving.stop(1.0) == [Disconnect("we leave")]


def test_a_draining_worker_finishes_what_it_holds() -> None:
    serving = Serving(ServingRules(offers_slots=True, slots=2))
    serving.start(0.0)
    first, second = given(serving, 0.1, b"1"), given(serving, 0.2, b"2")
    assert serving.drain(0.3) == ()
    assert serving.answer(first, [b""], True, 0.4) == [Answer(first, [b""], True)]
    assert serving.answer(second, [b""], True, 0.5) == [
        Answer(second, [b""], True),
        Goodbye(),
        Disconnect("we leave"),
    ]
    assert serving.phase is Phase.CLOSED


def test_a_draining_worker_begins_nothing_new() -> None:
    serving = Serving(ServingRules(slots=2))
    serving.start(0.0)
    first, second = given(serving, 0.1, b"1"), given(serving, 0.2, b"2")
    serving.drain(0.3)
    # With credit the broker sends the next one for each that is done.
    serving.answer(first, [b""], True, 0.4)
    assert serving.assign(b"3", [b"hello"], 0.5) == ()
    assert serving.answer(second, [b""], True, 0.6)[1:] == [
        Goodbye(),
        Disconnect("we leave"),
    ]


def test_a_draining_worker_that_loses_the_broker_does_not_come_back() -> None:
    serving = started()
    given(serving, 0.1)
    serving.drain(0.2)
    serving.dismiss(0.3)
    assert serving.phase is Phase.CLOSED
    assert serving.next_deadline() is None


def test_a_worker_between_conversations_may_leave() -> None:
    serving = started()
    serving.dismiss(1.0)
    assert serving.drain(1.1) == ()
    assert serving.phase is Phase.CLOSED


def test_a_worker_starts_once() -> None:
    serving = started()
    with pytest.raises(LocalError, match="a worker that is talking cannot connect"):
        serving.start(1.0)


def test_nothing_leads_out_of_the_end() -> None:
    assert all(phase is not Phase.CLOSED for phase, _ in TRANSITIONS)
    for phase in (Phase.NEW, Phase.TALKING, Phase.PAUSING):
        assert TRANSITIONS[phase, Turn.CLOSE] is Phase.CLOSED
