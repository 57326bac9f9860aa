"""The broker engine in a town of random peers, and the proof that the town notices a broken broker."""

from __future__ import annotations

import os
from random import Random

import pytest
from hypothesis import Phase, settings

from support.broker_machine import Town, wander
from support.broker_saboteurs import SABOTEURS, Saboteur

TestTown = Town.TestCase
# A failure is reported as it was found: to shrink a long life in the town takes minutes.
TestTown.settings = settings(
    max_examples=50,
    stateful_step_count=60,
    phases=[Phase.explicit, Phase.generate],
    report_multiple_bugs=False,
)

LIVES = 5_000 if os.environ.get("ZWIRE_SOAK") else 60
STEPS = 80


def live(lives: int) -> None:
    chance = Random("the town")
    for _ in range(lives):
        wander(chance, STEPS)


def test_many_lives_in_the_town_end_well() -> None:
    live(LIVES)


@pytest.mark.parametrize("saboteur", SABOTEURS, ids=lambda one: one.__name__)
def test_the_town_notices_a_broker_that_would(
    saboteur: Saboteur, monkeypatch: pytest.MonkeyPatch
) -> None:
    saboteur(monkeypatch)
    with pytest.raises((AssertionError, KeyError)):  # broken books may also stop the broker itself
        live(LIVES)
