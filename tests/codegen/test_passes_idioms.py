"""What ABNF cannot say and documents mean: each idiom becomes its type."""

from __future__ import annotations

import pytest

from support.documents import codes_of, document, message_of, part_of, table
from zwire_codegen.model.types import (
    Constant,
    Dictionary,
    Enumeration,
    Field,
    Frame,
    Frames,
    Integer,
    Listing,
    Octets,
    Stack,
    Text,
    Type,
    Uuid,
)


def types_of(rules: str, *, settings: str = "") -> list[Type]:
    """The types of the fields of `M`, which is the first rule, after its command octet."""
    text = document(settings=settings, abnf=f"; A message\nM = %x01 {rules}", dialog="d = C:M")
    (frame,) = message_of(text).slots
    assert isinstance(frame, Frame)
    return [field.type for field in frame.fields[1:]]


def type_of(rules: str, *, settings: str = "") -> Type:
    (found,) = types_of(f"value\n{rules}", settings=settings)
    return found


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("value = OCTET", Integer(1)),
        ("value = 2OCTET", Integer(2)),
        ("value = 4OCTET", Integer(4)),
        ("value = 8OCTET", Integer(8)),
        ("value = 4(2OCTET)", Integer(8)),
        ("value = %x01-FF", Integer(1, minimum=1)),
        ("value = 3OCTET", Octets(length=3)),
        ("value = 16OCTET", Octets(length=16)),
        ("value = %xAA %xA1", Constant(b"\xaa\xa1")),
        ('value = %s"PING"', Constant(b"PING")),
        ("value = 3%x00", Constant(b"\0\0\0")),
        ("value = *VCHAR", Text(0)),
        ("value = 1*VCHAR", Text(0, minimum=1)),
        ("value = *(VCHAR / SP)", Text(0)),
        ("value = *OCTET", Octets()),
        ("value = 2*9OCTET", Octets(minimum=2, maximum=9)),
        ("value = size *VCHAR\nsize = OCTET", Text(1)),
        ("value = number-4 *VCHAR\nnumber-4 = 4OCTET", Text(4)),
        ("value = anything *VCHAR\nanything = 2OCTET", Text(2)),
        ("value = size 1*9VCHAR\nsize = OCTET", Text(1, 1, 9)),
        ("value = size *OCTET\nsize = 2OCTET", Octets(count=2)),
        ("value = size *string\nstring = size *VCHAR\nsize = OCTET", Listing(1, Text(1))),
        ("value = size *port\nport = 2OCTET\nsize = OCTET", Listing(1, Integer(2))),
        (
            "value = size *key-value\nkey-value = string\nstring = size *VCHAR\nsize = OCTET",
            Dictionary(1, Text(1)),
        ),
        (
            "value = long *(name text)\nname = size *VCHAR\ntext = long *VCHAR\n"
            "size = OCTET\nlong = 4OCTET",
            Dictionary(4, Text(1), Text(4)),
        ),
    ],
)
def test_an_idiom_becomes_its_type(rules: str, expected: Type) -> None:
    assert type_of(rules) == expected


def test_alternatives_of_constants_are_an_enumeration_named_by_its_rules() -> None:
    found = type_of("value = level\nlevel = LOW / HIGH\nLOW = %x01 ; at rest\nHIGH = %x02")
    assert isinstance(found, Enumeration)
    assert (found.name, found.width) == ("level", 1)
    assert [(member.name, member.octets) for member in found.members] == [
        ("LOW", b"\x01"),
        ("HIGH", b"\x02"),
    ]
    assert found.members[0].origin.comment == "at rest"


def test_members_that_no_rule_names_are_named_by_their_octets() -> None:
    found = type_of('value = %s"ON" / %x01.02')
    assert isinstance(found, Enumeration)
    assert [member.name for member in found.members] == ["ON", "VALUE-0102"]


def test_words_of_different_length_fill_their_frame() -> None:
    found = type_of('value = %s"YES" / %s"NO"')
    assert isinstance(found, Enumeration)
    assert found.width == 0


def test_a_number_before_the_rest_of_the_frame_does_not_count_it() -> None:
    assert types_of("status rest\nstatus = OCTET\nrest = *OCTET") == [Integer(1), Octets()]


def test_a_rule_of_several_fields_is_taken_apart_where_it_is_used() -> None:
    text = document(
        abnf="; A message\nM = header status\n"
        "header = signature sequence\nsignature = %xAA.A1\nsequence = 2OCTET\nstatus = OCTET",
        dialog="d = C:M",
    )
    (frame,) = message_of(text).slots
    assert isinstance(frame, Frame)
    assert [field.name for field in frame.fields] == ["signature", "sequence", "status"]


def test_a_field_takes_name_line_and_comment_from_the_rule_that_names_it() -> None:
    text = document(
        abnf="; A message\nM = address\naddress = string ; Where to\n"
        "string = size *VCHAR\nsize = OCTET",
        dialog="d = C:M",
    )
    (frame,) = message_of(text).slots
    assert isinstance(frame, Frame)
    (field,) = frame.fields
    assert (field.name, field.type, field.origin.comment) == ("address", Text(1), "Where to")
    assert text.split("\n")[field.origin.line - 1].startswith("address =")
    assert field.origin.document == "sample.md"


def test_each_frame_starts_the_next_and_a_repeat_takes_the_rest() -> None:
    text = document(
        abnf="; A message\nM = %x01 one 1*more\none = FRAME\nmore = FRAME", dialog="d = C:M"
    )
    first, second, rest = message_of(text).slots
    assert isinstance(first, Frame)
    assert isinstance(second, Frame)
    assert [field.name for field in second.fields] == ["one"]
    assert isinstance(rest, Frames)
    assert (rest.name, rest.minimum) == ("more", 1)


@pytest.mark.parametrize(("written", "required"), [("stack", True), ("[stack]", False)])
def test_addresses_up_to_an_empty_frame_are_a_stack(written: str, required: bool) -> None:
    text = document(
        abnf=f"; A message\nM = {written} content\nstack = *address empty\naddress = FRAME\n"
        'empty = ""\ncontent = 1*FRAME',
        dialog="d = C:M",
    )
    stack, content = message_of(text).slots
    assert isinstance(stack, Stack)
    assert (stack.name, stack.required) == ("stack", required)
    assert isinstance(content, Frames)


def test_an_optional_frame_may_be_missing_at_the_end() -> None:
    text = document(abnf="; A message\nM = %x01 [note]\nnote = FRAME", dialog="d = C:M")
    last = message_of(text).slots[-1]
    assert isinstance(last, Frame)
    assert last.optional


def test_a_table_gives_a_frame_for_each_row() -> None:
    text = document(
        abnf='header = %s"MDXC01"',
        dialog="d = C:REQUEST",
        tables=table(
            "REQUEST",
            "0 | `header` |",
            "1 | `%x01` |",
            "2 | `1*VCHAR` | service",
            '3 | `""` |',
            "4 | `[*VCHAR]` | note",
        ),
    )
    slots = message_of(text).slots
    fields = [slot.fields for slot in slots if isinstance(slot, Frame)]
    assert [[(one.name, one.type) for one in inner] for inner in fields] == [
        [("header", Constant(b"MDXC01"))],
        [("constant", Constant(b"\x01"))],
        [("service", Text(0, 1))],
        [("empty", Constant(b""))],
        [("note", Text(0))],
    ]
    assert isinstance(slots[-1], Frame)
    assert slots[-1].optional
    assert fields[2][0].origin.comment == "what it is"


@pytest.mark.parametrize(
    ("value", "least"), [("*OCTET", 1), ("1*FRAME", 1), ("*FRAME", 0), ("FRAME", 1), ("2*FRAME", 2)]
)
def test_a_row_with_a_plus_stands_for_all_further_frames(value: str, least: int) -> None:
    text = document(dialog="d = C:M", tables=table("M", "0 | `%x01` |", f"1+ | `{value}` | body"))
    last = message_of(text).slots[-1]
    assert isinstance(last, Frames)
    assert (last.name, last.minimum) == ("body", least)


def test_the_constant_in_which_commands_differ_is_named_command() -> None:
    part = part_of(
        document(
            abnf="; A\nPING = %xAA %x01 rest\n; B\nPONG = %xAA %x02 rest\nrest = *OCTET",
            dialog="d = C:PING B:PONG",
        )
    )
    slot = part.messages[0].slots[0]
    assert isinstance(slot, Frame)
    assert slot.fields[0] == Field("command", Constant(b"\xaa\x01"), slot.fields[0].origin)


@pytest.mark.parametrize(
    ("rules", "override", "expected"),
    [
        ("value = 16OCTET", '"uuid"', Uuid()),
        ("value = *OCTET", '"text"', Text(0)),
        ("value = *VCHAR", '"octets"', Octets()),
        ("value = 4OCTET", '"octets"', Octets(length=4)),
        ("value = 2OCTET", '{ type = "integer", minimum = 1 }', Integer(2, 1)),
        ("value = *VCHAR", '{ type = "text", minimum = 1, maximum = 9 }', Text(0, 1, 9)),
        (
            "value = size *string\nstring = size *VCHAR\nsize = OCTET",
            '"dictionary"',
            Dictionary(1, Text(1)),
        ),
        (
            "value = size *key-value\nkey-value = size *VCHAR\nsize = OCTET",
            '"list"',
            Listing(1, Text(1)),
        ),
    ],
)
def test_settings_override_what_a_form_would_mean(
    rules: str, override: str, expected: Type
) -> None:
    assert type_of(rules, settings=f"[types]\nvalue = {override}") == expected
    assert type_of(rules, settings=f"[types]\nM.value = {override}") == expected


def test_the_same_name_in_two_parts_means_two_things() -> None:
    text = document(settings='[part]\nname = "one"', abnf="; A\nM = x\nx = OCTET", dialog="d = C:M")
    text += '```zwire\n[part]\nname = "two"\n[roles]\npeer = { letter = "P" }\n```\n\n'
    text += "```abnf\n; A\nM = x\nx = 2OCTET\n```\n\n```dialog\nd = P:M\n```\n"
    assert codes_of(text) == []
