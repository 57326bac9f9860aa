"""How a block of a .zcap file lies in octets: its marker, its header, and what keeps markers apart.

docs/zcap.md tells the same to people. A marker never occurs anywhere but at the beginning of a block:
whoever looks for one from any place of a file finds the next block, and no message can forge one.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import Struct
from zlib import crc32

# Eight different octets, all above 7F: no two markers overlap, no number of a header looks like one.
MARKER = bytes.fromhex("fae3e1f08d8a9a84")
VERSION = 1

# In a payload an octet 00 follows wherever all of a marker but its last octet stands.
_NEARLY = MARKER[:-1]
_KEPT_APART = _NEARLY + b"\0"

# marker, version, three zeros, CRC of the payload, rows, octets of the payload, recorder,
# first sequence, earliest time, latest time; behind it the CRC of all that.
_FIELDS = Struct("<8sB3xIIQQQQQ")
_CHECK = Struct("<I")
HEADER = _FIELDS.size + _CHECK.size
_ODD = bytes(3)

# The highest octet of these numbers stays below 80, so that no header can hold a marker.
LONG = 2**63
SHORT = 2**31


@dataclass(frozen=True, slots=True)
class Header:
    """What the header of a block says about its payload."""

    check: int  # CRC-32 of the payload as it is stored
    rows: int
    size: int  # octets of the payload as it is stored
    recorder: int
    sequence: int  # of the first row; the others count on
    earliest: int
    latest: int


def write_block(
    payload: bytes, rows: int, recorder: int, sequence: int, earliest: int, latest: int
) -> bytes:
    """A block with this payload; raises ValueError where a number is out of its range."""
    if not (0 < rows < SHORT and min(recorder, sequence, earliest, latest) >= 0):
        raise ValueError("a block of no rows, or a number below 0")
    if max(recorder, sequence + rows, earliest, latest) >= LONG:
        raise ValueError("a number of 2^63 or more")
    stored = payload.replace(_NEARLY, _KEPT_APART)
    fields = _FIELDS.pack(
        MARKER, VERSION, crc32(stored), rows, len(stored), recorder, sequence, earliest, latest
    )
    return b"".join((fields, _CHECK.pack(crc32(fields)), stored))


def read_header(octets: bytes) -> Header | str:
    """The header at the beginning of these octets, or in words why there is none."""
    if len(octets) < HEADER:
        return "torn inside its header"
    fields = octets[: _FIELDS.size]
    (check,) = _CHECK.unpack_from(octets, _FIELDS.size)
    marker, version, *numbers = _FIELDS.unpack(fields)
    if marker != MARKER or check != crc32(fields):
        return "damaged header"
    if version != VERSION or fields[9:12] != _ODD:
        return f"version {version}, which this reader does not know"
    return Header(*numbers)


def read_payload(header: Header, stored: bytes) -> bytes | str:
    """The payload as it was before it was stored, or in words what is wrong with it."""
    if len(stored) < header.size:
        return "torn"
    if crc32(stored) != header.check:
        return "damaged"
    return stored.replace(_KEPT_APART, _NEARLY)
