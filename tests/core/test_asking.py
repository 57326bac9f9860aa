"""Stories of a client: retries on silence, time-outs, streams, and replies that nobody awaits."""

from __future__ import annotations

import pytest

from zwire.core import Asking, AskingRules, Backoff
from zwire.core.asking import Ask, BreakOff, Deliver, Discard, GiveUp, Send
from zwire.errors import LocalError

RULES = AskingRules(timeout=30.0, retry=Backoff(1.0, 2.0, 4.0))


def submit(asking: Asking, request_id: bytes = b"1", now: float = 0.0) -> Ask:
    [send] = asking.submit(request_id, b"echo", [b"hello"], now)
    assert isinstance(send, Send)
    return send.ask


def retries_until(asking: Asking, end: float) -> list[float]:
    """When something is sent again, if the client wakes exactly when it wants."""
    times = []
    while (due := asking.next_deadline()) is not None and due <= end:
        times += [due for effect in asking.tick(due) if isinstance(effect, Send)]
    return times


def test_a_request_is_sent_and_its_final_reply_delivered() -> None:
    asking = Asking(RULES)
    ask = submit(asking)
    assert asking.reply(b"1", [b"hi"], True) == [Deliver(ask, [b"hi"], True)]
    assert ask.ended
    assert asking.open == {}
    assert asking.next_deadline() is None


def test_silence_is_met_with_the_same_id_after_growing_pauses() -> None:
    asking = Asking(RULES)
    ask = submit(asking)
    assert retries_until(asking, 16.0) == [1.0, 3.0, 7.0, 11.0, 15.0]
    assert ask.retries == asking.retried == 5


def test_retries_may_be_bounded() -> None:
    asking = Asking(AskingRules(retry=Backoff(1.0), max_retries=2))
    submit(asking)
    assert len(retries_until(asking, 29.0)) == 2


def test_a_client_may_never_retry() -> None:
    asking = Asking(AskingRules(retry=None))
    submit(asking)
    assert asking.next_deadline() == 30.0


def test_a_dialect_without_ids_retries_on_a_fresh_socket() -> None:
    asking = Asking(AskingRules(retry=Backoff(1.0), fresh_socket=True))
    ask = submit(asking)
    assert asking.tick(1.0) == [Send(ask, fresh=True)]


def test_nobody_answers_in_time() -> None:
    asking = Asking(AskingRules(timeout=5.0, retry=None))
    ask = submit(asking, now=10.0)
    assert asking.tick(14.9) == ()
    assert asking.tick(15.0) == [GiveUp(ask, 5.0)]
    assert asking.reply(b"1", [b"late"], True) == [Discard(b"1", True)]


def test_each_request_may_have_its_own_time_out() -> None:
    asking = Asking(AskingRules(timeout=5.0, retry=None))
    asking.submit(b"1", b"echo", [b""], 0.0, timeout=1.0)
    asking.submit(b"2", b"echo", [b""], 0.0, timeout=float("inf"))
    assert [type(effect) for effect in asking.tick(100.0)] == [GiveUp]
    assert list(asking.open) == [b"2"]
    assert asking.next_deadline() is None


def test_a_stream_is_delivered_part_by_part_and_not_asked_for_again() -> None:
    asking = Asking(RULES)
    ask = submit(asking)
    assert asking.reply(b"1", [b"a"], False) == [Deliver(ask, [b"a"], False)]
    assert retries_until(asking, 29.0) == []
    assert asking.reply(b"1", [b"b"], True) == [Deliver(ask, [b"b"], True)]


def test_a_reply_that_has_begun_is_broken_off_with_the_connection_and_others_go_on() -> None:
    asking = Asking(AskingRules(timeout=10.0))
    for name in (b"begun", b"waiting", b"elsewhere"):
        asking.submit(name, b"echo", [b"?"], 0.0)
    asking.reply(b"begun", [b"part"], False)
    asking.reply(b"elsewhere", [b"part"], False)
    (effect,) = asking.interrupt([b"begun", b"waiting", b"long gone"])
    assert isinstance(effect, BreakOff)
    assert effect.ask.request_id == b"begun"
    assert isinstance(asking.reply(b"begun", [b"the rest"], True)[0], Discard)
    assert set(asking.open) == {b"waiting", b"elsewhere"}


def test_a_stream_that_stops_in_the_middle_times_out() -> None:
    asking = Asking(RULES)
    ask = submit(asking)
    asking.reply(b"1", [b"a"], False)
    asking.tick(1.0)
    assert asking.tick(30.0) == [GiveUp(ask, 30.0)]


def test_a_second_final_reply_is_not_delivered() -> None:
    asking = Asking(RULES)
    submit(asking)
    asking.reply(b"1", [b"hi"], True)
    assert asking.reply(b"1", [b"hi"], True) == [Discard(b"1", True)]
    assert asking.reply(b"unknown", [b"hi"], False) == [Discard(b"unknown", False)]
    assert asking.discarded == 2


def test_twenty_requests_are_answered_in_any_order() -> None:
    asking = Asking(RULES)
    asks = {request_id: submit(asking, request_id) for request_id in map(_octets, range(20))}
    for number in (7 * n % 20 for n in range(20)):
        request_id = _octets(number)
        [effect] = asking.reply(request_id, [request_id], True)
        assert effect == Deliver(asks[request_id], [request_id], True)
    assert asking.open == {}


def test_a_cancelled_request_is_over() -> None:
    asking = Asking(RULES)
    submit(asking)
    assert asking.cancel(b"1")
    assert not asking.cancel(b"1")
    assert asking.tick(100.0) == []


def test_an_id_is_not_empty_nor_open_twice() -> None:
    asking = Asking(AskingRules(max_open=1))
    with pytest.raises(LocalError, match="must not be empty"):
        submit(asking, b"")
    submit(asking, b"\x01")
    with pytest.raises(LocalError, match="the id 01 is open already"):
        submit(asking, b"\x01")
    with pytest.raises(LocalError, match="no more are allowed"):
        submit(asking, b"\x02")


def _octets(number: int) -> bytes:
    return number.to_bytes(2, "big")
