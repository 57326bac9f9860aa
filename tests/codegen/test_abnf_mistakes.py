"""Mistakes in ABNF: every broken text of the corpus gives exactly the problems written beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.abnf_texts import read, told

CORPUS = Path(__file__).parent / "corpus" / "abnf"


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.abnf")), ids=lambda path: path.stem)
@pytest.mark.parametrize("mode", ["strict", "tolerant"])
def test_the_problems_of_a_broken_text_are_these(path: Path, mode: str) -> None:
    _, problems = read(path.read_text(encoding="utf-8"), strict=mode == "strict")
    expected = path.with_suffix(f".{mode}").read_text(encoding="utf-8")
    assert "".join(f"{line}\n" for line in told(problems)) == expected


def test_one_mistake_hides_no_other_and_good_rules_survive() -> None:
    grammar, problems = read("a = (b\nc = d\ne = /\nf = g")
    assert [rule.name.text for rule in grammar.rules] == ["c", "f"]
    assert [problem.place.line for problem in problems] == [1, 3]
