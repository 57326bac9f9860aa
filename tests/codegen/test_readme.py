"""The README's first screen is true."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_session_with_the_codec_is_what_python_prints() -> None:
    (session,) = re.findall(r"```python\n(>>>.*?)```", README, re.DOTALL)
    test = doctest.DocTestParser().get_doctest(session, {}, "README", "README.md", 0)
    results = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(test)
    assert results.failed == 0
    assert results.attempted == 4


def test_the_grammar_fragment_stands_in_the_grammar() -> None:
    (fragment,) = re.findall(r"```abnf\n(.*?)```", README, re.DOTALL)
    assert fragment in (ROOT / "grammars" / "zre.md").read_text(encoding="utf-8")


def test_every_file_it_links_to_is_there() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", README):
        assert (ROOT / target).exists(), target


def test_every_command_it_names_is_there() -> None:
    from zwire.cli.main import app

    known = {
        command.name or (command.callback.__name__.rstrip("_") if command.callback else "")
        for command in app.registered_commands
    }
    named = set(re.findall(r"^\$ zwire (\w+)", README, re.MULTILINE))
    assert named <= known
