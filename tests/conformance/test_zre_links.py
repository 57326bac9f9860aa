"""Clauses of 20/ZRE about mailboxes and links: a node that runs, and peers of plain sockets."""

from __future__ import annotations

from dataclasses import replace

import pytest
import zmq

from support.nodes import Gathering, counted
from support.raw import eventually
from support.zre_raw import BOTH, ONLY20, Raw20
from zwire.zre import Dialect, FullQueue, Options
from zwire.zre.endpoints import host_and_port
from zwire.zre.events import (
    Entered,
    Evasive,
    JoinedGroup,
    Left,
    LeftGroup,
    Shouted,
    Whispered,
    Why,
)
from zwire_protocols.zre import messages as zre20

pytestmark = pytest.mark.process
EITHER = pytest.mark.parametrize("options", [ONLY20, BOTH], ids=["20", "both"])


@pytest.mark.clause("ZRE-NET-01")
def test_the_mailbox_of_every_node_is_a_router_in_the_range_of_ports(here: Gathering) -> None:
    for number in range(50):
        ann = here.node("ann", options=ONLY20)
        assert 0xC000 <= host_and_port(ann.node.endpoint)[1] <= 0xFFFF
        if number == 0:  # a ROUTER tells its peers apart by their identities
            peers = [Raw20(here, 1), Raw20(here, 2)]
            for peer in peers:
                peer.enter(ann)
            for peer in peers:
                peer.say("Whisper", peer.uuid.bytes)
                assert ann.wait_for(Whispered, peer=peer.uuid).content == (peer.uuid.bytes,)
        ann.node.stop()


@pytest.mark.clause("ZRE-NET-03", "ZRE-NET-04", "ZRE-NET-07")
@EITHER
def test_all_comes_in_by_the_mailbox_and_all_goes_out_by_the_dealer(
    here: Gathering, options: Options
) -> None:
    ann = here.node("ann", options=options)
    peer = Raw20(here, 1)
    peer.enter(ann)
    peer.say("Join", "g", 1)
    ann.wait_for(JoinedGroup, peer=peer.uuid, group="g")
    peer.say("Whisper", b"psst")
    assert ann.wait_for(Whispered, peer=peer.uuid).content == (b"psst",)
    peer.say("Shout", "g", b"hey")
    assert ann.wait_for(Shouted, peer=peer.uuid, group="g").content == (b"hey",)
    peer.say("Ping")
    peer.say("Leave", "g", 2)
    ann.wait_for(LeftGroup, peer=peer.uuid, group="g")
    ann.node.whisper(peer.uuid, "answer")
    ann.node.join("h")
    assert [type(peer.hear()).__name__ for _ in range(3)] == ["PingOk", "Whisper", "Join"]
    ann.node.stop()
    assert not peer.dealer.waiting(), "nothing ever came back on the link to the mailbox"


@pytest.mark.clause("ZRE-NET-05", "ZRE-HELLO-01")
@EITHER
def test_a_new_peer_gets_a_dealer_with_our_identity_and_hello_comes_first(
    here: Gathering, options: Options
) -> None:
    ann = here.node("ann", options=options)
    peer = Raw20(here, 1)
    peer.beacon()
    identity, *frames = peer.hear_octets()
    if Dialect.ZRE36 in options.dialects:
        assert (identity, frames[0][2]) == (b"\x01" + ann.node.uuid.bytes, 1), "36/ZRE first"
        peer.greet(ann.node)
        identity, *frames = peer.hear_octets()
    assert identity == ann.node.uuid.bytes
    assert frames[0][:5] == b"\xaa\xa1\x00\x01\x01"
    assert isinstance(zre20.decode(frames), zre20.Hello)


@pytest.mark.clause("ZRE-NET-05a")
def test_what_is_said_before_the_connection_stands_arrives(here: Gathering) -> None:
    ann = here.node("ann", options=ONLY20)
    peer = Raw20(here, 1)
    peer.mailbox.socket.unbind(peer.mailbox.socket.getsockopt_string(zmq.LAST_ENDPOINT))
    peer.greet(ann.node)
    ann.wait_for(Entered, peer=peer.uuid)
    ann.node.whisper(peer.uuid, "in time")
    peer.mailbox.bind(f"tcp://127.0.0.1:{peer.port}")
    assert isinstance(peer.hear(), zre20.Hello)
    assert peer.hear() == zre20.Whisper(2, b"in time")


@pytest.mark.clause("ZRE-NET-06", "ZRE-NET-07")
def test_each_of_five_peers_has_a_connection_of_its_own(here: Gathering) -> None:
    ann = here.node("ann", options=ONLY20)
    peers = [Raw20(here, number) for number in range(5)]
    for peer in peers:
        peer.beacon()
        peer.enter(ann)
    for peer in peers:
        ann.node.whisper(peer.uuid, peer.uuid.bytes)
    for peer in peers:
        assert peer.hear() == zre20.Whisper(2, peer.uuid.bytes)
    for peer in peers:
        assert peer.watch.count(zmq.Event.ACCEPTED) == 1
        assert not peer.mailbox.waiting()


@pytest.mark.clause("ZRE-NET-06a")
def test_the_connection_to_a_peer_that_does_not_respond_is_closed(here: Gathering) -> None:
    options = replace(ONLY20, evasive_after=0.2, expired_after=1.0)
    ann = here.node("ann", options=options)
    mute = Raw20(here, 1)
    mute.greet(ann.node)
    ann.wait_for(Left, peer=mute.uuid, why=Why.EXPIRED)
    mute.watch.disconnected()


@pytest.mark.clause("ZRE-NET-08")
def test_what_comes_back_on_the_dealer_is_not_heard(here: Gathering) -> None:
    ann = here.node("ann", options=ONLY20)
    peer = Raw20(here, 1)
    peer.enter(ann)
    for _ in range(10):
        peer.mailbox.send(ann.node.uuid.bytes, *zre20.encode(zre20.Whisper(2, b"the wrong way")))
    peer.say("Whisper", b"the right way")
    assert ann.wait_for(Whispered, peer=peer.uuid).content == (b"the right way",)
    assert ann.node.statistics()["gaps"] == 0


@pytest.mark.clause("ZRE-NET-09", "ZRE-NET-10")
@pytest.mark.parametrize("queue", [5, 50])
def test_a_full_queue_is_seen_at_once_and_means_that_the_peer_does_not_respond(
    here: Gathering, queue: int
) -> None:
    options = replace(ONLY20, full_queue=FullQueue.DROP_MESSAGE)
    ann = here.node("ann", options=options, send_queue=queue)
    deaf = Raw20(here, 1)
    # Nobody is there to connect to, so that all that is taken waits in the queue.
    deaf.mailbox.socket.unbind(deaf.mailbox.socket.getsockopt_string(zmq.LAST_ENDPOINT))
    deaf.greet(ann.node)
    ann.wait_for(Entered, peer=deaf.uuid)
    for number in range(2 * queue):
        ann.node.whisper(deaf.uuid, b"%d" % number)  # and none of them waits
    ann.wait_for(Evasive, peer=deaf.uuid)
    counts = ann.node.statistics()
    assert counts["messages_sent"] == queue, "HELLO and what else there was room for"
    assert counts["messages_dropped"] == queue + 1


@pytest.mark.clause("ZRE-NET-10")
def test_a_peer_with_a_full_queue_may_be_dropped_for_it(here: Gathering) -> None:
    options = replace(ONLY20, full_queue=FullQueue.DROP_PEER)
    ann = here.node("ann", options=options, send_queue=5)
    deaf = Raw20(here, 1)
    deaf.mailbox.socket.unbind(deaf.mailbox.socket.getsockopt_string(zmq.LAST_ENDPOINT))
    deaf.greet(ann.node)
    ann.wait_for(Entered, peer=deaf.uuid)
    for _ in range(5):
        ann.node.whisper(deaf.uuid, b"?")
    ann.wait_for(Left, peer=deaf.uuid, why=Why.QUEUE_FULL)


@pytest.mark.clause("ZRE-NET-11", "ZRE-HELLO-03")
@EITHER
def test_a_hello_out_of_the_blue_makes_a_peer_and_is_answered_where_it_says(
    here: Gathering, options: Options
) -> None:
    ann = here.node("ann", options=options)
    stranger = Raw20(here, 1, host="127.0.0.9")
    stranger.greet(ann.node, "g", headers=["X-COLOUR=red"])
    entered = ann.wait_for(Entered, peer=stranger.uuid)
    assert entered.endpoint == f"tcp://127.0.0.9:{stranger.port}"
    assert (entered.headers, entered.dialect) == ({"X-COLOUR": "red"}, Dialect.ZRE20)
    ann.wait_for(JoinedGroup, peer=stranger.uuid, group="g")
    assert isinstance(stranger.hear(), zre20.Hello)
    stranger.beacon()
    counted(ann.node, "beacons_heard", 1)
    assert stranger.watch.count(zmq.Event.ACCEPTED) == 1, "it was connected already"


@pytest.mark.clause("ZRE-SIG-01")
def test_every_command_begins_with_the_signature(here: Gathering) -> None:
    options = replace(ONLY20, evasive_after=0.2)
    ann = here.node("ann", options=options)
    peer = Raw20(here, 1)
    peer.greet(ann.node, "g")
    ann.wait_for(JoinedGroup, peer=peer.uuid, group="g")
    ann.node.whisper(peer.uuid, "1")
    ann.node.shout("g", "2")
    ann.node.join("h")
    ann.node.leave("h")
    peer.say("Ping")
    seen: set[int] = set()
    while len(seen) < 7:
        _, head, *_ = peer.hear_octets()
        assert head[:2] == b"\xaa\xa1"
        seen.add(head[4])
    assert seen == {1, 2, 3, 4, 5, 6, 7}


@pytest.mark.clause("ZRE-SIG-02")
@pytest.mark.parametrize("entered", [False, True], ids=["stranger", "peer"])
def test_what_does_not_begin_with_the_signature_is_silently_discarded(
    here: Gathering, entered: bool
) -> None:
    ann = here.node("ann", options=ONLY20)
    peer = Raw20(here, 1)
    if entered:
        peer.enter(ann)
    else:
        peer.connect(ann.node)
    hello = zre20.encode(zre20.Hello(1, peer.host, peer.port, (), 0, ()))[0]
    whisper = zre20.encode(zre20.Whisper(2, b"no"))
    nonsense = [
        [b""],
        [b"\xaa"],
        [b"\xaa\xa2" + hello[2:]],
        [b"\xab\xa1" + hello[2:]],
        [hello[2:]],
        [b"\xa1\xaa" + whisper[0][2:], b"no"],
        [b"", *whisper],
        [b"GET / HTTP/1.0"],
    ]
    for frames in nonsense:
        peer.dealer.send(*frames)
    counted(ann.node, "messages_malformed", len(nonsense))
    if not entered:
        assert ann.node.statistics()["messages_sent"] == 0
        peer.say("Hello", peer.host, peer.port, (), 0, ())
        ann.wait_for(Entered, peer=peer.uuid)
    peer.say("Whisper", b"yes")
    assert ann.wait_for(Whispered, peer=peer.uuid).content == (b"yes",)
    assert not any(isinstance(event, Left) for event in ann.events)
    eventually(lambda: len(ann.node.peers()) == 1, "it is a good peer")
