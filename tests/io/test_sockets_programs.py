"""The support for programs under test keeps its promises: it hears, stops and reaps them."""

from __future__ import annotations

import signal

import pytest

from support.processes import Program, python

pytestmark = pytest.mark.process

TALKER = """
import json, signal, sys
signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
sys.stderr.write("a complaint\\n")
print("noise {")
print(json.dumps({"event": "other"}))
print(json.dumps({"event": "listening", "port": 5}))
while True:
    signal.pause()
"""


def test_a_line_of_json_is_waited_for_and_the_program_is_stopped_by_its_own_id() -> None:
    with python(TALKER) as program:
        assert program.wait_for_json(event="listening")["port"] == 5
        assert program.stop() == 7
    assert not program.running
    assert program.complaints == ["a complaint\n"]


def test_a_program_that_ends_early_is_told_with_what_it_said() -> None:
    with python("import sys; sys.exit('what a pity')") as program:
        with pytest.raises(AssertionError, match="ended without a line"):
            program.wait_for_line("never said")
        assert program.wait() == 1
        assert "what a pity" in "".join(program.complaints)


def test_leaving_the_block_kills_and_reaps_whatever_it_does() -> None:
    stubborn = (
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up'); signal.pause()"
    )
    with python(stubborn) as program:
        program.wait_for_line("up")
        program.signal(signal.SIGSTOP)
    assert not program.running
    assert isinstance(program, Program)
