"""The broker engine told everything by events: each does what the method of its name does."""

from __future__ import annotations

from support.broker_play import EMQP, MDPX, Play
from zwire.core.effects import What
from zwire.core.events import (
    Answered,
    Departed,
    Event,
    Misspoke,
    Offered,
    Pulsed,
    Registered,
    Requested,
    Strayed,
    Vanished,
)


def tell(play: Play, *events: Event) -> None:
    for event in events:
        play.act(play.broker.receive(event, play.now))


def test_a_whole_conversation_in_events() -> None:
    play = Play(MDPX)
    front, back = play.front, play.back
    tell(
        play,
        Registered(back, b"w", [b"echo"]),
        Requested(front, b"alice", b"echo", b"1", [b"hello"], [b"envelope"]),
        Pulsed(back, b"w"),
        Answered(back, b"w", (b"alice", b"1"), [b"a"], final=False),
        Answered(back, b"w", None, [b"b"]),
        Departed(back, b"w"),
    )
    assert list(play.assigned[0].job.envelope) == [b"envelope"]
    assert play.beats == [b"w"]
    assert play.replies == [
        (b"alice", b"1", [b"a"], False),
        (b"alice", b"1", [b"b"], True),
    ]
    assert play.count(What.WORKER_LEFT) == 1


def test_everything_that_goes_wrong_in_events() -> None:
    play = Play(MDPX)
    back = play.back
    for worker in (b"w1", b"w2", b"w3"):
        tell(play, Registered(back, worker, [b"echo"]))
    tell(
        play,
        Strayed(back, b"w1", "out of turn"),
        Misspoke(back, b"w2", "no such command"),
        Vanished(back, b"w3"),
    )
    assert back.workers == {}
    assert play.count(What.VIOLATION) == 1
    assert play.count(What.INVALID) == 1
    assert play.count(What.WORKER_LOST) == 2


def test_a_slot_is_offered_by_an_event() -> None:
    play = Play(EMQP)
    tell(
        play,
        Registered(play.back, b"w", [b"a", b"b"]),
        Requested(play.front, b"alice", b"b", b"1", [b"hello"]),
    )
    assert play.assigned == []
    tell(play, Offered(play.back, b"w"))
    assert play.takers() == [b"w"]


def test_a_reply_without_a_tag_is_out_of_turn_unless_one_job_is_held() -> None:
    play = Play(MDPX)
    tell(play, Registered(play.back, b"w", [b"echo"]), Answered(play.back, b"w", None, [b"x"]))
    assert play.dismissed == [b"w"]
