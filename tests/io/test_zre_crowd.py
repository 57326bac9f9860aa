"""Many nodes in one process: they meet without the network and leave nothing behind."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from support.nodes import Listened, gathering
from zwire.io.zre_meeting import MeetingPlace
from zwire.zre.events import JoinedGroup, Shouted

pytestmark = pytest.mark.process
CROWD = 25
DESCRIPTORS = Path("/proc/self/fd")


def descriptors() -> int:
    return len(os.listdir(DESCRIPTORS))


@pytest.mark.skipif(not DESCRIPTORS.exists(), reason="this system does not tell descriptors")
def test_a_crowd_in_full_mesh_needs_few_descriptors() -> None:
    before, threads = descriptors(), threading.active_count()
    with gathering() as here:
        crowd = [here.node(f"node {number}", groups=("all",)) for number in range(CROWD)]
        for one in crowd:
            one.met(*(other for other in crowd if other is not one))
            for other in crowd:
                if other is not one:
                    one.wait_for(JoinedGroup, peer=other.node.uuid)
        # Each pair needs a descriptor for each direction, each node a handful of its own: so 100
        # nodes stay far below 20,000.
        assert descriptors() - before <= CROWD * (CROWD - 1) + 20 * CROWD
        for one in crowd:
            one.node.shout("all", one.node.name)
        for one in crowd:
            heard = [_shout(one, other) for other in crowd if other is not one]
            assert len(heard) == CROWD - 1
    assert descriptors() <= before + 5
    assert threading.active_count() == threads


def _shout(one: Listened, other: Listened) -> Shouted:
    return one.wait_for(Shouted, peer=other.node.uuid)


def test_the_meeting_place_is_left_when_the_last_has_gone() -> None:
    with gathering() as here:
        ann, _bob = here.pair()
        assert MeetingPlace._standing
        ann.node.stop()
        assert MeetingPlace._standing
    assert not MeetingPlace._standing
