"""28/REQREP: the ROUTER socket against raw REQ, DEALER and ROUTER peers."""

from __future__ import annotations

import random

import pytest
import zmq

from support.ports import ANY_PORT
from support.raw import eventually
from support.stage import Played, Stage, fill
from zwire.io.errors import NoRoom, UnknownPeer
from zwire.io.options import Undeliverable

pytestmark = pytest.mark.process


def knows(router: Played, identity: bytes) -> bool:
    try:
        router.send(identity, [b"are you there?"])
    except UnknownPeer:
        return False
    except NoRoom:
        return True
    return True


@pytest.mark.clause("REQREP-RTR-01", "REQREP-RTR-13")
def test_reqs_dealers_and_routers_are_heard_each_under_its_identity(stage: Stage) -> None:
    router = stage.router(identity=b"us")
    endpoint = router.bind(ANY_PORT)
    req = stage.raw(zmq.REQ, identity=b"a req")
    dealer = stage.raw(zmq.DEALER, identity=b"a dealer")
    other = stage.raw(zmq.ROUTER, identity=b"a router")
    req.connect(endpoint)
    dealer.connect(endpoint)
    other.connect(endpoint, peer=b"them")
    req.send(b"1")
    dealer.send(b"2", b"3")
    other.send(b"them", b"4")
    heard = dict(router.receive() for _ in range(3))
    assert heard == {b"a req": [b"", b"1"], b"a dealer": [b"2", b"3"], b"a router": [b"4"]}
    router.send(b"a req", [b"", b"5"])
    router.send(b"a dealer", [b"6"])
    router.send(b"a router", [b"7"])
    assert req.receive() == [b"5"]
    assert dealer.receive() == [b"6"]
    assert other.receive() == [b"them", b"7"]


@pytest.mark.clause("REQREP-RTR-02")
def test_a_router_may_speak_unasked_and_as_often_as_it_likes(stage: Stage) -> None:
    router, dealer = stage.router(), stage.raw(zmq.DEALER, identity=b"D")
    dealer.connect(router.bind(ANY_PORT))
    dealer.send(b"hello")
    router.receive()
    for number in range(10):
        router.send(b"D", [b"news %d" % number])
    assert [dealer.receive() for _ in range(10)] == [[b"news %d" % n] for n in range(10)]


@pytest.mark.clause("REQREP-RTR-03")
def test_a_stuffed_peer_does_not_hold_up_another(stage: Stage) -> None:
    router, endpoint = stage.router(send_queue=1), stage.inproc()
    router.bind(endpoint)
    deaf = stage.raw(zmq.DEALER, identity=b"deaf", queue=1)
    reader = stage.raw(zmq.DEALER, identity=b"reader", queue=1)
    for peer in (deaf, reader):
        peer.connect(endpoint)
        peer.send(b"hello")
        router.receive()
    assert fill(lambda: router.send(b"deaf", [b"x"])) == 2
    for number in range(20):
        router.send(b"reader", [b"%d" % number])
        assert reader.receive() == [b"%d" % number]
        reader.send(b"and back")
        assert router.receive() == (b"reader", [b"and back"])
    assert deaf.drain() == [[b"x"], [b"x"]]


@pytest.mark.clause("REQREP-RTR-04")
def test_a_router_that_connects_can_send_before_its_peer_listens(stage: Stage) -> None:
    router, port, dealer = stage.router(), stage.port(), stage.raw(zmq.DEALER)
    router.connect(port.endpoint, peer=b"P")
    assert router.send(b"P", [b"early"])
    dealer.bind(port.endpoint)
    assert dealer.receive() == [b"early"]


@pytest.mark.clause("REQREP-RTR-05")
def test_the_queue_of_a_connection_outlasts_its_peer(stage: Stage) -> None:
    router, port, first = stage.router(), stage.port(), stage.raw(zmq.DEALER)
    watch = router.watch()
    first.bind(port.endpoint)
    router.connect(port.endpoint, peer=b"P")
    router.send(b"P", [b"one"])
    assert first.receive() == [b"one"]
    first.close()
    watch.disconnected()
    router.send(b"P", [b"two"])
    second = stage.raw(zmq.DEALER)

    def bound() -> bool:
        try:
            second.bind(port.endpoint)
        except zmq.ZMQError as error:
            if error.errno != zmq.EADDRINUSE:
                raise
            return False
        return True

    eventually(bound, "the port is free again")
    assert second.receive() == [b"two"]


@pytest.mark.clause("REQREP-RTR-06", "REQREP-RTR-10")
def test_a_peer_that_has_connected_is_known_by_the_identity_it_chose(stage: Stage) -> None:
    router, dealer = stage.router(), stage.raw(zmq.DEALER, identity=b"X")
    watch = router.watch()
    endpoint = router.bind(ANY_PORT)
    with pytest.raises(UnknownPeer):
        router.send(b"X", [b"too early"])
    dealer.connect(endpoint)
    watch.connected()
    dealer.send(b"hello")
    assert router.receive() == (b"X", [b"hello"])
    assert router.send(b"X", [b"welcome"])
    assert dealer.receive() == [b"welcome"]


@pytest.mark.clause("REQREP-RTR-07")
def test_a_peer_that_left_is_unknown(stage: Stage) -> None:
    router, dealer = stage.router(send_queue=100_000), stage.raw(zmq.DEALER, identity=b"X")
    watch = router.watch()
    dealer.connect(router.bind(ANY_PORT))
    dealer.send(b"hello")
    router.receive()
    assert knows(router, b"X")
    dealer.close()
    watch.disconnected()
    eventually(lambda: not knows(router, b"X"), "the queue of the peer that left is gone")


@pytest.mark.clause("REQREP-RTR-08")
def test_what_waited_for_a_peer_that_left_does_not_reach_it_when_it_is_back(stage: Stage) -> None:
    router = stage.router(send_queue=5)
    endpoint = router.bind(ANY_PORT)
    before = stage.raw(zmq.DEALER, identity=b"X", queue=1, reconnects=False)
    before.connect(endpoint)
    before.send(b"hello")
    router.receive()
    assert fill(lambda: router.send(b"X", [b"old", bytes(100_000)])) >= 5
    before.close()
    eventually(lambda: not knows(router, b"X"), "the queue of the peer that left is gone")
    after = stage.raw(zmq.DEALER, identity=b"X")
    after.connect(endpoint)
    after.send(b"here again")
    assert router.receive() == (b"X", [b"here again"])
    router.send(b"X", [b"new"])
    assert after.receive() == [b"new"]


@pytest.mark.clause("REQREP-RTR-09")
def test_fifty_peers_without_a_name_have_fifty_identities(stage: Stage) -> None:
    router = stage.router()
    endpoint = router.bind(ANY_PORT)
    peers = [stage.raw(zmq.DEALER) for _ in range(50)]
    for number, peer in enumerate(peers):
        peer.connect(endpoint)
        peer.send(b"%d" % number)
    heard = dict(router.receive() for _ in peers)
    assert len(heard) == 50
    for identity, (number,) in heard.items():
        router.send(identity, [b"you are ", number])
    for n, peer in enumerate(peers):
        assert peer.receive() == [b"you are ", b"%d" % n]


@pytest.mark.clause("REQREP-RTR-09")
def test_a_newcomer_takes_over_the_identity_from_the_old_connection(stage: Stage) -> None:
    router = stage.router()
    endpoint = router.bind(ANY_PORT)
    old = stage.raw(zmq.DEALER, identity=b"X", reconnects=False)
    new = stage.raw(zmq.DEALER, identity=b"X")
    old.connect(endpoint)
    old.send(b"first")
    assert router.receive() == (b"X", [b"first"])
    new.connect(endpoint)
    new.send(b"second")
    assert router.receive() == (b"X", [b"second"])
    router.send(b"X", [b"to the newcomer"])
    assert new.receive() == [b"to the newcomer"]
    assert not old.waiting()


@pytest.mark.clause("REQREP-RTR-11")
@pytest.mark.parametrize(("ours", "theirs"), [(3, 2), (10, 2), (3, 20)])
def test_the_queues_hold_as_much_as_the_options_say(stage: Stage, ours: int, theirs: int) -> None:
    router, endpoint = stage.router(send_queue=ours, receive_queue=ours), stage.inproc()
    router.bind(endpoint)
    dealer = stage.raw(zmq.DEALER, identity=b"D", queue=theirs)
    dealer.connect(endpoint)
    sent = 0
    try:
        while sent <= ours + theirs:
            dealer.socket.send(b"y", zmq.NOBLOCK)
            sent += 1
    except zmq.Again:
        pass
    assert sent == ours + theirs
    router.receive()
    assert fill(lambda: router.send(b"D", [b"x"])) == ours + theirs


@pytest.mark.clause("REQREP-RTR-12")
def test_a_flood_of_one_peer_does_not_drown_another(stage: Stage) -> None:
    router, endpoint = stage.router(), stage.inproc()
    router.bind(endpoint)
    flooder, quiet = stage.raw(zmq.DEALER, identity=b"F"), stage.raw(zmq.DEALER, identity=b"Q")
    flooder.connect(endpoint)
    quiet.connect(endpoint)
    for _ in range(500):
        flooder.send(b"flood")
    quiet.send(b"quiet")
    assert (b"Q", [b"quiet"]) in [router.receive() for _ in range(3)]


@pytest.mark.clause("REQREP-RTR-14")
def test_the_application_gets_whole_messages_as_they_were_sent(stage: Stage) -> None:
    chance = random.Random(14)
    router, dealer = stage.router(), stage.raw(zmq.DEALER, identity=b"D")
    dealer.connect(router.bind(ANY_PORT))
    messages = [
        [chance.randbytes(chance.randrange(300)) for _ in range(chance.randrange(1, 8))]
        for _ in range(100)
    ]
    for message in messages:
        dealer.send(*message)
    assert [router.receive() for _ in messages] == [(b"D", message) for message in messages]


@pytest.mark.clause("REQREP-RTR-15", "REQREP-RTR-16")
def test_only_the_peer_that_is_named_hears_and_it_does_not_see_its_name(stage: Stage) -> None:
    router, endpoint = stage.router(), stage.inproc()
    router.bind(endpoint)
    peers = {name: stage.raw(zmq.DEALER, identity=name) for name in (b"A", b"B", b"C")}
    for peer in peers.values():
        peer.connect(endpoint)
        peer.send(b"hello")
        router.receive()
    assert router.send(b"B", [b"for B", b"alone"])
    assert peers[b"B"].receive() == [b"for B", b"alone"]
    assert not peers[b"A"].waiting()
    assert not peers[b"C"].waiting()


@pytest.mark.clause("REQREP-RTR-17")
def test_what_cannot_be_delivered_raises_when_the_options_say_so(stage: Stage) -> None:
    router, endpoint = stage.router(send_queue=1), stage.inproc()
    router.bind(endpoint)
    with pytest.raises(UnknownPeer, match=b"stranger".hex()):
        router.send(b"stranger", [b"x"])
    deaf = stage.raw(zmq.DEALER, identity=b"deaf", queue=1)
    deaf.connect(endpoint)
    deaf.send(b"hello")
    router.receive()
    fill(lambda: router.send(b"deaf", [b"x"]))
    with pytest.raises(NoRoom, match=b"deaf".hex()):
        router.send(b"deaf", [b"x"])


@pytest.mark.clause("REQREP-RTR-17")
def test_what_cannot_be_delivered_is_dropped_and_counted_when_the_options_say_so(
    stage: Stage,
) -> None:
    router = stage.router(send_queue=1, undeliverable=Undeliverable.DROP)
    endpoint = stage.inproc()
    router.bind(endpoint)
    assert router.send(b"stranger", [b"x"]) is False
    deaf = stage.raw(zmq.DEALER, identity=b"deaf", queue=1)
    deaf.connect(endpoint)
    deaf.send(b"hello")
    router.receive()
    assert [router.send(b"deaf", [b"x"]) for _ in range(4)] == [True, True, False, False]
    assert len(deaf.drain()) == 2


@pytest.mark.clause("REQREP-RTR-18")
@pytest.mark.parametrize("undeliverable", Undeliverable)
def test_a_send_to_a_full_queue_returns_at_once(stage: Stage, undeliverable: Undeliverable) -> None:
    # Were it to block, it would do so for ever: nobody reads.
    router, endpoint = stage.router(send_queue=1, undeliverable=undeliverable), stage.inproc()
    router.bind(endpoint)
    deaf = stage.raw(zmq.DEALER, identity=b"deaf", queue=1)
    deaf.connect(endpoint)
    deaf.send(b"hello")
    router.receive()
    refused = 0
    for _ in range(100):
        try:
            refused += not router.send(b"deaf", [b"x"])
        except NoRoom:
            refused += 1
    assert refused == 98
