"""28/REQREP: the DEALER socket against raw REP, ROUTER and DEALER peers."""

from __future__ import annotations

import random

import pytest
import zmq

from support.ports import ANY_PORT
from support.raw import PATIENCE, Raw, eventually, whoever_hears
from support.stage import Played, Stage, fill
from zwire.io.envelopes import dealer_to_rep, rep_to_dealer
from zwire.io.errors import NoRoom

pytestmark = pytest.mark.process


def has_nobody(dealer: Played) -> bool:
    try:
        dealer.send([b"anybody?"], timeout=0)
    except NoRoom:
        return True
    return False


def meet(stage: Stage, dealer: Played, count: int, queue: int | None = None) -> list[Raw]:
    """Raw ROUTERs to which the dealer is connected within the process."""
    peers = []
    for _ in range(count):
        peer, endpoint = stage.raw(zmq.ROUTER, queue=queue), stage.inproc()
        peer.bind(endpoint)
        dealer.connect(endpoint)
        peers.append(peer)
    return peers


@pytest.mark.clause("REQREP-DLR-01")
def test_one_dealer_talks_to_reps_and_routers_alike(stage: Stage) -> None:
    dealer = stage.dealer(identity=b"D")
    peers = [stage.raw(kind) for kind in (zmq.REP, zmq.REP, zmq.ROUTER, zmq.ROUTER)]
    for peer in peers:
        dealer.connect(peer.bind(ANY_PORT))
    for _ in peers:
        dealer.send(dealer_to_rep([b"hello"]))
    for number, peer in enumerate(peers):
        if peer.socket.type == zmq.REP:
            assert peer.receive() == [b"hello"]
            peer.send(b"%d" % number)
        else:
            assert peer.receive() == [b"D", b"", b"hello"]
            peer.send(b"D", b"", b"%d" % number)
    answers = sorted(rep_to_dealer(dealer.receive()) for _ in peers)
    assert answers == [[b"0"], [b"1"], [b"2"], [b"3"]]


@pytest.mark.clause("REQREP-DLR-02")
def test_ten_messages_out_and_then_ten_in(stage: Stage) -> None:
    dealer, router = stage.dealer(identity=b"D"), stage.raw(zmq.ROUTER)
    dealer.connect(router.bind(ANY_PORT))
    for number in range(10):
        dealer.send([b"out %d" % number])
    assert [router.receive()[1] for _ in range(10)] == [b"out %d" % n for n in range(10)]
    for number in range(10):
        router.send(b"D", b"in %d" % number)
    assert [dealer.receive() for _ in range(10)] == [[b"in %d" % n] for n in range(10)]


@pytest.mark.clause("REQREP-DLR-03")
@pytest.mark.parametrize("frames", [[b"one"], [b""], [b"", b"x"], [b"a", b"", b"\x00", b""]])
def test_a_dealer_adds_nothing_and_takes_nothing(stage: Stage, frames: list[bytes]) -> None:
    dealer, router = stage.dealer(identity=b"D"), stage.raw(zmq.ROUTER)
    dealer.connect(router.bind(ANY_PORT))
    dealer.send(frames)
    assert router.receive() == [b"D", *frames]
    router.send(b"D", *frames)
    assert dealer.receive() == frames
    dealer.send(dealer_to_rep(frames))
    assert router.receive() == [b"D", b"", *frames]


@pytest.mark.clause("REQREP-DLR-04", "REQREP-DLR-11")
def test_a_peer_whose_queue_is_full_is_passed_over(stage: Stage) -> None:
    dealer = stage.dealer(identity=b"D", send_queue=1)
    deaf, reader = meet(stage, dealer, 2, queue=1)
    heard = 0
    for number in range(50):
        dealer.send([b"%d" % number])
        heard += len(reader.drain())
    # Two wait for the one that does not read: its own queue holds one, ours another.
    assert heard == 48
    reader.send(b"D", b"still here")
    assert dealer.receive() == [b"still here"]
    assert len(deaf.drain()) == 2


@pytest.mark.clause("REQREP-DLR-05")
def test_a_dealer_accepts_messages_before_its_peer_listens(stage: Stage) -> None:
    dealer, port, router = stage.dealer(), stage.port(), stage.raw(zmq.ROUTER)
    dealer.connect(port.endpoint)
    dealer.send([b"early"], timeout=0)
    router.bind(port.endpoint)
    assert router.receive()[1:] == [b"early"]


@pytest.mark.clause("REQREP-DLR-06")
def test_the_queue_of_a_connection_outlasts_its_peer(stage: Stage) -> None:
    dealer, port = stage.dealer(), stage.port()
    watch = dealer.watch()
    first = stage.raw(zmq.ROUTER)
    dealer.connect(port.endpoint)
    dealer.send([b"before anybody listens"], timeout=0)
    first.bind(port.endpoint)
    assert first.receive()[1:] == [b"before anybody listens"]
    first.close()
    watch.disconnected()
    dealer.send([b"while nobody listens"], timeout=0)
    second = stage.raw(zmq.ROUTER)
    bind_again(second, port.endpoint)
    assert second.receive()[1:] == [b"while nobody listens"]


def bind_again(peer: Raw, endpoint: str) -> None:
    """Bind where another socket of the process may not have quite let go yet."""

    def bound() -> bool:
        try:
            peer.bind(endpoint)
        except zmq.ZMQError as error:
            if error.errno != zmq.EADDRINUSE:
                raise
            return False
        return True

    eventually(bound, f"{endpoint} is free again")


@pytest.mark.clause("REQREP-DLR-07")
def test_a_bound_dealer_can_send_once_a_peer_has_connected(stage: Stage) -> None:
    dealer, peer = stage.dealer(), stage.raw(zmq.DEALER)
    watch = dealer.watch()
    endpoint = dealer.bind(ANY_PORT)
    with pytest.raises(NoRoom):
        dealer.send([b"too early"], timeout=0)
    peer.connect(endpoint)
    watch.connected()
    dealer.send([b"hello"], timeout=0)
    assert peer.receive() == [b"hello"]


@pytest.mark.clause("REQREP-DLR-08")
def test_a_bound_dealer_has_nobody_to_send_to_once_its_peer_has_left(stage: Stage) -> None:
    dealer, peer = stage.dealer(send_queue=100_000), stage.raw(zmq.DEALER)
    watch = dealer.watch()
    peer.connect(dealer.bind(ANY_PORT))
    watch.connected()
    dealer.send([b"hello"], timeout=0)
    assert peer.receive() == [b"hello"]
    peer.close()
    watch.disconnected()
    eventually(lambda: has_nobody(dealer), "the queue of the peer that left is gone")


@pytest.mark.clause("REQREP-DLR-09")
def test_what_waited_for_a_peer_that_left_does_not_reach_the_next(stage: Stage) -> None:
    dealer, leaver = stage.dealer(send_queue=5), stage.raw(zmq.DEALER, queue=1, reconnects=False)
    watch = dealer.watch()
    endpoint = dealer.bind(ANY_PORT)
    leaver.connect(endpoint)
    watch.connected()
    assert fill(lambda: dealer.send([b"old", bytes(100_000)], timeout=0)) >= 5
    leaver.close()
    watch.disconnected()
    eventually(lambda: has_nobody(dealer), "the queue of the peer that left is gone")
    newcomer = stage.raw(zmq.DEALER)
    newcomer.connect(endpoint)
    dealer.send([b"new"])
    assert newcomer.receive() == [b"new"]


@pytest.mark.clause("REQREP-DLR-10")
@pytest.mark.parametrize(("ours", "theirs"), [(3, 2), (10, 2), (3, 20)])
def test_the_queues_hold_as_much_as_the_options_say(stage: Stage, ours: int, theirs: int) -> None:
    # Within a process a queue holds the sum of what its two ends allow.
    dealer = stage.dealer(identity=b"D", send_queue=ours, receive_queue=ours)
    (router,) = meet(stage, dealer, 1, queue=theirs)
    assert fill(lambda: dealer.send([b"x"], timeout=0)) == ours + theirs
    router.receive()
    sent = 0
    router.socket.setsockopt(zmq.ROUTER_MANDATORY, 1)
    try:
        while sent <= ours + theirs:
            router.socket.send_multipart([b"D", b"y"], zmq.NOBLOCK)
            sent += 1
    except zmq.Again:
        pass
    assert sent == ours + theirs


@pytest.mark.clause("REQREP-DLR-12")
def test_messages_go_round_the_available_peers(stage: Stage) -> None:
    dealer = stage.dealer()
    peers = [stage.raw(zmq.ROUTER) for _ in range(3)]
    for peer in peers:
        dealer.connect(peer.bind(ANY_PORT))
    for number in range(9):
        dealer.send([b"%d" % number])
    heard = [[int(peer.receive()[1]) for _ in range(3)] for peer in peers]
    assert sorted(heard) == [[0, 3, 6], [1, 4, 7], [2, 5, 8]]


@pytest.mark.clause("REQREP-DLR-13")
def test_a_dealer_without_an_available_peer_waits_and_then_fails(stage: Stage) -> None:
    dealer = stage.dealer(send_queue=1)
    with pytest.raises(NoRoom):
        dealer.send([b"nobody"], timeout=0)
    (router,) = meet(stage, dealer, 1, queue=1)
    fill(lambda: dealer.send([b"x"], timeout=0))
    with pytest.raises(NoRoom, match=r"none within 0\.05 s"):
        dealer.send([b"full"], timeout=0.05)
    router.drain()
    dealer.send([b"room again"])
    assert router.receive()[1:] == [b"room again"]


@pytest.mark.clause("REQREP-DLR-14")
def test_what_was_accepted_is_exactly_what_arrives(stage: Stage) -> None:
    dealer = stage.dealer(send_queue=7)
    (router,) = meet(stage, dealer, 1, queue=4)
    accepted = fill(lambda: dealer.send([b"x"], timeout=0))
    for _ in range(20):
        with pytest.raises(NoRoom):
            dealer.send([b"refused"], timeout=0)
    assert [frames[1:] for frames in router.drain()] == [[b"x"]] * accepted


@pytest.mark.clause("REQREP-DLR-15")
def test_ten_thousand_messages_reach_a_reader_with_a_tiny_queue(stage: Stage) -> None:
    dealer, chance = stage.dealer(send_queue=2), random.Random(15)
    (router,) = meet(stage, dealer, 1, queue=1)
    heard: list[int] = []
    sent = 0
    while sent < 10_000:
        try:
            dealer.send([b"%d" % sent], timeout=0)
            sent += 1
        except NoRoom:
            for _ in range(chance.randrange(1, 4)):
                if router.waiting():
                    heard.append(int(router.receive()[1]))
    heard += [int(frames[1]) for frames in router.drain()]
    assert heard == list(range(10_000))


@pytest.mark.clause("REQREP-DLR-16")
def test_a_flood_of_one_peer_does_not_drown_another(stage: Stage) -> None:
    dealer = stage.dealer(identity=b"D")
    flooder, quiet = meet(stage, dealer, 2)
    for peer in (flooder, quiet):
        dealer.send([b"here I am"], timeout=PATIENCE)
        whoever_hears([peer]).receive()
    for _ in range(500):
        flooder.send(b"D", b"flood")
    quiet.send(b"D", b"quiet")
    assert [b"quiet"] in [dealer.receive() for _ in range(3)]


@pytest.mark.clause("REQREP-DLR-17")
def test_the_application_gets_whole_messages_as_they_were_sent(stage: Stage) -> None:
    chance = random.Random(17)
    dealer, router = stage.dealer(identity=b"D"), stage.raw(zmq.ROUTER)
    dealer.connect(router.bind(ANY_PORT))
    dealer.send([b"hello"])
    router.receive()
    messages = [
        [chance.randbytes(chance.randrange(300)) for _ in range(chance.randrange(1, 8))]
        for _ in range(100)
    ]
    for message in messages:
        router.send(b"D", *message)
    assert [dealer.receive() for _ in messages] == messages
