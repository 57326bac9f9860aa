"""Workers frozen (SIGSTOP): their work goes on elsewhere, and when they wake they begin anew."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from support.fleet import LONG, Fleet, Place
from support.processes import Program
from zwire import Job

pytestmark = [pytest.mark.process, pytest.mark.timeout(600)]

SCRIPT = Path(__file__).parent / "scripts" / "plain_worker.py"


def endpoint(place: Place) -> str:
    return "tcp" + place.back[place.back.index(":") :]


def freeze(program: Program) -> None:
    program.signal(signal.SIGSTOP)


def thaw(program: Program) -> None:
    program.signal(signal.SIGCONT)


def test_a_frozen_worker_loses_its_job_and_is_dismissed_once_when_it_wakes(fleet: Fleet) -> None:
    broker = fleet.broker()
    place = broker.places["mdpx"]
    frozen = fleet.own(Program(sys.executable, str(SCRIPT), endpoint(place)))
    client = fleet.client(place)
    asked = client.submit("echo", "first")
    frozen.wait_for_line("took first")
    freeze(frozen)
    lost = broker.program.wait_for_json(event="worker lost")
    next_one = fleet.worker(place, "echo", lambda job: "from the next")
    assert asked.result(LONG).body == (b"from the next",)
    next_one.close()
    thaw(frozen)
    frozen.signal(signal.SIGUSR1)
    frozen.wait_for_line("dismissed")
    # Only the worker that woke is there to answer, under a new identity.
    assert client.request("echo", "second").body == (b"anew",)
    frozen.wait_for_line("heard afterwards: 0")
    counts = broker.end()
    assert counts["request failed"] == counts["request expired"] == 0
    told = [line for line in broker.program.output if "stranger spoke" in line]
    assert sum(lost["peer"] in line for line in told) == 1


def test_our_own_worker_comes_back_by_itself_after_a_freeze(fleet: Fleet) -> None:
    broker = fleet.broker()
    place = broker.places["mdpx"]
    frozen = fleet.echo(place)
    frozen.wait_for_json(event="ready")
    broker.program.wait_for_json(event="worker joined")
    freeze(frozen)
    client = fleet.client(place)
    asked = client.submit("echo", "while it sleeps")
    broker.program.wait_for_json(event="worker lost")

    def answer(job: Job) -> str:
        return "from the next"

    next_one = fleet.worker(place, "echo", answer)
    assert asked.result(LONG).body == (b"from the next",)
    next_one.close()
    thaw(frozen)
    frozen.wait_for_json(event="lost")
    frozen.wait_for_json(event="ready")
    assert client.request("echo", "awake").body == (b"awake",)
    counts = broker.end()
    assert counts["request failed"] == counts["request expired"] == 0
