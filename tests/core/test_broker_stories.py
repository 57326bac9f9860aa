"""Stories of requests and their replies, told to the broker engine in the manners of each dialect."""

from __future__ import annotations

import pytest

from support.broker_play import ALL_MANNERS, EMQP, MDP, MDPX, PPP, Manners, Play
from zwire.core import ServiceRules
from zwire.core.effects import What

every_dialect = pytest.mark.parametrize("manners", ALL_MANNERS, ids=lambda one: one.family)


@every_dialect
def test_a_request_goes_to_a_worker_and_its_reply_comes_back(manners: Manners) -> None:
    play = Play(manners)
    play.ready(b"w")
    play.ask(b"alice", b"1", b"hello")
    assert play.takers() == [b"w"]
    assert list(play.assigned[0].job.body) == [b"hello"]
    play.final(b"w", b"hi")
    [(client, _, body, final)] = play.replies
    assert (client, body, final) == (b"alice", [b"hi"], True)
    play.balance()


@every_dialect
def test_a_request_without_a_worker_waits_for_one(manners: Manners) -> None:
    play = Play(manners)
    play.ask(b"alice", b"1", b"hello")
    assert play.assigned == []
    play.ready(b"w")
    assert play.takers() == [b"w"]


@every_dialect
def test_the_least_recently_used_worker_is_taken(manners: Manners) -> None:
    play = Play(manners)
    play.ready(b"w1", b"w2", b"w3")
    for number in range(9):
        play.ask(b"alice", b"%d" % number)
        play.final(play.takers()[-1])
    assert play.takers() == [b"w1", b"w2", b"w3"] * 3


@every_dialect
def test_a_silent_worker_loses_its_job_to_the_next(manners: Manners) -> None:
    play = Play(manners)
    play.ready(b"w1", b"w2")
    play.ask(b"alice")
    play.mute.add(b"w1")
    play.wait(6.0)
    assert play.takers() == [b"w1", b"w2"]
    assert play.count(What.WORKER_LOST) == 1
    assert play.count(What.REDELIVERED) == 1
    play.final(b"w2", b"hi")
    assert [body for _, _, body, _ in play.replies] == [[b"hi"]]


@every_dialect
def test_a_departing_worker_gives_its_jobs_back_in_order(manners: Manners) -> None:
    play = Play(manners, service_rules=ServiceRules(credit=3))
    play.ready(b"w1", slots=3)
    for number in (b"1", b"2", b"3", b"4"):
        play.ask(b"alice", number)
    assert play.takers() == [b"w1"] * 3
    play.depart(b"w1")
    play.ready(b"w2", slots=3)
    play.final(b"w2")
    bodies = [one.job.body[0] for one in play.assigned]
    assert bodies == [b"1", b"2", b"3", b"1", b"2", b"3", b"4"]


@every_dialect
def test_a_request_is_redelivered_only_so_often(manners: Manners) -> None:
    play = Play(manners, service_rules=ServiceRules(max_redeliveries=2))
    play.ask(b"alice")
    for number in range(4):
        worker = b"w%d" % number
        play.ready(worker)
        play.depart(worker)
    assert len(play.assigned) == 3
    assert play.whys(What.FAILED) == ["redelivered too often"]
    play.balance()


def test_jobs_of_two_lost_workers_are_handed_out_by_age() -> None:
    play = Play(service_rules=ServiceRules(credit=2))
    play.ready(b"w1", b"w2")
    for number in (b"1", b"2", b"3", b"4"):
        play.ask(b"alice", number)
    assert play.takers() == [b"w1", b"w2", b"w1", b"w2"]
    play.depart(b"w2")
    play.depart(b"w1")
    play.ready(b"w3", b"w4")
    assert [one.job.request_id for one in play.assigned[4:]] == [b"1", b"2", b"3", b"4"]


def test_partial_replies_are_streamed_and_the_final_one_ends_it() -> None:
    play = Play()
    play.ready(b"w")
    play.ask(b"alice", b"1")
    play.partial(b"w", b"a")
    play.partial(b"w", b"b")
    play.final(b"w", b"c")
    assert play.replies == [
        (b"alice", b"1", [b"a"], False),
        (b"alice", b"1", [b"b"], False),
        (b"alice", b"1", [b"c"], True),
    ]


def test_a_request_with_a_part_of_its_reply_sent_is_not_run_again() -> None:
    play = Play()
    play.ready(b"w1", b"w2")
    play.ask(b"alice", b"1")
    play.partial(b"w1", b"a")
    play.depart(b"w1")
    assert play.takers() == [b"w1"]
    assert play.whys(What.FAILED) == ["worker lost in mid-reply"]
    play.balance()


def test_an_open_id_sent_again_is_the_same_request() -> None:
    play = Play()
    play.ask(b"alice", b"1")
    play.ask(b"alice", b"1")
    play.ready(b"w1", b"w2")
    play.ask(b"alice", b"1")
    assert play.takers() == [b"w1"]
    assert play.count(What.RETRIED) == 2
    assert play.broker.statistics.accepted == 1


def test_a_finished_id_sent_again_runs_again_and_is_flagged() -> None:
    play = Play()
    play.ready(b"w")
    play.ask(b"alice", b"1")
    play.final(b"w")
    play.ask(b"bob", b"1")
    play.final(b"w")
    assert play.count(What.REPEATED) == 0
    play.ask(b"alice", b"1")
    play.final(b"w")
    assert play.count(What.REPEATED) == 1
    assert len(play.replies) == 3


def test_one_client_pipelines_and_is_answered_in_any_order() -> None:
    play = Play()
    play.ready(b"w1", b"w2", b"w3")
    for number in (b"1", b"2", b"3"):
        play.ask(b"alice", number)
    for worker in (b"w3", b"w1", b"w2"):
        play.final(worker)
    assert [request_id for _, request_id, _, _ in play.replies] == [b"3", b"1", b"2"]


def test_two_clients_may_use_the_same_id() -> None:
    play = Play(EMQP)
    play.ready(b"w", slots=2)
    play.ask(b"alice", b"1", b"from alice")
    play.ask(b"bob", b"1", b"from bob")
    first, second = play.assigned
    assert first.tag == b"1"
    assert second.tag not in (b"1", b"")
    play.final(b"w", b"for bob", tag=second.tag)
    play.final(b"w", b"for alice", tag=first.tag)
    assert [(client, request_id, body) for client, request_id, body, _ in play.replies] == [
        (b"bob", b"1", [b"for bob"]),
        (b"alice", b"1", [b"for alice"]),
    ]


def test_a_worker_with_credit_never_holds_two_jobs_under_one_tag() -> None:
    play = Play(MDP, service_rules=ServiceRules(credit=3))
    play.ready(b"w")
    for _ in range(3):
        play.ask(b"alice")
    tags = [one.tag for one in play.assigned]
    assert tags[0] == b"alice"
    assert len(set(tags)) == 3


def test_credit_spreads_jobs_before_it_stacks_them() -> None:
    play = Play(service_rules=ServiceRules(credit=2))
    play.ready(b"w1", b"w2")
    for number in range(5):
        play.ask(b"alice", b"%d" % number)
    assert play.takers() == [b"w1", b"w2", b"w1", b"w2"]


def test_a_flooding_client_does_not_delay_the_other() -> None:
    play = Play()
    for number in range(100):
        play.ask(b"flooder", b"%d" % number)
    play.ask(b"modest", b"1")
    play.ready(b"w")
    play.final(b"w")
    assert [one.job.client.identity for one in play.assigned] == [b"flooder", b"modest"]


def test_a_worker_of_several_queues_serves_the_oldest_request_first() -> None:
    play = Play(EMQP)
    play.ask(b"alice", b"1", service=b"b")
    play.ask(b"alice", b"2", service=b"a")
    play.ask(b"alice", b"3", service=b"c")
    play.ask(b"alice", b"4", service=b"elsewhere")
    play.ready(b"w", services=[b"a", b"b", b"c"])
    play.final(b"w")
    play.final(b"w")
    play.final(b"w")
    assert [one.job.request_id for one in play.assigned] == [b"1", b"2", b"3"]
    play.ask(b"alice", b"5", service=b"c")
    play.ask(b"alice", b"6", service=b"a")
    assert [one.job.request_id for one in play.assigned] == [b"1", b"2", b"3", b"5"]


def test_a_worker_that_offers_slots_gets_no_more_than_it_offered() -> None:
    play = Play(EMQP)
    play.ready(b"w", slots=2)
    for number in range(4):
        play.ask(b"alice", b"%d" % number)
    assert len(play.assigned) == 2
    play.offer(b"w")
    assert len(play.assigned) == 3


def test_a_bridged_job_has_an_id_of_the_brokers_own() -> None:
    play = Play(MDPX, worker_manners=EMQP)
    play.ready(b"w")
    play.ask(b"alice", b"1", b"hello")
    assert isinstance(play.assigned[0].tag, bytes)
    assert play.assigned[0].tag != b"1"
    play.final(b"w", b"hi")
    assert play.replies == [(b"alice", b"1", [b"hi"], True)]


@pytest.mark.parametrize("back", ALL_MANNERS, ids=lambda one: one.family)
@pytest.mark.parametrize("front", ALL_MANNERS, ids=lambda one: one.family)
def test_a_client_of_any_dialect_is_served_by_a_worker_of_any(
    front: Manners, back: Manners
) -> None:
    play = Play(front, worker_manners=back)
    play.ready(b"w1", b"w2")
    play.ask(b"alice", b"1", b"hello")
    play.mute.add(b"w1")
    play.wait(6.0)
    play.final(b"w2", b"hi")
    [(client, _, body, final)] = play.replies
    assert (client, body, final) == (b"alice", [b"hi"], True)
    play.balance()


def test_a_client_that_hears_one_reply_only_gets_the_parts_in_front_of_it() -> None:
    play = Play(PPP, worker_manners=MDPX)
    play.ready(b"w")
    play.ask(b"alice")
    play.partial(b"w", b"a", b"b")
    play.partial(b"w", b"c")
    assert play.replies == []
    play.final(b"w", b"d")
    assert [body for _, _, body, _ in play.replies] == [[b"a", b"b", b"c", b"d"]]


def test_parts_that_were_kept_back_are_forgotten_with_their_worker() -> None:
    play = Play(PPP, worker_manners=MDPX)
    play.ready(b"w1", b"w2")
    play.ask(b"alice")
    play.partial(b"w1", b"half")
    play.depart(b"w1")
    play.partial(b"w2", b"a")
    play.final(b"w2", b"b")
    assert [body for _, _, body, _ in play.replies] == [[b"a", b"b"]]


def test_a_body_that_no_worker_can_carry_is_refused() -> None:
    play = Play(MDPX, worker_manners=EMQP)
    play.ready(b"w")
    play.ask(b"alice", b"1", b"two", b"frames")
    assert play.count(What.REFUSED) == 1
    assert play.broker.open == 0


def test_a_reply_that_the_client_cannot_be_told_fails_the_request() -> None:
    play = Play(EMQP, worker_manners=MDPX)
    play.ready(b"w")
    play.ask(b"alice", b"1")
    play.final(b"w", b"two", b"frames")
    assert play.replies == []
    assert play.whys(What.FAILED) == ["unbridgeable reply of 2 frames"]
    play.ask(b"alice", b"2")
    assert play.takers() == [b"w", b"w"]


def test_among_mixed_workers_each_body_finds_one_that_can_carry_it() -> None:
    play = Play(MDPX, worker_manners=EMQP)
    wide = play.open("wide", workers=MDPX)
    play.ready(b"narrow")
    play.act(play.broker.register(wide, b"wide", [b"echo"], play.now))
    play.ask(b"alice", b"1", b"two", b"frames")
    play.ask(b"alice", b"2", b"two", b"frames")
    play.ask(b"alice", b"3", b"one")
    assert [(one.worker.identity, one.job.request_id) for one in play.assigned] == [
        (b"wide", b"1"),
        (b"narrow", b"3"),
    ]
    wide_tag = play.assigned[0].tag
    play.act(play.broker.reply(wide, b"wide", wide_tag, [b"hi"], True, play.now))
    assert [one.job.request_id for one in play.assigned] == [b"1", b"3", b"2"]


def test_the_broker_itself_says_which_services_there_are() -> None:
    play = Play()
    play.ready(b"w")
    play.ask(b"alice", b"1", b"echo", service=b"mmi.service")
    play.ask(b"alice", b"2", b"nothing", service=b"mmi.service")
    play.ask(b"alice", b"3", b"echo", service=b"mmi.weather")
    assert [body for _, _, body, _ in play.replies] == [[b"200"], [b"404"], [b"501"]]
    play.depart(b"w")
    play.ask(b"alice", b"4", b"echo", service=b"mmi.service")
    assert play.replies[-1][2] == [b"404"]
    assert play.broker.statistics.accepted == 0


def test_the_brokers_own_names_are_not_to_be_had() -> None:
    play = Play(EMQP)
    play.ask(b"alice", b"1", service=b"mmi.service")
    assert play.whys(What.REFUSED) == ["a reserved name"]
    play.ready(b"w", services=[b"mmi.service"])
    assert play.whys(What.WORKER_REFUSED) == ["a reserved name"]
