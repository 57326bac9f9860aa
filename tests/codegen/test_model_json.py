"""The model as JSON: out and in without loss, and nothing but plain values in between."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.documents import document, protocol_of, table
from zwire_codegen.compiler import load
from zwire_codegen.model.json import NotAModel, from_json, to_json
from zwire_codegen.model.types import Protocol

GRAMMARS = Path(__file__).parents[2] / "grammars"

EVERYTHING = document(
    settings='[types]\nid = "uuid"\n[constants]\nport = 5670 # where\nservice = "X"\n'
    'magic = "%xAA.A1"\n[conversation]\nopens = ["hello"]\nonce = ["hello"]\ncloses = ["BYE"]\n'
    'keys = { ask = ["id"] }\n[messages.BYE]\nreceived_only = true',
    abnf="; A\nHELLO = %x01 level id three strings pairs entries rest\nlevel = LOW / HIGH\n"
    "LOW = %x01\nHIGH = %x02\nid = 16OCTET\nthree = 3OCTET\nstrings = size *text\n"
    "pairs = size *(text text)\nentries = size *key-value\nkey-value = text\n"
    "text = size *VCHAR\nsize = OCTET\nrest = 1*9OCTET\n\n"
    '; B\nASK = [stack] id [note]\nstack = *hop empty\nhop = FRAME\nempty = ""\nnote = FRAME',
    dialog="hello = C:HELLO\nask = C:ASK *(B:ASK / 2*3B:HELLO)",
    tables=table("BYE", "0 | `%x02` |", "1+ | `*OCTET` | body"),
)


def through_json(protocol: Protocol) -> Protocol:
    return from_json(json.loads(json.dumps(to_json(protocol))))


def test_a_model_with_everything_in_it_survives() -> None:
    protocol = protocol_of(EVERYTHING)
    assert through_json(protocol) == protocol


@pytest.mark.parametrize("path", sorted(GRAMMARS.glob("*.md")), ids=lambda path: path.stem)
def test_the_model_of_each_grammar_survives(path: Path) -> None:
    (loaded,) = load([path])
    assert loaded.protocol is not None
    assert through_json(loaded.protocol) == loaded.protocol


def test_variants_carry_their_kind_and_octets_are_hexadecimal() -> None:
    part = to_json(protocol_of(EVERYTHING))["parts"][0]
    assert part["constants"][2]["value"] == {"octets": "aaa1"}
    assert part["constants"][0]["origin"]["comment"] == "where"
    frame = part["messages"][0]["slots"][0]
    assert frame["kind"] == "frame"
    assert frame["fields"][0]["type"] == {"kind": "constant", "octets": "01"}


def damaged(path: list[str | int], value: Any) -> dict[str, Any]:
    whole = to_json(protocol_of(EVERYTHING))
    inner: Any = whole
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return whole


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (["model"], 99, 'no model of version 1: "model" is missing or another'),
        (["name"], 7, "protocol.name: str is wanted"),
        (["parts"], {}, "protocol.parts: a list is wanted"),
        (["parts", 0], [], "protocol.parts[0]: an object is wanted"),
        (["parts", 0, "colour"], "red", "protocol.parts[0]: 'colour' is unknown"),
        (["parts", 0, "datagram"], 1, "protocol.parts[0].datagram: bool is wanted"),
        (
            ["parts", 0, "messages", 0, "slots", 0, "kind"],
            "say",
            "protocol.parts[0].messages[0].slots[0]: 'say' is no kind that may stand here",
        ),
        (
            ["parts", 0, "messages", 0, "slots", 0, "fields", 0, "type", "octets"],
            "xy",
            "protocol.parts[0].messages[0].slots[0].fields[0].type.octets: "
            "hexadecimal digits are wanted",
        ),
        (
            ["parts", 0, "constants", 0, "value"],
            True,
            "protocol.parts[0].constants[0].value: a number, a text or octets are wanted",
        ),
    ],
)
def test_what_is_no_model_is_refused_with_the_place(
    path: list[str | int], value: Any, told: str
) -> None:
    with pytest.raises(NotAModel) as refused:
        from_json(damaged(path, value))
    assert str(refused.value) == told


def test_a_missing_value_is_named() -> None:
    whole = to_json(protocol_of(EVERYTHING))
    del whole["title"]
    with pytest.raises(NotAModel, match="'title' is missing"):
        from_json(whole)
