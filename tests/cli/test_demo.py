"""`zwire demo` ends by itself, has lost nothing, and leaves no process behind."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import pytest
from rich.console import Console
from typer.testing import CliRunner

from support.processes import zwire
from zwire.cli import demo, demo_nodes
from zwire.cli.demo_nodes import NodeFindings
from zwire.cli.demo_report import Reported, report_on
from zwire.cli.main import app

pytestmark = [pytest.mark.process, pytest.mark.timeout(900)]

DIALECTS = ("mdpx", "mdp01", "mdp02", "emqp", "ppp")


def descendants(mark: str) -> list[int]:
    """The living processes that were started with this mark in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue  # it has just ended, or is somebody else's
    return found


def test_every_dialect_asks_every_other_nothing_is_lost_and_nodes_meet(tmp_path: Path) -> None:
    mark = uuid4().hex
    into = tmp_path / "demo"
    # Twelve processes one after the other, and then a Spark: on a busy machine that takes its time.
    ran = subprocess.run(
        [
            str(Path(sys.executable).with_name("zwire")),
            "demo",
            "--json",
            "--requests",
            "3",
            "--into",
            str(into),
        ],
        env={**os.environ, "ZWIRE_MARK": mark},
        capture_output=True,
        text=True,
        timeout=800,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    found = json.loads(ran.stdout)
    answered = {(pair["client"], pair["worker"]): pair["answered"] for pair in found["pairs"]}
    assert answered == {(asking, serving): 3 for asking in DIALECTS for serving in DIALECTS}
    assert found["lost"] == []
    assert "held" in {told["service"] for told in found["redelivered"]}
    assert found["statistics"]["accepted"] >= 3 * 25 + 20
    nodes = found["nodes"]
    assert len(nodes["met"]) == 6
    assert (nodes["shouts"], nodes["whispers"]) == (2, 1)
    assert set(nodes["missed"]) == {"ann", "bob", "eve"}
    assert descendants(mark) == []
    if found["report"] is None:
        pytest.skip(found["why_not"])
    from pyarrow import parquet

    page = Path(found["report"]).read_text(encoding="utf-8")
    assert Path(found["report"]) == into / "tables" / "report.html"
    for words in ("echo-mdpx", "held", "guest", "Nobody broke a rule", "1 given to another worker"):
        assert words in page
    recordings = parquet.read_table(into / "tables" / "tables" / "recordings").to_pylist()
    nodes = {one["node_name"] for one in recordings if one["complete"] and one["node"]}
    assert nodes == {"ann", "bob", "eve"}, "a node was not given time to write down what it heard"
    assert [one["complete"] for one in recordings if one["name"] == "broker"] == [True]


def shown(findings: demo.Findings) -> str:
    console = Console(file=io.StringIO(), width=120)
    demo._show(findings, 7.0, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_people_see_what_happened() -> None:
    findings = demo.Findings(
        pairs={(asking, serving): [0.002, 0.004] for asking in DIALECTS for serving in DIALECTS},
        redelivered=[{"event": "request redelivered", "job": 51, "service": "held"}],
        counts={"accepted": 70, "answered": 70, "violation": 0},
    )
    text = shown(findings)
    for words in ("client \\ worker", "2 3.0 ms", "Redelivered: job 51", "Nothing was lost"):
        assert words in text
    assert "violation" not in text
    findings.lost.append("job 3 came back as something else")
    assert "Lost\n  job 3 came back" in shown(findings)


def test_a_request_that_never_ended_is_a_loss() -> None:
    counts = dict.fromkeys(
        ("answered", "request expired", "request failed", "client gone", "open"), 0
    )
    findings = demo.Findings(counts={**counts, "accepted": 1})
    demo._audit(findings)
    assert findings.lost == ["1 requests were accepted, 0 ended", "nothing was redelivered"]
    findings = demo.Findings(counts={**counts, "accepted": 1, "request failed": 1})
    demo._audit(findings)
    assert "request failed: 1" in findings.lost


def test_what_a_node_heard_wrong_is_a_loss() -> None:
    heard = NodeFindings()
    assert demo_nodes._as_it_went({"text": ["hello all"]}, "hello all", heard)
    assert not demo_nodes._as_it_went({"text": ["hello", "al"]}, "hello all", heard)
    counts = dict.fromkeys(
        ("accepted", "answered", "request expired", "request failed", "client gone", "open"), 0
    )
    findings = demo.Findings(counts=counts, redelivered=[{"job": 1}], nodes=heard)
    demo._audit(findings)
    assert findings.lost == ["'hello all' came as ['hello', 'al']"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_interrupted_demo_takes_its_processes_with_it(number: signal.Signals) -> None:
    mark = uuid4().hex
    with zwire("demo", environment={"ZWIRE_MARK": mark}) as program:
        program.wait_for_line("A broker")
        program.signal(number)
        assert program.wait() != 0
    assert descendants(mark) == []


def test_the_report_is_told_or_why_there_is_none() -> None:
    findings = demo.Findings(counts={"accepted": 1, "answered": 1})
    findings.pairs = {(asking, serving): [] for asking in DIALECTS for serving in DIALECTS}
    assert "report" not in shown(findings)
    findings.reported = Reported(Path("demo/tables/report.html"), messages=2409)
    assert "2,409 messages, 0 violations" in shown(findings)
    assert "report: demo/tables/report.html" in shown(findings)
    findings.reported = Reported(why_not="What was recorded is not analysed: no Java")
    assert "What was recorded is not analysed: no Java" in shown(findings)


def test_without_spark_the_demo_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    reported = report_on(tmp_path, lambda _: None)
    assert reported.report is None
    assert "pyspark is missing: pip install 'zwire[spark]'" in reported.why_not


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "cat.jpg").write_text("miaow")
    result = CliRunner().invoke(app, ["demo", "--into", str(tmp_path)])
    assert result.exit_code == 2
    assert "expected a new or an empty folder" in " ".join(result.output.split())
    assert [one.name for one in tmp_path.iterdir()] == ["cat.jpg"]
