"""20/ZRE and 36/ZRE on one mailbox: which is spoken to whom, and when that changes."""

from __future__ import annotations

import pytest

from support.zre_network import Network
from support.zre_peers import OWN, Peer, Stage
from zwire.zre import Dialect, Options
from zwire.zre.effects import Connect
from zwire.zre.events import Entered, Whispered
from zwire_protocols.zre import messages as zre20

OLD, NEW = Dialect.ZRE20, Dialect.ZRE36


def test_the_preferred_dialect_is_tried_first() -> None:
    for dialects, identity in (((NEW, OLD), b"\x01" + OWN.bytes), ((OLD, NEW), OWN.bytes)):
        stage = Stage(Options(dialects=dialects))
        Peer(stage).beacon()
        assert [one.identity for one in stage.of(Connect)] == [identity]


@pytest.mark.parametrize(("preferred", "spoken"), [((NEW, OLD), OLD), ((OLD, NEW), NEW)])
def test_a_hello_in_the_other_dialect_replaces_the_connection(
    preferred: tuple[Dialect, ...], spoken: Dialect
) -> None:
    stage = Stage(Options(dialects=preferred))
    peer = Peer(stage, dialect=spoken)
    peer.beacon()
    first = stage.of(Connect)[0]
    stage.take()
    peer.hello()
    (second,) = stage.of(Connect)
    assert second.peer is first.peer
    assert second.identity == peer.wire.identity(OWN.bytes)
    assert [type(one).__name__ for one in stage.said(peer)] == ["Hello"]
    assert [one.dialect for one in stage.told(Entered)] == [spoken]


def test_the_length_of_the_identity_tells_the_dialects_apart() -> None:
    """Message 258 of 20/ZRE begins like a HELLO of 36/ZRE: AA A1 01 02."""
    stage = Stage()
    peer = Peer(stage, dialect=OLD)
    peer.enter()
    peer.sequence = stage.node._state.peers[peer.uuid.bytes].heard = 257
    peer.say("Whisper", b"hi")
    assert zre20.encode(zre20.Whisper(258, b"hi"))[0][:4] == b"\xaa\xa1\x01\x02"
    assert [one.content for one in stage.told(Whispered)] == [(b"hi",)]


def test_any_first_octet_of_a_long_identity_will_do() -> None:
    stage = Stage()
    peer = Peer(stage)
    peer.beacon()
    identity = b"1" + peer.uuid.bytes
    frames = peer.words.encode(peer.words.Hello(1, peer.endpoint, (), 0, "old pyre", ()))
    peer.raw(frames, identity=identity)
    assert [one.name for one in stage.told(Entered)] == ["old pyre"]


@pytest.mark.parametrize("only", [OLD, NEW])
def test_a_node_of_one_dialect_does_not_hear_the_other(only: Dialect) -> None:
    stage = Stage(Options(dialects=(only,)))
    other = NEW if only is OLD else OLD
    peer = Peer(stage, dialect=other)
    peer.hello()
    assert stage.take() == []
    assert stage.node.statistics.messages_malformed == 1


def test_what_is_still_said_on_a_replaced_link_is_not_heard() -> None:
    stage = Stage()
    peer = Peer(stage, dialect=NEW)
    peer.enter()
    peer.dialect = OLD
    peer.hello()
    stage.take()
    peer.dialect = NEW
    peer.say("Whisper", (b"late",))
    assert stage.take() == []
    assert stage.node.statistics.messages_stray == 1
    peer.dialect, peer.sequence = OLD, 1
    peer.say("Whisper", b"in time")
    assert [one.content for one in stage.told(Whispered)] == [(b"in time",)]


@pytest.mark.parametrize("one", [(NEW, OLD), (OLD, NEW), (NEW,), (OLD,)])
@pytest.mark.parametrize("other", [(NEW, OLD), (OLD, NEW), (NEW,), (OLD,)])
def test_nodes_of_any_preference_meet_if_they_share_a_dialect(
    one: tuple[Dialect, ...], other: tuple[Dialect, ...]
) -> None:
    network = Network((one, other))
    ann = network.start(1, Options(dialects=one), groups=["g"])
    bob = network.start(2, Options(dialects=other), groups=["g"])
    network.run(3.0)
    if not set(one) & set(other):
        assert ann.present == bob.present == set()
        return
    network.check_quiet()
    assert ann.sent + bob.sent <= 6, "they keep replacing their connections"
    network.run(60.0)
    network.check_quiet()
    assert sum(isinstance(event, Entered) for event in ann.events + bob.events) == 2
    ann.act(ann.node.shout("g", [b"hi"], network.now))
    bob.act(bob.node.whisper(ann.node.uuid, [b"ho"], network.now))
    network.run(1.0)
    assert bob.heard[ann.node.uuid] == [b"hi"]
    assert ann.heard[bob.node.uuid] == [b"ho"]


def test_old_new_and_both_live_on_one_network() -> None:
    network = Network("mixed")
    both = [network.start(number) for number in (1, 2)]
    old = [network.start(number, Options(dialects=(OLD,))) for number in (3, 4)]
    new = [network.start(number, Options(dialects=(NEW,))) for number in (5, 6)]
    network.run(20.0)
    everybody = {station.node.uuid for station in network.stations}
    olds, news = {one.node.uuid for one in old}, {one.node.uuid for one in new}
    for station in both:
        assert station.present == everybody - {station.node.uuid}
    for station in old:
        assert station.present == everybody - news - {station.node.uuid}
    for station in new:
        assert station.present == everybody - olds - {station.node.uuid}
