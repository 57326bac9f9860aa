"""What is written back out reads in again to the same model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from zwire_codegen.backends.document import write_document
from zwire_codegen.compiler import load, load_source
from zwire_codegen.model.types import Origin, Protocol
from zwire_codegen.source import Source

GRAMMARS = sorted((Path(__file__).parents[2] / "grammars").glob("*.md"))


def mapped(value: Any, change: Callable[[Origin], Origin]) -> Any:
    """The same model with every origin changed."""
    if isinstance(value, Origin):
        return change(value)
    if isinstance(value, tuple):
        return tuple(mapped(item, change) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return type(value)(
            **{one.name: mapped(getattr(value, one.name), change) for one in fields(value)}
        )
    return value


def nowhere(origin: Origin) -> Origin:
    return Origin("", 0)


def protocol(path: Path) -> Protocol:
    (loaded,) = load([path])
    assert loaded.protocol is not None
    return loaded.protocol


@pytest.mark.parametrize("path", GRAMMARS, ids=lambda path: path.stem)
def test_a_model_written_out_reads_in_again_to_the_same(path: Path) -> None:
    before = protocol(path)
    again = load_source(Source("again.md", write_document(before)))
    assert list(again.problems) == []
    assert mapped(again.protocol, nowhere) == mapped(before, nowhere)


@pytest.mark.parametrize("path", GRAMMARS, ids=lambda path: path.stem)
def test_comments_of_messages_and_fields_survive(path: Path) -> None:
    before = protocol(path)
    again = load_source(Source("again.md", write_document(before))).protocol
    assert again is not None
    for old, new in zip(before.parts, again.parts, strict=True):
        for message, other in zip(old.messages, new.messages, strict=True):
            assert message.origin.comment == other.origin.comment
            assert len(message.slots) == len(other.slots)


@pytest.mark.parametrize("path", GRAMMARS, ids=lambda path: path.stem)
def test_writing_twice_changes_nothing(path: Path) -> None:
    first = write_document(protocol(path))
    again = load_source(Source("again.md", first)).protocol
    assert again is not None
    assert write_document(again) == first


KINDS = """# Kinds

```zwire
[protocol]
name = "kinds"
title = "Kinds"
version = "1"
summary = "Every kind of field."

[roles]
peer = { letter = "P", socket = "DEALER" }

[types]
id = "uuid"
port = { type = "integer", minimum = 1 }
raw = "octets"
"SAY.name" = { type = "text", minimum = 1, maximum = 20 }
```

```dialog
talk = P:SAY / P:TELL
```

```abnf
SAY     = %xAA.BB id port raw wide name longs numbers pairs level tail
id      = 16OCTET
port    = 2OCTET
raw     = 4OCTET
wide    = 8OCTET
name    = size *VCHAR
size    = OCTET
longs   = count-4 *long
count-4 = 4OCTET
long    = count-4 *OCTET
numbers = size *number
number  = 2OCTET
pairs   = size *key-value
key-value = name long-text
long-text = count-4 *VCHAR
level   = LOW / HIGH
LOW     = %x01
HIGH    = %x02
tail    = *OCTET
```

### TELL

| Frame | Value | Name | Meaning |
| --- | --- | --- | --- |
| 0 | `%xCC` | | the mark |
| 1 | `1*8VCHAR` | short | up to eight |
| 2 | `[*OCTET]` | maybe | may be missing |
"""


def test_every_kind_of_field_survives() -> None:
    loaded = load_source(Source("kinds.md", KINDS))
    assert [problem for problem in loaded.problems if problem.severity == "error"] == []
    assert loaded.protocol is not None
    again = load_source(Source("again.md", write_document(loaded.protocol)))
    assert again.protocol is not None, again.problems
    assert mapped(again.protocol, nowhere) == mapped(loaded.protocol, nowhere)
