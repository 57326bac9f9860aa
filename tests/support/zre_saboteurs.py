"""Ways to break the node engine."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Saboteur = Callable[[pytest.MonkeyPatch], None]
SABOTEURS: list[Saboteur] = []
