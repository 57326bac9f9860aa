"""Vectors: they cover every message and every reason, and the reference agrees with all of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support import small_models
from zwire_codegen.backends.vectors import pack, render, unpack
from zwire_codegen.bundle import grammars
from zwire_codegen.compiler import load
from zwire_codegen.model.types import Part
from zwire_codegen.reference import Reference, Refusal

PARTS = {
    "everything": small_models.every_kind(),
    "paranoid": small_models.paranoid(),
    "majordomo": small_models.majordomo(),
    "enveloped": small_models.enveloped(),
}


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    return render([small_models.protocol(part, name=name) for name, part in PARTS.items()])


def cases(files: dict[str, str], name: str, kind: str) -> list[dict[str, Any]]:
    (part,) = json.loads(files[f"{name}.json"])["parts"]
    return [unpack(case) for case in part[kind]]


def octets(case: dict[str, Any]) -> list[bytes]:
    return [bytes.fromhex(frame) for frame in case["frames"]]


@pytest.mark.parametrize(("name", "part"), PARTS.items())
def test_valid_cases_go_both_ways(files: dict[str, str], name: str, part: Part) -> None:
    reference = Reference(part)
    told = cases(files, name, "valid")
    assert {case["message"] for case in told} == {message.name for message in part.messages}
    for case in told:
        assert reference.encode(case["message"], case["fields"]) == octets(case)
        for role in case["roles"]:
            assert reference.decode(octets(case), role) == (case["message"], case["fields"])


@pytest.mark.parametrize(("name", "part"), PARTS.items())
def test_invalid_cases_are_refused_for_the_reason_told(
    files: dict[str, str], name: str, part: Part
) -> None:
    reference = Reference(part)
    for case in cases(files, name, "invalid"):
        with pytest.raises(Refusal) as caught:
            reference.decode(octets(case), case["role"])
        told = tuple(case[what] for what in ("code", "message", "field", "frame", "offset"))
        assert caught.value.verdict == told


@pytest.mark.parametrize(("name", "part"), PARTS.items())
def test_unencodable_cases_are_refused_for_the_reason_told(
    files: dict[str, str], name: str, part: Part
) -> None:
    for case in cases(files, name, "unencodable"):
        with pytest.raises(Refusal) as caught:
            Reference(part).encode(case["message"], case["fields"])
        assert (caught.value.code, caught.value.field) == (case["code"], case["field"])


def test_every_reason_occurs(files: dict[str, str]) -> None:
    decoding = {case["code"] for name in PARTS for case in cases(files, name, "invalid")}
    assert decoding == {
        "frame-count",
        "constant",
        "command",
        "truncated",
        "trailing",
        "text",
        "length",
        "value",
        "empty",
    }
    encoding = {case["code"] for name in PARTS for case in cases(files, name, "unencodable")}
    assert encoding == {"type", "length", "text", "value", "empty", "frame-count"}


@pytest.mark.parametrize("kind", ["valid", "invalid", "unencodable"])
def test_names_of_cases_are_unique(files: dict[str, str], kind: str) -> None:
    for name in PARTS:
        names = [case["name"] for case in cases(files, name, kind)]
        assert len(names) == len(set(names))


def test_extremes_are_among_the_valid_cases(files: dict[str, str]) -> None:
    fields = [case["fields"] for case in cases(files, "everything", "valid")]
    everything = [values for values in fields if "port" in values]
    assert {0, 65535} <= {values["sequence"] for values in everything}
    assert 2**64 - 1 in {values["big"] for values in everything}
    assert {0, 255} <= {len(values["name"].encode()) for values in everything}
    assert {2, 9} <= {len(values["nick_name"].encode()) for values in everything}
    assert {0, 255} <= {len(values["groups"]) for values in everything}
    assert {0, 65535} <= {len(values["counted"]) // 2 for values in everything}
    assert any(not values["name"].isascii() for values in everything)
    assert any(values["note"] is None for values in everything)


def test_files_are_the_same_every_time_and_small(files: dict[str, str]) -> None:
    again = render([small_models.protocol(part, name=name) for name, part in PARTS.items()])
    assert again == files
    for text in files.values():
        assert max(map(len, text.split("\n"))) < 4000
        assert len(text) < 500_000


def test_long_values_are_written_short_and_come_back() -> None:
    for value in (
        "a" * 1000,
        "head" + "6b3d76" * 400 + "tail",
        ["k=v"] * 255,
        [["k", "v"]] * 300,
        ["", "a", "b" * 97],
        {"fields": {"x": ["é" * 127 + "a"], "y": None, "z": 3}},
        bytes(range(256)).hex(),
        "",
    ):
        assert unpack(json.loads(json.dumps(pack(value)))) == value
    assert pack("61" * 255) == {"repeat": "61", "times": 255}
    assert pack(["6d"] * 255) == {"repeat": ["6d"], "times": 255}


def test_no_line_of_a_file_is_broken_by_what_it_quotes(files: dict[str, str]) -> None:
    for text in files.values():
        assert text.splitlines() == text.split("\n")[:-1]


def test_the_example_of_the_documentation_is_true() -> None:
    page = Path(__file__).parents[2] / "docs" / "vectors.md"
    example = json.loads(page.read_text(encoding="utf-8").split("```json\n")[1].split("```")[0])
    (zre,) = [loaded.protocol for loaded in load([grammars() / "zre.md"])]
    assert zre is not None
    real = json.loads(render([zre])["zre.json"])
    assert example.keys() == real.keys()
    (told,) = example["parts"]
    part = real["parts"][0]
    assert told.keys() == part.keys()
    for kind in ("valid", "invalid", "unencodable"):
        for case in told[kind]:
            assert case in part[kind]
