"""Stories of workers that come, live, misbehave and go, as the broker engine sees them."""

from __future__ import annotations

import pytest

from support.broker_play import (
    ALL_MANNERS,
    EMQP,
    INTERVAL,
    MDP,
    PATIENCE,
    PPP,
    Manners,
    Play,
)
from zwire.core import Limits, ServiceRules
from zwire.core.effects import What

every_dialect = pytest.mark.parametrize("manners", ALL_MANNERS, ids=lambda one: one.family)


def test_each_ping_is_answered_even_during_work() -> None:
    play = Play()
    play.ready(b"w")
    play.pulse(b"w")
    play.ask(b"alice")
    play.pulse(b"w")
    play.pulse(b"w")
    assert play.beats == [b"w"] * 3
    assert play.dismissed == []


def test_where_the_worker_asks_the_broker_is_silent_of_its_own_accord() -> None:
    play = Play()
    play.ready(b"w")
    play.wait(PATIENCE - 0.1, pulses=False)
    assert play.beats == []
    assert play.count(What.WORKER_JOINED) == 1


@pytest.mark.parametrize("manners", [MDP, PPP, EMQP], ids=lambda one: one.family)
def test_an_idle_worker_hears_a_heartbeat_every_interval(manners: Manners) -> None:
    play = Play(manners)
    play.ready(b"w")
    play.wait(10 * INTERVAL)
    assert 10 <= len(play.beats) <= 11


@pytest.mark.parametrize("manners", [MDP, EMQP], ids=lambda one: one.family)
def test_a_worker_that_is_sent_requests_needs_no_heartbeat(manners: Manners) -> None:
    play = Play(manners)
    play.ready(b"w")
    for number in range(20):
        play.ask(b"alice", b"%d" % number)
        play.final(b"w")
        play.wait(INTERVAL / 2)
    assert play.beats == []


def test_a_queue_of_pirates_beats_busy_or_idle() -> None:
    play = Play(PPP)
    play.ready(b"w")
    for number in range(20):
        play.ask(b"alice", b"%d" % number)
        play.final(b"w")
        play.wait(INTERVAL / 2)
    assert 10 <= len(play.beats) <= 11


@every_dialect
def test_any_word_of_a_worker_is_a_sign_of_life(manners: Manners) -> None:
    play = Play(manners)
    play.ready(b"w")
    for number in range(10):
        play.ask(b"alice", b"%d" % number)
        play.wait(PATIENCE * 0.9, pulses=False)
        play.final(b"w")
    assert play.count(What.WORKER_LOST) == 0


@every_dialect
def test_a_mute_worker_is_given_up_in_time_and_sent_nothing_more(manners: Manners) -> None:
    play = Play(manners)
    play.ready(b"w")
    play.wait(PATIENCE - 0.1, pulses=False)
    assert play.count(What.WORKER_LOST) == 0
    play.wait(INTERVAL, pulses=False)
    assert play.count(What.WORKER_LOST) == 1
    beats = len(play.beats)
    play.ask(b"alice")
    play.wait(10.0, pulses=False)
    assert (play.assigned, play.dismissed, len(play.beats)) == ([], [], beats)


def test_two_workers_that_die_together_do_not_get_each_others_jobs() -> None:
    play = Play()
    play.ready(b"w1", b"w2")
    play.ask(b"alice", b"1")
    play.wait(PATIENCE + INTERVAL, pulses=False)
    assert play.takers() == [b"w1"]
    assert play.count(What.REDELIVERED) == 1
    assert play.count(What.WORKER_LOST) == 2


def test_a_forgotten_worker_that_speaks_again_is_dismissed_once() -> None:
    play = Play()
    play.ready(b"w")
    play.wait(PATIENCE + INTERVAL, pulses=False)
    assert play.dismissed == []
    play.pulse(b"w")
    play.pulse(b"w")
    play.final(b"w", tag=(b"alice", b"1"))
    assert play.dismissed == [b"w"]


def test_a_late_tick_lets_nobody_go_before_the_sockets_are_drained() -> None:
    play = Play()
    play.ready(b"w")
    play.ask(b"alice")
    play.now += 1000.0
    play.act(play.broker.tick(play.now, drained=False))
    assert [tell.what for tell in play.told] == [What.WORKER_JOINED]
    play.pulse(b"w")
    play.wait(0.5)
    assert play.count(What.WORKER_LOST) == 0
    assert play.count(What.EXPIRED) == 1


@pytest.mark.parametrize("word", ["ping", "reply", "offer", "stray"])
def test_a_stranger_is_dismissed_and_then_not_heard(word: str) -> None:
    play = Play()

    def speak() -> None:
        if word == "ping":
            play.pulse(b"w")
        elif word == "reply":
            play.final(b"w", tag=(b"a", b"1"))
        elif word == "offer":
            play.offer(b"w")
        else:
            play.act(play.broker.stray(play.back, b"w", "out of turn", play.now))

    speak()
    speak()
    play.ready(b"w")
    assert play.dismissed == [b"w"]
    assert play.count(What.STRANGER) == 1
    assert play.broker.worker_count == 0
    play.wait(11.0)
    play.ready(b"w")
    assert play.broker.worker_count == 1


@pytest.mark.parametrize("manners", [PPP, EMQP], ids=lambda one: one.family)
def test_some_dialects_ignore_strangers_until_they_register(manners: Manners) -> None:
    play = Play(manners)
    play.pulse(b"w")
    play.final(b"w", tag=b"1")
    assert play.dismissed == []
    assert play.count(What.STRANGER) == 2
    play.ready(b"w")
    play.ask(b"alice")
    assert play.takers() == [b"w"]


@pytest.mark.parametrize("slip", ["second registration", "reply to nothing", "stray", "offer"])
def test_a_worker_out_of_turn_is_dismissed_and_its_job_goes_on(slip: str) -> None:
    play = Play()
    play.ready(b"w1", b"w2")
    play.ask(b"alice")
    if slip == "second registration":
        play.ready(b"w1")
    elif slip == "reply to nothing":
        play.final(b"w1", tag=(b"alice", b"unknown"))
    elif slip == "stray":
        play.act(play.broker.stray(play.back, b"w1", "out of turn", play.now))
    else:
        play.offer(b"w1")
    assert play.dismissed == [b"w1"]
    assert play.takers() == [b"w1", b"w2"]
    play.pulse(b"w1")
    play.ready(b"w1")
    assert play.dismissed == [b"w1"]
    assert play.beats == []


def test_a_part_of_a_reply_after_the_final_one_is_out_of_turn() -> None:
    play = Play()
    play.ready(b"w")
    play.ask(b"alice", b"1")
    play.final(b"w")
    play.partial(b"w", b"more", tag=(b"alice", b"1"))
    assert play.dismissed == [b"w"]


def test_a_pirate_that_says_ready_again_starts_anew() -> None:
    play = Play(PPP)
    play.ready(b"w")
    play.ask(b"alice")
    play.ready(b"w")
    assert play.takers() == [b"w", b"w"]
    assert play.broker.worker_count == 1
    play.final(b"w", b"hi")
    play.final(b"w", b"again", tag=b"old")
    assert [body for _, _, body, _ in play.replies] == [[b"hi"]]
    assert play.count(What.VIOLATION) == 1
    assert play.dismissed == []


def test_a_worker_that_left_is_answered_nothing() -> None:
    play = Play()
    play.depart(b"never seen")
    play.ready(b"w")
    play.depart(b"w")
    play.pulse(b"w")
    play.ask(b"alice")
    assert (play.beats, play.dismissed, play.assigned) == ([], [], [])


def test_a_worker_that_left_may_begin_anew_where_the_dialect_forgets_it() -> None:
    play = Play(EMQP)
    play.ready(b"w")
    play.depart(b"w")
    play.ready(b"w")
    play.ask(b"alice")
    assert play.takers() == [b"w"]


def test_a_worker_that_keeps_its_identity_is_taken_on_as_soon_as_it_is_heard_again() -> None:
    play = Play()
    play.ready(b"w")
    play.depart(b"w")
    play.ready(b"w")  # on a new socket, for all we know
    play.wait(5.0)
    play.pulse(b"w")
    play.ask(b"alice")
    assert (play.beats, play.dismissed, play.assigned) == ([], [], [])
    play.wait(6.0)
    play.pulse(b"w")
    assert play.takers() == [b"w"]
    assert (play.beats, play.dismissed) == ([b"w"], [])
    assert play.count(What.STRANGER) == 0


def test_a_postponed_registration_counts_once_and_may_not_be_long() -> None:
    play = Play()
    play.depart(b"w")
    play.ready(b"w")
    play.depart(b"long")
    play.ready(b"long", services=[b"x" * 2_000])
    play.wait(11.0)
    play.pulse(b"w", b"long")
    assert play.count(What.WORKER_JOINED) == 1
    assert play.dismissed == [b"long"]
    play.act(play.broker.vanish(play.back, b"w", play.now))
    play.pulse(b"w")
    assert play.dismissed == [b"long", b"w"]


def test_who_speaks_under_the_identity_of_another_gets_nothing_that_was_meant_for_it() -> None:
    play = Play()
    play.ready(b"w1", b"w2")
    play.ask(b"alice", b"1")
    play.act(play.broker.usurp(play.back, b"w1", "another key", play.now))
    assert play.takers() == [b"w1", b"w2"]
    play.act(play.broker.usurp(play.front, b"alice", "another key", play.now))
    play.final(b"w2")
    assert play.replies == []
    assert play.count(What.CLIENT_GONE) == 1
    assert play.whys(What.INVALID) == ["another key"] * 2
    # Those whose names were used are not to blame, and are heard.
    play.ask(b"alice", b"2")
    play.pulse(b"w1")
    assert play.dismissed == [b"w1"]
    play.final(b"w2")
    assert play.replies == [(b"alice", b"2", [b"done"], True)]
    play.balance()


def test_a_peer_that_speaks_nonsense_is_not_heard_for_a_while() -> None:
    play = Play()
    play.ready(b"w1", b"w2")
    play.ask(b"alice")
    play.act(play.broker.misspeak(play.back, b"w1", "no such command", play.now))
    assert play.takers() == [b"w1", b"w2"]
    assert play.dismissed == []
    play.pulse(b"w1")
    play.ready(b"w1")
    assert (play.beats, play.dismissed) == ([], [])
    assert play.broker.statistics.ignored == 2


def test_a_client_that_speaks_nonsense_still_gets_the_replies_it_is_owed() -> None:
    play = Play()
    play.ready(b"w")
    play.ask(b"alice", b"1")
    play.act(play.broker.misspeak(play.front, b"alice", "a frame is missing", play.now))
    play.ask(b"alice", b"2")
    assert play.broker.statistics.accepted == 1
    play.final(b"w")
    assert play.replies == [(b"alice", b"1", [b"done"], True)]


def test_a_forgiven_client_is_known_with_its_open_requests() -> None:
    play = Play(limits=Limits(invalid_for=5.0))
    play.ask(b"alice", b"1")
    play.act(play.broker.misspeak(play.front, b"alice", "a frame is missing", play.now))
    play.wait(6.0)
    play.ask(b"alice", b"1")
    assert play.count(What.RETRIED) == 1
    assert play.broker.statistics.accepted == 1


def test_a_request_at_a_back_end_and_a_registration_at_a_front_end_are_nonsense() -> None:
    play = Play()
    play.ask(b"alice", b"1", endpoint=play.back)
    play.act(play.broker.register(play.front, b"w", [b"echo"], play.now))
    play.act(play.broker.depart(play.front, b"v", play.now))
    play.act(play.broker.pulse(play.front, b"u", play.now))
    assert play.count(What.INVALID) == 4
    assert play.dismissed == []


def test_a_worker_that_the_transport_lost_gives_back_its_job_at_once() -> None:
    play = Play()
    play.ready(b"w1", b"w2")
    play.ask(b"alice")
    play.act(play.broker.vanish(play.back, b"w1", play.now))
    assert play.takers() == [b"w1", b"w2"]


def test_workers_that_died_idle_use_up_none_of_a_requests_redeliveries() -> None:
    play = Play(service_rules=ServiceRules(max_redeliveries=1))
    play.ready(*(b"dead %d" % number for number in range(5)), b"alive", b"next")
    play.ask(b"alice")
    for number in range(5):
        assert play.takers()[-1] == b"dead %d" % number
        play.act(play.broker.unsent(play.assigned[-1], play.now))
    assert play.takers()[-1] == b"alive"
    assert play.count(What.WORKER_LOST) == 5
    # Those that had the job count.
    play.depart(b"alive")
    play.depart(b"next")
    assert play.whys(What.FAILED) == ["redelivered too often"]
    play.balance()


def test_a_job_that_has_moved_on_is_not_touched_by_an_old_order_for_it() -> None:
    play = Play(service_rules=ServiceRules(max_redeliveries=1))
    play.ready(b"w1", b"w2")
    play.ask(b"alice")
    play.act(play.broker.vanish(play.back, b"w1", play.now))
    play.act(play.broker.unsent(play.assigned[0], play.now))
    play.depart(b"w2")
    assert play.whys(What.FAILED) == ["redelivered too often"]


def test_the_final_reply_to_an_expired_request_frees_the_worker() -> None:
    play = Play(service_rules=ServiceRules(expiry=5.0))
    play.ready(b"w")
    play.ask(b"alice", b"1")
    play.wait(6.0)
    assert play.whys(What.EXPIRED) == ["its worker took too long"]
    play.ask(b"alice", b"2")
    assert len(play.assigned) == 1
    play.partial(b"w", b"late")
    play.final(b"w", b"late")
    assert play.replies == []
    assert play.count(What.LATE_REPLY) == 1
    assert [one.job.request_id for one in play.assigned] == [b"1", b"2"]
    play.balance()


def test_workers_beyond_the_bound_are_turned_away() -> None:
    play = Play(limits=Limits(max_workers=2))
    play.ready(b"w1", b"w2", b"w3")
    assert play.dismissed == [b"w3"]
    assert play.whys(What.WORKER_REFUSED) == ["too many workers"]
    play.depart(b"w1")
    play.ready(b"w4")
    assert set(play.back.workers) == {b"w2", b"w4"}


def test_a_flood_of_strangers_is_remembered_only_so_far() -> None:
    play = Play(limits=Limits(max_shunned=10))
    for number in range(1000):
        play.pulse(b"stranger %d" % number)
    assert len(play.back.shunned) == 10


def test_a_worker_may_offer_only_so_many_slots() -> None:
    play = Play(EMQP, limits=Limits(max_slots=3))
    play.ready(b"w", slots=4)
    assert play.count(What.VIOLATION) == 1


def test_a_worker_may_serve_only_so_many_queues() -> None:
    play = Play(EMQP, limits=Limits(max_services_per_worker=2))
    play.ready(b"w", services=[b"a", b"b", b"a"])
    play.ready(b"v", services=[b"a", b"b", b"c"])
    assert set(play.back.workers) == {b"w"}
    assert play.whys(What.WORKER_REFUSED) == ["too many services for one worker"]
