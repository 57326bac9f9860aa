"""The broker engine in a town of random peers, and the proof that the town notices a broken broker."""

from __future__ import annotations

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from support.broker_machine import Town
from support.broker_saboteurs import SABOTEURS, Saboteur

# A failure is reported as it was found: to shrink a long life in the town takes minutes.
ONE_FAILURE = settings(
    stateful_step_count=60, phases=[Phase.explicit, Phase.generate], report_multiple_bugs=False
)

TestTown = Town.TestCase
TestTown.settings = settings(ONE_FAILURE, max_examples=50)


@pytest.mark.parametrize("saboteur", SABOTEURS, ids=lambda one: one.__name__)
def test_the_town_notices_a_broker_that_would(
    saboteur: Saboteur, monkeypatch: pytest.MonkeyPatch
) -> None:
    saboteur(monkeypatch)
    with pytest.raises(AssertionError):
        run_state_machine_as_test(
            Town, settings=settings(ONE_FAILURE, max_examples=200, derandomize=True, database=None)
        )
