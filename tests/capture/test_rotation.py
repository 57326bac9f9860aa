"""Sizes and times in words: what is read, what is written, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zwire import LocalError
from zwire.capture.rotation import read_every, read_size, write_every, write_size


@pytest.mark.parametrize(
    ("text", "octets"),
    [("1", 1), ("5000", 5000), ("500K", 512_000), ("64M", 67_108_864), ("64m", 67_108_864),
     ("1G", 1_073_741_824), ("2T", 2_199_023_255_552)],
)  # fmt: skip
def test_a_size_is_a_number_of_octets_with_or_without_a_unit(text: str, octets: int) -> None:
    assert read_size(text) == octets


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1", 1.0), ("1s", 1.0), ("1.5", 1.5), ("90s", 90.0), ("15m", 900.0), ("0.5h", 1800.0),
     ("1h", 3600.0), ("7d", 604_800.0)],
)  # fmt: skip
def test_a_time_is_a_number_of_seconds_with_or_without_a_unit(text: str, seconds: float) -> None:
    assert read_every(text) == seconds


@pytest.mark.parametrize(
    "text", ["", "0", "0M", "-1", "1.5M", "64MB", "64 M", "M", "x", "٣", "1\n", "9" * 30]
)
def test_what_is_no_size_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(LocalError) as caught:
        read_size(text)
    assert str(caught.value) == f"expected a size such as 64M, 500K or 1G, got {text!r}"


@pytest.mark.parametrize(
    "text", ["", "0", "0.9", "0.01m", "-1s", "1H", "1 h", "h", "inf", "nan", "1e3", "٣", "9" * 30]
)
def test_what_is_no_time_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(LocalError) as caught:
        read_every(text)
    expected = "a time such as 1h, 15m or 90s, at least 1s"
    assert str(caught.value) == f"expected {expected}, got {text!r}"


@given(st.integers(1, 2**63) | st.integers(1, 999).map(lambda number: number * 1024**3))
def test_a_size_that_is_written_reads_the_same(octets: int) -> None:
    assert read_size(write_size(octets)) == octets


@given(st.floats(1, 1e11) | st.integers(1, 10**6).map(float))
def test_a_time_that_is_written_reads_the_same(seconds: float) -> None:
    assert read_every(write_every(seconds)) == seconds


def test_what_is_written_is_short() -> None:
    assert [write_size(octets) for octets in (1, 1025, 2048, 268_435_456)] == ["1", "1025", "2K", "256M"]  # fmt: skip
    assert [write_every(time) for time in (1.5, 90.0, 5400.0, 3600.0, 86400.0)] == ["1.5s", "90s", "90m", "1h", "1d"]  # fmt: skip
