"""Stories of nodes that find each other without broadcast, on IPv6, and of interfaces."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import replace

import pytest

from support.nodes import Gathering, Listened, gathering
from support.ports import ReservedPort
from support.raw import eventually
from zwire.errors import LocalError
from zwire.io.zre_interfaces import THE_LOOPBACK, Interface, choose_interfaces
from zwire.io.zre_node import Node
from zwire.io.zre_settings import NodeSettings
from zwire.zre import Dialect, Options
from zwire.zre.endpoints import host_and_port
from zwire.zre.events import Entered, Left, Whispered

pytestmark = pytest.mark.process
QUIET = Options(beacons=False)


@pytest.fixture
def here() -> Iterator[Gathering]:
    with gathering() as found:
        yield found


def talk(one: Listened, other: Listened) -> None:
    one.met(other)
    other.met(one)
    one.node.whisper(other.node.uuid, "found you")
    assert other.wait_for(Whispered, peer=one.node.uuid).content == (b"found you",)


@pytest.mark.parametrize("inproc", [True, False], ids=["inproc", "tcp"])
@pytest.mark.parametrize("dialect", list(Dialect))
def test_a_static_peer_is_found_without_beacons(
    here: Gathering, dialect: Dialect, inproc: bool
) -> None:
    bob = here.node("bob", options=Options(beacons=False, dialects=(dialect,)), inproc=inproc)
    soon = Options(beacons=False, greet_again=0.2)
    ann = here.node("ann", options=soon, peers=(bob.node.endpoint,), inproc=inproc)
    talk(ann, bob)
    talk(bob, ann)


def test_a_static_peer_is_found_when_it_comes_later_and_again(here: Gathering) -> None:
    with ReservedPort() as place:
        ann = here.node(
            "ann", options=Options(beacons=False, seek_again=0.1), peers=(place.endpoint,)
        )
        for _ in range(2):
            ann.forget()
            with Node("bob", settings=_fixed(here, place.endpoint)) as bob:
                ann.wait_for(Entered, peer=bob.uuid)
            ann.wait_for(Left, peer=bob.uuid)


def _fixed(here: Gathering, endpoint: str) -> NodeSettings:
    return replace(here.settings, endpoint=endpoint, options=QUIET)


def found(node: Node) -> None:
    """Wait until it knows who is at the end of all its links."""
    eventually(lambda: not node._driver.engine.seeking, "nobody is sought any more")


def test_static_peers_at_one_port_are_told_apart_though_one_is_given_by_name(
    here: Gathering,
) -> None:
    with ReservedPort() as place:
        elsewhere = f"tcp://127.0.0.2:{place.number}"
        bob = here.node("bob", options=QUIET, endpoint=place.endpoint, inproc=False)
        eve = here.node("eve", options=QUIET, endpoint=elsewhere, inproc=False)
        sought = (elsewhere, f"tcp://localhost:{place.number}")
        ann = here.node("ann", options=QUIET, peers=sought, inproc=False)
        found(ann.node)
        for other in (bob, eve):
            talk(ann, other)
            talk(other, ann)
        assert ann.node.statistics()["peers_entered"] == 2


def test_a_peer_that_was_met_by_beacon_is_not_connected_to_again_under_its_name(
    here: Gathering,
) -> None:
    ann, bob = here.pair(inproc=False)
    ann.node.seek(f"tcp://localhost:{host_and_port(bob.node.endpoint)[1]}")
    found(ann.node)
    bob.forget()
    ann.node.whisper(bob.node.uuid, "still you?")
    bob.wait_for(Whispered, peer=ann.node.uuid)
    assert ann.node._driver.engine._state.peers.keys() == {bob.node.uuid.bytes}


def test_a_static_peer_that_says_another_address_is_spoken_to_where_it_was_found(
    here: Gathering,
) -> None:
    with ReservedPort() as place:
        everywhere = f"tcp://*:{place.number}"
        bob = here.node(
            "bob", options=QUIET, endpoint=everywhere, interfaces=("127.0.0.2/8",), inproc=False
        )
        assert bob.node.endpoint == f"tcp://127.0.0.2:{place.number}"
        ann = here.node("ann", options=QUIET, peers=(place.endpoint,), inproc=False)
        found(ann.node)
        talk(ann, bob)
        (peer,) = ann.node._driver.engine._state.peers.values()
        assert peer.endpoint == place.endpoint


def test_members_of_a_gossip_hub_find_each_other(here: Gathering) -> None:
    hub = here.node("hub", options=QUIET, gossip_bind="tcp://127.0.0.1:*")
    where = hub.node.gossip_endpoint
    assert where is not None
    ann = here.node("ann", options=QUIET, gossip_hubs=(where,))
    bob = here.node("bob", options=QUIET, gossip_hubs=(where,), inproc=False)
    talk(ann, bob)
    talk(hub, ann)
    talk(bob, hub)
    late = here.node("late", options=QUIET, gossip_hubs=(where,))
    for one in (hub, ann, bob):
        talk(late, one)


def test_a_hub_that_was_restarted_is_told_again(here: Gathering) -> None:
    with ReservedPort() as place:
        ann = here.node("ann", options=QUIET, gossip_hubs=(place.endpoint,))
        first = here.node("hub", options=QUIET, gossip_bind=place.endpoint)
        talk(first, ann)
        first.node.stop()
        ann.wait_for(Left, peer=first.node.uuid)
        talk(here.node("hub", options=QUIET, gossip_bind=place.endpoint), ann)


def test_beacons_static_peers_and_gossip_work_at_the_same_time(here: Gathering) -> None:
    static = here.node("static", options=QUIET)
    hub = here.node("hub", options=QUIET, gossip_bind="tcp://127.0.0.1:*")
    where = hub.node.gossip_endpoint
    assert where is not None
    beaconing = here.node("beaconing")
    ann = here.node("ann", peers=(static.node.endpoint,), gossip_hubs=(where,))
    for other in (static, hub, beaconing):
        talk(ann, other)


def _has_ipv6(group: str = "") -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as trying:
            trying.bind(("::1", 0))
            if group:
                trying.sendto(b"", (group, 9, 0, 1))
    except OSError:
        return False
    return True


@pytest.mark.skipif(not _has_ipv6("ff02::1"), reason="no IPv6 multicast on loopback here")
def test_beacons_are_heard_over_ipv6(here: Gathering) -> None:
    ann, bob = here.pair(interfaces=("::1",), inproc=False)
    talk(ann, bob)


@pytest.mark.skipif(not _has_ipv6(), reason="this host has no IPv6")
def test_a_static_peer_is_found_over_ipv6(here: Gathering) -> None:
    bob = here.node("bob", options=QUIET, interfaces=("::1",), inproc=False)
    assert bob.node.endpoint.startswith("tcp://[::1]:")
    where = (bob.node.endpoint,)
    ann = here.node("ann", options=QUIET, interfaces=("::1",), peers=where, inproc=False)
    talk(ann, bob)
    talk(bob, ann)


def test_several_interfaces_share_one_mailbox_port(here: Gathering) -> None:
    both = here.node("both", interfaces=("loopback", "127.0.0.2/8"), inproc=False)
    port = host_and_port(both.node.endpoint)[1]
    quiet = here.node("quiet", options=QUIET, peers=(f"tcp://127.0.0.2:{port}",), inproc=False)
    talk(quiet, both)
    talk(here.node("ann", inproc=False), both)


def test_interfaces_are_called_by_name_address_or_prefix() -> None:
    (loopback,) = choose_interfaces(["loopback"])
    assert (loopback.address, loopback.broadcast) == ("127.0.0.1", THE_LOOPBACK.broadcast)
    assert loopback.loopback
    assert choose_interfaces(["127.0.0.1"]) == choose_interfaces(["localhost"]) == [loopback]
    assert choose_interfaces(["10.1.2.3/16"]) == [
        Interface("10.1.2.3/16", 0, "10.1.2.3", "10.1.255.255", False, 16)
    ]
    assert Interface("eth0", 2, "fe80::1", "ff02::1", False, 64).host == "fe80::1%eth0"
    assert choose_interfaces()
    for wrong in ("nowhere0", "10.1.2.3/99", "10.1.2/8"):
        with pytest.raises(LocalError):
            choose_interfaces([wrong])
