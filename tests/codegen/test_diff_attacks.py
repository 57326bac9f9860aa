"""Edits that a comparison easily misses, or takes for something worse: exactly what is told."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from zwire_codegen.compiler import load_source
from zwire_codegen.diff import compare
from zwire_codegen.model.types import Origin, Protocol
from zwire_codegen.source import Source

BASE = """# Base

```zwire
[protocol]
name = "base"
title = "Base"
version = "1"

[part]
name = "talk"

[roles]
client = { letter = "C", socket = "DEALER" }
server = { letter = "S", socket = "ROUTER" }

[conversation]
opens = ["hello"]
closes = ["BYE"]
keys = { ask = ["id"] }

[senders]
BYE = ["client", "server"]

[constants]
port = 5000
```

```dialog
hello = C:HELLO
ask   = C:ASK *S:PART S:DONE
```

```abnf
HELLO = %xAA %x01 name level
ASK   = %xAA %x02 id text
PART  = %xAA %x03 id content
DONE  = %xAA %x04 id
BYE   = %xAA %x05
id    = 2OCTET
name  = size *VCHAR
text  = size *VCHAR
size  = OCTET
level = LOW / HIGH
LOW   = %x01
HIGH  = %x02
content = FRAME
```

### LONG

| Frame | Value  | Name  | Meaning |
| ----- | ------ | ----- | ------- |
| 0     | %xAA   |       |         |
| 1     | %x09   |       |         |
| 2     | *OCTET | first | one     |
| 3     | *OCTET | last  | other   |
"""
BASE = BASE.replace("[senders]\n", '[senders]\nLONG = ["client"]\n')

Edit = tuple[str, str]
Told = set[tuple[str, str, str]]  # kind, impact, where

ROW = "| 2     | *OCTET | first | one     |\n"
ORDER = "PART  = %xAA %x03 id content\nDONE  = %xAA %x04 id\n"
CLIENT = 'client = { letter = "C", socket = "DEALER" }\n'
SERVER = 'server = { letter = "S", socket = "ROUTER" }\n'
WIRE, SOURCE, FINE = "wire-breaking", "source-breaking", "compatible"

EDITS: dict[str, tuple[list[Edit], Told]] = {
    "a role renamed": ([("client", "user")], {("role-renamed", SOURCE, "talk.client")}),
    "a role's letter": (
        [('letter = "C"', 'letter = "K"'), ("C:", "K:")],
        {("letter", FINE, "talk.client")},
    ),
    "a message renamed": ([("DONE", "END")], {("message-renamed", SOURCE, "talk.DONE")}),
    "a closing renamed": ([("BYE", "CIAO")], {("message-renamed", SOURCE, "talk.BYE")}),
    "a key renamed": (
        [("id  ", "nr  "), (" id", " nr"), ('"id"', '"nr"')],
        {("field-renamed", SOURCE, f"talk.{one}.id") for one in ("ASK", "PART", "DONE")},
    ),
    "a value renamed": ([("HIGH", "TALL")], {("value-renamed", SOURCE, "talk.HELLO.level")}),
    "an enumeration renamed": (
        [("level", "grade")],
        {("field-renamed", SOURCE, "talk.HELLO.level")},
    ),
    "a comment of a message": (
        [("HELLO = %xAA", "; Hi\nHELLO = %xAA")],
        {("comment", FINE, "talk.HELLO")},
    ),
    "a comment of a value": (
        [("LOW   = %x01", "LOW   = %x01 ; little")],
        {("comment", FINE, "talk.HELLO")},
    ),
    "a comment of a dialog": (
        [("hello = C:HELLO", "hello = C:HELLO ; first")],
        {("comment", FINE, "talk.hello")},
    ),
    "a comment of a constant": (
        [("port = 5000", "port = 5000 # tcp")],
        {("comment", FINE, "talk.port")},
    ),
    "the meaning of a frame": ([("| one     |", "| first   |")], {("comment", FINE, "talk.LONG")}),
    "order of messages": (
        [(ORDER, "".join(reversed(ORDER.splitlines(keepends=True))))],
        {("order", FINE, "talk")},
    ),
    "order of roles": ([(CLIENT + SERVER, SERVER + CLIENT)], {("order", FINE, "talk")}),
    "order of values": ([("LOW / HIGH", "HIGH / LOW")], {("order", FINE, "talk.HELLO.level")}),
    "values swapped": (
        [("LOW   = %x01", "LOW   = %x02"), ("HIGH  = %x02", "HIGH  = %x01")],
        {("renumbered", WIRE, "talk.HELLO.level")},
    ),
    "a wider size": (
        [("size  = OCTET", "size  = 2OCTET")],
        {("widened", WIRE, "talk.HELLO.name"), ("widened", WIRE, "talk.ASK.text")},
    ),
    "text made octets": (
        [("text  = size *VCHAR", "text  = size *OCTET")],
        {("type", SOURCE, "talk.ASK.text")},
    ),
    "text not counted any more": (
        [("text  = size *VCHAR", "text  = *VCHAR")],
        {("measure", WIRE, "talk.ASK.text")},
    ),
    "a field more": ([("name level", "name level id")], {("field-count", WIRE, "talk.HELLO")}),
    "a field less and another type": (
        [
            ("%x02 id text", "%x02 text"),
            ("text  = size *VCHAR", "text  = size *OCTET"),
            ('keys = { ask = ["id"] }\n', ""),
        ],
        {
            ("field-count", WIRE, "talk.ASK"),
            ("type", SOURCE, "talk.ASK.text"),
            ("dialog-key", WIRE, "talk.ask"),
        },
    ),
    "another order and another width": (
        [("%x02 id text", "%x02 text id"), ("id    = 2OCTET", "id    = 4OCTET")],
        {("field-order", WIRE, "talk.ASK")}
        | {("widened", WIRE, f"talk.{one}.id") for one in ("ASK", "PART", "DONE")},
    ),
    "a frame in the midst": (
        [(ROW, "| 2 | *OCTET | new | |\n| 3 | *OCTET | first | one |\n"), ("| 3     |", "| 4 |")],
        {("frame-new", WIRE, "talk.LONG")},
    ),
    "a frame out of the midst": (
        [(ROW, ""), ("| 3     |", "| 2 |")],
        {("frame-gone", WIRE, "talk.LONG")},
    ),
    "understood only": (
        [("[senders]", "[messages.BYE]\nreceived_only = true\n[senders]")],
        {("received-only", SOURCE, "talk.BYE")},
    ),
    "a summary": (
        [('version = "1"', 'version = "1"\nsummary = "x"')],
        {("description", FINE, "base")},
    ),
    "a constant of another kind": (
        [("port = 5000", 'port = "%xAA"')],
        {("constant-changed", WIRE, "talk.port")},
    ),
    "a number that may not be 0": (
        [("[senders]", '[types]\nid = { type = "integer", minimum = 1 }\n[senders]')],
        {("bounds-narrowed", WIRE, f"talk.{one}.id") for one in ("ASK", "PART", "DONE")},
    ),
    "the same dialog in other words": (
        [("C:ASK *S:PART S:DONE", "C:ASK (S:DONE / 1*S:PART S:DONE)")],
        set(),
    ),
    "a constant in one piece": ([("%xAA %x02", "%xAA.02")], set()),
}


def protocol(text: str) -> Protocol:
    loaded = load_source(Source("base.md", text))
    assert loaded.protocol is not None, loaded.problems
    return loaded.protocol


def edited(edits: list[Edit]) -> Protocol:
    text = BASE
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return protocol(text)


def told(old: Protocol, new: Protocol) -> Told:
    return {(one.kind, str(one.impact), one.where) for one in compare(old, new)}


@pytest.mark.parametrize("edit", EDITS)
def test_exactly_what_changed_is_told(edit: str) -> None:
    edits, expected = EDITS[edit]
    found = told(protocol(BASE), edited(edits))
    assert found == expected


def without_lines(value: Any) -> Any:
    """The model as if everything stood in one line."""
    if isinstance(value, Origin):
        return replace(value, line=0)
    if isinstance(value, tuple):
        return tuple(without_lines(item) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value, **{one.name: without_lines(getattr(value, one.name)) for one in fields(value)}
        )
    return value


@pytest.mark.parametrize("edit", EDITS)
def test_no_change_of_the_model_goes_untold_either_way(edit: str) -> None:
    edits, expected = EDITS[edit]
    old, new = protocol(BASE), edited(edits)
    if expected:
        assert without_lines(old) != without_lines(new)
        assert told(new, old)


def test_octets_made_text_refuse_what_was_legal() -> None:
    octets = edited([("text  = size *VCHAR", "text  = size *OCTET")])
    assert told(octets, protocol(BASE)) == {("type", WIRE, "talk.ASK.text")}


def test_what_may_be_sent_again_breaks_nobody() -> None:
    silent = edited([("[senders]", "[messages.BYE]\nreceived_only = true\n[senders]")])
    assert told(silent, protocol(BASE)) == {("received-only", FINE, "talk.BYE")}
