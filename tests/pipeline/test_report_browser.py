"""The report in a real browser: narrow and wide, light and dark, without a complaint or a scroll bar."""

from __future__ import annotations

import struct
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the report needs pyarrow")

from support.browser import PATIENCE, Browser, browser, find_browser
from support.tabled import made_up, write_tables
from zwire.cli.reporting import quoted
from zwire_spark.report import write

pytestmark = [
    pytest.mark.process,
    pytest.mark.timeout(600),
    pytest.mark.skipif(find_browser() is None, reason="no browser: apt-get install chromium"),
]

PHONE, DESK = 390, 1280
HOSTILE = "<img src=x onerror=\"document.title='hacked'\"><script>document.title='hacked'</script>"
# So much wider than the window is what lies in it; a box that scrolls by itself may be wider inside.
_OVERHANGING = """
[...document.querySelectorAll('body *')].filter(one => {
  if (one.closest('.wide, pre, nav ul, .skip, #tip')) return false;
  const box = one.getBoundingClientRect();
  return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1);
}).map(one => one.outerHTML.slice(0, 120))
"""


@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    with browser() as found:
        yield found


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tables = made_up()
    theirs = {"liveness": "name", "peer_churn": "name", "violations": "peer", "zre_groups": "group"}
    for name, column in theirs.items():
        tables[name] = [{**row, column: row[column] + HOSTILE} for row in tables[name]]
    return write(write_tables(tmp_path_factory.mktemp("out"), tables), quote=quoted).path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_the_page_fits_and_nothing_complains(
    window: Browser, page: Path, width: int, scheme: str
) -> None:
    window.open(page, width, scheme)
    assert window.run("document.documentElement.scrollWidth") == width
    assert window.run(_OVERHANGING) == []
    window.run("for (const one of document.querySelectorAll('details')) one.open = true")
    assert window.run("document.documentElement.scrollWidth") == width
    assert window.run(_OVERHANGING) == []
    assert window.complaints == []
    assert window.run("document.title") == "What was said"
    picture = window.picture()
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">I", picture[16:20])[0] == width


def test_all_charts_are_drawn(window: Browser, page: Path) -> None:
    window.open(page, DESK, "light")
    captions = window.run(
        "[...document.querySelectorAll('figcaption')].map(one => one.textContent)"
    )
    for words in (
        "requests ended", "Latency of answered requests", "Latency by service: ", "Latency by service over time", "Messages a second",
        "Answered requests a second", "Requests waiting", "Workers and peers", "Comings and goings",
        "came and went most often",
        "nodes", "Groups and their members", "Reports by level", "Messages by protocol", "in quarantine",
    ):  # fmt: skip
        assert any(words in caption for caption in captions), words
    drawn = window.run(
        "[...document.querySelectorAll('.plot svg')].map(svg => "
        "[...svg.querySelectorAll('.line, .dots, .fill')].some(one => one.getBBox().width > 0))"
    )
    assert len(drawn) >= 6
    assert all(drawn)
    for marks in (".bars rect", ".lanes rect", ".graph circle", ".graph .link"):
        assert window.run(f"document.querySelectorAll('{marks}').length") > 3, marks


def test_light_and_dark_differ_and_both_can_be_read(window: Browser, page: Path) -> None:
    shades = {}
    for scheme in ("light", "dark"):
        window.open(page, DESK, scheme)
        told = window.run(
            "['color', 'backgroundColor'].map(one => getComputedStyle(document.body)[one])"
        )
        ink, paper = ([int(n) for n in one[4:-1].split(",")] for one in told)
        shades[scheme] = sum(paper) - sum(ink)
    assert shades["light"] > 400
    assert shades["dark"] < -400


def test_pointing_at_a_chart_tells_its_values(window: Browser, page: Path) -> None:
    window.open(page, DESK, "light")
    assert window.run("document.getElementById('tip').hidden") is True
    window.run("document.querySelector('.plot .hit').scrollIntoView({block: 'center', behavior: 'instant'})")  # fmt: skip
    x, y = window.run(
        "(() => { const box = document.querySelector('.plot .hit').getBoundingClientRect();"
        "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
    )
    # Scrolling hides what was told, and the browser may still be at it.
    deadline = time.monotonic() + PATIENCE
    while window.run("document.getElementById('tip').hidden"):
        assert time.monotonic() < deadline, "nothing was told"
        window.point_at(x, y)
    told = window.run("document.getElementById('tip').textContent")
    assert told.startswith("2023-11-14 22:14")
    assert "median: " in told


def test_without_scripts_the_browser_tells_them(page: Path) -> None:
    assert page.read_text(encoding="utf-8").count("<title>") > 50
