"""What the tests with foreign programs share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.fleet import Fleet, RunningBroker, everything, fleet_in, patient
from zwire import BrokerConfig


@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[Fleet]:
    with fleet_in(tmp_path) as fleet:
        yield fleet


@pytest.fixture
def broker(fleet: Fleet) -> RunningBroker:
    """A broker that speaks everything, heartbeats often and misses nobody soon."""
    listeners = everything(interval=1.0, liveness=300.0)
    return fleet.broker(BrokerConfig(listeners, rules=patient()))
