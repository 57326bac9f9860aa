"""Nodes enter and exit all day long, and the ones who stay do not grow."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from support.fleet import progress, size
from support.nodes import Gathering, Listened, gathering
from support.raw import eventually
from zwire.io.zre_node import Node
from zwire.zre.events import Entered, JoinedGroup, Left, Whispered, Why
from zwire.zre.options import Options

pytestmark = [pytest.mark.process, pytest.mark.timeout(7200)]

CYCLES = size(100, 10_000)
WARM = size(20, 200)  # cycles after which everything has been in use once
GROWTH = 8 * 2**20  # octets that the allocator may keep
TOLD_EVERY = 500


@pytest.fixture
def here() -> Iterator[Gathering]:
    with gathering() as found:
        yield found


def memory() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def one_life(here: Gathering, ann: Listened, inproc: bool, number: int) -> None:
    """A node comes, is known, says something and goes; all of which ann is told."""
    settings = replace(here.settings, inproc=inproc, options=Options(beacon_starts=(0.0,)))
    with Node("guest", groups=["tea"], settings=settings) as guest:
        ann.wait_for(JoinedGroup, peer=guest.uuid, group="tea")
        Listened(guest).wait_for(Entered, peer=ann.node.uuid)
        guest.whisper(ann.node.uuid, b"%d" % number)
        ann.wait_for(Whispered, peer=guest.uuid, content=(b"%d" % number,))
    assert ann.wait_for(Left, peer=guest.uuid).why is Why.GOODBYE
    ann.forget()


@pytest.mark.parametrize("inproc", [True, False], ids=["inproc", "tcp"])
def test_who_stays_does_not_grow_with_those_who_enter_and_exit(
    here: Gathering, inproc: bool
) -> None:
    ann = here.node("ann", groups=("tea",), inproc=inproc)
    warm = files = threads = 0
    for number in range(CYCLES // 2):
        one_life(here, ann, inproc, number)
        if number == WARM:
            gc.collect()
            warm, files, threads = memory(), descriptors(), threading.active_count()
        if number % TOLD_EVERY == 0:
            progress(f"{number} lives: {memory() // 2**10} KiB, {descriptors()} descriptors")
    gc.collect()
    assert ann.node.peers() == []
    assert ann.node.peer_groups() == {}
    # libzmq closes in its own time.
    eventually(lambda: descriptors() <= files, f"{descriptors()} descriptors, not {files}")
    assert threading.active_count() <= threads
    assert memory() < warm + GROWTH
    counts = ann.node.statistics()
    progress(f"{memory() - warm} octets more after {CYCLES // 2} lives: {counts}")
    assert counts["peers_entered"] == counts["peers_left"] == CYCLES // 2
