"""28/REQREP: the REP socket against raw REQ and DEALER peers."""

from __future__ import annotations

import random

import pytest
import zmq

from support.ports import ANY_PORT
from support.stage import Stage
from zwire.io.errors import NotSendable, OutOfTurn

pytestmark = pytest.mark.process


@pytest.mark.clause("REQREP-REP-01")
def test_one_rep_serves_many_reqs_and_dealers(stage: Stage) -> None:
    rep = stage.rep()
    endpoint = rep.bind(ANY_PORT)
    reqs = [stage.raw(zmq.REQ) for _ in range(3)]
    dealers = [stage.raw(zmq.DEALER) for _ in range(2)]
    for peer in (*reqs, *dealers):
        peer.connect(endpoint)
    for number, req in enumerate(reqs):
        req.send(b"req %d" % number)
    for number, dealer in enumerate(dealers):
        dealer.send(b"", b"dealer %d" % number)
    for _ in range(5):
        rep.send([b"re: ", *rep.receive()])
    assert [req.receive() for req in reqs] == [[b"re: ", b"req %d" % n] for n in range(3)]
    assert [dealer.receive() for dealer in dealers] == [
        [b"", b"re: ", b"dealer %d" % n] for n in range(2)
    ]


@pytest.mark.clause("REQREP-REP-02")
def test_data_frames_pass_unchanged_both_ways(stage: Stage) -> None:
    chance = random.Random(28)
    rep, req = stage.rep(), stage.raw(zmq.REQ)
    req.connect(rep.bind(ANY_PORT))
    bodies = [[b""], [b"", b""], [b"\x00"], [b"\x00", b"", b"\xff"], [chance.randbytes(1 << 20)]]
    bodies += [
        [chance.randbytes(chance.randrange(60)) for _ in range(chance.randrange(1, 6))]
        for _ in range(40)
    ]
    for body in bodies:
        req.send(*body)
        heard = rep.receive()
        assert heard == body
        rep.send(heard[::-1])
        assert req.receive() == body[::-1]


@pytest.mark.clause("REQREP-REP-03")
def test_a_rep_that_speaks_first_is_told_to_listen(stage: Stage) -> None:
    rep, req = stage.rep(), stage.raw(zmq.REQ)
    req.connect(rep.bind(ANY_PORT))
    with pytest.raises(OutOfTurn, match="receive first"):
        rep.send([b"unasked"])
    req.send(b"question")
    assert rep.receive() == [b"question"]
    rep.send([b"answer"])
    with pytest.raises(OutOfTurn, match="receive first"):
        rep.send([b"another"])
    assert req.receive() == [b"answer"]


@pytest.mark.clause("REQREP-REP-04")
def test_a_request_may_have_addresses_and_must_have_a_delimiter_and_data(stage: Stage) -> None:
    rep, dealer = stage.rep(), stage.raw(zmq.DEALER)
    dealer.connect(rep.bind(ANY_PORT))
    dealer.send(b"")
    dealer.send(b"a", b"b", b"", b"deep")
    assert rep.receive() == [b"deep"]
    rep.send([b"one"])
    dealer.send(b"", b"flat")
    assert rep.receive() == [b"flat"]
    with pytest.raises(NotSendable, match="at least one data frame"):
        rep.send([])
    rep.send([b"two"])
    assert dealer.receive() == [b"a", b"b", b"", b"one"]
    assert dealer.receive() == [b"", b"two"]


@pytest.mark.clause("REQREP-REP-05")
def test_a_flood_of_one_peer_does_not_drown_the_request_of_another(stage: Stage) -> None:
    rep, flooder, quiet = stage.rep(), stage.raw(zmq.DEALER), stage.raw(zmq.REQ)
    endpoint = stage.inproc()
    rep.bind(endpoint)
    flooder.connect(endpoint)
    quiet.connect(endpoint)
    for _ in range(500):
        flooder.send(b"", b"flood")
    quiet.send(b"quiet")
    turns = []
    for _ in range(3):
        turns.append(rep.receive())
        rep.send([b"reply"])
    assert [b"quiet"] in turns
    assert quiet.receive() == [b"reply"]


@pytest.mark.clause("REQREP-REP-06", "REQREP-REP-07")
def test_the_application_sees_all_data_frames_in_order_and_nothing_of_the_envelope(
    stage: Stage,
) -> None:
    rep, dealer = stage.rep(), stage.raw(zmq.DEALER, identity=b"D")
    dealer.connect(rep.bind(ANY_PORT))
    dealer.send(b"address", b"", b"1", b"", b"3", b"4")
    assert rep.receive() == [b"1", b"", b"3", b"4"]


@pytest.mark.clause("REQREP-REP-08")
def test_a_rep_owes_a_reply_before_it_hears_the_next_request(stage: Stage) -> None:
    rep, dealer = stage.rep(), stage.raw(zmq.DEALER)
    dealer.connect(rep.bind(ANY_PORT))
    dealer.send(b"", b"first")
    dealer.send(b"", b"second")
    assert rep.receive() == [b"first"]
    with pytest.raises(OutOfTurn, match="send first"):
        rep.receive()
    rep.send([b"reply"])
    assert rep.receive() == [b"second"]


@pytest.mark.clause("REQREP-REP-09")
def test_the_reply_wears_the_envelope_of_its_request(stage: Stage) -> None:
    rep, dealer = stage.rep(), stage.raw(zmq.DEALER)
    dealer.connect(rep.bind(ANY_PORT))
    dealer.send(b"a", b"b", b"", b"question")
    rep.receive()
    rep.send([b"answer", b""])
    assert dealer.receive() == [b"a", b"b", b"", b"answer", b""]


@pytest.mark.clause("REQREP-REP-10")
def test_each_of_five_clients_gets_the_answer_to_its_own_question(stage: Stage) -> None:
    rep = stage.rep()
    endpoint = rep.bind(ANY_PORT)
    clients = [stage.raw(zmq.REQ) for _ in range(5)]
    for number, client in enumerate(clients):
        client.connect(endpoint)
        client.send(b"question %d" % number)
    for _ in clients:
        rep.send([b"re", *rep.receive()])
    for number, client in enumerate(clients):
        assert client.receive() == [b"re", b"question %d" % number]


@pytest.mark.clause("REQREP-REP-11")
def test_the_reply_to_a_client_that_left_is_dropped_and_the_next_is_served(stage: Stage) -> None:
    rep, leaver, next_one = stage.rep(), stage.raw(zmq.REQ), stage.raw(zmq.REQ)
    watch = rep.watch()
    endpoint = rep.bind(ANY_PORT)
    leaver.connect(endpoint)
    leaver.send(b"bye")
    assert rep.receive() == [b"bye"]
    leaver.close()
    watch.disconnected()
    rep.send([b"too late"])
    next_one.connect(endpoint)
    next_one.send(b"hello")
    assert rep.receive() == [b"hello"]
    rep.send([b"welcome"])
    assert next_one.receive() == [b"welcome"]


@pytest.mark.clause("REQREP-REP-12")
def test_replies_to_a_client_that_does_not_read_never_hold_up_the_rep(stage: Stage) -> None:
    # In one process the queues hold exactly what they are told to: ours 2, the client's 1.
    rep = stage.rep(send_queue=2, receive_queue=1000)
    deaf, other = stage.raw(zmq.DEALER), stage.raw(zmq.REQ)
    deaf.socket.setsockopt(zmq.RCVHWM, 1)
    endpoint = stage.inproc()
    rep.bind(endpoint)
    deaf.connect(endpoint)
    other.connect(endpoint)
    for number in range(100):
        deaf.send(b"", b"%d" % number)
        assert rep.receive() == [b"%d" % number]
        rep.send([b"reply %d" % number])
    other.send(b"and me?")
    assert rep.receive() == [b"and me?"]
    rep.send([b"you too"])
    assert other.receive() == [b"you too"]
    assert deaf.drain() == [[b"", b"reply %d" % number] for number in range(3)]
