"""Stories of queues that fill: a peer that takes nothing, and a user who reads nothing."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.nodes import Gathering, Listened, RawPeer, counted, gathering
from support.raw import PATIENCE, eventually
from zwire.errors import LocalError
from zwire.zre import Busy, FullQueue, Options
from zwire.zre.events import Entered, Evasive, Left, Whispered, Why
from zwire_protocols.zre36 import messages as zre36

pytestmark = pytest.mark.process
BIG = bytes(100_000)  # so that the buffers between two processes do not matter much


@pytest.fixture
def here() -> Iterator[Gathering]:
    with gathering() as found:
        yield found


def facing_a_deaf_peer(here: Gathering, policy: FullQueue) -> tuple[Listened, RawPeer]:
    options = Options(full_queue=policy, max_waiting=10, expired_after=3600.0)
    ann = here.node("ann", options=options, send_queue=5)
    deaf = here.raw(1, receive_queue=1)
    deaf.greet(ann.node)
    ann.wait_for(Entered, peer=deaf.uuid)
    return ann, deaf


def contents(peer: RawPeer, count: int) -> list[bytes]:
    """The next whispers that a raw peer hears; none of the messages between may be missing."""
    found: list[bytes] = []
    last = 0
    while len(found) < count:
        message = peer.hear()
        assert message.sequence == last + 1
        last = message.sequence
        if isinstance(message, zre36.Whisper):
            found.append(message.content[0][:8])
    return found


def test_a_node_that_waits_loses_nothing(here: Gathering) -> None:
    ann, deaf = facing_a_deaf_peer(here, FullQueue.WAIT)
    said = [b"%08d" % number for number in range(300)]
    with ThreadPoolExecutor(1) as speaker:

        def speak() -> None:
            for one in said:
                ann.node.whisper(deaf.uuid, one + BIG)

        speaking = speaker.submit(speak)
        ann.wait_for(Evasive, peer=deaf.uuid)
        assert not speaking.done()
        assert contents(deaf, len(said)) == said
        speaking.result()


@pytest.mark.parametrize("end", ["the node is stopped", "the peer leaves"])
def test_who_waits_for_room_that_never_comes_is_told(here: Gathering, end: str) -> None:
    ann, deaf = facing_a_deaf_peer(here, FullQueue.WAIT)

    def insist() -> None:
        while True:
            ann.node.whisper(deaf.uuid, BIG)

    with ThreadPoolExecutor(3) as speakers:
        speaking = [speakers.submit(insist) for _ in range(3)]
        counted(ann.node, "messages_kept", 10)
        if end == "the peer leaves":
            deaf.goodbye()
        else:
            ann.node.stop()
        for one in speaking:
            with pytest.raises(LocalError, match=r"was stopped|no peer .* has entered"):
                one.result(PATIENCE)


def test_who_does_not_want_to_wait_is_told(here: Gathering) -> None:
    ann, deaf = facing_a_deaf_peer(here, FullQueue.WAIT)

    def insist() -> None:
        while True:
            ann.node.whisper(deaf.uuid, BIG, timeout=0.0)

    with pytest.raises(Busy):
        insist()
    kept = ann.node.statistics()["messages_sent"] + 10
    assert len(contents(deaf, kept - 1)) == kept - 1


def test_messages_are_dropped_where_that_is_the_policy(here: Gathering) -> None:
    ann, deaf = facing_a_deaf_peer(here, FullQueue.DROP_MESSAGE)
    while ann.node.statistics()["messages_dropped"] < 20:
        ann.node.whisper(deaf.uuid, BIG)
    sent = ann.node.statistics()["messages_sent"]
    assert len(contents(deaf, sent - 1)) == sent - 1
    assert [peer.uuid for peer in ann.node.peers()] == [deaf.uuid]


def test_the_peer_is_dropped_where_that_is_the_policy(here: Gathering) -> None:
    ann, deaf = facing_a_deaf_peer(here, FullQueue.DROP_PEER)

    def insist() -> None:
        while True:
            ann.node.whisper(deaf.uuid, BIG)

    with pytest.raises(LocalError, match="has entered"):
        insist()
    assert ann.wait_for(Left, peer=deaf.uuid).why is Why.QUEUE_FULL
    assert ann.node.statistics()["peers_dropped"] == 1


def test_a_slow_reader_misses_nothing(here: Gathering) -> None:
    ann = here.node("ann", max_events=50)
    raw = here.raw(2)
    raw.greet(ann.node)
    ann.wait_for(Entered, peer=raw.uuid)
    for number in range(2000):
        raw.whisper(b"%d" % number)
    counted(ann.node, "messages_heard", 50)
    for number in range(2000):
        event = ann.node.receive(30)
        assert isinstance(event, Whispered)
        assert event.content == (b"%d" % number,)


def test_a_node_whose_user_never_reads_keeps_the_newest(here: Gathering) -> None:
    ann = here.node("ann", max_events=50)
    raw = here.raw(3)
    raw.greet(ann.node)
    for number in range(500):
        raw.whisper(b"%d" % number)
    counted(ann.node, "messages_heard", 501)
    assert ann.node.events_dropped == 451
    assert ann.node.receive(0) == Whispered(raw.uuid, "raw 3", (b"450",))
    eventually(lambda: ann.node.receive(0).content == (b"499",), "the newest is there")  # type: ignore[union-attr]


def test_hostile_frames_do_no_harm(here: Gathering) -> None:
    ann, bob = here.pair()
    raw = here.raw(4)
    raw.connect(ann.node.endpoint)
    raw.send(b"before any greeting")
    raw.greet(ann.node)
    ann.wait_for(Entered, peer=raw.uuid)
    for frames in ((b"",), (b"\xaa\xa1",), (b"\xaa\xa1\xff\x02\0\0",), (b"x",) * 3):
        raw.send(*frames)
    counted(ann.node, "messages_malformed", 5)
    raw.send(*(b"x",) * 20_000)
    counted(ann.node, "messages_refused", 1)
    raw.whisper(b"well meant")
    ann.wait_for(Whispered, peer=raw.uuid)
    bob.node.whisper(ann.node.uuid, "still friends")
    ann.wait_for(Whispered, peer=bob.node.uuid)
    # Numbers that are missing mean that messages are: such a peer is dropped, the others stay.
    raw.send(*zre36.encode(zre36.Whisper(77, (b"from the future",))))
    assert ann.wait_for(Left, peer=raw.uuid).why is Why.MESSAGES_LOST
    assert [peer.uuid for peer in ann.node.peers()] == [bob.node.uuid]
