"""Full send queues: numbers are used only by what went out, and three policies for the rest."""

from __future__ import annotations

import pytest

from support.zre_peers import Peer, Stage
from zwire.zre import Busy, Dialect, FullQueue, Options
from zwire.zre.effects import Disconnect, Send
from zwire.zre.events import Evasive, Left, Why
from zwire_protocols.zre36 import messages as zre36


class Pipe:
    """A peer's connection with room for so many messages, and the shell's side of the bargain."""

    def __init__(self, stage: Stage, peer: Peer, room: int) -> None:
        self.stage = stage
        self.peer = peer
        self.room = room
        self.arrived: list[zre36.Message] = []

    def act(self) -> None:
        """Send what was ordered as far as there is room, and report the rest."""
        orders = self.stage.take()
        failed: list[Send] = []
        for order in orders:
            if not isinstance(order, Send):
                self.stage.effects.append(order)
            elif failed or not self.room:
                failed.append(order)
            else:
                self.room -= 1
                self.arrived.append(zre36.decode(order.frames))
        if failed:
            self.stage.do(self.stage.node.unsent(failed, self.stage.now))


def begin(policy: FullQueue, room: int, **more: int) -> tuple[Stage, Peer, Pipe]:
    stage = Stage(Options(full_queue=policy, **more))  # type: ignore[arg-type]
    peer = Peer(stage)
    peer.groups = ["g"]
    peer.enter()
    return stage, peer, Pipe(stage, peer, room)


def texts(pipe: Pipe) -> list[bytes]:
    return [one.content[0] for one in pipe.arrived if isinstance(one, zre36.Whisper | zre36.Shout)]


def test_what_waits_goes_out_in_order_and_without_a_gap_when_there_is_room() -> None:
    """ZRE-NET-09, ZRE-NET-10."""
    stage, peer, pipe = begin(FullQueue.WAIT, room=3)
    for number in range(6):
        stage.do(stage.node.whisper(peer.uuid, [b"%d" % number], stage.now))
    pipe.act()
    assert len(pipe.arrived) == 3
    stage.do(stage.node.join("h", stage.now))
    stage.do(stage.node.shout("g", [b"6"], stage.now))
    pipe.act()
    pipe.room = 2
    stage.wait(0.02)
    pipe.act()
    pipe.room = 100
    stage.wait(0.1)
    pipe.act()
    assert texts(pipe) == [b"0", b"1", b"2", b"3", b"4", b"5", b"6"]
    assert [one.sequence for one in pipe.arrived] == list(range(2, 10))
    assert sum(isinstance(one, zre36.Join) for one in pipe.arrived) == 1
    assert stage.node.next_deadline() is not None
    stage.wait(0.1)
    assert stage.of(Send) == []


def test_a_shell_that_sees_room_need_not_wait_for_the_clock() -> None:
    stage, peer, pipe = begin(FullQueue.WAIT, room=0)
    stage.do(stage.node.whisper(peer.uuid, [b"x"], stage.now))
    (send,) = stage.of(Send)
    pipe.act()
    pipe.room = 1
    stage.do(stage.node.writable(send.peer, stage.now))
    pipe.act()
    assert texts(pipe) == [b"x"]
    assert stage.node.writable(send.peer, stage.now) == []


def test_a_peer_that_takes_nothing_is_evasive() -> None:
    """ZRE-NET-10."""
    stage, peer, pipe = begin(FullQueue.WAIT, room=0)
    stage.do(stage.node.whisper(peer.uuid, [b"x"], stage.now))
    pipe.act()
    assert [one.peer for one in stage.told(Evasive)] == [peer.uuid]


def test_no_more_than_so_many_messages_wait() -> None:
    stage, peer, pipe = begin(FullQueue.WAIT, room=0, max_waiting=3)
    for _ in range(3):
        stage.do(stage.node.whisper(peer.uuid, [b"x"], stage.now))
        pipe.act()
    assert not stage.node.has_room(peer.uuid)
    assert not stage.node.has_room("g")
    with pytest.raises(Busy):
        stage.node.whisper(peer.uuid, [b"x"], stage.now)
    with pytest.raises(Busy):
        stage.node.shout("g", [b"x"], stage.now)
    pipe.room = 100
    stage.wait(0.1)
    pipe.act()
    assert stage.node.has_room(peer.uuid)
    assert len(texts(pipe)) == 3


def test_messages_may_be_dropped_but_never_what_our_groups_depend_on() -> None:
    stage, peer, pipe = begin(FullQueue.DROP_MESSAGE, room=1)
    for number in range(3):
        stage.do(stage.node.whisper(peer.uuid, [b"%d" % number], stage.now))
    pipe.act()
    stage.do(stage.node.join("h", stage.now))
    pipe.act()
    stage.do(stage.node.shout("g", [b"lost behind the JOIN"], stage.now))
    pipe.act()
    pipe.room = 100
    stage.wait(0.1)
    pipe.act()
    stage.do(stage.node.whisper(peer.uuid, [b"last"], stage.now))
    pipe.act()
    assert pipe.arrived == [
        zre36.Whisper(2, (b"0",)),
        zre36.Join(3, "h", 1),
        zre36.Whisper(4, (b"last",)),
    ]
    assert stage.node.statistics.messages_dropped == 3


def test_or_the_peer_is_dropped() -> None:
    stage, peer, pipe = begin(FullQueue.DROP_PEER, room=1)
    for _ in range(2):
        stage.do(stage.node.whisper(peer.uuid, [b"x"], stage.now))
    pipe.act()
    assert [one.why for one in stage.told(Left)] == [Why.QUEUE_FULL]
    assert len(stage.of(Disconnect)) == 1
    assert stage.node.peers() == []
    assert stage.node.statistics.peers_dropped == 1


def test_a_report_about_a_peer_that_has_left_is_ignored() -> None:
    stage, peer, _ = begin(FullQueue.WAIT, room=0)
    stage.do(stage.node.whisper(peer.uuid, [b"x"], stage.now))
    sends = stage.of(Send)
    peer.say("Goodbye")
    stage.take()
    assert stage.node.unsent(sends, stage.now) == ()


@pytest.mark.parametrize("end", ["it leaves", "it begins anew"])
def test_what_waits_for_a_peer_whose_link_ends_is_dropped_and_counted(end: str) -> None:
    stage, peer, pipe = begin(FullQueue.WAIT, room=0)
    for number in range(6):
        stage.do(stage.node.whisper(peer.uuid, [b"%d" % number], stage.now))
    pipe.act()
    stage.now += 3.0
    if end == "it leaves":
        peer.say("Goodbye")
    else:
        peer.hello()
    assert stage.node.statistics.messages_kept == 6
    assert stage.node.statistics.messages_dropped == 6


def test_a_hello_that_could_not_be_sent_is_sent_before_anything_else() -> None:
    stage = Stage()
    peer = Peer(stage)
    pipe = Pipe(stage, peer, room=0)
    peer.beacon()
    pipe.act()
    peer.hello()
    stage.do(stage.node.join("g", stage.now))
    stage.do(stage.node.whisper(peer.uuid, [b"x"], stage.now))
    pipe.act()
    pipe.room = 100
    stage.wait(0.1)
    pipe.act()
    assert [type(one).__name__ for one in pipe.arrived] == ["Hello", "Whisper"]
    assert [one.sequence for one in pipe.arrived] == [1, 2]
    assert isinstance(pipe.arrived[0], zre36.Hello)
    assert pipe.arrived[0].groups == ("g",)


@pytest.mark.parametrize("wrap", [65536, 65535, None])
def test_numbers_go_back_across_the_wrap(wrap: int | None) -> None:
    stage = Stage(Options(wrap=wrap))
    peer = Peer(stage)
    peer.enter()
    pipe = Pipe(stage, peer, room=0)
    stage.node._state.peers[peer.uuid.bytes].sent = 65533
    for number in range(5):
        stage.do(stage.node.whisper(peer.uuid, [b"%d" % number], stage.now))
    for _ in range(7):
        pipe.act()
        pipe.room = 1
        stage.wait(0.02)
    pipe.act()
    expected = {
        65536: [65534, 65535, 0, 1, 2],
        65535: [65534, 0, 1, 2, 3],
        None: [65534, 1, 2, 3, 4, 5],
    }
    assert [one.sequence for one in pipe.arrived] == expected[wrap]
    assert texts(pipe) == [b"0", b"1", b"2", b"3", b"4"]


def test_a_peer_of_20_zre_waits_alike() -> None:
    stage = Stage()
    peer = Peer(stage, dialect=Dialect.ZRE20)
    peer.enter()
    stage.do(stage.node.whisper(peer.uuid, [b"x"], stage.now))
    sends = stage.of(Send)
    stage.take()
    stage.do(stage.node.unsent(sends, stage.now))
    stage.take()
    stage.wait(0.02)
    assert [one.frames for one in stage.of(Send)] == [[b"\xaa\xa1\x00\x02\x02", b"x"]]
