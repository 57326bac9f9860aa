"""Settings that all tests share."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

# Started in the background of a shell, we would be deaf to Ctrl-C, and so would all that we start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A run of the tests tells the same twice: examples are derived from the test, not from chance.
settings.register_profile(
    "steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "soak", deadline=None, max_examples=2000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("soak" if os.environ.get("ZWIRE_SOAK") else "steady")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests on real sockets and processes get a second and a third try.

    A machine that stops for seconds can starve any of them; what is really broken fails thrice, and
    the summary tells how many had to be run again (`-rR`). ZWIRE_ONE_TRY=1 turns it off.
    """
    if os.environ.get("ZWIRE_ONE_TRY"):
        return
    for item in items:
        if item.get_closest_marker("process"):
            item.add_marker(pytest.mark.flaky(reruns=2))
