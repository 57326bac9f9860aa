"""Gossip: pairs spread to everybody, once, over hubs of any kind."""

from __future__ import annotations

from collections import deque
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zwire.zre import Gossip, GossipOptions
from zwire.zre.gossip import (
    GossipEffect,
    Learn,
    ToHub,
    ToMember,
    Unlearn,
    node_pair,
    read_node_pair,
)
from zwire_protocols.errors import EncodeError
from zwire_protocols.zgossip import Hello, Invalid, Ping, Pong, Publish, decode, encode


class Web:
    """Gossip engines joined to each other; what is said is delivered in order."""

    def __init__(self, count: int) -> None:
        self.now = 0.0
        self.engines = [Gossip() for _ in range(count)]
        self.learned: list[list[str]] = [[] for _ in range(count)]
        self.said = 0
        self._under_way: deque[tuple[int, str, str | bytes, list[bytes]]] = deque()

    def act(self, number: int, effects: list[GossipEffect]) -> None:
        for effect in effects:
            match effect:
                case ToHub(hub, frames):
                    self._under_way.append((int(hub), "member", b"%d" % number, frames))
                case ToMember(identity, frames):
                    self._under_way.append((int(identity), "hub", str(number), frames))
                case Learn(key, _):
                    self.learned[number].append(key)
                case Unlearn(key, _):
                    self.learned[number].remove(key)

    def settle(self) -> None:
        while self._under_way:
            self.said += 1
            assert self.said < 100_000, "they never stop talking"
            number, side, source, frames = self._under_way.popleft()
            engine = self.engines[number]
            if isinstance(source, bytes):
                self.act(number, engine.hear_member(source, frames, self.now))
            else:
                assert side == "hub"
                self.act(number, engine.hear_hub(source, frames, self.now))

    def link(self, member: int, hub: int) -> None:
        self.act(member, self.engines[member].join(str(hub), self.now))

    def publish(self, number: int, key: str, value: str, ttl: float = 0.0) -> None:
        self.act(number, self.engines[number].publish(key, value, self.now, ttl))

    def wait(self, seconds: float) -> None:
        until = self.now + seconds
        while True:
            due = [one.next_deadline() for one in self.engines]
            wake = min((one for one in due if one is not None), default=until + 1)
            if wake > until:
                break
            self.now = wake
            for number, engine in enumerate(self.engines):
                self.act(number, engine.tick(self.now))
            self.settle()
        self.now = until


def test_a_member_greets_the_hub_and_is_told_all_it_knows() -> None:
    hub = Gossip()
    hub.publish("a", "1", 0.0)
    hub.publish("b", "2", 0.0)
    member = Gossip()
    member.publish("c", "3", 0.0)
    effects = member.join("hub", 0.0)
    said = [decode(one.frames) for one in effects if isinstance(one, ToHub)]
    assert said == [Hello(), Publish("c", "3", 0)]
    told = hub.hear_member(b"m", encode(Hello()), 0.0)
    assert [decode(one.frames) for one in told if isinstance(one, ToMember)] == [
        Publish("a", "1", 0),
        Publish("b", "2", 0),
    ]


def test_what_is_new_goes_to_everybody_else_and_what_is_known_to_nobody() -> None:
    hub = Gossip()
    for name in (b"a", b"b", b"c"):
        hub.hear_member(name, encode(Hello()), 0.0)
    said = encode(Publish("k", "v", 0))
    effects = hub.hear_member(b"a", said, 0.0)
    assert Learn("k", "v") in effects
    assert [one.identity for one in effects if isinstance(one, ToMember)] == [b"b", b"c"]
    assert hub.hear_member(b"b", said, 0.0) == []
    assert hub.statistics.duplicates == 1


def test_a_new_value_replaces_the_old_one_but_nobody_changes_our_own() -> None:
    hub = Gossip()
    hub.hear_member(b"a", encode(Hello()), 0.0)
    hub.hear_member(b"a", encode(Publish("k", "1", 0)), 0.0)
    assert Learn("k", "2") in hub.hear_member(b"a", encode(Publish("k", "2", 0)), 0.0)
    hub.publish("mine", "1", 0.0)
    assert hub.hear_member(b"a", encode(Publish("mine", "2", 0)), 0.0) == []
    assert hub.pairs() == {"k": "2", "mine": "1"}


def test_ping_is_answered_and_a_stranger_is_told_that_it_is_one() -> None:
    hub = Gossip()
    assert hub.hear_member(b"a", encode(Ping()), 0.0) == [ToMember(b"a", encode(Invalid()))]
    hub.hear_member(b"a", encode(Hello()), 0.0)
    assert hub.hear_member(b"a", encode(Ping()), 0.0) == [ToMember(b"a", encode(Pong()))]
    hub.lose_member(b"a")
    assert hub.hear_member(b"a", encode(Publish("k", "v", 0)), 0.0) == [
        ToMember(b"a", encode(Invalid()))
    ]
    assert hub.pairs() == {}


def test_a_member_that_was_forgotten_introduces_itself_again() -> None:
    member = Gossip()
    member.publish("k", "v", 0.0)
    member.join("hub", 0.0)
    effects = member.hear_hub("hub", encode(Invalid()), 1.0)
    said = [decode(one.frames) for one in effects if isinstance(one, ToHub)]
    assert said == [Hello(), Publish("k", "v", 0)]


def test_a_member_pings_before_a_hub_could_forget_it() -> None:
    member = Gossip()
    member.join("hub", 0.0)
    now, pings = 0.0, []
    while now < 3.0:
        due = member.next_deadline()
        assert due is not None
        now = due
        pings += [now for one in member.tick(now) if isinstance(one, ToHub)]
    assert max(later - sooner for sooner, later in zip([0.0, *pings], pings, strict=False)) < 1.0
    member.quit("hub")
    assert member.next_deadline() is None
    assert member.hear_hub("hub", encode(Pong()), now) == []


def test_garbage_is_counted_and_harmless() -> None:
    engine = Gossip()
    engine.join("hub", 0.0)
    for frames in ([], [b""], [b"\xaa\xa1\x01\x01"], [b"\xaa\xa0\x09\x01"], [b"x", b"y"]):
        assert engine.hear_member(b"a", frames, 0.0) == []
        assert engine.hear_hub("hub", frames, 0.0) == []
    assert engine.statistics.malformed == 10


def test_members_and_pairs_are_bounded() -> None:
    hub = Gossip(GossipOptions(max_members=2, max_pairs=2))
    for name in (b"a", b"b"):
        hub.hear_member(name, encode(Hello()), 0.0)
    hub.hear_member(b"a", encode(Ping()), 0.0)
    hub.hear_member(b"c", encode(Hello()), 0.0)
    assert hub.members() == 2
    assert hub.hear_member(b"b", encode(Ping()), 0.0) == [ToMember(b"b", encode(Invalid()))]
    for number in range(5):
        hub.hear_member(b"a", encode(Publish(f"k{number}", "v", 0)), 0.0)
    assert len(hub.pairs()) == 2


def test_a_pair_with_a_time_to_live_lasts_as_long_as_its_owner() -> None:
    web = Web(3)
    web.link(1, 0)
    web.link(2, 0)
    web.publish(1, "k", "v", ttl=2.0)
    web.settle()
    web.wait(20.0)
    assert [engine.pairs() for engine in web.engines] == [{"k": "v"}] * 3
    web.engines[1] = Gossip()
    web.learned[1] = []
    web.wait(2.5)
    assert [engine.pairs() for engine in web.engines] == [{}, {}, {}]
    assert web.learned == [[], [], []]


def test_a_key_that_cannot_be_said_is_refused() -> None:
    with pytest.raises(EncodeError):
        Gossip().publish("x" * 256, "v", 0.0)


@given(
    links=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8),
    pairs=st.lists(st.integers(0, 4), max_size=6),
    early=st.integers(0, 6),
)
def test_whatever_the_web_all_who_are_connected_know_the_same(
    links: list[tuple[int, int]], pairs: list[int], early: int
) -> None:
    web = Web(5)
    for order, number in enumerate(pairs[:early]):
        web.publish(number, f"k{order}", str(number))
    for member, hub in links:
        if member != hub:
            web.link(member, hub)
    for order, number in enumerate(pairs[early:], early):
        web.publish(number, f"k{order}", str(number))
    web.settle()
    island = list(range(5))
    for _ in island:
        for one, other in links:
            if one != other:
                island[one] = island[other] = min(island[one], island[other])
    for one in range(5):
        for other in range(5):
            if island[one] == island[other]:
                assert web.engines[one].pairs() == web.engines[other].pairs()
    assert all(len(keys) == len(set(keys)) for keys in web.learned)


@given(st.uuids(), st.binary(min_size=32, max_size=32) | st.just(b""))
def test_a_node_is_a_pair_of_uuid_and_endpoint_and_perhaps_a_key(uuid: UUID, key: bytes) -> None:
    pair = node_pair(uuid.bytes, "tcp://10.0.0.1:50001", key)
    assert pair[0] == uuid.hex.upper()
    assert read_node_pair(*pair) == (uuid.bytes, "tcp://10.0.0.1:50001", key)


def test_other_pairs_are_no_nodes() -> None:
    assert read_node_pair("tcp://10.0.0.1:50001", "service") is None
