"""How findings are shown: exact text for people, plain values for programs, a page of all."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.documents import compiled, document
from zwire_codegen.catalogue import CODES
from zwire_codegen.compiler import load
from zwire_codegen.lint_page import lint_page
from zwire_codegen.problems import Problem, Severity
from zwire_codegen.report import as_json, show
from zwire_codegen.source import Place, Source

ROOT = Path(__file__).parents[2]

FAULTY = document(
    abnf="; A greeting\nHELLO = header %x01\nheader = signature sequnce\n"
    "signature = %xAA.A1\nsequence = 2OCTET",
    dialog="greeting = C:HELLO B:HALLO",
)

SHOWN = """\
sample.md:16:20: unknown rule "sequnce" [ZW401]
   16 | header = signature sequnce
      |                    ^^^^^^^ did you mean "sequence"?
sample.md:18:1: warning: nothing uses "sequence" [ZW402]
   18 | sequence = 2OCTET
      | ^^^^^^^^ leave it out
sample.md:22:20: unknown message "HALLO" [ZW502]
   22 | greeting = C:HELLO B:HALLO
      |                    ^^^^^^^ did you mean "HELLO"?"""


def test_findings_are_shown_with_their_line_a_caret_and_a_hint() -> None:
    loaded = compiled(FAULTY)
    assert show(loaded.problems, [loaded.source]) == SHOWN


def test_findings_are_plain_values_for_programs() -> None:
    first = as_json(compiled(FAULTY).problems)[0]
    assert first == {
        "file": "sample.md",
        "line": 16,
        "column": 20,
        "length": 7,
        "code": "ZW401",
        "severity": "error",
        "text": 'unknown rule "sequnce"',
        "hint": 'did you mean "sequence"?',
    }


def test_findings_are_sorted_by_their_place() -> None:
    late = Problem("a", Place(9, 1), "ZW401", Severity.ERROR, "late")
    early = Problem("a", Place(2, 5), "ZW401", Severity.ERROR, "early")
    assert [one["text"] for one in as_json([late, early])] == ["early", "late"]
    assert show([late, early], []).split("\n") == ["a:2:5: early [ZW401]", "a:9:1: late [ZW401]"]


def test_a_very_long_line_is_shown_around_the_fault() -> None:
    text = "x" * 500 + "FAULT" + "y" * 500
    fault = Problem("a", Place(1, 501, 5), "ZW101", Severity.ERROR, "wrong", "right")
    _, line, caret = show([fault], [Source("a", text)]).split("\n")
    assert len(line) < 140
    assert line[caret.index("^") :].startswith("FAULT")
    assert caret.endswith("^^^^^ right")


def test_a_fault_beyond_the_line_still_has_a_caret() -> None:
    fault = Problem("a", Place(1, 99, 5), "ZW101", Severity.ERROR, "wrong")
    assert show([fault], [Source("a", "short")]).endswith("|      ^")


def test_a_tab_does_not_move_the_caret() -> None:
    fault = Problem("a", Place(1, 2, 1), "ZW101", Severity.ERROR, "wrong")
    _, line, caret = show([fault], [Source("a", "\tx")]).split("\n")
    assert line.index("x") == caret.index("^")


def test_the_page_of_findings_is_written_from_the_catalogue() -> None:
    told = "write it anew: python -m zwire_codegen.lint_page docs/lint.md"
    assert (ROOT / "docs" / "lint.md").read_text(encoding="utf-8") == lint_page(), told


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_explained_by_examples_and_used(code: str) -> None:
    entry = CODES[code]
    assert entry.title
    assert entry.explanation.endswith(".")
    assert entry.good
    assert entry.bad
    assert entry.good != entry.bad
    compiler = ROOT / "codegen" / "zwire_codegen"
    sources = [path for path in compiler.rglob("*.py") if path.parent.name != "codes"]
    assert any(code in path.read_text(encoding="utf-8") for path in sources)


def test_a_folder_stands_for_the_documents_in_it(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text(FAULTY, encoding="utf-8")
    (tmp_path / "a.abnf").write_text("PING = %x01\n", encoding="utf-8")
    (tmp_path / "c.txt").write_text("not looked at", encoding="utf-8")
    found = load([tmp_path])
    assert [Path(one.source.name).name for one in found] == ["a.abnf", "b.md"]
    assert [one.failed for one in found] == [False, True]


def test_a_folder_without_documents_and_a_missing_file_are_told(tmp_path: Path) -> None:
    empty, missing = load([tmp_path, tmp_path / "missing.md"])
    assert [problem.code for problem in empty.problems] == ["ZW006"]
    assert [problem.code for problem in missing.problems] == ["ZW001"]
    assert missing.failed


def test_octets_that_are_no_text_are_one_finding(tmp_path: Path) -> None:
    path = tmp_path / "binary.md"
    path.write_bytes(bytes(range(256)))
    (loaded,) = load([path])
    assert [problem.code for problem in loaded.problems] == ["ZW002"]
