"""A reader of .zcap files written from docs/zcap.md alone: slow, plain, and none of our code."""

from __future__ import annotations

import zlib
from typing import Any

MARKER = bytes.fromhex("fae3e1f08d8a9a84")


def blocks_of(octets: bytes) -> list[list[dict[str, Any]]]:
    """The rows of every good block."""
    blocks = []
    at = octets.find(MARKER)
    while at >= 0:
        rows = _block(octets[at:])
        if rows is not None:
            blocks.append(rows)
        at = octets.find(MARKER, at + 8)
    return blocks


def _number(octets: bytes, at: int, width: int) -> int:
    return int.from_bytes(octets[at : at + width], "little")


def _block(octets: bytes) -> list[dict[str, Any]] | None:
    if len(octets) < 64 or zlib.crc32(octets[:60]) != _number(octets, 60, 4):
        return None
    assert octets[8:12] == b"\1\0\0\0"
    size = _number(octets, 20, 8)
    stored = octets[64 : 64 + size]
    if len(stored) < size or zlib.crc32(stored) != _number(octets, 12, 4):
        return None
    payload = stored.replace(MARKER[:7] + b"\0", MARKER[:7])
    count = _number(octets, 16, 4)
    columns: list[list[int]] = []
    at = 0
    for index in range(7):
        many = count if index < 5 else sum(columns[4])
        width = payload[at]
        column = [_number(payload, at + 1 + width * row, width) for row in range(many)]
        columns.append(column)
        at += 1 + width * many
    table = []
    entries = _number(payload, at, 4)
    at += 4
    for _ in range(entries):
        kind, direction = payload[at], payload[at + 1]
        at += 2
        texts = []
        for _ in range(3):
            length = _number(payload, at, 2)
            texts.append(payload[at + 2 : at + 2 + length].decode())
            at += 2 + length
        table.append((kind, direction, *texts))
    peers = []
    for length in columns[3]:
        peers.append(payload[at : at + length])
        at += length
    rows = []
    frame = 0
    for index in range(count):
        frames = []
        lengths = []
        for _ in range(columns[4][index]):
            kept = columns[5][frame] - columns[6][frame]
            frames.append(payload[at : at + kept])
            lengths.append(columns[5][frame])
            at += kept
            frame += 1
        rows.append(
            {
                "context": table[columns[0][index]],
                "time": _number(octets, 44, 8) + columns[1][index],
                "sequence": _number(octets, 36, 8) + index,
                "recorder": _number(octets, 28, 8),
                "job": columns[2][index],
                "peer": peers[index],
                "frames": tuple(frames),
                "lengths": tuple(lengths),
            }
        )
    assert at == len(payload)
    return rows
