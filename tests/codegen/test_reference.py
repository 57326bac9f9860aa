"""The reference codec: what it reads, and how it says what is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from support import small_models
from zwire_codegen.reference import Reference, Refusal

EVERYTHING: dict[str, Any] = {
    "sequence": 7,
    "port": 5670,
    "big": 2**64 - 1,
    "name": "Größe",
    "nick_name": "bo",
    "long": "",
    "level": "HIGH",
    "who": "00112233-4455-6677-8899-aabbccddeeff",
    "fixed": "010203",
    "counted": "ff",
    "groups": ["A", ""],
    "numbers": [1, 65535],
    "headers": ["k=v", "k"],
    "pairs": [["a", "b"]],
    "word": "yes",
    "title": "t",
    "note": None,
}
HEAD = "aaa9" "0007" "01" "1626" "ffffffffffffffff"
BODY = (
    "07" "4772c3b6c39f65" "02" "626f" "00000000" "09" "00112233445566778899aabbccddeeff"
    "010203" "0001ff" "02" "0141" "00" "02" "0001" "ffff" "02" "036b3d76" "016b"
    "00000001" "0161" "00000001" "62" "ee"
)  # fmt: skip


@pytest.fixture
def everything() -> Reference:
    return Reference(small_models.every_kind())


@pytest.fixture
def paranoid() -> Reference:
    return Reference(small_models.paranoid())


@pytest.fixture
def majordomo() -> Reference:
    return Reference(small_models.majordomo())


def refused(reference: Reference, frames: list[bytes], role: str | None = None) -> Refusal:
    with pytest.raises(Refusal) as caught:
        reference.decode(frames, role)
    return caught.value


def test_every_kind_of_field_is_written_as_the_model_says(everything: Reference) -> None:
    frames = everything.encode("EVERYTHING", EVERYTHING)
    assert frames == [bytes.fromhex(HEAD + BODY), b"yes", b"t"]


def test_what_was_written_is_read_back(everything: Reference) -> None:
    for note in (None, "", "00ff"):
        values = EVERYTHING | {"note": note}
        frames = everything.encode("EVERYTHING", values)
        assert everything.decode(frames) == ("EVERYTHING", values)


@pytest.mark.parametrize(
    ("find", "put", "code", "field", "offset"),
    [
        ("1626", "0000", "value", "port", 5),
        ("c39f65", "c39fc3", "text", "name", 15),
        ("c39f65", "c39f0a", "text", "name", 15),
        ("02626f", "0162", "length", "nick_name", 23),
        ("02626f", "00", "empty", "nick_name", 23),
        ("0900112233", "0200112233", "value", "level", 30),
        ("02014100", "02014180", "truncated", "groups", 56),
        ("ee", "ef", "constant", "end", 80),
        ("ee", "", "constant", "end", 80),
        ("ee", "ee00", "trailing", "", 81),
    ],
)
def test_a_refusal_names_the_field_and_where_it_begins(
    everything: Reference, find: str, put: str, code: str, field: str, offset: int
) -> None:
    whole = HEAD + BODY
    at = whole.rindex(find)
    octets = bytes.fromhex(whole[:at] + put + whole[at + len(find) :])
    refusal = refused(everything, [octets, b"yes", b"t"])
    assert refusal.verdict == (code, "EVERYTHING", field, 0, offset)


def test_every_cut_and_every_surplus_octet_is_noticed(everything: Reference) -> None:
    octets = bytes.fromhex(HEAD + BODY)
    for cut in range(len(octets)):
        refusal = refused(everything, [octets[:cut], b"yes", b"t"])
        assert refusal.code in ("truncated", "constant", "command")
        assert refusal.offset <= cut or refusal.field == "id"
    assert refused(everything, [octets + b"\0", b"yes", b"t"]).code == "trailing"


def test_frames_too_few_and_too_many_are_counted(everything: Reference) -> None:
    frames = everything.encode("EVERYTHING", EVERYTHING | {"note": "aa"})
    assert refused(everything, frames[:2]).verdict == ("frame-count", "EVERYTHING", "", 2, 0)
    surplus = refused(everything, [*frames, b""])
    assert surplus.verdict == ("frame-count", "EVERYTHING", "", 4, 0)
    assert refused(everything, []).verdict == ("frame-count", "", "", 0, 0)


def test_a_word_that_fills_its_frame_is_compared_whole(everything: Reference) -> None:
    octets = bytes.fromhex(HEAD + BODY)
    for word in (b"", b"ye", b"yess"):
        refusal = refused(everything, [octets, word, b"t"])
        assert refusal.verdict == ("value", "EVERYTHING", "word", 1, 0)


def test_a_wrong_signature_is_a_constant_and_a_wrong_id_a_command(everything: Reference) -> None:
    wrong = bytes.fromhex("aaa8000701")
    assert refused(everything, [wrong]).verdict == ("constant", "", "signature", 0, 0)
    assert refused(everything, [b"\xaa"]).verdict == ("constant", "", "signature", 0, 0)
    unknown = bytes.fromhex("aaa9000703")
    assert refused(everything, [unknown]).verdict == ("command", "", "id", 0, 4)
    assert refused(everything, [unknown[:4]]).verdict == ("command", "", "id", 0, 4)


def test_a_command_of_several_frames_is_told_by_its_second(majordomo: Reference) -> None:
    frames = [b"MDXW01", b"\x02", b"id", b"body"]
    assert majordomo.decode(frames)[0] == "REQUEST"
    assert refused(majordomo, [b"MDXW01", b"\x05"]).verdict == ("command", "", "", 1, 0)
    assert refused(majordomo, [b"MDXW01", b"\x02\x00"]).verdict == ("command", "", "", 1, 0)
    assert refused(majordomo, [b"MDXW01"]).verdict == ("frame-count", "", "", 1, 0)
    assert refused(majordomo, [b"MDXC01", b"\x02"]).verdict == ("command", "", "header", 0, 0)
    assert refused(majordomo, frames[:3]).verdict == ("frame-count", "REQUEST", "", 3, 0)
    empty = refused(majordomo, [b"MDXW01", b"\x02", b"", b"body"])
    assert empty.verdict == ("empty", "REQUEST", "request_id", 2, 0)


def test_one_octet_is_control_and_anything_else_is_content(paranoid: Reference) -> None:
    assert paranoid.decode([b"\x01"], "worker") == ("READY", {})
    plain = {"stack": None, "content": ["01", "78"]}
    assert paranoid.decode([b"\x01", b"x"], "worker") == ("REPLY", plain)
    stacked = {"stack": ["61"], "content": ["01", ""]}
    assert paranoid.decode([b"a", b"", b"\x01", b""], "client") == ("REQUEST", stacked)
    assert paranoid.decode([b"", b"\x01"], "client")[1] == {"stack": [], "content": ["01"]}


def test_a_lone_empty_frame_has_no_content(paranoid: Reference) -> None:
    assert refused(paranoid, [b""], "client").verdict == ("frame-count", "REQUEST", "", 1, 0)
    assert refused(paranoid, [b"a", b""], "client").code == "frame-count"


def test_control_of_the_other_side_is_no_content(paranoid: Reference) -> None:
    assert refused(paranoid, [b"\x01"], "client").verdict == ("command", "", "", 0, 0)


@pytest.mark.parametrize("content", [["01"], ["02"], [""], ["61", "", "62"]])
def test_content_that_would_be_misread_needs_a_stack(
    paranoid: Reference, content: list[str]
) -> None:
    for name in ("REQUEST", "REPLY"):
        with pytest.raises(Refusal) as caught:
            paranoid.encode(name, {"stack": None, "content": content})
        assert (caught.value.message, caught.value.field) == (name, "content")
        for stack in ([], ["61"]):
            assert paranoid.encode(name, {"stack": stack, "content": content})


def test_a_required_envelope_ends_at_the_first_empty_frame() -> None:
    reference = Reference(small_models.enveloped())
    name, values = reference.decode([b"a", b"b", b"", b"x", b"", b"y"], "client")
    assert (name, values) == ("REQUEST", {"envelope": ["61", "62"], "data": ["78", "", "79"]})
    missing = refused(reference, [b"a", b"b"], "client")
    assert missing.verdict == ("empty", "REQUEST", "envelope", 2, 0)


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("sequence", 65536, "value"),
        ("sequence", -1, "value"),
        ("sequence", True, "type"),
        ("port", 0, "value"),
        ("name", "a" * 256, "length"),
        ("name", "é" * 128, "length"),
        ("name", "a\nb", "text"),
        ("name", "\ud800", "text"),
        ("name", None, "type"),
        ("nick_name", "", "empty"),
        ("level", "MIDDLE", "value"),
        ("who", "nobody", "value"),
        ("fixed", "0102", "length"),
        ("fixed", "xx", "value"),
        ("groups", ["g"] * 256, "length"),
        ("groups", "g", "type"),
        ("pairs", [["a"]], "type"),
    ],
)
def test_values_that_do_not_fit_are_refused(
    everything: Reference, field: str, value: object, code: str
) -> None:
    with pytest.raises(Refusal) as caught:
        everything.encode("EVERYTHING", EVERYTHING | {field: value})
    assert (caught.value.code, caught.value.field) == (code, field)


def test_fields_that_are_missing_or_unknown_are_named(everything: Reference) -> None:
    for values in ({"sequence": 1}, {"sequence": 1, "rest": "", "body": [""], "mood": "good"}):
        with pytest.raises(Refusal) as caught:
            everything.encode("LITTLE", values)
        assert caught.value.code == "type"
        assert caught.value.field in ("body", "mood")
    with pytest.raises(Refusal, match="command"):
        everything.encode("NOTHING", {})
