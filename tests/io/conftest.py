"""What the tests of running brokers share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.running import Scene


@pytest.fixture
def scene() -> Iterator[Scene]:
    scene = Scene()
    yield scene
    scene.close()
