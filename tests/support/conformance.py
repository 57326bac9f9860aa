"""Which clause of the specifications is shown by which test, and the page that tells it."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

# Every clause of these protocols needs a test.
REQUIRED = ("REQREP", "MDPX", "EMQP", "PPP", "ZRE")

_BEST_TO_WORST = ("passed", "skipped", "failed")
_NO_TEST = "no test"


@dataclass(frozen=True, slots=True)
class Clause:
    """One normative statement."""

    id: str
    level: str
    role: str
    statement: str
    note: str = ""
    deviation: str = ""
    meta: bool = False

    @property
    def protocol(self) -> str:
        return self.id.partition("-")[0]


def read_clauses(path: Path) -> dict[str, Clause]:
    """The clauses of a file by their ids, in the order of the file."""
    tables = tomllib.loads(path.read_text("utf-8"))
    return {
        f"{protocol}-{key}": Clause(f"{protocol}-{key}", **facts)
        for protocol, rows in tables.items()
        for key, facts in rows.items()
    }


class Ledger:
    """Clauses, the tests that show them, and how those ended."""

    def __init__(self, clauses: dict[str, Clause], required: Iterable[str] = REQUIRED) -> None:
        self.clauses = clauses
        self.required = tuple(required)
        self._tests: dict[str, list[str]] = {clause: [] for clause in clauses}
        self._outcomes: dict[str, dict[str, str]] = {}

    def claim(self, clause: str, test: str) -> None:
        """A test says that it shows a clause; KeyError where there is no such clause."""
        tests = self._tests[clause]
        if test not in tests:
            tests.append(test)

    def record(self, test: str, variant: str, outcome: str) -> None:
        """How one variant of a test ended; the last word counts."""
        self._outcomes.setdefault(test, {})[variant] = outcome

    def untested(self) -> list[str]:
        """The clauses that need a test and have none."""
        return [clause.id for clause in self._needed() if not self._tests[clause.id]]

    def result(self, clause: Clause) -> str:
        """The worst outcome of all tests of a clause; a meta clause needs all others as well."""
        outcomes = [
            outcome
            for test in self._tests[clause.id]
            for outcome in self._outcomes.get(test, {}).values()
        ]
        if clause.meta:
            outcomes += [
                "passed" if self.result(other) == "passed" else "failed"
                for other in self.clauses.values()
                if other.protocol == clause.protocol and not other.meta
            ]
        if not self._tests[clause.id] or not outcomes:
            return _NO_TEST
        return max(outcomes, key=_BEST_TO_WORST.index)

    def page(self) -> str:
        """The page in Markdown; the same run gives the same page."""
        lines = [
            "# Conformance",
            "",
            "Each row is one normative statement of a specification, the test that shows it against",
            "running sockets, and how that test ended. `make conformance` writes this page; the tests",
            "fail when a clause has no test or when this page is out of date.",
        ]
        for protocol in self.required:
            lines += ["", f"## {protocol}", "", *self._table(protocol)]
        return "\n".join(lines) + "\n"

    def _table(self, protocol: str) -> list[str]:
        clauses = [one for one in self.clauses.values() if one.protocol == protocol]
        passed = sum(self.result(one) == "passed" for one in clauses)
        deviating = sum(bool(one.deviation) for one in clauses)
        lines = [
            f"{passed} of {len(clauses)} clauses are shown, {deviating} of them with a deviation.",
            "",
            "| Clause | Level | Who | Statement | Test | Result |",
            "|---|---|---|---|---|---|",
        ]
        for one in clauses:
            tests = "<br>".join(f"`{test}`" for test in sorted(self._tests[one.id]))
            result = self.result(one) + (", deviates" if one.deviation else "")
            cells = (one.id, one.level, one.role, one.statement, tests, result)
            lines.append("| " + " | ".join(cells) + " |")
        for title, remarks in (
            ("Deviations", [f"- {one.id}: {one.deviation}" for one in clauses if one.deviation]),
            ("Notes", [f"- {one.id}: {one.note}" for one in clauses if one.note]),
        ):
            if remarks:
                lines += ["", f"{title}:", "", *remarks]
        return lines

    def _needed(self) -> list[Clause]:
        return [one for one in self.clauses.values() if one.protocol in self.required]


class Recorder:
    """The pytest plugin that keeps the ledger of a run and judges it at the end.

    A run of a few tests is not judged, only one of all that stands in the folder.
    """

    def __init__(self, folder: Path, page: Path) -> None:
        self._folder = folder
        self._page = page
        self._ledger = Ledger(read_clauses(folder / "clauses.toml"))
        self._expected: set[str] = set()
        self._ended: dict[str, str] = {}
        self._narrowed = False
        self._findings: list[str] = []

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        self._narrowed |= any(self._is_here(item) for item in items)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        here = [item for item in session.items if self._is_here(item)]
        for item in here:
            self._expected.add(item.nodeid)
            for mark in item.iter_markers("clause"):
                for clause in mark.args:
                    if clause not in self._ledger.clauses:
                        raise pytest.UsageError(f"{item.nodeid}: there is no clause {clause!r}")
                    self._ledger.claim(clause, _test_name(item.nodeid))
        files = {item.path for item in here}
        narrowed = any("::" in argument for argument in session.config.args)
        self._narrowed |= narrowed or files != set(self._folder.glob("test_*.py"))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.nodeid not in self._expected:
            return
        if report.when == "setup" or report.outcome != "passed":
            self._ended[report.nodeid] = report.outcome
        name = _test_name(report.nodeid)
        outcome = self._ended[report.nodeid]
        if outcome in _BEST_TO_WORST:
            self._ledger.record(name, report.nodeid, outcome)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        complete = self._expected and self._expected == set(self._ended)
        if self._narrowed or not complete or session.config.option.collectonly:
            return
        self._findings = [f"{clause} has no test" for clause in self._ledger.untested()]
        page = self._ledger.page()
        if os.environ.get("ZWIRE_CONFORMANCE") == "write":
            self._page.parent.mkdir(parents=True, exist_ok=True)
            self._page.write_text(page, "utf-8")
        elif not self._page.exists() or self._page.read_text("utf-8") != page:
            self._findings.append(
                f"{self._page.parent.name}/{self._page.name} is not what this run shows:"
                " `make conformance` writes it"
            )
        if self._findings and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for finding in self._findings:
            terminalreporter.write_line(f"conformance: {finding}", red=True)

    def _is_here(self, item: pytest.Item) -> bool:
        return item.path.parent == self._folder


def _test_name(node: str) -> str:
    path, _, rest = node.partition("::")
    return f"{Path(path).stem}::{rest.partition('[')[0]}"
