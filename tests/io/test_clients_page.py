"""Every snippet of docs/clients.md and docs/sockets.md runs and prints what the page says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from support.processes import Program
from support.raw import PATIENCE
from support.scripted import real_broker

pytestmark = pytest.mark.process
PAGE = Path(__file__).parents[2] / "docs" / "clients.md"
BOTH = PAGE.read_text() + PAGE.with_name("sockets.md").read_text()
PYTHON = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", BOTH, re.MULTILINE | re.DOTALL)
CONSOLE = re.findall(r"^```console\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"


@pytest.fixture(scope="module")
def addresses() -> Iterator[dict[str, str]]:
    """What the page writes, and where it really is in this test."""
    with real_broker(interval=2.5, liveness=12.0) as places:
        yield {
            "mdpx://127.0.0.1:5555": places["mdpx"].front,
            "mdpx://127.0.0.1:5556": places["mdpx"].back,
            "emqp://127.0.0.1:5570": places["emqp"].front,
        }


def placed(text: str, addresses: dict[str, str]) -> str:
    for written, real in addresses.items():
        text = text.replace(written, real)
    return text


def test_no_snippet_is_without_its_output() -> None:
    assert len(PYTHON) == BOTH.count("```python\n")
    assert len(CONSOLE) == 1


@pytest.mark.parametrize(("code", "output"), PYTHON)
def test_a_snippet_prints_what_the_page_says(
    code: str, output: str, addresses: dict[str, str], tmp_path: Path
) -> None:
    program = tmp_path / "snippet.py"
    program.write_text(placed(code, addresses))
    run = subprocess.run(
        [sys.executable, str(program)],
        capture_output=True,
        text=True,
        timeout=3 * PATIENCE,
        cwd=tmp_path,
        check=False,
    )
    assert (run.stdout, run.returncode) == (output, 0), run.stderr


def test_the_shell_session_goes_as_the_page_says(addresses: dict[str, str]) -> None:
    session = re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", placed(CONSOLE[0], addresses), re.MULTILINE)
    assert len(session) == 5
    with ExitStack() as undo:
        for command, output in session:
            if command.endswith(" &"):
                words = shlex.split(command.removesuffix(" &"))
                words[0] = str(Path(sys.executable).with_name(words[0]))
                undo.enter_context(Program(*words))
                continue
            run = subprocess.run(
                ["sh", "-c", command],
                capture_output=True,
                text=True,
                timeout=3 * PATIENCE,
                env={**os.environ, "PATH": PATH},
                check=False,
            )
            assert (run.stdout, run.returncode) == (output, 0), run.stderr
