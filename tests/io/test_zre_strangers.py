"""Stories of nodes among strangers and unlucky neighbours, on real sockets."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator

import pytest
import zmq

from support.nodes import Gathering, Listened, RawPeer, broadcast, counted, gathering
from support.ports import ReservedPort
from support.processes import python
from support.raw import PATIENCE, Raw, eventually
from zwire.io import zre_opening
from zwire.zre import Options
from zwire.zre.endpoints import host_and_port
from zwire.zre.events import Entered, Left, Whispered, Why
from zwire_protocols.zgossip import Hello, Publish, encode
from zwire_protocols.zre36 import messages as zre36

pytestmark = pytest.mark.process

# A node that is ready to begin, at the same place under another name, as soon as it is told.
NODE = """
import signal, sys
from zwire import LocalError, Node, NodeSettings, Whispered

settings = NodeSettings(
    interfaces=("loopback",), port={port}, endpoint="{endpoint}", inproc=False
)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
print("ready", flush=True)
signal.sigwait([signal.SIGUSR1])
node = None
while node is None:
    try:
        node = Node(sys.argv[1], settings=settings).start()
    except LocalError:
        pass  # the other has it still
for event in node:
    if isinstance(event, Whispered):
        print("heard", event.content, flush=True)
"""


@pytest.fixture
def here() -> Iterator[Gathering]:
    with gathering() as found:
        yield found


def old_friends(here: Gathering) -> tuple[Listened, Listened]:
    """Two nodes that met a while ago, so that another greeting is no answer any more."""
    ann, bob = here.pair(inproc=False, options=Options(settle=0.1))
    for one in (ann, bob):
        counted(one.node, "beacons_sent", 6)
    return ann, bob


@pytest.mark.parametrize("words", [b"", b"\xff\0\0\0\0\0\0\0\1\x7f"], ids=["mute", "half"])
def test_who_connects_and_does_not_introduce_itself_is_hung_up_on(
    here: Gathering, monkeypatch: pytest.MonkeyPatch, words: bytes
) -> None:
    monkeypatch.setattr(zre_opening, "HANDSHAKE", 0.3)
    ann = here.node("ann").node
    with socket.create_connection(host_and_port(ann.endpoint), PATIENCE) as half_open:
        half_open.sendall(words)
        while half_open.recv(4096):
            pass


def test_who_sends_a_longer_frame_than_is_allowed_is_cut_off_and_others_stay(
    here: Gathering,
) -> None:
    ann, bob = here.pair(max_frame_size=10_000, inproc=False)
    raw = here.raw(1)
    raw.greet(ann.node)
    ann.wait_for(Entered, peer=raw.uuid)
    watch = raw.watch
    raw.whisper(b"x" * 10_001)
    watch.disconnected()
    bob.node.whisper(ann.node.uuid, "x" * 10_000)
    assert ann.wait_for(Whispered).content == (b"x" * 10_000,)


def test_a_thief_of_an_identity_gains_little_and_its_owner_is_back_soon(here: Gathering) -> None:
    """Without keys nobody can tell them apart; but when the thief has gone, all is as before."""
    ann, bob = old_friends(here)
    identity = zre36.IDENTITY_PREFIX + bob.node.uuid.bytes
    with Raw(zmq.DEALER, here.context, identity=identity, reconnects=False) as thief:
        thief.connect(ann.node.endpoint)
        thief.send(*zre36.encode(zre36.Whisper(77, (b"I am bob",))))
        assert ann.wait_for(Left, peer=bob.node.uuid).why is Why.MESSAGES_LOST
    ann.forget()
    ann.met(bob)
    bob.node.whisper(ann.node.uuid, "I am")
    assert ann.wait_for(Whispered, peer=bob.node.uuid).content == (b"I am",)
    ann.node.whisper(bob.node.uuid, "so you are")
    assert bob.wait_for(Whispered, peer=ann.node.uuid).content == (b"so you are",)


def test_who_claims_to_be_where_another_is_does_not_come_between(here: Gathering) -> None:
    ann, bob = here.pair(inproc=False)
    liar = here.raw(1)
    liar.endpoint = bob.node.endpoint
    liar.greet(ann.node)
    counted(ann.node, "greetings_refused", 1)
    for number in range(100):
        bob.node.whisper(ann.node.uuid, f"{number}")
        ann.node.whisper(bob.node.uuid, f"{number}")
    for one in (ann, bob):
        for number in range(100):
            assert one.wait_for(Whispered).content == (b"%d" % number,)
            one.forget()
    assert [one.uuid for one in ann.node.peers()] == [bob.node.uuid]
    assert ann.node.statistics()["peers_left"] == 0


def test_a_node_that_begins_at_once_where_another_was_killed_is_not_taken_for_it(
    here: Gathering,
) -> None:
    with ReservedPort() as place:
        source = NODE.format(port=here.port, endpoint=place.endpoint)
        with python(source, "old") as old, python(source, "new") as new:
            for one in (old, new):
                one.wait_for_line("ready")
            ann = here.node("ann", inproc=False)
            old.signal(signal.SIGUSR1)
            ann.wait_for(Entered, name="old")
            old.kill()
            new.signal(signal.SIGUSR1)
            entered = ann.wait_for(Entered, name="new")
            assert ann.wait_for(Left, name="old").why in (Why.VANISHED, Why.REPLACED)
            ann.node.whisper(entered.peer, "to the new one")
            assert "to the new one" in new.wait_for_line("heard")


def test_beacons_in_our_own_name_and_with_port_0_are_counted_and_change_nothing(
    here: Gathering,
) -> None:
    ann, bob = here.pair(inproc=False)
    own = b"ZRE\x01" + ann.node.uuid.bytes
    broadcast(own + b"\xc0\x01", here.port)  # our name, and another port
    broadcast(own + b"\0\0", here.port)
    stranger = b"ZRE\x01" + bytes(range(16)) + b"\0\0"
    for _ in range(10):
        broadcast(stranger, here.port)
    counted(ann.node, "beacons_malformed", 10)
    assert ann.node.statistics()["beacons_own"] >= 2
    assert [one.uuid for one in ann.node.peers()] == [bob.node.uuid]


def test_a_flood_of_greetings_from_new_names_does_not_push_out_good_peers(
    here: Gathering,
) -> None:
    ann, bob = here.pair(inproc=False, options=Options(max_peers=20))
    flood = [here.raw(number) for number in range(40)]
    for raw in flood:
        raw.greet(ann.node)
    counted(ann.node, "greetings_refused", 21)
    bob.node.whisper(ann.node.uuid, "still there")
    ann.wait_for(Whispered, peer=bob.node.uuid)
    assert len(ann.node.peers()) == 20
    assert not any(isinstance(event, Left) for event in ann.events)
    for raw in flood:
        raw.close()
    eventually(lambda: len(ann.node.peers()) == 1, "those who went are noticed")
    late = here.raw(100)
    late.greet(ann.node)
    ann.wait_for(Entered, peer=late.uuid)


def test_gossip_cannot_send_us_to_sockets_of_this_host(here: Gathering) -> None:
    quiet = Options(beacons=False)
    ann = here.node("ann", gossip_bind="tcp://127.0.0.1:*", options=quiet)
    assert ann.node.gossip_endpoint is not None
    with Raw(zmq.DEALER, here.context) as member:
        member.connect(ann.node.gossip_endpoint)
        member.send(*encode(Hello()))
        places = ("ipc:///run/somebody", "inproc://zap", "tcp://127.0.0.1:0", "nonsense")
        for number, place in enumerate((*places, "tcp://127.0.0.1:9")):
            member.send(*encode(Publish(f"{number + 1:032X}", place, 0)))
        eventually(
            lambda: list(ann.node._driver.engine._state.book) == ["tcp://127.0.0.1:9"],
            "only what can be reached by TCP is sought",
        )


def test_two_nodes_of_one_name_do_not_disturb_the_others(here: Gathering) -> None:
    ann, bob = here.pair(inproc=False)
    twins = [RawPeer(here.context, 1) for _ in range(2)]
    for twin in twins:
        here.own(twin.close)
        ann.forget()
        twin.greet(ann.node)
        ann.wait_for(Entered, peer=twin.uuid)
    bob.node.whisper(ann.node.uuid, "what was that?")
    ann.wait_for(Whispered, peer=bob.node.uuid)
    assert len(ann.node.peers()) == 2
