"""Clauses of 20/ZRE about silence: who is asked whether it is there, and who is given up."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from support.nodes import Gathering
from support.zre_raw import BOTH, ONLY20, Raw20
from zwire.zre import Options
from zwire.zre.events import Entered, Evasive, Left, Whispered, Why
from zwire_protocols.zre import messages as zre20

pytestmark = pytest.mark.process
EITHER = pytest.mark.parametrize("options", [ONLY20, BOTH], ids=["20", "both"])


@pytest.mark.clause("ZRE-PING-01", "ZRE-FMT-06")
@EITHER
def test_a_peer_without_beacons_is_sent_ping_after_a_while(
    here: Gathering, options: Options
) -> None:
    assert Options().evasive_after == 5.0
    ann = here.node("ann", options=replace(options, evasive_after=0.5))
    peer = Raw20(here, 1)
    begun = time.monotonic()
    peer.beacon()
    peer.enter(ann)
    assert peer.hear_octets()[1:] == [b"\xaa\xa1\x00\x02\x06"]
    assert time.monotonic() - begun >= 0.5
    ann.wait_for(Evasive, peer=peer.uuid)
    assert peer.hear() == zre20.Ping(3), "and again, for it did not answer"


@pytest.mark.clause("ZRE-PING-02")
@EITHER
def test_a_peer_that_answers_nothing_is_held_for_dead(here: Gathering, options: Options) -> None:
    assert Options().expired_after == 30.0
    ann = here.node("ann", options=replace(options, evasive_after=0.5, expired_after=2.5))
    mute = Raw20(here, 1)
    begun = time.monotonic()
    mute.enter(ann)
    assert isinstance(mute.hear(), zre20.Ping)
    ann.wait_for(Left, peer=mute.uuid, why=Why.EXPIRED)
    assert time.monotonic() - begun >= 2.5
    assert ann.node.peers() == []


@pytest.mark.clause("ZRE-PING-02")
@pytest.mark.parametrize("sign", ["PingOk", "Whisper", "beacon"])
def test_any_sign_of_life_puts_off_the_end(here: Gathering, sign: str) -> None:
    ann = here.node("ann", options=replace(ONLY20, evasive_after=0.5, expired_after=2.5))
    peer = Raw20(here, 1)
    peer.enter(ann)
    assert isinstance(peer.hear(), zre20.Ping)
    before = time.monotonic()
    if sign == "beacon":
        peer.beacon()
    else:
        peer.say(sign, *([b"still here"] if sign == "Whisper" else []))
    ann.wait_for(Left, peer=peer.uuid, why=Why.EXPIRED)
    assert time.monotonic() - before >= 2.5


@pytest.mark.clause("ZRE-PING-03", "ZRE-PING-01")
@pytest.mark.parametrize("by", ["beacon", "Whisper"])
def test_only_the_silent_peer_is_sent_ping(here: Gathering, by: str) -> None:
    evasive = 1.0
    ann = here.node("ann", options=replace(ONLY20, evasive_after=evasive))
    silent, lively = Raw20(here, 1), Raw20(here, 2)
    lively.enter(ann)
    silent.enter(ann)
    longest, last = 0.0, time.monotonic()
    for _ in range(3):
        while not silent.mailbox.socket.poll(20):
            if by == "beacon":
                lively.beacon()
            else:
                lively.say("Whisper", b"blah")
            now = time.monotonic()
            longest, last = max(longest, now - last), now
        assert isinstance(silent.hear(), zre20.Ping)
    # On a machine that stopped for a while, the lively one was silent too.
    assert not lively.mailbox.waiting() or longest > evasive / 2


@pytest.mark.clause("ZRE-PINGOK-01", "ZRE-FMT-07")
@EITHER
def test_ping_is_answered_each_time(here: Gathering, options: Options) -> None:
    ann = here.node("ann", options=options)
    peer = Raw20(here, 1)
    peer.enter(ann)
    for number in range(2, 12):
        peer.say("Ping")
        assert peer.hear_octets() == [
            ann.node.uuid.bytes,
            b"\xaa\xa1" + number.to_bytes(2, "big") + b"\x07",
        ]
    peer.say("Whisper", b"thanks")
    ann.wait_for(Whispered, peer=peer.uuid)
    assert [type(event) for event in ann.events] == [Entered, Whispered]
