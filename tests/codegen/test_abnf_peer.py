"""Strict verdicts are those of the PyPI package `abnf`, on the grammars that it ships and on those
texts with small changes."""

from __future__ import annotations

import warnings
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from random import Random
from textwrap import dedent

import pytest

from support.abnf_texts import read, told
from zwire_codegen.notation.abnf import without_places, write
from zwire_codegen.problems import Problem

abnf_grammars = pytest.importorskip("abnf.grammars", reason="the package abnf is not installed")

MODULES = [each.name for each in iter_modules(abnf_grammars.__path__) if each.name != "misc"]
CHANGES = "()[]/*%\"<>=;-. \n\t0129axdbsiXé|_:'"


@cache
def _text(module: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        grammar = import_module(f"abnf.grammars.{module}").Rule.grammar
    text = grammar if isinstance(grammar, str) else "\n".join(grammar)
    return text.strip("\n").rstrip()


def _theirs(text: str) -> bool:
    from abnf.parser import ABNFGrammarRule, ParseError

    try:
        ABNFGrammarRule("rulelist").parse_all(text.replace("\n", "\r\n") + "\r\n")
    except ParseError:
        return False
    return True


def _is_about_meaning(problem: Problem) -> bool:
    """Whether the text has RFC 5234's form and still means nothing: the package does not look."""
    return problem.code == "ZW104" or (
        problem.code == "ZW103" and ("larger" in problem.text or "billion" in problem.text)
    )


@pytest.mark.parametrize("module", MODULES)
def test_the_grammars_of_the_rfcs_are_strict_abnf(module: str) -> None:
    grammar, problems = read(_text(module))
    assert told(problems) == []
    written = write(grammar)
    again, problems = read(written.removesuffix("\n"))
    assert told(problems) == []
    assert without_places(again) == without_places(grammar)
    assert write(again) == written


@pytest.mark.parametrize("module", ["rfc3339", "rfc4647", "rfc5987", "rfc7239", "rfc8288"])
def test_the_package_agrees_about_whole_grammars(module: str) -> None:
    """The others are shown by their pieces below: the package takes seconds for a large one."""
    assert _theirs(_text(module))


def test_the_package_agrees_about_changed_texts() -> None:
    random = Random(5234)
    texts = [piece for module in MODULES for piece in _pieces(_text(module))]
    verdicts: dict[bool, int] = {True: 0, False: 0}
    for _ in range(250):
        text = _changed(random.choice(texts), random)
        if dedent(text) != text:
            continue  # we take a block that is indented as a whole, the package does not
        _, problems = read(text)
        ours = all(_is_about_meaning(problem) for problem in problems)
        assert ours == _theirs(text), (text, told(problems))
        verdicts[ours] += 1
    assert min(verdicts.values()) > 50


def _pieces(text: str) -> list[str]:
    """Two rules at a time."""
    lines = text.split("\n")
    starts = [number for number, line in enumerate(lines) if line[:1].isalpha()]
    pairs = zip(starts, starts[2:], strict=False)
    return [piece for a, b in pairs if len(piece := "\n".join(lines[a:b])) < 120]


def _changed(text: str, random: Random) -> str:
    for _ in range(random.choice((0, 1, 1, 2))):
        at = random.randrange(len(text))
        put = random.choice(("", random.choice(CHANGES)))
        text = text[:at] + put + text[at + random.randrange(2) :] or "a"
    return text
