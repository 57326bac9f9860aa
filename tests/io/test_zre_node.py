"""Stories of nodes that run: they meet, talk, leave and are missed."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from support.nodes import Gathering, broadcast, counted, gathering
from support.ports import ReservedPort
from support.processes import python
from zwire.errors import Closed, LocalError, NoAnswer
from zwire.io.zre_node import Node
from zwire.io.zre_settings import NodeSettings
from zwire.zre import Dialect, Options
from zwire.zre.endpoints import host_and_port
from zwire.zre.events import (
    Entered,
    JoinedGroup,
    LeaderElected,
    Left,
    LeftGroup,
    Shouted,
    Whispered,
    Why,
)
from zwire_protocols.zre36 import beacon as beacons

pytestmark = pytest.mark.process
ONLY20 = Options(dialects=(Dialect.ZRE20,))
ONLY36 = Options(dialects=(Dialect.ZRE36,))


@pytest.fixture
def here() -> Iterator[Gathering]:
    with gathering() as found:
        yield found


@pytest.mark.parametrize("inproc", [True, False], ids=["inproc", "tcp"])
def test_two_nodes_meet_talk_and_part(here: Gathering, inproc: bool) -> None:
    ann = here.node("ann", groups=("chat",), headers={"X-ROLE": "host"}, inproc=inproc)
    bob = here.node("bob", inproc=inproc)
    entered = bob.wait_for(Entered, peer=ann.node.uuid)
    assert (entered.name, entered.endpoint) == ("ann", ann.node.endpoint)
    assert entered.headers == {"X-ROLE": "host"}
    bob.wait_for(JoinedGroup, peer=ann.node.uuid, group="chat")
    ann.met(bob)
    bob.node.join("chat")
    ann.wait_for(JoinedGroup, name="bob", group="chat")

    ann.node.shout("chat", "hello", b"\xff\x00")
    assert bob.wait_for(Shouted, group="chat").content == (b"hello", b"\xff\x00")
    bob.node.whisper(ann.node.uuid, "hello yourself")
    assert ann.wait_for(Whispered).content == (b"hello yourself",)
    assert [peer.name for peer in ann.node.peers()] == ["bob"]
    assert ann.node.peer_groups() == {"chat": [bob.node.uuid]}

    bob.node.leave("chat")
    ann.wait_for(LeftGroup, name="bob", group="chat")
    bob.node.stop()
    assert ann.wait_for(Left, name="bob").why is Why.GOODBYE
    assert ann.node.peers() == []


@pytest.mark.parametrize(
    ("left", "right"),
    [(ONLY20, ONLY20), (ONLY36, ONLY36), (ONLY20, Options()), (Options(), ONLY20)],
    ids=["20", "36", "20 with both", "both with 20"],
)
@pytest.mark.parametrize("inproc", [True, False], ids=["inproc", "tcp"])
def test_nodes_of_both_dialects_talk(
    here: Gathering, left: Options, right: Options, inproc: bool
) -> None:
    ann = here.node("ann", groups=("chat",), options=left, inproc=inproc)
    bob = here.node("bob", groups=("chat",), options=right, inproc=inproc)
    for one, other in ((ann, bob), (bob, ann)):
        one.met(other)
        one.wait_for(JoinedGroup, peer=other.node.uuid)
    for one, other in ((ann, bob), (bob, ann)):
        one.node.shout("chat", "all")
        one.node.whisper(other.node.uuid, "you")
        assert other.wait_for(Shouted, peer=one.node.uuid).content == (b"all",)
        assert other.wait_for(Whispered, peer=one.node.uuid).content == (b"you",)
    bob.node.stop()
    ann.wait_for(Left, peer=bob.node.uuid)


def test_every_mailbox_is_in_the_range_of_ports(here: Gathering) -> None:
    for _ in range(20):
        with Node(settings=here.settings) as node:
            host, port = host_and_port(node.endpoint)
            assert host == "127.0.0.1"
            assert 49152 <= port <= 65535


KILLED = """
import sys
from zwire.io.zre_node import Node
from zwire.io.zre_settings import NodeSettings
settings = NodeSettings(interfaces=("loopback",), port=int(sys.argv[1]))
with Node("victim", groups=["chat"], settings=settings) as node:
    for event in node:
        print(event, flush=True)
"""


def test_a_killed_process_is_noticed_by_its_connection(here: Gathering) -> None:
    # Silence alone would tell after half a minute, and as another reason.
    ann = here.node("ann", groups=("chat",))
    with python(KILLED, str(here.port)) as victim:
        first = ann.wait_for(Entered, name="victim")
        victim.wait_for_line("JoinedGroup")
        ann.node.whisper(first.peer, "are you there?")
        victim.wait_for_line("are you there?")
        victim.kill()
        assert ann.wait_for(Left, peer=first.peer).why is Why.VANISHED
    assert ann.node.peers() == []
    with python(KILLED, str(here.port)):
        ann.forget()
        assert ann.wait_for(Entered, name="victim").peer != first.peer


def test_a_peer_that_comes_back_under_its_uuid_enters_again(here: Gathering) -> None:
    ann = here.node("ann", inproc=False)
    uuid = UUID(int=0x0123456789ABCDEF0123456789ABCDEF)
    for _ in range(3):
        ann.forget()
        with Node("bob", uuid=uuid, settings=here.settings, groups=["chat"]) as bob:
            ann.wait_for(Entered, peer=uuid)
            ann.wait_for(JoinedGroup, peer=uuid)
            ann.node.whisper(uuid, "welcome")
            while not isinstance(bob.receive(30), Whispered):
                continue
        ann.wait_for(Left, peer=uuid)


def test_a_member_that_stands_for_election_leads_its_group(here: Gathering) -> None:
    nodes = [here.node(name, groups=("crew",)) for name in ("ann", "bob", "cat")]
    for one in nodes:
        for other in nodes:
            if other is not one:
                one.wait_for(JoinedGroup, peer=other.node.uuid, group="crew")
    ann = nodes[0].node
    ann.contest("crew")
    for one in nodes:
        elected = one.wait_for(LeaderElected, group="crew")
        assert (elected.leader, elected.own) == (ann.uuid, one.node is ann)
        assert one.node.leader("crew") == ann.uuid


def test_services_are_found_by_their_headers(here: Gathering) -> None:
    ann = here.node("ann", headers={"X-FILEMQ": "tcp://127.0.0.1:5670", "X-ROLE": "host"})
    bob = here.node("bob")
    bob.met(ann)
    assert bob.node.services() == {"X-FILEMQ": {ann.node.uuid: "tcp://127.0.0.1:5670"}}
    assert bob.node.headers == {}
    bob.node.set_header("X-NEW", "yes")
    assert bob.node.headers == {"X-NEW": "yes"}


def test_datagrams_that_are_no_beacons_are_counted_and_dropped(here: Gathering) -> None:
    ann, bob = here.pair()
    good = beacons.PREFIX + bytes(range(16)) + b"\xc0\x01"
    for octets in (b"", b"ZRE", good[:21], good + b"\0", b"ZRF" + good[3:], good[:20] + b"\0\0"):
        broadcast(octets, here.port)
    broadcast(b"ZRE\x09" + good[4:], here.port)
    for one in (ann, bob):
        counted(one.node, "beacons_malformed", 6)
        counted(one.node, "beacons_foreign", 1)
    ann.node.whisper(bob.node.uuid, "still here")
    bob.wait_for(Whispered)


def test_nodes_with_different_ports_do_not_meet(here: Gathering) -> None:
    with gathering() as elsewhere:
        pairs = [here.pair(), elsewhere.pair()]
        for one, other in pairs:
            assert [peer.uuid for peer in one.node.peers()] == [other.node.uuid]
            assert [peer.uuid for peer in other.node.peers()] == [one.node.uuid]


def test_mistakes_are_told_at_once(here: Gathering) -> None:
    with pytest.raises(LocalError, match="no interface 'nowhere0'"):
        here.node("ann", interfaces=("nowhere0",))
    with pytest.raises(LocalError, match="no name for a group"):
        here.node("ann", groups=("x" * 300,))
    with pytest.raises(LocalError, match="no endpoint of a static peer"):
        here.node("ann", peers=("127.0.0.1:5000",))
    with pytest.raises(LocalError, match="cannot bind"):
        here.node("ann", gossip_bind="tcp://127.0.0.1:notaport")
    with pytest.raises(LocalError, match="no UDP port"):
        NodeSettings(port=70000)
    with pytest.raises(LocalError, match="no gossip hub: expected tcp://HOST:PORT"):
        NodeSettings(gossip_hubs=("192.168.0.7:5670",))
    ann = here.node("ann").node
    with pytest.raises(LocalError, match="has entered"):
        ann.whisper(UUID(int=7), "hello")
    with pytest.raises(LocalError, match="at least one frame"):
        ann.shout("chat")
    with pytest.raises(LocalError, match="runs already"):
        ann.start()
    with pytest.raises(NoAnswer):
        ann.receive(0.0)
    ann.stop()
    assert list(ann) == []
    for deed in (lambda: ann.join("chat"), lambda: ann.shout("chat", "x"), ann.start):
        with pytest.raises(Closed):
            deed()
    with pytest.raises(LocalError, match="not been started"):
        Node().peers()


@pytest.mark.parametrize(
    "place", ["tcp://127.0.0.1:0", "tcp://127.0.0.1:*", "tcp://127.0.0.1:99999", "tcp://x", "x"]
)
def test_a_mailbox_has_a_place_that_others_can_be_told(place: str) -> None:
    with pytest.raises(LocalError, match="is no place for a mailbox: expected tcp://HOST:PORT"):
        NodeSettings(endpoint=place)


def test_what_has_no_port_cannot_be_announced_by_beacons(here: Gathering, tmp_path: Path) -> None:
    where = f"ipc://{tmp_path}/bob"
    with pytest.raises(LocalError, match="no port for beacons to announce"):
        NodeSettings(endpoint=where)
    bob = here.node("bob", endpoint=where, options=Options(beacons=False), inproc=False)
    own = f"ipc://{tmp_path}/ann"
    quiet = Options(beacons=False)
    ann = here.node("ann", endpoint=own, peers=(where,), options=quiet, inproc=False)
    ann.met(bob)
    bob.met(ann)


def test_a_node_at_all_addresses_says_one_that_others_can_dial(here: Gathering) -> None:
    with ReservedPort() as place:
        for _ in range(2):  # which is free again when it is stopped
            ann = here.node("ann", endpoint=f"tcp://*:{place.number}", inproc=False)
            assert ann.node.endpoint == place.endpoint
            bob = here.node("bob", inproc=False)
            bob.met(ann)
            ann.node.stop()
            bob.node.stop()


@pytest.mark.parametrize("odd", [5, None, [b"x"], "\ud800"], ids=repr)
def test_content_that_is_neither_text_nor_octets_is_refused(here: Gathering, odd: Any) -> None:
    ann, bob = here.pair()
    with pytest.raises(LocalError, match=r"expected characters|text or octets"):
        ann.node.whisper(bob.node.uuid, "and", odd)
    ann.node.whisper(bob.node.uuid, "one", b"two")
    assert bob.wait_for(Whispered).content == (b"one", b"two")


def test_what_no_mailbox_would_take_is_not_sent(here: Gathering) -> None:
    # The peer refused such a message, missed its number and took us for lost.
    ann, bob = here.pair()
    with pytest.raises(LocalError, match="at most 9990: got 9991"):
        ann.node.whisper(bob.node.uuid, *[b"x"] * 9991)
    ann.node.whisper(bob.node.uuid, *[b"x"] * 9990)
    assert len(bob.wait_for(Whispered).content) == 9990
    assert bob.node.statistics()["gaps"] == 0


def test_names_that_can_mean_nobody_are_refused(here: Gathering) -> None:
    with pytest.raises(LocalError, match=r"groups=\['chat'\]"):
        Node("ann", groups="chat")
    ann = here.node("ann").node
    bob: Any = "bob"
    with pytest.raises(LocalError, match=r"by its UUID, .* got 'bob'"):
        ann.whisper(bob, "hello")
    text: Any = "not a UUID"
    with pytest.raises(LocalError, match=r"is a uuid.UUID, got 'not a UUID'"):
        Node("ann", uuid=text)
    with pytest.raises(LocalError, match="linger must not be negative"):
        NodeSettings(linger=-1.0)
    group: Any = b"chat"
    for deed in (ann.join, ann.contest, lambda name: ann.shout(name, "hello")):
        with pytest.raises(LocalError, match="no name for a group"):
            deed(group)
    with pytest.raises(LocalError, match="no endpoint of a static peer"):
        ann.seek("somewhere")


def test_a_port_that_is_taken_is_told(here: Gathering) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as selfish:
        selfish.bind(("", 0))
        port = selfish.getsockname()[1]
        with pytest.raises(LocalError, match=f"no beacons on UDP port {port}"):
            here.node("ann", port=port)
