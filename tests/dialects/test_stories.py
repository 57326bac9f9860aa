"""The same stories in every dialect, and between every two of them, without a socket."""

from __future__ import annotations

import pytest

from support.cast import ASKERS, SERVERS
from support.theatre import Asker, Server, Theatre
from zwire.core.effects import What
from zwire.core.policy import Limits, ServiceRules

every_asker = pytest.mark.parametrize("asking", ASKERS)
every_server = pytest.mark.parametrize("serving", SERVERS)


def asker(theatre: Theatre, dialect: str, name: bytes = b"client") -> Asker:
    return ASKERS[dialect](theatre, name)


def server(theatre: Theatre, dialect: str, name: bytes = b"worker") -> Server:
    made = SERVERS[dialect](theatre, name)
    made.ready()
    return made


@every_asker
@every_server
def test_a_client_of_any_dialect_is_served_by_a_worker_of_any_other(
    asking: str, serving: str
) -> None:
    theatre = Theatre()
    worker, client = server(theatre, serving), asker(theatre, asking)
    for word in (b"one", b"two", b""):
        client.ask(word, b"id-" + word + b".")
        tag, body = worker.task()
        assert body == [word]
        worker.reply(tag, b"re: " + word)
        assert client.answer() == ([b"re: " + word], True)
    assert client.nothing
    assert worker.nothing
    assert theatre.engine.open == 0


@pytest.mark.parametrize("asking", [name for name in ASKERS if name != "emqp"])
@pytest.mark.parametrize("serving", [name for name, kind in SERVERS.items() if kind.partials])
def test_partial_replies_are_streamed_or_come_in_front_of_the_final_one(
    asking: str, serving: str
) -> None:
    theatre = Theatre()
    worker, client = server(theatre, serving), asker(theatre, asking)
    client.ask(b"count")
    tag, _ = worker.task()
    worker.reply(tag, b"1", final=False)
    worker.reply(tag, b"2", final=False)
    worker.reply(tag, b"3")
    if client.partials:
        assert [client.answer() for _ in range(3)] == [
            ([b"1"], False),
            ([b"2"], False),
            ([b"3"], True),
        ]
    else:
        assert client.answer() == ([b"1", b"2", b"3"], True)
    assert client.nothing


@every_server
def test_the_least_recently_used_worker_is_next(serving: str) -> None:
    theatre = Theatre()
    workers = [server(theatre, serving, b"w%d" % number) for number in range(3)]
    client = asker(theatre, "mdpx")
    turns = []
    for turn in range(6):
        client.ask(b"x", b"%d" % turn)
        (chosen,) = [worker for worker in workers if not worker.nothing]
        tag, _ = chosen.task()
        chosen.reply(tag, b"y")
        turns.append(chosen.identity)
    assert turns == [b"w0", b"w1", b"w2"] * 2


@every_server
def test_a_silent_worker_loses_its_job_to_the_next(serving: str) -> None:
    theatre = Theatre()
    first, client = server(theatre, serving, b"first"), asker(theatre, "mdpx")
    client.ask(b"work")
    first.task()
    theatre.wait(2.5)
    second = server(theatre, serving, b"second")
    theatre.wait(2.0)
    assert [told.peer for told in theatre.happenings(What.WORKER_LOST)] == [b"first"]
    while second.next() in (
        [b"\x02"],
        [b"MDPW02", b"\x05"],
        [b"", b"MDPW02", b"\x05"],
        [b"", b"MDPW01", b"\x04"],
    ):
        pass
    assert len(theatre.happenings(What.REDELIVERED)) == 1
    (job,) = theatre.engine.services[b"echo"].open.values()
    assert job.worker is not None
    assert job.worker.identity == b"second"


@pytest.mark.parametrize("serving", [name for name, kind in SERVERS.items() if kind.dismissible])
def test_a_worker_that_says_goodbye_gives_its_job_back(serving: str) -> None:
    theatre = Theatre()
    first, client = server(theatre, serving, b"first"), asker(theatre, "mdpx")
    client.ask(b"work")
    first.task()
    first.leave()
    second = server(theatre, serving, b"second")
    tag, body = second.task()
    assert body == [b"work"]
    second.reply(tag, b"done")
    assert client.answer() == ([b"done"], True)


@every_asker
def test_a_request_without_a_worker_waits_for_one(asking: str) -> None:
    theatre = Theatre()
    client = asker(theatre, asking)
    client.ask(b"early")
    assert theatre.engine.open == 1
    worker = server(theatre, "mdpx")
    tag, body = worker.task()
    assert body == [b"early"]
    worker.reply(tag, b"at last")
    assert client.answer() == ([b"at last"], True)


@every_asker
def test_a_request_that_nobody_serves_expires_with_one_event(asking: str) -> None:
    theatre = Theatre(rules=ServiceRules(expiry=5.0))
    client = asker(theatre, asking)
    client.ask(b"never")
    theatre.wait(6.0)
    assert len(theatre.happenings(What.EXPIRED)) == 1
    assert theatre.engine.open == 0
    assert client.nothing


@every_asker
def test_a_full_queue_refuses_before_it_accepts(asking: str) -> None:
    theatre = Theatre(rules=ServiceRules(max_queued=2))
    client = asker(theatre, asking)
    for number in range(4):
        client.ask(b"x", b"%d" % number)
    assert theatre.engine.open == 2
    assert len(theatre.happenings(What.REFUSED)) == 2


@pytest.mark.parametrize("asking", ["mdpx", "emqp"])
def test_the_same_id_while_it_is_open_is_a_retry_and_not_queued_twice(asking: str) -> None:
    theatre = Theatre()
    client = asker(theatre, asking)
    client.ask(b"once", b"same")
    client.ask(b"once", b"same")
    assert theatre.engine.open == 1
    assert len(theatre.happenings(What.RETRIED)) == 1
    worker = server(theatre, "mdpx")
    tag, _ = worker.task()
    assert worker.nothing
    worker.reply(tag, b"done")
    assert client.answer() == ([b"done"], True)
    client.ask(b"again", b"same")
    assert len(theatre.happenings(What.REPEATED)) == 1


@every_server
def test_heartbeats_keep_a_worker_and_silence_loses_it(serving: str) -> None:
    theatre = Theatre()
    worker = server(theatre, serving)
    for _ in range(10):
        theatre.wait(0.9)
        worker.beat()
    assert theatre.happenings(What.WORKER_LOST) == []
    theatre.wait(4.0)
    assert len(theatre.happenings(What.WORKER_LOST)) == 1


@every_server
def test_a_worker_that_talks_nonsense_is_heard_no_more_for_a_while(serving: str) -> None:
    theatre = Theatre(limits=Limits(invalid_for=5.0))
    worker = SERVERS[serving](theatre, b"mad")
    worker.say(b"nonsense" if serving != "ppp" else b"")
    assert len(theatre.happenings(What.INVALID)) == 1
    worker.ready()
    assert theatre.happenings(What.WORKER_JOINED) == []
    theatre.wait(6.0)
    worker.ready()
    assert len(theatre.happenings(What.WORKER_JOINED)) == 1


@every_server
def test_a_worker_the_socket_cannot_reach_gives_its_job_to_the_next(serving: str) -> None:
    theatre = Theatre()
    server(theatre, serving, b"gone")
    theatre.unreachable.add(b"gone")
    second = server(theatre, serving, b"here")
    asker(theatre, "mdpx").ask(b"work")
    assert second.task()[1] == [b"work"]


@pytest.mark.parametrize("asking", ["mdpx", "mdp01", "mdp02", "majortomo"])
def test_majordomo_clients_may_ask_who_is_there(asking: str) -> None:
    theatre = Theatre()
    ask = {
        "mdpx": ("mdpx front", [b"MDXC01", b"\x01", b"mmi.service", b"i", b"echo"]),
        "mdp01": ("mdp front", [b"", b"MDPC01", b"mmi.service", b"echo"]),
        "mdp02": ("mdp front", [b"MDPC02", b"\x01", b"mmi.service", b"echo"]),
        "majortomo": ("mdp front", [b"", b"MDPC02", b"\x02", b"mmi.service", b"echo"]),
    }
    ear, frames = ask[asking]
    theatre.hear(ear, b"c", *frames)
    assert theatre.out[b"c"].pop()[-1] == b"404"
    server(theatre, "ppp")
    theatre.hear(ear, b"c", *frames)
    assert theatre.out[b"c"].pop()[-1] == b"200"


def test_emqp_carries_one_frame_and_more_is_unbridgeable() -> None:
    theatre = Theatre()
    server(theatre, "emqp")
    theatre.hear("mdpx front", b"c", b"MDXC01", b"\x01", b"echo", b"i", b"two", b"frames")
    (told,) = theatre.happenings(What.REFUSED)
    assert "unbridgeable" in told.why


def test_emqp_headers_survive_from_emqp_to_emqp_only() -> None:
    theatre = Theatre()
    worker = server(theatre, "emqp")
    theatre.hear("emqp front", b"c", b"", b"eMQP/1.0", b"REQUEST", b"i", b"echo", b"a:1,b", b"x")
    frames = worker.next()
    assert frames is not None
    assert frames[5] == b"a:1,b"


def test_an_empty_name_in_inform_is_invalid() -> None:
    theatre = Theatre()
    theatre.hear("emqp2 back", b"w", b"", b"eMQP/1.0", b"INFORM", b"1", b"a, ,b")
    assert len(theatre.happenings(What.INVALID)) == 1


def test_a_disconnect_under_the_old_header_is_understood_and_reported() -> None:
    theatre = Theatre()
    worker = server(theatre, "mdpx")
    worker.say(b"MDPW02", b"\x06")
    worker.say(b"MDPW02", b"\x06")
    assert len(theatre.happenings(What.VIOLATION)) == 1
    assert theatre.engine.statistics.told[What.VIOLATION] == 1
    assert len(theatre.happenings(What.WORKER_LEFT)) == 1


@pytest.mark.parametrize("serving", ["mdp01", "mdp02", "majortomo"])
def test_nonsense_in_none_of_the_dialects_of_a_socket_counts_in_all_of_them(serving: str) -> None:
    theatre = Theatre()
    worker, client = server(theatre, serving), asker(theatre, "mdpx")
    client.ask(b"work")
    worker.task()
    worker.say(b"what is this?")
    assert len(theatre.happenings(What.WORKER_LOST)) == 1
    assert len(theatre.happenings(What.REDELIVERED)) == 1
    (told,) = theatre.happenings(What.INVALID)
    assert told.endpoint == theatre.happenings(What.WORKER_JOINED)[0].endpoint


def test_a_client_of_one_dialect_that_comes_back_in_another_is_answered_in_that() -> None:
    theatre = Theatre(limits=Limits(invalid_for=1.0))
    old, new = asker(theatre, "mdp01", b"same"), asker(theatre, "mdp02", b"same")
    worker = server(theatre, "mdpx")
    old.ask(b"first")
    old.say(b"what is this?")
    theatre.wait(1.5)
    new.ask(b"second")
    tag, _ = worker.task()
    worker.reply(tag, b"one")
    assert old.answer() == ([b"one"], True)
    worker.beat()
    tag, _ = worker.task()
    worker.reply(tag, b"two")
    assert new.answer() == ([b"two"], True)


@pytest.mark.parametrize(
    "frames",
    [
        [b"MDXW01", b"\x01", b"echo"],  # a second READY
        [b"MDXW01", b"\x04", b"c", b"", b"i", b"x"],  # a FINAL nobody asked for
        [b"MDXW01", b"PONG"],  # the broker's own word
        [b"MDXW01", b"\x02", b"c", b"", b"i", b"x"],
    ],
)
def test_what_is_valid_but_unexpected_is_answered_by_disconnect(frames: list[bytes]) -> None:
    theatre = Theatre()
    worker = server(theatre, "mdpx")
    worker.say(*frames)
    assert worker.is_goodbye(worker.next())
    worker.say(b"MDXW01", b"PING")
    assert worker.nothing


@pytest.mark.parametrize(
    "frames",
    [
        [b"MDXC01"],
        [b"MDXC01", b"\x01", b"echo", b"", b"x"],
        [b"MDXC01", b"\x01", b"", b"i", b"x"],
        [b"MDXC01", b"\x01", b"bad\x00name", b"i", b"x"],
        [b"MDXC01", b"\x01", b"echo", b"i"],
        [b"MDXC01", b"\x03", b"echo", b"i", b"x"],
        [b"MDXW01", b"\x01", b"echo"],
        [b""],
    ],
)
def test_what_is_no_request_is_dropped_and_told(frames: list[bytes]) -> None:
    theatre = Theatre()
    theatre.hear("mdpx front", b"c", *frames)
    assert len(theatre.happenings(What.INVALID)) == 1
    assert theatre.engine.open == 0


def test_ppp_without_a_stack_answers_the_one_job() -> None:
    theatre = Theatre()
    worker, client = server(theatre, "ppp"), asker(theatre, "ppp")
    client.ask(b"x")
    worker.task()
    worker.say(b"bare content")
    assert client.answer() == ([b"bare content"], True)


def test_a_dialect_nobody_knows_is_refused_on_a_shared_socket() -> None:
    theatre = Theatre()
    theatre.hear("mdp front", b"c", b"", b"XXXX", b"y")
    theatre.hear("mdp front", b"d", b"ZZZZ")
    assert len(theatre.happenings(What.INVALID)) == 2
