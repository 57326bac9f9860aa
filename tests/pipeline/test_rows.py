"""Blocks of captures as Arrow batches: the same rows as the plain reader gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from support.captures import BLOCKS, START, noted, write_capture
from zwire.capture import Losses, Row, read
from zwire.capture.columns import Noted
from zwire_spark.pieces import PIECE, Wanted, pieces_of, read_piece
from zwire_spark.rows import ARROW, LOSS

_MOST = 2**63 - 1


def _rows(path: Path, piece: int = PIECE, wanted: Wanted | None = None) -> list[dict[str, Any]]:
    wanted = Wanted(losses=True) if wanted is None else wanted
    batches = [
        batch
        for one in pieces_of(path, 0, path.stat().st_size, piece)
        for batch in read_piece(one, wanted)
    ]
    return pa.Table.from_batches(batches, schema=ARROW).to_pylist() if batches else []


def _plain(row: Row) -> dict[str, Any]:
    return {
        "kind": row.kind.name.lower(),
        "ts_ns": row.time,
        "recorder": row.recorder,
        "seq": row.sequence,
        "direction": "" if row.direction.name == "NONE" else row.direction.name.lower(),
        "endpoint": row.endpoint,
        "protocol": row.protocol,
        "role": row.role,
        "peer": row.peer or None,
        "job": min(row.job, _MOST) or None,
        "frames": list(row.frames),
        "lengths": list(row.lengths),
        "octets": row.octets,
        "file": "some.zcap",
    }


@given(BLOCKS)
def test_a_block_becomes_a_batch_with_the_rows_that_the_plain_reader_gives(
    tmp_path_factory: Any, blocks: list[list[Noted]]
) -> None:
    path = tmp_path_factory.mktemp("capture") / "some.zcap"
    write_capture(path, *blocks)
    assert _rows(path) == [_plain(row) for row in read(path)]


@given(BLOCKS, st.integers(1, 700), st.integers(0, 2**32), st.booleans())
def test_any_split_gives_the_same_rows_and_the_same_losses(
    tmp_path_factory: Any, blocks: list[list[Noted]], piece: int, where: int, torn: bool
) -> None:
    path = tmp_path_factory.mktemp("capture") / "some.zcap"
    write_capture(path, *blocks)
    octets = bytearray(path.read_bytes())
    if torn:
        del octets[where % len(octets) :]
    else:
        octets[where % len(octets)] ^= 0xFF
    path.write_bytes(octets)
    split = sorted(_rows(path, piece), key=str)
    assert split == sorted(_rows(path), key=str)
    losses = Losses()
    assert len([row for row in split if row["kind"] != LOSS]) == len(
        list(read(path, losses=losses))
    )
    assert [row["octets"] for row in split if row["kind"] == LOSS] == sorted(
        loss.octets for loss in losses
    )


def test_time_bounds_take_the_first_and_leave_the_last(tmp_path: Path) -> None:
    path = tmp_path / "some.zcap"
    times = [START + step for step in range(6)]
    write_capture(path, [noted(b"x", time=time) for time in times[:3]], [
        noted(b"x", time=time) for time in times[3:]
    ])  # fmt: skip
    found = _rows(path, wanted=Wanted(since=START + 1, until=START + 4))
    assert [row["ts_ns"] for row in found] == times[1:4]
    assert _rows(path, wanted=Wanted(since=START + 100)) == []


def test_a_loss_is_a_row_that_tells_like_an_event_and_only_where_it_is_asked_for(
    tmp_path: Path,
) -> None:
    path = tmp_path / "some.zcap"
    write_capture(path, [noted(b"x")])
    path.write_bytes(path.read_bytes()[:-1])
    assert _rows(path, wanted=Wanted()) == []
    (row,) = _rows(path)
    assert row["kind"] == LOSS
    assert row["frames"][0] == b"loss"
    assert b'"why": "torn"' in row["frames"][1]
    assert b'"rows": 1' in row["frames"][1]
