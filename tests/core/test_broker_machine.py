"""The broker engine in a town of random peers, and the proof that the town notices a broken broker."""

from __future__ import annotations

from hypothesis import settings

from support.broker_machine import Town

TestTown = Town.TestCase
TestTown.settings = settings(max_examples=60, stateful_step_count=60)
