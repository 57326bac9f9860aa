"""Stories of too much: bounds on queues and peers, expiry, full clients, and the clean stop."""

from __future__ import annotations

from support.broker_play import EMQP, MDPX, Play
from zwire.core import Limits, ServiceRules
from zwire.core.effects import What


def test_a_request_beyond_the_services_queue_is_refused() -> None:
    play = Play(service_rules=ServiceRules(max_queued=2))
    for number in (b"1", b"2", b"3"):
        play.ask(b"alice", number)
    assert play.whys(What.REFUSED) == ["too many requests for this service"]
    play.ready(b"w")
    play.ask(b"alice", b"4")
    assert play.broker.statistics.accepted == 3


def test_a_request_beyond_the_clients_share_is_refused() -> None:
    play = Play(limits=Limits(max_open_per_client=2))
    for number in (b"1", b"2", b"3"):
        play.ask(b"alice", number)
    play.ask(b"bob", b"1")
    assert play.whys(What.REFUSED) == ["too many open requests of this client"]
    assert play.broker.open == 3


def test_at_the_mark_front_ends_pause_and_go_on_when_there_is_room() -> None:
    play = Play(limits=Limits(max_open=10))
    for number in range(10):
        assert not play.broker.paused
        play.ask(b"alice", b"%d" % number)
    assert play.broker.paused
    play.ready(b"w")
    play.final(b"w")
    assert play.broker.paused
    play.final(b"w")
    assert not play.broker.paused


def test_on_a_shared_socket_the_excess_is_refused() -> None:
    play = Play(limits=Limits(max_open=2))
    shared = play.open("shared", clients=EMQP, workers=EMQP)
    for number in (b"1", b"2", b"3"):
        play.ask(b"alice", number, endpoint=shared)
    assert play.whys(What.REFUSED) == ["too many open requests"]


def test_what_a_paused_socket_had_read_is_taken_within_reason() -> None:
    play = Play(limits=Limits(max_open=2))
    for number in range(6):
        play.ask(b"alice", b"%d" % number)
    assert play.broker.open == 4
    assert play.whys(What.REFUSED) == ["too many open requests"] * 2


def test_idle_clients_make_room_for_new_ones() -> None:
    play = Play(limits=Limits(max_clients=3))
    play.ready(b"w")
    for number in range(20):
        play.ask(b"client %d" % number)
        play.final(b"w")
    assert len(play.replies) == 20
    assert play.broker.client_count <= 3


def test_clients_with_open_requests_are_not_forgotten_for_new_ones() -> None:
    play = Play(limits=Limits(max_clients=2))
    for name in (b"alice", b"bob", b"carol"):
        play.ask(name)
    assert play.whys(What.REFUSED) == ["too many clients"]
    play.ready(b"w")
    play.final(b"w")
    play.now += 2.0
    play.ask(b"carol")
    assert play.count(What.REFUSED) == 1


def test_workers_and_clients_share_one_bound() -> None:
    play = Play(limits=Limits(max_peers=2))
    play.ready(b"w1")
    play.ask(b"alice")
    play.ask(b"bob")
    play.ready(b"w2")
    assert play.whys(What.REFUSED) == ["too many clients"]
    assert play.whys(What.WORKER_REFUSED) == ["too many peers"]


def test_services_are_bounded_and_unused_ones_forgotten() -> None:
    play = Play(limits=Limits(max_services=2), service_rules=ServiceRules(expiry=5.0))
    for name in (b"a", b"b", b"c"):
        play.ask(b"alice", name, service=name)
    play.ready(b"w", services=[b"d"])
    assert play.whys(What.REFUSED) == ["too many services"]
    assert play.whys(What.WORKER_REFUSED) == ["too many services"]
    play.wait(6.0)
    assert play.broker.services == {}


def test_names_that_a_client_makes_up_keep_no_worker_out() -> None:
    play = Play(limits=Limits(max_services=4, max_unserved=2))
    for number in range(6):
        play.ask(b"mallory", b"%d" % number, service=b"made up %d" % number)
    assert play.whys(What.REFUSED) == ["too many services"] * 4
    play.ready(b"w1", services=[b"real"])
    play.ready(b"w2", services=[b"made up 0"])
    assert play.takers() == [b"w2"]
    play.ask(b"alice", b"1", service=b"real")
    assert play.takers() == [b"w2", b"w1"]
    play.ask(b"alice", b"2", service=b"wanted")  # a place is free again
    assert play.broker.unserved == 2
    play.depart(b"w1")
    play.ask(b"alice", b"3", service=b"too late")
    assert len(play.whys(What.REFUSED)) == 5
    play.balance()


def test_a_client_long_unseen_is_forgotten() -> None:
    play = Play(limits=Limits(client_memory=10.0))
    play.ready(b"w")
    play.ask(b"alice")
    play.final(b"w")
    play.wait(30.0)
    assert play.broker.client_count == 0


def test_a_request_expires_once_and_its_place_is_free() -> None:
    play = Play(service_rules=ServiceRules(expiry=5.0))
    play.ask(b"alice", b"1")
    play.wait(2.0)
    play.ask(b"bob", b"2")
    play.wait(4.0)
    assert [tell.request_id for tell in play.told if tell.what is What.EXPIRED] == [b"1"]
    play.ready(b"w")
    assert [one.job.request_id for one in play.assigned] == [b"2"]
    play.balance()


def test_what_expires_as_its_worker_is_lost_is_not_handed_out_again() -> None:
    play = Play(service_rules=ServiceRules(expiry=4.0))
    play.ready(b"w1")
    play.ask(b"alice", b"1")
    play.now += 2.0
    play.ready(b"w2")
    play.now += 3.0
    play.act(play.broker.tick(play.now))
    assert play.takers() == [b"w1"]
    assert play.count(What.WORKER_LOST) == 1
    assert play.count(What.EXPIRED) == 1


def test_services_have_expiries_of_their_own() -> None:
    play = Play(services={b"slow": ServiceRules(expiry=None), b"fast": ServiceRules(expiry=1.0)})
    play.ask(b"alice", b"1", service=b"slow")
    play.ask(b"alice", b"2", service=b"fast")
    play.ask(b"alice", b"3", service=b"other")
    play.wait(70.0)
    expired = [tell.request_id for tell in play.told if tell.what is What.EXPIRED]
    assert expired == [b"2", b"3"]


def test_replies_to_a_full_client_are_parked_and_sent_in_order() -> None:
    play = Play()
    play.ready(b"w")
    play.full.add(b"alice")
    play.ask(b"alice", b"1")
    play.partial(b"w", b"a")
    play.final(b"w", b"b")
    play.ask(b"alice", b"2")
    play.final(b"w", b"c")
    play.wait(1.0)
    assert play.replies == []
    assert play.count(What.REPLY_PARKED) == 3
    play.full.clear()
    play.wait(0.5)
    assert [body for _, _, body, _ in play.replies] == [[b"a"], [b"b"], [b"c"]]
    assert play.broker.next_deadline() is not None
    play.balance()


def test_a_full_client_does_not_hold_up_another() -> None:
    play = Play()
    play.ready(b"w")
    play.full.add(b"alice")
    play.ask(b"alice")
    play.final(b"w")
    play.ask(b"bob")
    play.final(b"w")
    assert [client for client, _, _, _ in play.replies] == [b"bob"]


def test_parked_replies_beyond_the_bound_are_dropped_and_told() -> None:
    play = Play(limits=Limits(max_parked=2))
    play.ready(b"w")
    play.full.add(b"alice")
    for number in (b"1", b"2", b"3"):
        play.ask(b"alice", number)
        play.final(b"w")
    assert play.count(What.REPLY_DROPPED) == 1
    assert play.whys(What.FAILED) == ["too many replies are parked"]
    play.balance()


def test_a_client_that_does_not_read_is_tried_less_and_less_often() -> None:
    play = Play()
    play.ready(b"w")
    play.full.add(b"alice")
    for number in range(10):
        play.ask(b"alice", b"%d" % number)
        play.final(b"w")
    tries = []
    for _ in range(4):
        due = play.broker.next_deadline()
        assert due is not None
        tries.append(round(due - play.now, 3))
        play.now = due
        play.act(play.broker.tick(play.now))
    assert tries == [0.02, 0.04, 0.08, 0.16]
    # Who reads again, and be it a little, is soon tried again.
    play.full.clear()
    play.wait(0.4)
    assert len(play.replies) == 10
    play.full.add(b"alice")
    play.ask(b"alice", b"last")
    play.final(b"w")
    play.full.clear()
    play.wait(0.03)
    assert len(play.replies) == 11
    play.balance()


def test_a_stream_that_failed_gives_its_place_to_other_replies() -> None:
    play = Play(limits=Limits(max_parked=3), service_rules=ServiceRules(credit=2))
    play.ready(b"w")
    play.full.add(b"alice")
    play.ask(b"alice", b"stream")
    play.ask(b"alice", b"other")
    for part in (b"a", b"b", b"c", b"d"):
        play.partial(b"w", part, tag=(b"alice", b"stream"))
    assert play.count(What.REPLY_DROPPED) == 4
    play.final(b"w", b"whole", tag=(b"alice", b"other"))
    play.full.clear()
    play.wait(0.5)
    assert play.replies == [(b"alice", b"other", [b"whole"], True)]
    assert play.count(What.FAILED) == 1
    play.balance()


def test_a_stream_that_lost_a_part_is_not_continued() -> None:
    play = Play(limits=Limits(max_parked=1))
    play.ready(b"w")
    play.full.add(b"alice")
    play.ask(b"alice", b"1")
    play.partial(b"w", b"a")
    play.partial(b"w", b"b")
    play.full.clear()
    play.wait(0.1)
    play.final(b"w", b"c")
    assert play.replies == []
    assert play.count(What.FAILED) == 1
    assert play.count(What.LATE_REPLY) == 1
    play.balance()


def test_parked_replies_are_given_up_after_a_while() -> None:
    play = Play(limits=Limits(parked_for=5.0))
    play.ready(b"w")
    play.full.add(b"alice")
    play.ask(b"alice", b"1")
    play.final(b"w")
    play.wait(6.0)
    assert play.whys(What.FAILED) == ["parked for too long"]
    assert play.count(What.REPLY_DROPPED) == 1
    play.balance()


def test_a_reply_to_a_client_that_cannot_be_reached_ends_the_request_as_such() -> None:
    play = Play()
    play.ready(b"w")
    play.gone.add(b"alice")
    play.ask(b"alice", b"1")
    play.final(b"w")
    assert play.count(What.CLIENT_GONE) == 1
    assert play.broker.statistics.answered == 0
    play.balance()


def test_a_part_for_a_client_that_is_gone_ends_the_request_once() -> None:
    play = Play()
    play.ready(b"w")
    play.gone.add(b"alice")
    play.ask(b"alice", b"1")
    play.partial(b"w", b"a")
    play.final(b"w", b"b")
    assert play.count(What.CLIENT_GONE) == 1
    assert play.count(What.LATE_REPLY) == 1
    play.balance()


def test_the_requests_of_a_client_that_vanished_end() -> None:
    play = Play()
    play.ready(b"w")
    for number in (b"1", b"2"):
        play.ask(b"alice", number)
    play.ask(b"bob", b"3")
    play.act(play.broker.vanish(play.front, b"alice", play.now))
    assert play.count(What.CLIENT_GONE) == 2
    play.final(b"w", b"for nobody")
    assert play.count(What.LATE_REPLY) == 1
    assert [one.job.request_id for one in play.assigned] == [b"1", b"3"]
    play.balance()


def test_parked_replies_of_a_client_that_vanished_end_as_such() -> None:
    play = Play()
    play.ready(b"w")
    play.full.add(b"alice")
    play.ask(b"alice", b"1")
    play.final(b"w")
    play.act(play.broker.vanish(play.front, b"alice", play.now))
    assert play.count(What.CLIENT_GONE) == 1
    play.balance()


def test_parts_to_be_gathered_are_bounded() -> None:
    play = Play(EMQP, worker_manners=MDPX, limits=Limits(max_gathered=3))
    play.ready(b"w")
    play.ask(b"alice", b"1")
    for _ in range(5):
        play.partial(b"w", b"a")
    assert play.whys(What.FAILED) == ["too many partial replies to gather"]
    play.balance()


def test_draining_finishes_what_is_open_and_then_stops() -> None:
    play = Play()
    play.ready(b"w1", b"w2")
    play.ask(b"alice", b"1")
    play.act(play.broker.drain(play.now, 30.0))
    play.ask(b"alice", b"1")
    play.ask(b"alice", b"2")
    assert play.count(What.RETRIED) == 1
    assert play.whys(What.REFUSED) == ["the broker is stopping"]
    play.wait(2.0)
    assert play.count(What.STOPPED) == 0
    play.final(b"w1")
    play.wait(0.1)
    assert play.broker.stopped
    assert sorted(play.dismissed) == [b"w1", b"w2"]
    assert play.broker.next_deadline() is None
    play.balance()


def test_draining_has_a_limit() -> None:
    play = Play()
    play.ready(b"w")
    play.ask(b"alice", b"1")
    play.ask(b"alice", b"2")
    play.act(play.broker.drain(play.now, 3.0))
    play.wait(4.0)
    assert play.broker.stopped
    assert play.whys(What.FAILED) == ["the broker stopped"] * 2
    assert play.broker.open == 0
    play.balance()


def test_a_stop_gives_up_parked_replies() -> None:
    play = Play()
    play.ready(b"w")
    play.full.add(b"alice")
    play.ask(b"alice", b"1")
    play.final(b"w")
    play.act(play.broker.stop(play.now))
    assert play.whys(What.FAILED) == ["the broker stopped"]
    play.balance()


def test_the_counters_have_names() -> None:
    play = Play()
    play.ask(b"alice", b"1")
    counts = play.broker.statistics.as_dict()
    assert counts["accepted"] == 1
    assert counts["request expired"] == 0
