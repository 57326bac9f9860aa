"""The parts of the report: an axis of time, scales, percentiles, words and markup."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pyarrow", reason="the report needs pyarrow")

import numpy

from support.oracle import nearest
from zwire_spark.report.markup import Html, el
from zwire_spark.report.ranks import ranked
from zwire_spark.report.scale import fitting, plain
from zwire_spark.report.telling import brief, duration, moment, octets, short
from zwire_spark.report.timeline import MOST_STEPS, Timeline

SECOND = 1_000_000_000
MINUTE, HOUR, DAY = 60 * SECOND, 3600 * SECOND, 86400 * SECOND
START = 1_700_000_040 * SECOND

spans = st.lists(
    st.tuples(st.integers(0, 4 * 10**18), st.integers(0, 10**16)).map(lambda one: (one[0], sum(one))),
    min_size=1,
    max_size=12,
)  # fmt: skip


@given(spans)
def test_every_moment_that_was_recorded_has_its_place_on_the_axis(
    recorded: list[tuple[int, int]],
) -> None:
    axis = Timeline(recorded)
    assert 1 <= axis.steps <= MOST_STEPS
    times = sorted(time for span in recorded for time in span)
    places = [axis.place(time) for time in times]
    assert places == sorted(places)
    assert all(0 <= place <= 1 for place in places)
    steps = axis.steps_of(numpy.array(times, numpy.int64)).tolist()
    for time, step, place in zip(times, steps, places, strict=True):
        assert axis.begin_of(step) <= time < axis.begin_of(step) + axis.step
        assert abs(place * axis.steps - step) <= 1.001


@given(spans)
def test_marks_of_time_are_few_and_in_order(recorded: list[tuple[int, int]]) -> None:
    marks = [tick.place for tick in Timeline(recorded).ticks()]
    assert len(marks) <= 6 * 3
    assert all(before < after for before, after in pairwise(marks))


def test_a_short_recording_has_short_steps_and_round_marks() -> None:
    axis = Timeline([(START, START + 26 * SECOND)])
    assert axis.step == SECOND // 2
    assert axis.breaks == []
    assert [tick.label for tick in axis.ticks()] == [
        "22:14:00", "22:14:05", "22:14:10", "22:14:15", "22:14:20", "22:14:25",
    ]  # fmt: skip


def test_a_long_recording_has_days() -> None:
    axis = Timeline([(START, START + 30 * DAY)])
    assert axis.step == 12 * HOUR
    assert all(len(tick.label) == len("2023-11-14") for tick in axis.ticks())


def test_a_night_between_two_recordings_is_left_out() -> None:
    axis = Timeline([(START, START + MINUTE), (START + 8 * HOUR, START + 8 * HOUR + MINUTE)])
    assert len(axis.breaks) == 1
    assert axis.step <= 2 * SECOND
    assert axis.place(START + 4 * HOUR) == axis.breaks[0]


def test_a_short_pause_stays() -> None:
    assert Timeline([(START, START + HOUR), (START + HOUR + MINUTE, START + 2 * HOUR)]).breaks == []


def test_nothing_recorded_is_an_axis_of_one_step() -> None:
    assert Timeline([]).steps == 1


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 10**12)), min_size=1))
def test_percentiles_are_those_of_the_tables(values: list[tuple[int, int]]) -> None:
    groups = numpy.array([group for group, _ in values], numpy.int64)
    found = ranked(groups, numpy.array([value for _, value in values], numpy.int64))
    for group in {group for group, _ in values}:
        own = sorted(value for one, value in values if one == group)
        told = found[group]
        expected = [nearest(own, percent) for percent in (50, 90, 99, 100)]
        assert [told.p50, told.p90, told.p99, told.most] == expected
        assert told.count == len(own)


@given(st.floats(1e-3, 1e15), st.floats(1.0, 1e9))
def test_all_values_are_between_bottom_and_top(smallest: float, times: float) -> None:
    largest = smallest * times
    for scale in (plain(largest), fitting(smallest, largest)):
        assert -1e-9 <= scale.place(smallest) <= scale.place(largest) <= 1 + 1e-9
        assert all(0 <= scale.place(mark) <= 1 + 1e-9 for mark in scale.marks)
        assert len(scale.marks) <= 7


def test_a_scale_of_whole_things_has_whole_marks() -> None:
    assert plain(1, whole=True).marks == (0, 1)
    assert plain(0, whole=True).marks == (0, 1)
    assert plain(3, whole=True).marks == (0, 1, 2, 3)


def test_numbers_are_told_as_people_read_them() -> None:
    assert [brief(n) for n in (7, 0.5, 9999, 12_345, 1_234_567)] == ["7", "0.5", "9,999", "12.3 k", "1.23 M"]  # fmt: skip
    assert [octets(n) for n in (0, 999, 1500, 2_500_000)] == ["0 B", "999 B", "1.5 kB", "2.5 MB"]
    told = [duration(n) for n in (5, 1500, 2_000_000, 90 * SECOND, 150 * SECOND, 2 * HOUR + MINUTE)]
    assert told == ["5 ns", "1.5 µs", "2 ms", "90 s", "2 min 30 s", "2 h 1 min"]
    assert moment(START + 5_000_000, digits=3) == "2023-11-14 22:14:00.005"
    assert moment(2**63 - 1, day=False)
    assert short("a" * 40, 10) == "aaaaaa…aaa"


@given(st.text(), st.text())
def test_whatever_is_not_markup_is_escaped(inside: str, attribute: str) -> None:
    told = el("b", inside, title=attribute)
    assert told.count("<") == 2
    assert told.count('"') == 2
    assert isinstance(told, Html)


def test_markup_inside_markup_stays_what_it_is() -> None:
    assert el("p", el("b", "<"), [" and ", 3, None], hidden=True, class_=None) == "<p hidden><b>&lt;</b> and 3</p>"  # fmt: skip
