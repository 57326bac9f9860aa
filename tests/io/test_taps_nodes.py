"""Nodes that record: what one says is what the other hears, and who said it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.nodes import Listened, beacon_port
from support.raw import PATIENCE
from support.taps import IN, OUT, events, hop, messages, recorded
from zwire import aio
from zwire.capture import Recorder, Row
from zwire.captured import body_at
from zwire.io.zre_collector import LogCollector
from zwire.io.zre_node import Node
from zwire.io.zre_settings import NodeSettings
from zwire.zre.events import Entered, JoinedGroup, Shouted, Whispered

pytestmark = pytest.mark.process


@pytest.fixture
def settings() -> Iterator[NodeSettings]:
    with beacon_port() as port:
        yield NodeSettings(interfaces=("loopback",), port=port)


def said(rows: list[Row], part: str) -> Counter[tuple[bytes, ...]]:
    return Counter(r.frames for r in messages(rows) if r.direction is OUT and r.protocol == part)


def heard(rows: list[Row], part: str) -> Counter[tuple[bytes, ...]]:
    return Counter(r.frames for r in messages(rows) if r.direction is IN and r.protocol == part)


def test_two_nodes_record_the_same_conversation_from_both_sides(
    settings: NodeSettings, tmp_path: Path
) -> None:
    ann = Node("ann", groups=["chat"], settings=settings, capture=tmp_path / "ann")
    bob = Node("bob", groups=["chat"], settings=settings, capture=tmp_path / "bob")
    with ann, bob:
        anns, bobs = Listened(ann), Listened(bob)
        anns.wait_for(JoinedGroup, peer=bob.uuid)
        bobs.wait_for(JoinedGroup, peer=ann.uuid)
        ann.shout("chat", "hello")
        bobs.wait_for(Shouted)
        bob.whisper(ann.uuid, "hi")
        anns.wait_for(Whispered)
    first, second = recorded(tmp_path / "ann"), recorded(tmp_path / "bob")
    for ours, theirs, own, other in ((first, second, ann, bob), (second, first, bob, ann)):
        (node,) = events(ours, "node")
        assert node.facts == {"uuid": str(own.uuid), "name": own.name, "endpoint": node.endpoint}
        (entered,) = events(ours, "entered")
        assert (entered.peer, entered.facts["name"]) == (other.uuid.bytes, other.name)
        talk = [row for row in messages(ours) if row.protocol == "zre36.messages"]
        assert {row.peer for row in talk} == {other.uuid.bytes}
        for row in talk:
            assert row.role == ("recipient" if hop(row)[3] == "PING-OK" else "sender")
        assert heard(ours, "zre36.messages") <= said(theirs, "zre36.messages")
        beacons = [row for row in messages(ours) if "beacon" in row.protocol]
        assert {row.direction for row in beacons} >= {OUT}
        assert {row.peer for row in beacons if row.direction is IN} <= {other.uuid.bytes}
    words = [hop(row)[3] for row in messages(first) if row.protocol == "zre36.messages"]
    spoken = [word for word in words if not word.startswith("PING")]
    assert spoken[:4] == ["HELLO", "HELLO", "SHOUT", "WHISPER"]


def test_contents_are_left_out_where_that_was_asked_for(
    settings: NodeSettings, tmp_path: Path
) -> None:
    recorder = Recorder(tmp_path, keep_body=0, body_at=body_at)
    with recorder, Node("ann", settings=settings, capture=recorder) as ann:
        with Node("bob", settings=settings) as bob:
            Listened(ann).wait_for(Entered)
            Listened(bob).wait_for(Entered)
            bob.whisper(ann.uuid, "secret")
            Listened(ann).wait_for(Whispered)
    rows = recorded(tmp_path)
    assert not any(b"secret" in frame for row in rows for frame in row.frames)
    (whisper,) = [row for row in messages(rows) if hop(row)[3] == "WHISPER"]
    assert whisper.lengths[-1] == len("secret")


def test_a_collector_records_its_records_and_a_node_what_it_reports(
    settings: NodeSettings, tmp_path: Path
) -> None:
    with LogCollector(settings=settings, capture=tmp_path / "log") as collector:
        with Node("ann", groups=["chat"], settings=settings, capture=tmp_path / "ann"):
            assert collector.receive(PATIENCE) is not None
    collected, reported = recorded(tmp_path / "log"), recorded(tmp_path / "ann")
    assert heard(collected, "zrelog.messages") <= said(reported, "zrelog.messages")
    assert heard(collected, "zrelog.messages")
    (node,) = events(collected, "node")
    assert node.facts["name"] == "log"


def test_gossip_is_recorded_by_the_hub_and_the_member_and_in_a_loop(tmp_path: Path) -> None:
    async def meet() -> None:
        alone = {"interfaces": ("loopback",)}
        hub = aio.Node(
            "hub",
            settings=NodeSettings(gossip_bind="tcp://127.0.0.1:*", **alone),  # type: ignore[arg-type]
            capture=tmp_path / "hub",
        )
        async with hub:
            member = aio.Node(
                "member",
                settings=NodeSettings(gossip_hubs=(hub.gossip_endpoint or "",), **alone),  # type: ignore[arg-type]
                capture=tmp_path / "member",
            )
            async with member:
                while not isinstance(await member.receive(), Entered):
                    continue

    asyncio.run(meet())
    hubs, members = recorded(tmp_path / "hub"), recorded(tmp_path / "member")
    part = "zgossip.messages"
    assert heard(hubs, part)
    assert heard(hubs, part) <= said(members, part)
    assert heard(members, part) <= said(hubs, part)
    roles = {(r.direction, r.role) for r in messages(hubs) if r.protocol == part}
    assert roles == {(IN, "client"), (OUT, "server")}
