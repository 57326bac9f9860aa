"""Rows of captures as Spark sees them: their columns, and blocks of them as Arrow batches.

A block holds its rows column by column, and so does Arrow: no row becomes an object in between.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy
import pyarrow as pa
from pyarrow import compute

from zwire.capture.columns import Columns
from zwire.capture.losses import Loss
from zwire.capture.rows import Direction, Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

# What Spark is told; docs/tables.md explains the columns.
SCHEMA = (
    "kind string, ts_ns long, recorder long, seq long, direction string, endpoint string, "
    "protocol string, role string, peer binary, job long, frames array<binary>, "
    "lengths array<long>, octets long, file string"
)
_TEXT, _LONG = pa.string(), pa.int64()


def _items(kind: pa.DataType) -> pa.DataType:
    return pa.list_(pa.field("element", kind))


ARROW = pa.schema(
    [
        ("kind", _TEXT),
        ("ts_ns", _LONG),
        ("recorder", _LONG),
        ("seq", _LONG),
        ("direction", _TEXT),
        ("endpoint", _TEXT),
        ("protocol", _TEXT),
        ("role", _TEXT),
        ("peer", pa.binary()),
        ("job", _LONG),
        ("frames", _items(pa.binary())),
        ("lengths", _items(_LONG)),
        ("octets", _LONG),
        ("file", _TEXT),
    ]
)
_KINDS = {Kind.MESSAGE: "message", Kind.EVENT: "event"}
_DIRECTIONS = {Direction.NONE: "", Direction.IN: "in", Direction.OUT: "out"}
_MOST = 2**63 - 1
_ARROWS_MOST = 2**31 - 1  # an Arrow array of octets has 32-bit offsets

LOSS = "loss"


def batch_of(columns: Columns, file: str) -> pa.RecordBatch:
    """The rows of a block; raises ValueError where they are more than a batch can hold."""
    header, payload = columns.header, columns.payload
    if len(payload) > _ARROWS_MOST:
        raise ValueError(f"a block of {len(payload)} octets, more than Spark can take at once")
    count = header.rows
    chosen = _array(columns.chosen)
    kinds, directions, *texts = zip(*columns.contexts, strict=True)
    jobs = _longs(columns.jobs)
    lengths = _longs(columns.lengths)
    ends = _summed(columns.counts)
    octets = numpy.diff(_summed(lengths)[ends])
    frames = _pieces(columns.kept, payload, columns.frames_at)
    offsets = pa.array(ends.astype(numpy.int32))
    identities = _pieces(columns.identities, payload, columns.peers_at)
    times = numpy.minimum(_longs(columns.times), _MOST - header.earliest) + header.earliest
    arrays = [
        pa.array([_KINDS[kind] for kind in kinds], _TEXT).take(chosen),
        pa.array(times),
        pa.array(numpy.full(count, header.recorder, numpy.int64)),
        pa.array(numpy.arange(header.sequence, header.sequence + count, dtype=numpy.int64)),
        pa.array([_DIRECTIONS[direction] for direction in directions], _TEXT).take(chosen),
        *(pa.array(text, _TEXT).take(chosen) for text in texts),
        _without_empty(identities, columns.identities),
        pa.array(jobs, mask=jobs == 0),
        pa.ListArray.from_arrays(offsets, frames, type=ARROW.field("frames").type),
        pa.ListArray.from_arrays(offsets, pa.array(lengths), type=ARROW.field("lengths").type),
        pa.array(octets),
        pa.repeat(file, count),
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=ARROW)


def batch_of_losses(losses: Sequence[Loss]) -> pa.RecordBatch:
    """What could not be read, as rows of the kind `loss` that tell like events: name and facts."""
    facts = [
        {"offset": loss.start, "octets": loss.octets, "rows": loss.rows, "why": loss.why}
        for loss in losses
    ]
    told: list[dict[str, Any]] = [
        {
            "kind": LOSS,
            "seq": loss.start,
            "direction": "",
            "endpoint": "",
            "protocol": "",
            "role": "",
            "frames": [LOSS.encode(), json.dumps(fact).encode()],
            "lengths": [],
            "octets": loss.octets,
            "file": loss.path.name,
        }
        for loss, fact in zip(losses, facts, strict=True)
    ]
    return pa.RecordBatch.from_pylist(told, schema=ARROW)


def between(batch: pa.RecordBatch, since: int | None, until: int | None) -> pa.RecordBatch:
    """The rows from `since` on and before `until`."""
    times = batch.column("ts_ns")
    for bound, compare in ((since, compute.greater_equal), (until, compute.less)):
        if bound is not None:
            batch = batch.filter(compare(times, bound))
            times = batch.column("ts_ns")
    return batch


def _array(numbers: Sequence[int]) -> NDArray[Any]:
    return numpy.asarray(numbers)


def _longs(numbers: Sequence[int]) -> NDArray[numpy.int64]:
    """As Spark has them; what no long can hold becomes the largest."""
    found = _array(numbers)
    if found.dtype == numpy.uint64:
        found = numpy.minimum(found, numpy.uint64(_MOST))
    return found.astype(numpy.int64)


def _summed(numbers: Sequence[int] | NDArray[Any]) -> NDArray[numpy.int64]:
    """Where each begins, and where the last one ends."""
    sums = numpy.zeros(len(numbers) + 1, numpy.int64)
    numpy.cumsum(numbers, out=sums[1:])
    return sums


def _pieces(lengths: Sequence[int], payload: bytes, at: int) -> pa.Array:
    offsets = (_summed(lengths) + at).astype(numpy.int32)
    return pa.Array.from_buffers(
        pa.binary(), len(lengths), [None, pa.py_buffer(offsets), pa.py_buffer(payload)]
    )


def _without_empty(identities: pa.Array, lengths: Sequence[int]) -> pa.Array:
    empty = pa.array(_array(lengths) == 0)
    return compute.if_else(empty, pa.scalar(None, pa.binary()), identities)
