"""How messages are told apart: constants at fixed places, frame counts, the stricter form first."""

from __future__ import annotations

from support.documents import document, part_of, table
from zwire_codegen.model.dispatch import Mark, Spot, candidate, candidates, clashes, command_spot
from zwire_codegen.model.types import Message, Part


def names(pairs: list[tuple[Message, Message]]) -> list[tuple[str, str]]:
    return [(one.name, other.name) for one, other in pairs]


def pirates() -> Part:
    return part_of(
        document(
            abnf="; A\nREADY = %x01\n; B\nREQUEST = [stack] content\n; C\nREPLY = [stack] content\n"
            'stack = *address empty\naddress = FRAME\nempty = ""\ncontent = 1*FRAME',
            dialog="d = C:READY\ne = C:REQUEST B:REPLY",
        )
    )


def numbered() -> Part:
    return part_of(
        document(
            abnf="; A\nJOIN = signature sequence %x01 group\n; B\nLEAVE = signature sequence %x02\n"
            "signature = %xAA.A1\nsequence = 2OCTET\ngroup = size *VCHAR\nsize = OCTET",
            dialog="d = C:JOIN C:LEAVE",
        )
    )


def test_constants_behind_fields_of_fixed_size_stand_at_a_fixed_place() -> None:
    join = candidate(numbered().messages[0])
    assert join.marks == (
        Mark(Spot(0, 0), b"\xaa\xa1", whole=False),
        Mark(Spot(0, 4), b"\x01", whole=False),
    )
    assert (join.least, join.most) == (1, 1)


def test_the_command_stands_where_messages_differ_most() -> None:
    assert command_spot(numbered()) == Spot(0, 4)
    assert command_spot(pirates()) is None


def test_a_constant_that_is_a_whole_frame_fits_nothing_longer() -> None:
    (mark,) = candidate(pirates().messages[0]).marks
    assert mark.whole
    assert mark.fits([b"\x01"])
    assert not mark.fits([b"\x01\x02"])
    assert not mark.fits([])


def test_an_optional_stack_and_open_ended_frames_leave_the_count_open() -> None:
    request = candidate(pirates().messages[1])
    assert (request.marks, request.least, request.most) == ((), 1, None)
    assert request.counts(7)
    assert not request.counts(0)


def test_a_stricter_form_is_no_clash_and_the_same_form_is_one() -> None:
    assert names(clashes(pirates(), "client")) == []
    assert names(clashes(pirates())) == [("REQUEST", "REPLY")]
    assert [one.message.name for one in candidates(pirates(), "broker")] == ["REPLY"]


def test_frame_counts_that_never_meet_tell_messages_apart() -> None:
    rows = ("0 | `*OCTET` | a", "1 | `*OCTET` | b", "2 | `*OCTET` | c")
    text = document(
        dialog="d = C:TWO C:THREE", tables=table("TWO", *rows[:2]) + table("THREE", *rows)
    )
    assert clashes(part_of(text)) == []


def test_constants_that_overlap_at_different_offsets_are_compared() -> None:
    def part(second: str) -> Part:
        return part_of(
            document(
                abnf=f"; A\nONE = %x01.02 x\n; B\nTWO = y {second} x\ny = OCTET\nx = *OCTET",
                dialog="d = C:ONE B:TWO",
            )
        )

    assert clashes(part("%x03")) == []
    assert names(clashes(part("%x02"))) == [("ONE", "TWO")]
