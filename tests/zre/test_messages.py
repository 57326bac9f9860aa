"""WHISPER, SHOUT, JOIN, LEAVE: octets, who gets them, and what is told."""

from __future__ import annotations

import pytest

from support.zre_peers import OWN, Peer, Stage, uuid_of
from zwire.errors import LocalError
from zwire.zre import Dialect, Options
from zwire.zre.effects import Send
from zwire.zre.events import JoinedGroup, LeftGroup, Shouted, Warning, Whispered
from zwire_protocols.zre import messages as zre20
from zwire_protocols.zre36 import messages as zre36

BOTH = pytest.mark.parametrize("dialect", list(Dialect), ids=lambda one: one.value)


def test_the_octets_of_20_zre_are_those_of_the_text() -> None:
    """ZRE-SIG-01, ZRE-FMT-02 to -07."""
    stage = Stage(Options(dialects=(Dialect.ZRE20,)))
    peer = Peer(stage, dialect=Dialect.ZRE20)
    peer.groups = ["grp"]
    peer.enter()
    node = stage.node
    stage.do(node.whisper(peer.uuid, [b"hi"], stage.now))
    stage.do(node.shout("grp", [b"all"], stage.now))
    stage.do(node.join("x", stage.now))
    stage.do(node.leave("x", stage.now))
    peer.say("Ping")
    stage.now += 6
    stage.do(node.tick(stage.now))
    assert [one.frames for one in stage.of(Send)] == [
        [b"\xaa\xa1\x00\x02\x02", b"hi"],
        [b"\xaa\xa1\x00\x03\x03\x03grp", b"all"],
        [b"\xaa\xa1\x00\x04\x04\x01x\x01"],
        [b"\xaa\xa1\x00\x05\x05\x01x\x02"],
        [b"\xaa\xa1\x00\x06\x07"],
        [b"\xaa\xa1\x00\x07\x06"],
    ]


def test_the_octets_of_36_zre() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.groups = ["grp"]
    peer.enter()
    node = stage.node
    stage.do(node.whisper(peer.uuid, [b"hi", b"there"], stage.now))
    stage.do(node.shout("grp", [], stage.now))
    stage.do(node.join("x", stage.now))
    assert [one.frames for one in stage.of(Send)] == [
        [b"\xaa\xa1\x02\x02\x00\x02", b"hi", b"there"],
        [b"\xaa\xa1\x03\x02\x00\x03\x03grp"],
        [b"\xaa\xa1\x04\x02\x00\x04\x01x\x01"],
    ]


@BOTH
def test_a_whisper_is_told_with_its_sender(dialect: Dialect) -> None:
    """ZRE-NET-03, ZRE-WHISPER-01."""
    stage = Stage()
    peer = Peer(stage, dialect=dialect, name="bob")
    peer.enter()
    peer.say("Whisper", (b"hi",) if dialect is Dialect.ZRE36 else b"hi")
    name = "bob" if dialect is Dialect.ZRE36 else ""
    assert stage.events() == [Whispered(peer.uuid, name, (b"hi",))]


def test_20_zre_carries_exactly_one_frame() -> None:
    """ZRE-WHISPER-01."""
    stage = Stage()
    peer = Peer(stage, dialect=Dialect.ZRE20)
    peer.enter()
    for content in ([], [b"a", b"b"]):
        with pytest.raises(LocalError, match="exactly one frame"):
            stage.node.whisper(peer.uuid, content, stage.now)
    frames = zre20.encode(zre20.Whisper(2, b"a"))
    peer.raw([*frames, b"b"])
    assert stage.take() == []
    assert stage.node.statistics.messages_malformed == 1


def test_a_shout_goes_to_each_member_and_to_nobody_else() -> None:
    """ZRE-SHOUT-01, ZRE-NET-06, ZRE-NET-07."""
    stage = Stage()
    members = [Peer(stage, 0x20), Peer(stage, 0x21, Dialect.ZRE20), Peer(stage, 0x22)]
    outsider = Peer(stage, 0x23)
    for peer in members:
        peer.groups = ["g"]
    for peer in (*members, outsider):
        peer.enter()
    stage.do(stage.node.whisper(members[0].uuid, [b"first"], stage.now))
    stage.take()
    stage.do(stage.node.shout("g", [b"hey"], stage.now))
    assert stage.said(members[0]) == [zre36.Shout(3, "g", (b"hey",))]
    assert stage.said(members[1]) == [zre20.Shout(2, "g", b"hey")]
    assert stage.said(members[2]) == [zre36.Shout(2, "g", (b"hey",))]
    assert stage.said(outsider) == []
    assert stage.node.shout("nobody", [b"hey"], stage.now) == ()


def test_a_shout_of_many_frames_reaches_whom_it_can_and_warns_of_the_others() -> None:
    stage = Stage()
    new, old = Peer(stage, 0x20), Peer(stage, 0x21, Dialect.ZRE20)
    for peer in (new, old):
        peer.groups = ["g"]
        peer.enter()
    stage.do(stage.node.shout("g", [b"a", b"b"], stage.now))
    assert stage.said(new) == [zre36.Shout(2, "g", (b"a", b"b"))]
    assert stage.said(old) == []
    assert [one.peer for one in stage.told(Warning)] == [old.uuid]


@BOTH
def test_a_shout_is_told_with_group_and_sender(dialect: Dialect) -> None:
    stage = Stage()
    peer = Peer(stage, dialect=dialect, name="")
    peer.enter()
    peer.say("Shout", "g", (b"hey",) if dialect is Dialect.ZRE36 else b"hey")
    assert stage.events() == [Shouted(peer.uuid, "", "g", (b"hey",))]


def test_joining_and_leaving_is_told_to_all_peers_with_the_status_after_it() -> None:
    """ZRE-JOIN-01, ZRE-LEAVE-01."""
    stage = Stage()
    new, old = Peer(stage, 0x20), Peer(stage, 0x21, Dialect.ZRE20)
    new.enter()
    old.enter()
    for group in ("a", "A"):
        stage.do(stage.node.join(group, stage.now))
    stage.do(stage.node.leave("a", stage.now))
    assert stage.said(new) == [zre36.Join(2, "a", 1), zre36.Join(3, "A", 2), zre36.Leave(4, "a", 3)]
    assert stage.said(old) == [zre20.Join(2, "a", 1), zre20.Join(3, "A", 2), zre20.Leave(4, "a", 3)]
    assert stage.node.groups() == ["A"]
    assert stage.node.join("A", stage.now) == ()
    assert stage.node.leave("a", stage.now) == ()


def test_the_status_wraps_after_256_changes() -> None:
    """ZRE-HELLO-04."""
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    for _ in range(128):
        stage.do(stage.node.join("g", stage.now))
        stage.do(stage.node.leave("g", stage.now))
    statuses = [one.status for one in stage.said(peer)]
    assert statuses == [*range(1, 256), 0]
    for _ in range(128):
        peer.join("g")
        peer.leave("g")
    assert stage.told(Warning) == []


def test_a_peer_joins_and_leaves_groups_whose_case_counts() -> None:
    stage = Stage()
    peer = Peer(stage, name="bob")
    peer.enter()
    peer.join("a")
    peer.join("A")
    peer.leave("a")
    assert stage.events() == [
        JoinedGroup(peer.uuid, "bob", "a"),
        JoinedGroup(peer.uuid, "bob", "A"),
        LeftGroup(peer.uuid, "bob", "a"),
    ]
    assert stage.node.peer_groups() == {"A": [peer.uuid]}


def test_a_status_that_does_not_fit_is_a_warning_and_nothing_worse() -> None:
    """ZRE-HELLO-04."""
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    peer.say("Join", "g", 9)
    assert [one.what.partition(":")[0] for one in stage.told(Warning)] == [
        "group status 9 in place of 1"
    ]
    assert stage.node.peer_groups() == {"g": [peer.uuid]}
    stage.take()
    peer.say("Join", "h", 10)
    assert stage.told(Warning) == []


def test_joining_twice_and_leaving_what_one_is_not_in_are_warnings() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    peer.say("Join", "g", 1)
    peer.say("Join", "g", 2)
    peer.say("Leave", "h", 3)
    assert len(stage.told(JoinedGroup)) == 1
    assert stage.told(LeftGroup) == []
    assert len(stage.told(Warning)) == 2


def test_a_peer_in_too_many_groups_is_in_no_more() -> None:
    stage = Stage(Options(max_groups_of_peer=2))
    peer = Peer(stage)
    peer.groups = ["a", "b", "c"]
    peer.enter()
    peer.say("Join", "d", 1)
    assert set(stage.node.peer_groups()) == {"a", "b"}
    assert len(stage.told(Warning)) == 1


def test_what_cannot_be_said_is_refused_before_anybody_hears_of_it() -> None:
    stage = Stage()
    with pytest.raises(LocalError, match="no peer"):
        stage.node.whisper(uuid_of(9), [b"x"], stage.now)
    peer = Peer(stage)
    peer.beacon()
    with pytest.raises(LocalError, match="has entered"):
        stage.node.whisper(peer.uuid, [b"x"], stage.now)
    for group in ("x" * 256, "bell\a"):
        with pytest.raises(LocalError, match="group"):
            stage.node.join(group, stage.now)
    for number in range(255):
        stage.node.join(f"g{number}", stage.now)
    with pytest.raises(LocalError, match="at most 255"):
        stage.node.join("one more", stage.now)
    assert len(stage.node.groups()) == 255
    assert stage.node.own.key == OWN.bytes


def test_a_goodbye_of_a_36_peer_is_the_end() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.enter()
    peer.say("Goodbye")
    assert stage.node.peers() == []
    stage.take()
    peer.say("Whisper", (b"ghost",))
    assert stage.take() == []
    assert stage.node.statistics.messages_stray == 1
