"""The report says what the tables say, shows everything that peers call themselves, and obeys none of it."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="the report needs pyarrow")

from support.tabled import a_refusal, a_violation, made_up, write_tables
from zwire.cli.reporting import quoted
from zwire_spark.report import write

START = 1_700_000_040_000_000_000
SECOND = 1_000_000_000
SECTIONS = (
    "requests", "load", "liveness", "violations", "mesh", "logs", "traffic", "refused", "recordings",
)  # fmt: skip
_VOID = {"meta", "br", "col"}


class Page(HTMLParser):
    """A page as a browser would take it apart: elements, attributes, and what people read."""

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._open: list[str] = []
        self._section = ""
        self.octets = path.read_bytes()
        self.feed(self.octets.decode("utf-8"))
        assert not self._open, "an element was not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "section":
            self._section = dict(attrs)["id"] or ""
        if tag not in _VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag
        if tag == "section":
            self._section = ""

    def handle_data(self, text: str) -> None:
        # What pictures say to whoever points at them is no text of the page.
        if self._open and self._open[-1] not in ("style", "script", "title"):
            self.texts.setdefault(self._section, []).append(text)

    def said(self, section: str = "") -> str:
        return " ".join(" ".join(self.texts.get(section, [])).split())

    def count(self, tag: str, **attributes: str) -> int:
        return sum(
            one == tag and all(given.get(key.rstrip("_")) == value for key, value in attributes.items())
            for one, given in self.elements
        )  # fmt: skip


@pytest.fixture(scope="module")
def tables() -> dict[str, list[dict[str, Any]]]:
    return made_up()


@pytest.fixture(scope="module")
def folder(
    tables: dict[str, list[dict[str, Any]]], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    return write_tables(tmp_path_factory.mktemp("tables"), tables)


@pytest.fixture(scope="module")
def page(folder: Path) -> Page:
    return Page(write(folder, quote=quoted).path)


def test_the_page_stands_alone(page: Page) -> None:
    tags = Counter(tag for tag, _ in page.elements)
    assert (tags["script"], tags["style"]) == (1, 1)
    assert not {"link", "img", "iframe", "object", "embed", "base", "form"} & set(tags)
    for _, given in page.elements:
        assert not given.keys() & {"src", "srcset", "action"}
        assert (given.get("href") or "#").startswith("#")
    assert b"@import" not in page.octets
    assert b"url(" not in page.octets


def test_every_link_within_the_page_leads_somewhere(page: Page) -> None:
    anchors = {given["id"] for _, given in page.elements if "id" in given}
    targets = {(given["href"] or "")[1:] for tag, given in page.elements if tag == "a"}
    assert targets <= anchors
    assert set(SECTIONS) <= anchors


def test_the_figures_are_those_of_the_tables(
    page: Page, tables: dict[str, list[dict[str, Any]]]
) -> None:
    at_brokers = [row for row in tables["requests"] if row["seen_at"] == "broker"]
    outcomes = Counter(row["outcome"] for row in at_brokers)
    said = page.said("requests")
    assert f"How {len(at_brokers)} requests ended, as brokers saw them" in said
    for outcome, number in outcomes.items():
        assert f"{outcome} {number}" in said
    redelivered = sum(row["redeliveries"] for row in at_brokers)
    assert f"{redelivered} given to another worker" in said
    messages = sum(len(rows) for name, rows in tables.items() if name.startswith("messages_"))
    assert f"Messages {messages:,}" in page.said()
    assert "Violations 3 with 2 peers" in page.said()


def a_request(seen_at: str, latency: int, **facts: Any) -> dict[str, Any]:
    """One that was answered so many milliseconds after the start."""
    return {
        "recording": f"{0xB1:016x}", "seq": latency, "seen_at": seen_at, "service": "echo", "request_key": "r",
        "client_protocol": "mdpx", "worker_protocol": "ppp", "client_peer": "c", "worker_peer": "w",
        "received_ns": START, "answered_ns": START + latency * 1_000_000, "latency_ns": latency * 1_000_000,
        "redeliveries": 0, "retries": 0, "duplicate_replies": 0, "late_replies": 0, "outcome": "answered",
        **facts,
    }  # fmt: skip


def test_a_request_that_three_recorded_counts_once(tmp_path: Path) -> None:
    views = (("client", 30), ("broker", 20), ("worker", 10))
    tables = {"requests": [a_request(seen_at, latency) for seen_at, latency in views]}
    page = Page(write(write_tables(tmp_path / "three", tables)).path)
    assert "How 1 request ended, as brokers saw them" in page.said("requests")
    assert "Median latency 20 ms" in page.said()
    tables = {"requests": [a_request("client", latency) for latency in (30, 40, 80)]}
    page = Page(write(write_tables(tmp_path / "one", tables)).path)
    assert "How 3 requests ended, as clients saw them" in page.said("requests")
    assert "Median latency 40 ms 90 % 80 ms, 99 % 80 ms" in page.said()
    assert "mdpx 3" in page.said("requests")


def test_a_queue_stays_as_long_as_it_was_until_it_changes(tmp_path: Path) -> None:
    recording = {"recording": f"{0xB1:016x}", "name": "broker", "node": "", "node_name": "", "rows": 9,
                 "events": 0, "complete": True, "first_ns": START, "last_ns": START + 60 * SECOND}  # fmt: skip
    seconds = ((10, 2, 5), (20, 0, 3))  # when, what it ended with, the most in it
    depth = [
        {"recording": f"{0xB1:016x}", "service": "", "second": START // 1000 + second * 1_000_000,
         "depth": last, "max_depth": most, "in_flight": 1}
        for second, last, most in seconds
    ]  # fmt: skip
    tables: dict[str, list[dict[str, Any]]] = {
        "recordings": [recording],
        "queue_depth": depth,
        "messages_mdpx": [{"ts_ns": START}],
    }
    said = Page(write(write_tables(tmp_path, tables)).path).said("load")
    waiting = said.partition("Requests waiting for a worker")[2]
    assert "The most in each 1 s." in waiting
    for row in ("22:14:10 5 1", "22:14:11 2 1", "22:14:19 2 1", "22:14:20 3 1", "22:14:21 0 1"):
        assert f"2023-11-14 {row}" in waiting
    assert "22:14:09" not in waiting


def test_what_is_worth_a_look_is_said_at_the_top(page: Page) -> None:
    said = page.said()
    for words in ("requests lost, expired or failed", "3 violations", "1 message in quarantine and 1 loss"):  # fmt: skip
        assert words in said


def test_who_broke_a_rule_is_named_with_the_line_and_the_message(page: Page) -> None:
    said = page.said("violations")
    assert "3 violations of 1 kind, in conversations with 2 peers" in said
    assert "worker PING mdpx.worker · unopened" in said
    assert "eve (echo) at broker-177 × 2, mallory (echo) at broker-177" in said
    assert "mdpx.md:139 registration = W:READY" in said
    assert "0000 4d 44 58 57 30 31 MDXW01" in said


def test_lost_workers_groups_peers_and_logs_are_shown(page: Page) -> None:
    assert "Workers and peers over time" in page.said("liveness")
    mesh = page.said("mesh")
    for words in ("node-0 – node-1", "chat · node-1", "Missing"):
        assert words in mesh
    assert "WARNING" in page.said("logs")
    assert "mdpx.worker PING" in page.said("traffic")
    refused = page.said("refused")
    assert "b1.zcap, row 83 4d 44 58 57 30 31 MDXW01 77 w" in refused
    assert "1 loss, of which 7 rows known" in refused


def test_who_came_and_went_most_often_is_told_with_how_often_and_how_long(page: Page) -> None:
    said = page.said("liveness")
    assert "Who came and went most often" in said
    assert "echo drone mdp02 at proxy 2 2 1 0 10 s 31 s" in said  # it fell silent, and came back
    assert "node-2 a000000…002 zre at node-0 2 1 0 1 40.5 s 8 s" in said  # it greeted a second time


def test_of_many_that_come_back_the_most_restless_are_shown(tmp_path: Path) -> None:
    def restless(number: int, arrivals: int) -> dict[str, Any]:
        return {
            "recording": f"{1:016x}", "endpoint": "", "peer": f"peer-{number}", "protocol": "zre",
            "name": "", "first_ns": START, "last_ns": START + SECOND, "arrivals": arrivals,
            "departures": arrivals, "returns": arrivals - 1, "restarts": 0, "present_ns": SECOND,
            "longest_absence_ns": 90 * SECOND, "ended_by": "left",
        }  # fmt: skip

    lived = {"recording": f"{1:016x}", "protocol": "zre", "endpoint": "", "peer": "peer-0", "name": "",
             "from_ns": START, "to_ns": START + SECOND, "ended_by": "left", "signs": 3}  # fmt: skip
    comings = [restless(number, 3 + number % 40) for number in range(40)]
    tables = {"liveness": [lived], "peer_churn": comings}
    said = Page(write(write_tables(tmp_path / "many", tables)).path).said("liveness")
    order = [said.index(f"peer-{number} zre at") for number in range(39, 29, -1)]
    assert order == sorted(order)
    assert "peer-29 " not in said
    assert "30 more peers not shown here: those that came no more often" in said
    tables["peer_churn"] = [restless(0, 1)]
    said = Page(write(write_tables(tmp_path / "once", tables)).path).said("liveness")
    assert "Nobody came back under the same identity." in said


def test_every_chart_is_named_and_has_its_table(page: Page) -> None:
    pictures = [given for tag, given in page.elements if tag == "svg"]
    assert all("aria-label" in one or one.get("aria-hidden") == "true" for one in pictures)
    plots = page.count("div", class_="plot")
    assert plots >= 6
    assert page.octets.count(b"<summary>As a table</summary>") >= plots


def test_the_same_tables_give_the_same_page(folder: Path, page: Page, tmp_path: Path) -> None:
    assert write(folder, tmp_path / "again.html", quote=quoted).path.read_bytes() == page.octets


def test_the_title_is_the_one_that_was_asked_for(folder: Path, tmp_path: Path) -> None:
    page = Page(write(folder, tmp_path / "titled.html", title="Monday & <Tuesday>").path)
    assert "Monday & <Tuesday> 4 recordings" in page.said()


HOSTILE = '</title></script><script>alert(1)</script><img src=x onerror="alert(1)">\'"&\u202e\x00'


def hostile(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same rows with a name that is no name wherever a peer could have put one."""
    theirs = {
        "peer", "name", "node_name", "service", "group", "text", "command", "rule", "expected", "dump",
        "endpoint", "place", "why", "file", "request_key", "worker_peer", "client_peer", "reason", "host",
        "detail", "wrong_field", "level", "event", "ended_by", "role", "part",
    }  # fmt: skip
    return [
        {
            key: f"{HOSTILE}{number % 3}" if key in theirs and isinstance(value, str) else value
            for key, value in row.items()
        }
        for number, row in enumerate(rows)
    ]


def test_names_that_peers_chose_are_shown_and_never_obeyed(
    tables: dict[str, list[dict[str, Any]]], tmp_path: Path
) -> None:
    named = {name: hostile(rows) for name, rows in tables.items()}
    page = Page(write(write_tables(tmp_path, named), title=HOSTILE, quote=lambda _: HOSTILE).path)
    tags = Counter(tag for tag, _ in page.elements)
    assert (tags["script"], tags["img"]) == (1, 0)
    assert not any(key.startswith("on") for _, given in page.elements for key in given)
    assert "<script>alert(1)</script>" in page.said("violations")
    text = page.octets.decode("utf-8")
    assert "\u202e" not in text
    assert "\x00" not in text
    assert "\\u202e\\u0000" in page.said("violations")


def test_only_our_own_script_may_run(page: Page) -> None:
    policy = next(
        given["content"] or ""
        for tag, given in page.elements
        if given.get("http-equiv") == "Content-Security-Policy"
    )
    assert "default-src 'none'" in policy
    assert re.search(r"script-src 'sha256-[A-Za-z0-9+/=]{44}'", policy)


def test_empty_tables_give_a_page_that_says_so(tmp_path: Path) -> None:
    page = Page(write(write_tables(tmp_path, {})).path)
    assert "Nothing is wrong" in page.said()
    for section in SECTIONS:
        assert re.search(r"\b(No|Nobody|Nothing|Every)\b", page.said(section)), section


def test_tables_that_were_not_made_are_named(tmp_path: Path, tables: dict[str, list[dict[str, Any]]]) -> None:  # fmt: skip
    kept = ("requests", "messages_mdpx", "quarantine", "losses")
    counts = {name: len(tables[name]) for name in kept}
    page = Page(write(write_tables(tmp_path, tables, tables=counts)).path)
    assert "Latency of answered requests" in page.said("requests")
    assert "The table liveness was not made" in page.said("liveness")
    assert "The table zre_peers was not made" in page.said("mesh")
    assert "The table queue_depth was not made" in page.said("load")


def test_recordings_that_lie_years_apart_share_one_axis(tmp_path: Path) -> None:
    years = 3 * 365 * 86400 * SECOND
    spans = [(START, START + 60 * SECOND), (START + years, START + years + 60 * SECOND)]
    recordings = [
        {"recording": f"{number:016x}", "name": f"broker-{number}", "node": "", "node_name": "",
         "first_ns": first, "last_ns": last, "rows": 2, "events": 0, "complete": True}
        for number, (first, last) in enumerate(spans)
    ]  # fmt: skip
    messages = [{"ts_ns": time} for span in spans for time in span]
    tables: dict[str, list[dict[str, Any]]] = {
        "recordings": recordings,
        "messages_mdpx": messages,
    }
    page = Page(write(write_tables(tmp_path, tables)).path)
    said = page.said()
    assert "2 recordings of 2023-11-14, 2026-11-13" in said
    assert page.count("path", class_="cut") >= 1
    assert "2026-11-13 22:15" in page.said("load")


def test_many_peers_and_violations_stay_a_small_page_that_says_what_it_leaves_out(
    tmp_path: Path,
) -> None:
    long_ = "a-very-long-name-" * 200
    lived = [
        {"recording": f"{1:016x}", "protocol": "mdpx", "endpoint": "tcp://back", "peer": f"{n}-{long_}",
         "name": long_, "from_ns": START + n, "to_ns": START + n + SECOND, "ended_by": "lost", "signs": 3}
        for n in range(2000)
    ]  # fmt: skip
    broken = [a_violation(seq=n, peer=f"{n}-{long_}", rule=f"{n} {long_}") for n in range(500)]
    refused = [a_refusal(seq=n, code=f"code-{n}", frames=[b"x" * 5000] * 20) for n in range(100)]
    grouped = [
        {"recording": f"{1:016x}", "node": "0" * 32, "peer": f"{n:032x}", "group": f"{n} {long_}", "seq": n,
         "from_ns": START + n, "to_ns": None} for n in range(500)
    ]  # fmt: skip
    edges = [
        {"recording": f"{1:016x}", "node": "0" * 32, "peer": f"{n:032x}", "name": long_, "protocol": "zre",
         "first_ns": START, "last_ns": START, "hellos": 1, "messages_in": n, "messages_out": 0,
         "octets_in": n, "octets_out": 0} for n in range(500)
    ]  # fmt: skip
    tables = {
        "liveness": lived,
        "violations": broken,
        "quarantine": refused,
        "zre_groups": grouped,
        "zre_peers": edges,
    }
    written = write(write_tables(tmp_path, tables))
    assert written.octets < 1_000_000
    page = Page(written.path)
    assert "1,800 more peers not shown here" in page.said("liveness")
    assert "460 more kinds not shown here" in page.said("violations")
    assert "70 more reasons not shown here" in page.said("refused")
    assert "380 more memberships not shown here" in page.said("mesh")
    assert "476 more nodes not shown here" in page.said("mesh")


def test_a_line_of_a_specification_is_quoted_only_where_there_is_one() -> None:
    assert quoted("mdpx.md:139") == "registration = W:READY"
    for nowhere in ("mdpx.md:99999", "mdpx.md:0", "mdpx.md:x", "other.md:1", "../mdpx.md:1", ""):
        assert quoted(nowhere) == ""
