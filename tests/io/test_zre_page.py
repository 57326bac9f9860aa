"""What docs/nodes.md and examples/chat.py promise is so."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.nodes import gathering
from support.raw import PATIENCE
from zwire.zre.events import Entered, Left, Shouted

pytestmark = pytest.mark.process
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "nodes.md").read_text()
PYTHON = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_no_snippet_is_without_its_output() -> None:
    assert len(PYTHON) == PAGE.count("```python\n") == 2


@pytest.mark.parametrize(("code", "output"), PYTHON)
def test_a_snippet_prints_what_the_page_says(code: str, output: str, tmp_path: Path) -> None:
    program = tmp_path / "snippet.py"
    with gathering() as here:
        assert "port=45670" in code
        program.write_text(code.replace("45670", str(here.port)))
        run = subprocess.run(
            [sys.executable, str(program)],
            capture_output=True,
            text=True,
            timeout=3 * PATIENCE,
            check=False,
        )
    assert (run.stdout, run.returncode) == (output, 0), run.stderr


def test_the_chat_of_the_examples() -> None:
    with gathering() as here:
        bob = here.node("bob", groups=("chat",))
        command = [sys.executable, str(ROOT / "examples" / "chat.py"), "ann"]
        with subprocess.Popen(
            [*command, "loopback", str(here.port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as ann:
            assert ann.stdin is not None
            assert ann.stdout is not None
            assert ann.stdout.readline() == "bob is here\n"
            me = bob.wait_for(Entered, name="ann").peer
            ann.stdin.write("hello\n")
            ann.stdin.flush()
            assert bob.wait_for(Shouted, peer=me).content == (b"hello",)
            bob.node.shout("chat", "hello ann")
            assert ann.stdout.readline() == "bob: hello ann\n"
            ann.stdin.close()
            bob.wait_for(Left, peer=me)
            assert ann.wait(PATIENCE) == 0
