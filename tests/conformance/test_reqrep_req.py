"""28/REQREP: the REQ socket against raw REP and ROUTER peers."""

from __future__ import annotations

import pytest
import zmq

from support.ports import ANY_PORT
from support.raw import Raw, whoever_hears
from support.stage import Stage
from zwire.io.errors import NoRoom, NotSendable, OutOfTurn

pytestmark = pytest.mark.process


def answer(peer: Raw, reply: bytes) -> list[bytes]:
    """Let a raw REP or ROUTER answer what it has heard; the data frames of the request."""
    request = peer.receive()
    if peer.socket.type == zmq.ROUTER:
        identity, delimiter, *request = request
        assert delimiter == b""
        peer.send(identity, b"", reply)
    else:
        peer.send(reply)
    return request


@pytest.mark.clause("REQREP-REQ-01")
def test_one_req_is_answered_by_every_rep_and_router_it_connects_to(stage: Stage) -> None:
    req = stage.req()
    watch = req.watch()
    peers = [stage.raw(kind) for kind in (zmq.REP, zmq.REP, zmq.REP, zmq.ROUTER)]
    for peer in peers:
        req.connect(peer.bind(ANY_PORT))
    watch.connected(4)
    heard = []
    for turn in range(8):
        req.send([b"question %d" % turn])
        peer = whoever_hears(peers)
        heard.append(peers.index(peer))
        assert answer(peer, b"answer %d" % turn) == [b"question %d" % turn]
        assert req.receive() == [b"answer %d" % turn]
    assert set(heard) == {0, 1, 2, 3}


@pytest.mark.clause("REQREP-REQ-02")
def test_a_req_that_speaks_or_listens_out_of_turn_is_told_so(stage: Stage) -> None:
    req, rep = stage.req(), stage.raw(zmq.REP)
    req.connect(rep.bind(ANY_PORT))
    with pytest.raises(OutOfTurn, match="send first"):
        req.receive()
    req.send([b"one"])
    with pytest.raises(OutOfTurn, match="receive first"):
        req.send([b"two"])
    answer(rep, b"reply")
    assert req.receive() == [b"reply"]
    with pytest.raises(OutOfTurn):
        req.receive()
    req.send([b"two"])
    assert answer(rep, b"again") == [b"two"]
    assert req.receive() == [b"again"]


@pytest.mark.clause("REQREP-REQ-03")
def test_requests_and_replies_are_a_delimiter_and_at_least_one_data_frame(stage: Stage) -> None:
    req, router = stage.req(identity=b"Q"), stage.raw(zmq.ROUTER)
    req.connect(router.bind(ANY_PORT))
    with pytest.raises(NotSendable, match="at least one data frame"):
        req.send([])
    req.send([b"data", b"more"])
    assert router.receive() == [b"Q", b"", b"data", b"more"]
    router.send(b"Q", b"", b"reply", b"tail")
    assert req.receive() == [b"reply", b"tail"]


@pytest.mark.clause("REQREP-REQ-04")
@pytest.mark.parametrize("data", [[b"a"], [b"a", b"b"], [b"1", b"2", b"3", b"4", b"5"], [b""]])
def test_every_request_begins_with_the_delimiter(stage: Stage, data: list[bytes]) -> None:
    req, router = stage.req(identity=b"Q"), stage.raw(zmq.ROUTER)
    req.connect(router.bind(ANY_PORT))
    req.send(data)
    assert router.receive() == [b"Q", b"", *data]


@pytest.mark.clause("REQREP-REQ-05")
def test_requests_go_round_the_connected_peers(stage: Stage) -> None:
    req = stage.req()
    watch = req.watch()
    peers = [stage.raw(zmq.REP) for _ in range(3)]
    for peer in peers:
        req.connect(peer.bind(ANY_PORT))
    watch.connected(3)
    order = []
    for _ in range(9):
        req.send([b"?"])
        peer = whoever_hears(peers)
        order.append(peers.index(peer))
        answer(peer, b"!")
        req.receive()
    assert sorted(order[:3]) == [0, 1, 2]
    assert order == order[:3] * 3


@pytest.mark.clause("REQREP-REQ-06")
def test_a_req_without_a_connected_peer_refuses_to_send(stage: Stage) -> None:
    req = stage.req()
    with pytest.raises(NoRoom, match="connected peer"):
        req.send([b"nobody is there"], timeout=0)
    req.connect(stage.port().endpoint)
    with pytest.raises(NoRoom, match="connected peer"):
        req.send([b"nobody listens"], timeout=0)
    with pytest.raises(NoRoom, match=r"none within 0\.05 s"):
        req.send([b"nobody listens"], timeout=0.05)


@pytest.mark.clause("REQREP-REQ-07")
def test_a_refused_request_is_not_lost_and_a_patient_one_arrives(stage: Stage) -> None:
    req, port, rep = stage.req(), stage.port(), stage.raw(zmq.REP)
    req.connect(port.endpoint)
    with pytest.raises(NoRoom):
        req.send([b"refused"], timeout=0)
    rep.bind(port.endpoint)
    req.send([b"patient"])
    assert rep.receive() == [b"patient"]
    rep.send(b"reply")
    assert req.receive() == [b"reply"]


@pytest.mark.clause("REQREP-REQ-08", "REQREP-REQ-09")
def test_only_the_peer_that_was_asked_is_heard_and_others_are_dropped_in_silence(
    stage: Stage,
) -> None:
    # In one process a message has arrived when its send returns: the stray ones come first.
    req = stage.req(identity=b"Q")
    peers = [stage.raw(zmq.ROUTER) for _ in range(2)]
    for peer in peers:
        endpoint = stage.inproc()
        peer.bind(endpoint)
        req.connect(endpoint)
    for turn in range(4):
        req.send([b"question"])
        asked = whoever_hears(peers)
        stranger = peers[1 - peers.index(asked)]
        assert asked.receive() == [b"Q", b"", b"question"]
        if turn:
            stranger.send(b"Q", b"", b"nobody asked you")
        asked.send(b"Q", b"", b"answer %d" % turn)
        assert req.receive() == [b"answer %d" % turn]
