"""Clauses are recorded for all tests of this folder; sockets are played in both ways of waiting."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.conformance import Recorder
from support.nodes import Gathering, gathering
from support.running import Scene
from support.stage import KINDS, Stage

FOLDER = Path(__file__).parent


def pytest_configure(config: pytest.Config) -> None:
    page = FOLDER.parent.parent / "docs" / "conformance.md"
    config.pluginmanager.register(Recorder(FOLDER, page), "conformance-recorder")


@pytest.fixture(params=KINDS)
def stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    stage = Stage(request.param)
    yield stage
    stage.close()


@pytest.fixture
def scene() -> Iterator[Scene]:
    scene = Scene()
    yield scene
    scene.close()


@pytest.fixture
def here() -> Iterator[Gathering]:
    with gathering() as found:
        yield found
