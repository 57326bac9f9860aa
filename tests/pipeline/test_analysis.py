"""The analysis of captures: every row arrives, wrong ones are told, and nothing else is touched."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from support.captures import START
from support.small_captures import cut_short, malformed, ready, request, unknown, write_parts
from zwire.capture.layout import MARKER
from zwire_spark import analysis
from zwire_spark.analysis import Summary, analyze
from zwire_spark.decoding import RowsAstray, refused_of
from zwire_spark.output import read_marker

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.usefixtures("spark")

MADE = ("recordings", "peer_churn")  # the second needs others, which are not asked for


def _table(folder: Path, name: str) -> pa.Table:
    return parquet.read_table(folder / "tables" / name)


def _content(folder: Path) -> dict[str, list[str]]:
    """All rows of all tables, without their order in messages."""
    return {
        path.name: sorted(map(str, parquet.read_table(path).to_pylist()))
        for path in sorted((folder / "tables").iterdir())
    }


@pytest.fixture(scope="module")
def analysed(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Summary]:
    """Sixty requests, READYs and others; then a block of ten that is damaged."""
    folder = tmp_path_factory.mktemp("analysed")
    kinds = [request, request, ready, malformed, unknown, cut_short]
    rows = [kinds[number % 6](number) for number in range(60)]
    captures = write_parts(folder / "captures", [*rows, *map(request, range(60, 70))])
    path = captures / "some-000001.zcap"
    octets = bytearray(path.read_bytes())
    octets[octets.rindex(MARKER) + 100] ^= 0xFF
    path.write_bytes(octets)
    return folder, analyze([captures], folder / "out", tables=MADE)


def test_every_message_is_decoded_or_in_quarantine(analysed: tuple[Path, Summary]) -> None:
    folder, summary = analysed
    assert summary.messages == 60
    spoken = {
        name: (one.messages, one.decoded, one.quarantined)
        for name, one in summary.protocols.items()
    }
    assert spoken == {
        "mdpx.client": (40, 20, 20),
        "mdpx.worker": (10, 10, 0),
        "-": (10, 0, 10),
    }
    codes = Counter(_table(folder / "out", "quarantine").column("code").to_pylist())
    assert codes == {"command": 10, "protocol": 10, "cut": 10}


def test_messages_have_their_fields_and_where_they_came_from(
    analysed: tuple[Path, Summary],
) -> None:
    folder, _ = analysed
    messages = {row["seq"]: row for row in _table(folder / "out", "messages_mdpx").to_pylist()}
    one: dict[str, Any] = messages[8]  # the second row of the second six
    expected = {
        "protocol": "mdpx",
        "part": "client",
        "command": "REQUEST",
        "service": "echo",
        "request_id": b"id-7",
        "body": [b"hello", b""],
        "peer": b"peer-1",
        "job": 7,
        "ts_ns": START + 7000,
        "file": "some-000001.zcap",
        "client_address": None,
    }
    assert {name: one[name] for name in expected} == expected
    assert messages[3]["part"] == "worker"


def test_what_was_lost_is_told(analysed: tuple[Path, Summary]) -> None:
    folder, summary = analysed
    (loss,) = _table(folder / "out", "losses").to_pylist()
    assert (loss["file"], loss["rows"], loss["why"]) == ("some-000001.zcap", 10, "damaged")
    assert (summary.losses, summary.rows_lost) == (1, 10)
    (recording,) = _table(folder / "out", "recordings").to_pylist()
    assert recording["rows"] == 60


def test_the_marker_says_what_the_tables_were_made_of(analysed: tuple[Path, Summary]) -> None:
    folder, _ = analysed
    told = read_marker(folder / "out")
    path = folder / "captures" / "some-000001.zcap"
    assert told["inputs"] == [{"path": str(path), "octets": path.stat().st_size}]
    assert told["tables"]["quarantine"] == 30


def test_folders_are_named_by_known_protocols_and_days_alone(
    analysed: tuple[Path, Summary],
) -> None:
    folder, _ = analysed
    named = {
        str(path.relative_to(folder / "out" / "rows"))
        for path in (folder / "out" / "rows").glob("*/*")
    }
    day = "date=2023-11-14"
    assert named == {
        f"protocol=mdpx.client/{day}",
        f"protocol=mdpx.worker/{day}",
        f"protocol=-/{day}",
        "protocol=-/date=-",
    }


def test_running_again_replaces_and_gives_the_same(analysed: tuple[Path, Summary]) -> None:
    folder, _ = analysed
    before = _content(folder / "out")
    assert before["peer_churn"]
    analyze([folder / "captures"], folder / "out", tables=MADE)
    assert _content(folder / "out") == before


def test_time_bounds_leave_the_others_out(analysed: tuple[Path, Summary]) -> None:
    folder, _ = analysed
    summary = analyze(
        [folder / "captures"],
        folder / "bounded",
        since=START + 10_000,
        until=START + 20_000,
        tables=[],
    )
    assert summary.messages == 10


def test_an_empty_capture_gives_empty_tables(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "empty.zcap").touch()
    summary = analyze([tmp_path / "empty.zcap"], tmp_path / "out", tables=MADE)
    assert (summary.messages, summary.events, summary.losses) == (0, 0, 0)
    assert summary.tables == {"losses": 0, "quarantine": 0, "recordings": 0, "peer_churn": 0}


def test_a_result_that_does_not_add_up_is_not_published(
    analysed: tuple[Path, Summary], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, _ = analysed
    before = read_marker(folder / "out")
    monkeypatch.setattr(analysis, "refused_of", lambda rows: refused_of(rows).where("seq % 7 != 0"))
    with pytest.raises(RowsAstray, match=r"messages were read"):
        analyze([folder / "captures"], folder / "out", tables=[])
    assert read_marker(folder / "out") == before
    assert not list((folder / "out").glob(".next*"))
