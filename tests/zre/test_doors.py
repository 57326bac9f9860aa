"""A node with several addresses: each peer is told the one that it can reach."""

from __future__ import annotations

from ipaddress import ip_network
from typing import Any

import pytest

from support.zre_peers import ENDPOINT, Peer, Stage
from zwire.zre import Dialect
from zwire.zre.doors import Door, door_for, from_here
from zwire.zre.effects import OpenLog

FIRST = Door(ENDPOINT, ip_network("10.0.0.0/24"))
SECOND = Door("tcp://10.2.0.1:50001", ip_network("10.2.0.0/16"))
ETH0 = Door("tcp://[fe80::1%eth0]:50001", ip_network("fe80::/64"), "eth0")
ETH1 = Door("tcp://[fe80::2%eth1]:50001", ip_network("fe80::/64"), "eth1")
ALL = (FIRST, SECOND, ETH0, ETH1)
BOTH = pytest.mark.parametrize("dialect", list(Dialect), ids=lambda one: str(one.value))


@pytest.mark.parametrize(
    ("peer", "door"),
    [
        ("tcp://10.0.0.9:50009", FIRST),
        ("tcp://10.2.200.9:50009", SECOND),
        ("tcp://192.168.0.9:50009", FIRST),  # elsewhere: by way of a gateway, perhaps
        ("tcp://some.host:50009", FIRST),
        ("ipc:///run/node", FIRST),
        ("tcp://[fe80::9%eth0]:50009", ETH0),
        ("tcp://[fe80::9%eth1]:50009", ETH1),
    ],
)
def test_the_door_is_in_the_network_of_the_peer(peer: str, door: Door) -> None:
    assert door_for(peer, ALL, ENDPOINT) == door.endpoint


def test_who_has_one_door_tells_it_to_everybody() -> None:
    assert door_for("tcp://10.2.0.9:50009", (FIRST,), ENDPOINT) == ENDPOINT
    assert door_for("tcp://10.2.0.9:50009", (), ENDPOINT) == ENDPOINT


@pytest.mark.parametrize(
    ("said", "doors", "read"),
    [
        ("tcp://10.0.0.9:50009", ALL, "tcp://10.0.0.9:50009"),
        ("tcp://some.host:50009", ALL, "tcp://some.host:50009"),
        ("tcp://[2001:db8::9]:50009", ALL, "tcp://[2001:db8::9]:50009"),
        ("tcp://[fe80::9%wlan3]:50009", (FIRST, ETH0), "tcp://[fe80::9%eth0]:50009"),
        ("tcp://[fe80::9]:50009", (FIRST, ETH0), "tcp://[fe80::9%eth0]:50009"),
        ("tcp://[fe80::9%eth1]:50009", ALL, "tcp://[fe80::9%eth1]:50009"),
        ("tcp://[fe80::9%wlan3]:50009", ALL, ""),
        ("tcp://[fe80::9%wlan3]:50009", (FIRST,), ""),
    ],
)
def test_a_link_local_address_is_read_with_our_own_interface(
    said: str, doors: tuple[Door, ...], read: str
) -> None:
    assert from_here(said, doors) == read


def heard_of_us(peer: Peer, hello: Any) -> str:
    return peer.wire.endpoint(hello)


@BOTH
def test_each_peer_is_greeted_with_the_address_in_its_own_network(dialect: Dialect) -> None:
    stage = Stage(doors=(FIRST, SECOND))
    near, far = Peer(stage, 0x20, dialect), Peer(stage, 0x21, dialect)
    far.address = "10.2.0.9"
    for peer, door in ((near, FIRST), (far, SECOND)):
        peer.hello()
        (hello,) = stage.said(peer)
        assert heard_of_us(peer, hello) == door.endpoint
        stage.take()


@BOTH
def test_a_log_is_collected_at_every_door_and_other_services_where_they_are(
    dialect: Dialect,
) -> None:
    headers = {"X-ZRELOG": "tcp://10.0.0.1:50555", "X-ECHO": "tcp://10.0.0.1:50556"}
    stage = Stage(doors=(FIRST, SECOND), headers=headers)
    near, far = Peer(stage, 0x20, dialect), Peer(stage, 0x21, dialect)
    far.address = "10.2.0.9"
    for peer, host in ((near, "10.0.0.1"), (far, "10.2.0.1")):
        peer.hello()
        (hello,) = stage.said(peer)
        assert hello.headers_view["X-ZRELOG"] == f"tcp://{host}:50555"
        assert hello.headers_view["X-ECHO"] == "tcp://10.0.0.1:50556"
        stage.take()


def test_who_says_that_it_is_at_one_of_our_doors_is_not_connected_to() -> None:
    stage = Stage(doors=(FIRST, SECOND))
    for endpoint in (FIRST.endpoint, SECOND.endpoint):
        liar = Peer(stage, 0x20)
        liar.address, liar.port = endpoint.removeprefix("tcp://").split(":")[0], 50001
        liar.hello()
        assert stage.take() == []


def test_a_collector_behind_a_link_local_address_is_reached_where_its_node_is() -> None:
    stage = Stage(doors=(ETH0, ETH1))
    collector = Peer(stage, 0x20)
    collector.beacon(address="fe80::9%eth1")
    collector.address = "[fe80::9%wlan3]"
    collector.headers = {"X-ZRELOG": "tcp://[fe80::9%wlan3]:50555"}
    collector.hello()
    assert [one.endpoint for one in stage.of(OpenLog)] == ["tcp://[fe80::9%eth1]:50555"]
