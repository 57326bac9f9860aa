"""Clauses of 20/ZRE about its commands, octet by octet: a node that runs, and peers of plain sockets."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from support.nodes import Gathering, Listened, counted
from support.zre_raw import BOTH, ONLY20, Raw20
from zwire.errors import LocalError
from zwire.zre import Options
from zwire.zre.endpoints import host_and_port
from zwire.zre.events import Entered, JoinedGroup, Left, Shouted, Warning, Whispered
from zwire_protocols.zre import messages as zre20

pytestmark = pytest.mark.process
EITHER = pytest.mark.parametrize("options", [ONLY20, BOTH], ids=["20", "both"])


def met(here: Gathering, ann: Listened, *groups: str, number: int = 1) -> Raw20:
    """A peer that a node knows, and that has heard its HELLO."""
    peer = Raw20(here, number)
    peer.enter(ann, *groups)
    for group in groups:
        ann.wait_for(JoinedGroup, peer=peer.uuid, group=group)
    return peer


@pytest.mark.clause("ZRE-FMT-01", "ZRE-EXT-02")
def test_hello_octet_by_octet(here: Gathering) -> None:
    ann = here.node(
        "ann",
        groups=("red", "Ω"),
        headers={"X-FILEMQ": "tcp://127.0.0.1:50001", "empty": ""},
        options=ONLY20,
    )
    peer = Raw20(here, 1)
    peer.beacon()
    _, octets = peer.hear_octets()
    port = host_and_port(ann.node.endpoint)[1]
    assert octets == b"".join(
        (
            b"\xaa\xa1\x00\x01\x01",
            b"\x09127.0.0.1",
            bytes((port >> 8, port & 255)),
            b"\x02\x03red\x02\xce\xa9",
            b"\x02",  # two groups were joined
            b"\x02\x1eX-FILEMQ=tcp://127.0.0.1:50001\x06empty=",
        )
    )


@pytest.mark.clause("ZRE-FMT-02", "ZRE-FMT-03", "ZRE-FMT-04", "ZRE-FMT-05", "ZRE-FMT-07")
@EITHER
def test_the_other_commands_octet_by_octet(here: Gathering, options: Options) -> None:
    ann = here.node("ann", options=options)
    peer = met(here, ann, "tea")
    ann.node.whisper(peer.uuid, b"\x00\xff")
    ann.node.shout("tea", b"")
    ann.node.join("Tea")
    ann.node.leave("Tea")
    peer.say("Ping")
    assert [peer.hear_octets()[1:] for _ in range(5)] == [
        [b"\xaa\xa1\x00\x02\x02", b"\x00\xff"],
        [b"\xaa\xa1\x00\x03\x03\x03tea", b""],
        [b"\xaa\xa1\x00\x04\x04\x03Tea\x01"],
        [b"\xaa\xa1\x00\x05\x05\x03Tea\x02"],
        [b"\xaa\xa1\x00\x06\x07"],
    ]


@pytest.mark.clause("ZRE-FMT-08")
def test_the_numbers_of_70_000_commands_go_up_by_one_and_begin_again(here: Gathering) -> None:
    count = 70_000
    ann = here.node("ann", options=ONLY20)
    peer = met(here, ann)

    def listen() -> None:
        for number in range(2, count + 2):
            _, head, content = peer.hear_octets()
            assert head == b"\xaa\xa1" + (number % 65536).to_bytes(2, "big") + b"\x02"
            assert content == b"%d" % number

    with ThreadPoolExecutor(1) as listener:
        listening = listener.submit(listen)
        for number in range(2, count + 2):
            ann.node.whisper(peer.uuid, b"%d" % number)
        listening.result()
    assert ann.node.statistics()["messages_dropped"] == 0


@pytest.mark.clause("ZRE-FMT-08")
def test_70_000_commands_of_a_peer_are_all_heard_and_a_gap_is_noticed(here: Gathering) -> None:
    count = 70_000
    ann = here.node("ann", options=ONLY20)
    peer = met(here, ann)

    def speak() -> None:
        for number in range(count):
            peer.say("Whisper", b"%d" % number)

    with ThreadPoolExecutor(1) as speaker:
        speaking = speaker.submit(speak)
        for number in range(count):
            ann.forget()
            assert ann.wait_for(Whispered).content == (b"%d" % number,)
        speaking.result()
    peer.sequence += 1
    peer.say("Whisper", b"one is missing before this one")
    ann.wait_for(Left, peer=peer.uuid)


@pytest.mark.clause("ZRE-HELLO-02")
@EITHER
def test_what_a_new_peer_says_before_its_hello_is_ignored(
    here: Gathering, options: Options
) -> None:
    ann = here.node("ann", options=options)
    peer = Raw20(here, 1)
    peer.connect(ann.node)
    for words in (("Whisper", b"early"), ("Join", "g", 1), ("Shout", "g", b"early"), ("Ping",)):
        peer.say(*words)
    counted(ann.node, "messages_stray", 4)
    assert ann.node.statistics()["messages_sent"] == 0
    peer.sequence = 0
    peer.say("Hello", peer.host, peer.port, (), 0, ())
    ann.wait_for(Entered, peer=peer.uuid)
    peer.say("Join", "g", 1)
    peer.say("Whisper", b"now")
    assert ann.wait_for(Whispered).content == (b"now",)
    assert [type(event) for event in ann.events] == [Entered, JoinedGroup, Whispered]


@pytest.mark.clause("ZRE-HELLO-04")
def test_a_group_status_that_does_not_fit_is_told(here: Gathering) -> None:
    ann = here.node("ann", options=ONLY20)
    peer = Raw20(here, 1)
    peer.greet(ann.node, status=254)
    ann.wait_for(Entered, peer=peer.uuid)
    peer.say("Join", "a", 255)
    peer.say("Join", "b", 0)
    ann.wait_for(JoinedGroup, group="b")
    assert not any(isinstance(event, Warning) for event in ann.events)
    peer.say("Join", "c", 5)
    assert "status 5 in place of 1" in ann.wait_for(Warning, peer=peer.uuid).what
    ann.wait_for(JoinedGroup, group="c")


@pytest.mark.clause("ZRE-HELLO-04", "ZRE-JOIN-01", "ZRE-LEAVE-01")
def test_the_group_status_goes_up_with_each_change_and_begins_again(here: Gathering) -> None:
    ann = here.node("ann", options=ONLY20)
    peer = met(here, ann)
    for number in range(150):
        ann.node.join("g")
        ann.node.leave("g")
        join, leave = peer.hear(), peer.hear()
        assert isinstance(join, zre20.Join)
        assert isinstance(leave, zre20.Leave)
        assert (join.status, leave.status) == ((2 * number + 1) % 256, (2 * number + 2) % 256)
    late = Raw20(here, 2)
    late.greet(ann.node)
    hello = late.hear()
    assert isinstance(hello, zre20.Hello)
    assert hello.status == 300 % 256


@pytest.mark.clause("ZRE-WHISPER-01")
@EITHER
def test_a_whisper_has_exactly_one_frame_of_content(here: Gathering, options: Options) -> None:
    ann = here.node("ann", options=options)
    peer, other = met(here, ann), met(here, ann, number=2)
    with pytest.raises(LocalError, match="one frame"):
        ann.node.whisper(peer.uuid, b"1", b"2")
    ann.node.whisper(peer.uuid, b"alone")
    assert peer.hear() == zre20.Whisper(2, b"alone")
    ann.node.whisper(other.uuid, b"to you")
    assert other.hear() == zre20.Whisper(2, b"to you"), "it heard nothing of the first"
    whisper = b"\xaa\xa1\x00\x02\x02"
    peer.dealer.send(whisper)
    peer.dealer.send(whisper, b"two", b"frames")
    counted(ann.node, "messages_malformed", 2)
    peer.say("Whisper", b"one")
    assert ann.wait_for(Whispered).content == (b"one",)


@pytest.mark.clause("ZRE-SHOUT-01")
@EITHER
def test_a_shout_goes_to_each_member_by_itself_and_to_nobody_else(
    here: Gathering, options: Options
) -> None:
    ann = here.node("ann", options=options)
    members = [met(here, ann, "g", number=number) for number in (1, 2, 3)]
    stranger = met(here, ann, "G", number=4)
    ann.node.shout("g", b"hello", timeout=30.0)
    for member in members:
        assert member.hear() == zre20.Shout(2, "g", b"hello")
    ann.node.whisper(stranger.uuid, b"first")
    assert stranger.hear() == zre20.Whisper(2, b"first")
    members[0].say("Shout", "g", b"back")
    assert ann.wait_for(Shouted, peer=members[0].uuid, group="g").content == (b"back",)
    ann.node.shout("g", b"two", b"frames")
    assert "2 frames" in ann.wait_for(Warning).what
    assert not any(member.mailbox.waiting() for member in members)


@pytest.mark.clause("ZRE-JOIN-01", "ZRE-LEAVE-01")
@EITHER
def test_all_peers_are_told_who_joins_and_leaves_and_case_matters(
    here: Gathering, options: Options
) -> None:
    ann = here.node("ann", options=options)
    peers = [met(here, ann, number=number) for number in (1, 2, 3)]
    ann.node.join("a")
    ann.node.join("A")
    ann.node.leave("a")
    for peer in peers:
        assert peer.hear() == zre20.Join(2, "a", 1)
        assert peer.hear() == zre20.Join(3, "A", 2)
        assert peer.hear() == zre20.Leave(4, "a", 3)
    assert ann.node.groups() == ["A"]
    peers[0].say("Join", "b", 1)
    peers[1].say("Join", "B", 1)
    ann.wait_for(JoinedGroup, group="b")
    ann.wait_for(JoinedGroup, group="B")
    assert ann.node.peer_groups() == {"b": [peers[0].uuid], "B": [peers[1].uuid]}
