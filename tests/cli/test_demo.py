"""`zwire demo` ends by itself, has lost nothing, and leaves no process behind."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from uuid import uuid4

import pytest

from support.processes import zwire
from support.raw import eventually

pytestmark = pytest.mark.process

DIALECTS = ("mdpx", "mdp01", "mdp02", "emqp", "ppp")


def descendants(mark: str) -> list[int]:
    """The living processes that were started with this mark in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue  # it has just ended, or is somebody else's
    return found


def test_every_dialect_asks_every_other_and_a_killed_worker_loses_nothing() -> None:
    mark = uuid4().hex
    with zwire("demo", "--json", "--requests", "3", environment={"ZWIRE_MARK": mark}) as demo:
        assert demo.wait() == 0, demo.output + demo.complaints
    found = json.loads("".join(demo.output))
    answered = {(pair["client"], pair["worker"]): pair["answered"] for pair in found["pairs"]}
    assert answered == {(asking, serving): 3 for asking in DIALECTS for serving in DIALECTS}
    assert found["lost"] == []
    assert "held" in {told["service"] for told in found["redelivered"]}
    assert found["statistics"]["accepted"] >= 3 * 25 + 20
    assert descendants(mark) == []


def test_people_see_what_happened() -> None:
    with zwire("demo", "--requests", "1", environment={"COLUMNS": "100"}) as demo:
        assert demo.wait() == 0, demo.output + demo.complaints
    text = "".join(demo.output)
    for words in ("client \\ worker", "Killed (-9)", "Redelivered: job", "Nothing was lost"):
        assert words in text


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_interrupted_demo_takes_its_processes_with_it(number: signal.Signals) -> None:
    mark = uuid4().hex
    with zwire("demo", environment={"ZWIRE_MARK": mark}) as demo:
        demo.wait_for_line("A broker")
        demo.signal(number)
        assert demo.wait() != 0
    # A child that was just being made may not have been known yet: it ends with its pipe or not at all.
    eventually(lambda: descendants(mark) == [], "the processes are gone")
