"""Scripts that other people might have written, run as programs against what is tested."""

from __future__ import annotations

import sys
from pathlib import Path

from support.fleet import Fleet, Place
from support.processes import Program

FOLDER = Path(__file__).parent.parent / "interop" / "scripts"


def run_script(fleet: Fleet, name: str, *arguments: str) -> Program:
    """Start one of them; it ends with the fleet."""
    return fleet.own(Program(sys.executable, str(FOLDER / f"{name}.py"), *arguments))


def lines_of(program: Program, start: str) -> list[str]:
    """Wait for a script to end well; what it printed after these words."""
    assert program.wait() == 0, program.output + program.complaints
    found = [line.strip() for line in program.output]
    return [line.removeprefix(start).strip() for line in found if line.startswith(start)]


def front(place: Place) -> str:
    """The address of a broker's front end for plain sockets."""
    return "tcp" + place.front[place.front.index(":") :]


def back(place: Place) -> str:
    return "tcp" + place.back[place.back.index(":") :]
