"""Every change is told with whom it breaks: the same document, edited in one place."""

from __future__ import annotations

import pytest

from zwire_codegen.compiler import load_source
from zwire_codegen.diff import Change, Impact, compare
from zwire_codegen.model.types import Protocol
from zwire_codegen.source import Source

BASE = """# Base

```zwire
[protocol]
name = "base"
title = "Base"
version = "1"
summary = "Something to change."

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
"""


def protocol(text: str) -> Protocol:
    loaded = load_source(Source("base.md", text))
    assert loaded.protocol is not None, loaded.problems
    return loaded.protocol


def changes(*edits: tuple[str, str]) -> list[Change]:
    text = BASE
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return compare(protocol(BASE), protocol(text))


def told(*edits: tuple[str, str]) -> set[tuple[str, str]]:
    return {(change.kind, str(change.impact)) for change in changes(*edits)}


WIRE, SOURCE, FINE = (str(impact) for impact in Impact)


def test_nothing_changed() -> None:
    assert changes() == []


@pytest.mark.parametrize(
    ("old", "new", "kind", "impact"),
    [
        ('version = "1"', 'version = "2"', "description", FINE),
        ('name = "base"', 'name = "other"', "protocol-renamed", SOURCE),
        ('name = "talk"', 'name = "chat"', "part-renamed", SOURCE),
        ("port = 5000", "port = 5001", "constant-changed", WIRE),
        ("port = 5000", "door = 5000", "constant-renamed", SOURCE),
        ("port = 5000", "port = 5000\nother = 1", "constant-new", FINE),
        ("DONE", "END", "message-renamed", SOURCE),
        ("%xAA %x04 id", "%xAA %x06 id", "renumbered", WIRE),
        ("%xAA %x02 id text", "%xAA %x02 id", "field-count", WIRE),
        ("%xAA %x02 id text", "%xAA %x02 text id", "field-order", WIRE),
        ("id    = 2OCTET", "id    = 4OCTET", "widened", WIRE),
        ("HIGH  = %x02", "HIGH  = %x03", "renumbered", WIRE),
        ("level = LOW / HIGH\n", "level = LOW / HIGH / TOP\nTOP = %x09\n", "value-new", FINE),
        ("level = LOW / HIGH\nLOW   = %x01\n", "level = HIGH / MID\nMID = %x07\n", "value-gone", WIRE),
        ('socket = "DEALER"', 'socket = "REQ"', "socket", WIRE),
        ("PART  = %xAA %x03 id content", "PART  = %xAA %x03 id [content]", "frame-made-optional", WIRE),
        ("DONE  = %xAA %x04 id", "DONE  = %xAA %x04 id [content]", "frame-optional", FINE),
        ("DONE  = %xAA %x04 id", "DONE  = %xAA %x04 id content", "frame-new", WIRE),
        ("PART  = %xAA %x03 id content", "PART  = %xAA %x03 id", "frame-gone", WIRE),
        ("C:ASK *S:PART S:DONE", "C:ASK 1*S:PART S:DONE", "dialog-narrowed", WIRE),
        ("C:ASK *S:PART S:DONE", "C:ASK *(S:PART / C:ASK) S:DONE", "dialog-widened", FINE),
        ('opens = ["hello"]\n', "", "dialog-opens", FINE),
        ('keys = { ask = ["id"] }\n', "", "dialog-key", WIRE),
        ('closes = ["BYE"]\n', "", "closing-gone", WIRE),
        ('[conversation]\n', '[conversation]\nonce = ["hello"]\n', "dialog-loops", WIRE),
        ("ask   = C", "query = C", "dialog-renamed", SOURCE),
        ('BYE = ["client", "server"]', 'BYE = ["client"]', "sender-gone", WIRE),
    ],
)  # fmt: skip
def test_one_edit_one_change(old: str, new: str, kind: str, impact: str) -> None:
    edits = [(old, new)]
    if kind == "dialog-renamed":
        edits.append(("keys = { ask", "keys = { query"))
    if kind == "closing-gone":
        edits.append(("ask   = C", "bye = C:BYE\nask   = C"))
    assert (kind, impact) in told(*edits)


def test_a_renamed_field_has_the_same_octets() -> None:
    found = told(("text  = size", "words = size"), ("id text", "id words"))
    assert found == {("field-renamed", SOURCE)}


def test_a_message_that_goes_breaks_peers_and_one_that_comes_does_not() -> None:
    gone = told(
        ("BYE   = %xAA %x05\n", ""),
        ('closes = ["BYE"]\n', ""),
        ('[senders]\nBYE = ["client", "server"]\n', ""),
    )
    assert ("message-gone", WIRE) in gone
    new = told(
        ("BYE   = %xAA %x05\n", "BYE   = %xAA %x05\nHI = %xAA %x06\n"),
        ("hello = C:HELLO", "hello = C:HELLO\nhi = C:HI"),
    )
    assert new == {("message-new", FINE), ("dialog-new", FINE)}


def test_a_bound_that_narrows_breaks_and_one_that_widens_does_not() -> None:
    narrow = '[types]\nname = { type = "text", maximum = 20 }\n\n[senders]'
    assert told(("[senders]", narrow)) == {("bounds-narrowed", WIRE)}
    narrowed = protocol(BASE.replace("[senders]", narrow))
    (change,) = compare(narrowed, protocol(BASE))
    assert (change.kind, change.impact) == ("bounds-widened", Impact.COMPATIBLE)


def test_a_change_tells_where_what_and_why() -> None:
    (change,) = changes(("%xAA %x04 id", "%xAA %x06 id"))
    assert change.as_json() == {
        "impact": "wire-breaking",
        "kind": "renumbered",
        "where": f"talk.DONE.{change.where.rpartition('.')[2]}",
        "what": "was %xAA.04 and is %xAA.06",
        "why": "the octets of old and new peers differ",
    }


def test_the_worst_comes_first() -> None:
    found = [
        change.impact
        for change in changes(('version = "1"', 'version = "2"'), ("id    = 2OCTET", "id = 4OCTET"))
    ]
    assert found == sorted(found, key=list(Impact).index)
    assert set(found) == {Impact.WIRE, Impact.COMPATIBLE}
