"""The octets of a .zcap file: as docs/zcap.md says, and nothing that a message holds can break them."""

from __future__ import annotations

import re
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.captures import BLOCKS, RECORDER, START, noted, noted_rows
from support.zcap_by_the_book import blocks_of
from zwire.capture import Direction, Kind, Row
from zwire.capture.columns import Noted, read_rows, write_context, write_rows
from zwire.capture.layout import HEADER, MARKER, Header, read_header, read_payload, write_block

PAGE = Path(__file__).parents[2] / "docs" / "zcap.md"


def read_block(block: bytes) -> list[Row]:
    header = read_header(block)
    assert isinstance(header, Header)
    payload = read_payload(header, block[HEADER:])
    assert isinstance(payload, bytes)
    return read_rows(header, payload)


def as_written(row: Row) -> Noted:
    context = write_context(row.kind, row.direction, row.endpoint, row.protocol, row.role)
    return (row.time, context, row.job, row.peer, row.frames, row.lengths)


def by_the_book(row: Row) -> dict[str, object]:
    return {
        "context": (row.kind, row.direction, row.endpoint, row.protocol, row.role),
        "time": row.time,
        "sequence": row.sequence,
        "recorder": row.recorder,
        "job": row.job,
        "peer": row.peer,
        "frames": row.frames,
        "lengths": row.lengths,
    }


@given(st.lists(noted_rows(), min_size=1, max_size=8), st.integers(1, 2**62))
def test_what_was_noted_is_read_again(rows: list[Noted], sequence: int) -> None:
    found = read_block(write_rows(rows, RECORDER, sequence))
    told = [(*row[:5], row[5] or tuple(map(len, row[4]))) for row in rows]
    assert [as_written(row) for row in found] == told
    assert [row.sequence for row in found] == list(range(sequence, sequence + len(rows)))


@given(BLOCKS)
def test_a_reader_written_from_the_page_alone_reads_the_same(blocks: list[list[Noted]]) -> None:
    octets = b"".join(write_rows(rows, RECORDER, 1) for rows in blocks)
    ours = [
        [by_the_book(row) for row in read_block(write_rows(rows, RECORDER, 1))] for rows in blocks
    ]
    assert blocks_of(octets) == ours


@given(BLOCKS)
def test_a_marker_stands_nowhere_but_at_the_beginning_of_a_block(blocks: list[list[Noted]]) -> None:
    written = [write_rows(rows, RECORDER, 1) for rows in blocks]
    octets = b"".join(written)
    begins = [sum(map(len, written[:number])) for number in range(len(written))]
    assert [found.start() for found in re.finditer(re.escape(MARKER), octets)] == begins


@given(*[st.integers(0, 2**63 - 2)] * 4, st.binary(max_size=4))
def test_no_number_in_a_header_looks_like_a_marker(
    recorder: int, sequence: int, earliest: int, latest: int, payload: bytes
) -> None:
    block = write_block(b"\1" + payload, 1, recorder, sequence, earliest, latest)
    assert block.rfind(MARKER) == 0


def test_numbers_made_of_a_markers_own_octets_do_not_look_like_one() -> None:
    for cut in range(8):
        turned = MARKER[cut:] + MARKER[:cut]
        number = int.from_bytes(turned, "little") % 2**63 - 1
        block = write_block(b"\1" + turned, 1, number, number - 1, number, number)
        assert block.rfind(MARKER) == 0


def test_a_capture_of_a_capture_is_a_message_like_any_other() -> None:
    inner = write_rows([noted(b"hello")], RECORDER, 1)
    outer = write_rows([noted(inner, inner[:70], MARKER)], RECORDER, 2)
    assert outer.rfind(MARKER) == 0
    assert read_block(outer)[0].frames == (inner, inner[:70], MARKER)


def test_the_octets_on_the_page_are_those_that_are_written() -> None:
    (example,) = re.findall(r"```hex\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    printed = bytes.fromhex("".join(line.split("|")[0] for line in example.splitlines()))
    message = write_context(
        Kind.MESSAGE, Direction.IN, "tcp://127.0.0.1:5555", "mdpx.client", "client"
    )
    event = write_context(Kind.EVENT, Direction.NONE, "", "", "")
    rows: list[Noted] = [
        (START, message, 7, b"alice", (b"MDXC01", b"\1", b"echo", b"id", b""), (6, 1, 4, 2, 500)),
        (START + 300, event, 7, b"", (b"expired", b"{}"), None),
    ]
    assert printed.hex(" ") == write_rows(rows, 0x1F2E3D4C, 41).hex(" ")


def test_a_frame_longer_than_four_gigabytes_keeps_its_length() -> None:
    row = (START, noted()[1], 2**64 - 1, b"", (b"x",), (2**40,))
    (found,) = read_block(write_rows([row], RECORDER, 1))
    assert found.lengths == (2**40,)
    assert found.frames == (b"x",)
    assert found.job == 2**64 - 1
    assert not found.whole


def test_a_message_may_have_thousands_of_frames_or_none() -> None:
    frames = tuple(b"%d" % number for number in range(70_000))
    first, second = read_block(write_rows([noted(*frames), noted()], RECORDER, 1))
    assert first.frames == frames
    assert second.frames == ()


@pytest.mark.parametrize(
    "numbers", [(0, 1, 1, 1, 1), (1, -1, 1, 1, 1), (1, 2**63, 1, 1, 1), (1, 1, 2**63, 1, 1)]
)
def test_a_number_that_has_no_place_in_a_header_is_refused(numbers: tuple[int, ...]) -> None:
    with pytest.raises(ValueError):
        write_block(b"\1", *numbers)


@given(st.lists(noted_rows(), min_size=1, max_size=3), st.data())
def test_a_payload_that_is_none_is_refused_and_nothing_else(
    rows: list[Noted], data: st.DataObject
) -> None:
    block = write_rows(rows, RECORDER, 1)
    header = read_header(block)
    assert isinstance(header, Header)
    payload = bytearray(block[HEADER:])
    for _ in range(data.draw(st.integers(1, 3))):
        payload[data.draw(st.integers(0, len(payload) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(payload)))
    for damaged in (bytes(payload), bytes(payload[:cut]), bytes(payload) + b"\0"):
        many = replace(header, rows=data.draw(st.sampled_from([header.rows, 0, 1, 2**31 - 1])))
        try:
            found = read_rows(many, damaged)
        except ValueError:
            continue
        assert len(found) == many.rows


def test_no_payload_makes_a_reader_believe_in_more_rows_than_it_has_room_for() -> None:
    header = Header(0, 5, 0, RECORDER, 1, START, START)
    rest = b"\0\0\0\0" + b"\1" + b"\0" + b"\1\0\0\0" + noted()[1]
    assert len(read_rows(header, b"\1" + bytes(5) + rest)) == 5
    with pytest.raises(ValueError):
        read_rows(header, b"\0" + rest)
    with pytest.raises(ValueError):
        read_rows(replace(header, rows=2**31 - 1), b"\1" + bytes(5) + rest)


def test_a_header_of_another_version_is_told_from_a_damaged_one() -> None:
    block = bytearray(write_rows([noted(b"x")], RECORDER, 1))
    block[8] = 2
    assert read_header(bytes(block)) == "damaged header"
    block[60:64] = zlib.crc32(block[:60]).to_bytes(4, "little")
    assert read_header(bytes(block)) == "version 2, which this reader does not know"
