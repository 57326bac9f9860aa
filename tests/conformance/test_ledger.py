"""The ledger of clauses: what it calls missing, shown and failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.conformance import REQUIRED, Clause, Ledger, read_clauses

CLAUSES = {
    one.id: one
    for one in (
        Clause("P-1", "SHALL", "all", "All of it.", meta=True),
        Clause("P-2", "MAY", "one", "The first."),
        Clause("P-3", "MUST", "two", "The second.", deviation="Not on Sundays."),
        Clause("Q-1", "MUST", "two", "Of another protocol."),
    )
}


def ledger() -> Ledger:
    book = Ledger(CLAUSES, required=["P"])
    for clause in ("P-1", "P-2", "P-3"):
        book.claim(clause, f"test of {clause}")
        book.record(f"test of {clause}", "only", "passed")
    return book


def test_every_clause_of_the_project_is_read_and_the_required_protocols_are_among_them() -> None:
    clauses = read_clauses(Path(__file__).with_name("clauses.toml"))
    assert {one.protocol for one in clauses.values()} == set(REQUIRED)
    assert len(clauses) == 200


def test_a_required_clause_without_a_test_is_missing() -> None:
    book = Ledger(CLAUSES, required=["P"])
    book.claim("P-1", "a test")
    assert book.untested() == ["P-2", "P-3"]


def test_a_test_cannot_claim_a_clause_that_does_not_exist() -> None:
    with pytest.raises(KeyError):
        ledger().claim("P-9", "a test")


def test_the_worst_variant_of_the_worst_test_is_the_result() -> None:
    book = ledger()
    assert book.result(CLAUSES["P-2"]) == "passed"
    book.claim("P-2", "another")
    book.record("another", "blocking", "passed")
    book.record("another", "asyncio", "skipped")
    assert book.result(CLAUSES["P-2"]) == "skipped"
    book.record("another", "asyncio", "failed")
    assert book.result(CLAUSES["P-2"]) == "failed"


def test_a_second_run_of_a_test_has_the_last_word() -> None:
    book = ledger()
    book.record("test of P-2", "only", "failed")
    book.record("test of P-2", "only", "passed")
    assert book.result(CLAUSES["P-2"]) == "passed"


def test_a_meta_clause_falls_with_any_other() -> None:
    book = ledger()
    assert book.result(CLAUSES["P-1"]) == "passed"
    book.record("test of P-3", "only", "failed")
    assert book.result(CLAUSES["P-1"]) == "failed"


def test_the_page_tells_deviations_and_leaves_out_what_is_not_required() -> None:
    page = ledger().page()
    assert "3 of 3 clauses are shown, 1 of them with a deviation." in page
    assert "| P-3 | MUST | two | The second. | `test of P-3` | passed, deviates |" in page
    assert "- P-3: Not on Sundays." in page
    assert "Q-1" not in page
