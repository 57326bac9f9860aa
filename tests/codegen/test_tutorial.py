"""The tutorial is true: its files are written, its commands run, and what they print is compared."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial.md"
FENCE = re.compile(r"^(`{3,})(\w*)\n(.*?)^\1$", re.DOTALL | re.MULTILINE)
SAVED = re.compile(r"Save as `([^`]+)`:\s*\Z")


def steps() -> Iterator[tuple[str, str, str]]:
    """("file", name, text) and ("run", command, expected output), in the page's order."""
    text = TUTORIAL.read_text(encoding="utf-8")
    for block in FENCE.finditer(text):
        saved = SAVED.search(text[: block.start()])
        if saved:
            yield "file", saved[1], block[3]
        elif block[2] == "console":
            for command in re.split(r"^\$ ", block[3], flags=re.MULTILINE)[1:]:
                line, _, expected = command.partition("\n")
                yield "run", line, expected


def matches(expected: str, printed: str) -> bool:
    """Whether the lines are there, blanks at their ends aside; `...` stands for anything."""
    pattern = "\n".join(line.rstrip() for line in expected.strip("\n").split("\n"))
    escaped = re.escape(pattern).replace(re.escape("..."), ".*?")
    shown = "\n".join(line.rstrip() for line in printed.strip("\n").split("\n"))
    return re.fullmatch(escaped, shown, re.DOTALL) is not None


def test_the_tutorial_does_what_it_says(tmp_path: Path) -> None:
    env = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "COLUMNS": "100",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    ran = 0
    for kind, name, text in steps():
        if kind == "file":
            (tmp_path / name).write_text(text, encoding="utf-8")
            continue
        done = subprocess.run(
            ["bash", "-c", name],
            cwd=tmp_path,
            env=env,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=100,
            check=False,
        )
        assert matches(text, done.stdout), f"$ {name}\nexpected:\n{text}\nprinted:\n{done.stdout}"
        ran += 1
    assert ran == 8


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [("a\nb", "a  \nb\n", True), ("a ... c", "a b\nb c", True), ("a", "a\nb", False)],
)
def test_lines_are_compared_with_room_for_anything(expected: str, printed: str, same: bool) -> None:
    assert matches(expected, printed) is same
