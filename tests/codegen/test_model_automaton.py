"""Dialogs as automata: the same language, as few states as will do, names for people."""

from __future__ import annotations

import re
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zwire_codegen.model.automaton import Automaton, TooLarge, of_step
from zwire_codegen.model.types import Choice, Origin, Repeat, Say, Sequence, Step

WHERE = Origin("sample.md", 1)


def say(letter: str) -> Say:
    return Say("peer", letter, WHERE)


A, B, C = say("A"), say("B"), say("C")


def accepts(machine: Automaton, text: str) -> bool:
    return machine.follow([("peer", letter) for letter in text]) in machine.accepting


def test_a_request_with_partial_answers_has_three_states() -> None:
    machine = of_step(Sequence((A, Repeat(B, 0, None), C)))
    assert machine.names == ("start", "after A or B", "after C")
    assert machine.accepting == {2}
    assert machine.transitions == (
        {("peer", "A"): 1},
        {("peer", "B"): 1, ("peer", "C"): 2},
        {},
    )
    assert machine.words == (("peer", "A"), ("peer", "B"), ("peer", "C"))


def test_states_that_cannot_be_told_apart_are_one() -> None:
    machine = of_step(Choice((Sequence((A, C)), Sequence((B, C)))))
    assert len(machine.states) == 3
    assert machine.names[1] == "after A or B"


def test_a_bounded_repeat_counts() -> None:
    machine = of_step(Repeat(A, 1, 3))
    assert [accepts(machine, "A" * number) for number in range(5)] == [
        *(False, True, True, True),
        False,
    ]


def test_states_of_one_name_are_numbered() -> None:
    assert of_step(Repeat(A, 2, 2)).names == ("start", "after A", "after A (2)")


@pytest.mark.parametrize(
    "step",
    [
        Repeat(A, 5000, 5000),
        Repeat(Repeat(A, 100, 100), 100, 100),
        Sequence((Repeat(Choice((A, B)), 0, None), A, Repeat(Choice((A, B)), 20, 20))),
    ],
)
def test_a_dialog_that_nobody_could_follow_is_refused(step: Step) -> None:
    with pytest.raises(TooLarge):
        of_step(step)


STEPS = st.recursive(
    st.sampled_from([A, B, C]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda items: Sequence(tuple(items))),
        st.lists(inner, min_size=2, max_size=3).map(lambda items: Choice(tuple(items))),
        st.tuples(inner, st.integers(0, 2), st.sampled_from([None, 2, 3])).map(
            lambda made: Repeat(*made)
        ),
    ),
    max_leaves=6,
)


def expression(step: Step) -> str:
    """The regular expression of a step in which every message is one letter."""
    match step:
        case Say():
            return step.message
        case Sequence():
            return "".join(f"(?:{expression(item)})" for item in step.items)
        case Choice():
            return "|".join(f"(?:{expression(item)})" for item in step.items)
        case Repeat():
            most = "" if step.maximum is None else str(step.maximum)
            return f"(?:{expression(step.item)}){{{step.minimum},{most}}}"


@given(STEPS, st.lists(st.text("ABC", max_size=6), max_size=8))
def test_an_automaton_accepts_what_the_dialog_says(step: Step, texts: list[str]) -> None:
    machine = of_step(step)
    pattern = re.compile(expression(step))
    for text in texts:
        assert accepts(machine, text) == (pattern.fullmatch(text) is not None)


@given(STEPS)
def test_every_state_is_reached_leads_to_an_end_and_differs_from_the_others(step: Step) -> None:
    machine = of_step(step)
    reached = {0} | {to for row in machine.transitions for to in row.values()}
    assert reached == set(machine.states)
    ending = reduce(
        lambda found, _: found
        | {s for s in machine.states if found & set(machine.transitions[s].values())},
        machine.states,
        set(machine.accepting),
    )
    assert ending == set(machine.states)
    rows = [
        (s in machine.accepting, tuple(sorted(machine.transitions[s].items()))) for s in reached
    ]
    assert len(set(rows)) == len(rows)
