"""Stories of elections among nodes that run."""

from __future__ import annotations

import pytest

from support.nodes import Listened, gathering
from support.raw import eventually
from zwire.zre.events import JoinedGroup, LeaderElected

pytestmark = pytest.mark.process


def crew(*nodes: Listened) -> None:
    """Wait until all know of all that they are in the group."""
    for one in nodes:
        for other in nodes:
            if other is not one:
                one.wait_for(JoinedGroup, peer=other.node.uuid, group="crew")


@pytest.mark.parametrize("inproc", [True, False], ids=["inproc", "tcp"])
def test_nodes_that_stand_one_after_another_agree_and_elect_anew_when_the_leader_goes(
    inproc: bool,
) -> None:
    with gathering() as here:
        nodes = [here.node(name, groups=("crew",), inproc=inproc) for name in ("a", "b", "c")]
        crew(*nodes)
        for one in nodes:
            one.node.contest("crew")
        while len(nodes) > 1:
            first = min(nodes, key=lambda one: one.node.uuid)
            for one in nodes:
                told = one.wait_for(LeaderElected, group="crew", leader=first.node.uuid)
                assert told.own == (one is first)
                eventually(
                    lambda one=one, uuid=first.node.uuid: one.node.leader("crew") == uuid,  # type: ignore[misc]
                    "the smallest leads",
                )
            nodes.remove(first)
            first.node.stop()
