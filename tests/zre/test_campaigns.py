"""Elections in which anything happens at any time, and the proof that broken ones are noticed."""

from __future__ import annotations

import os
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.zre_campaigns import GROUP, Counting, campaign, check_agreement
from support.zre_network import Network, Weather
from zwire.zre.election import Elections

CAMPAIGNS = 1_000 if os.environ.get("ZWIRE_SOAK") else 15
FIRST = 5  # from here on few campaigns are enough to notice what is wrong


@pytest.mark.parametrize("seed", range(40))
def test_members_that_stand_one_after_another_agree(seed: int) -> None:
    network = Network(seed, Weather(jitter=0.02))
    count = network.chance.randint(2, 6)
    stations = [network.start(number, groups=[GROUP]) for number in range(1, count + 1)]
    network.run(2.0)
    network.chance.shuffle(stations)
    for station in stations:
        station.act(station.node.contest(GROUP, network.now))
        network.run(network.chance.random() * 0.05)
    network.run(15.0)
    check_agreement(network)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=10)
def test_whoever_stands_comes_and_goes_all_agree_in_the_end(seed: int) -> None:
    campaign(Random(seed))


def many_campaigns() -> None:
    for seed in range(FIRST, FIRST + CAMPAIGNS):
        campaign(Random(seed))


def test_many_campaigns_end_in_agreement() -> None:
    many_campaigns()


@pytest.mark.parametrize("seed", range(20))
def test_members_that_count_as_zyre_does_elect_the_same(seed: int) -> None:
    network = Network(seed)
    chance = network.chance
    stations = [network.start(number) for number in range(1, chance.randint(2, 5) + 1)]
    ours, *others = chance.sample(stations, len(stations))
    for station in chance.sample(others, chance.randint(1, len(others))):
        Counting(station)
    network.run(2.0)
    for station in {ours, *chance.sample(others, chance.randint(0, len(others)))}:
        station.act(station.node.contest(GROUP, network.now))
    chance.shuffle(stations)
    for station in stations:
        station.act(station.node.join(GROUP, network.now))
        network.run(7.0)
    network.run(10.0)
    leaders = {station.node.leader(GROUP) for station in stations}
    assert len(leaders) == 1
    assert None not in leaders


Saboteur = Callable[[pytest.MonkeyPatch], None]


def stand_against_better_ones(patch: pytest.MonkeyPatch) -> None:
    honest = Elections._best

    def broken(self: Any, group: str) -> bytes | None:
        stands = group in self._state.contested and group in self._state.own.groups
        return self._own if stands else honest(self, group)

    patch.setattr(Elections, "_best", broken)


def trust_hearsay(patch: pytest.MonkeyPatch) -> None:
    honest = Elections._heard

    def broken(self: Any, peer: Any, group: str, text: str) -> bytes | None:
        key = honest(self, peer, group, text)
        if key is not None and key != self._own:
            self._standing.setdefault(group, set()).add(key)
        return key

    patch.setattr(Elections, "_heard", broken)


def follow_those_who_left(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Elections, "lost", lambda self, peer, group, now, effects: None)


def leave_a_newcomer_in_the_dark(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Elections, "joined", lambda self, peer, group, now, effects: None)


def elect_in_silence(patch: pytest.MonkeyPatch) -> None:
    honest = Elections._decide

    def broken(self: Any, group: str, leader: bytes, effects: Any) -> None:
        honest(self, group, leader, [])

    patch.setattr(Elections, "_decide", broken)


@pytest.mark.parametrize(
    "saboteur",
    [
        stand_against_better_ones,
        trust_hearsay,
        follow_those_who_left,
        leave_a_newcomer_in_the_dark,
        elect_in_silence,
    ],
    ids=lambda one: one.__name__,
)
def test_a_campaign_notices_members_that_would(
    saboteur: Saboteur, monkeypatch: pytest.MonkeyPatch
) -> None:
    saboteur(monkeypatch)
    with pytest.raises(AssertionError):
        many_campaigns()
