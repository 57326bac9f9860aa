"""docs/notation.md and docs/model.md stay true: what they show is what the compiler does."""

from __future__ import annotations

import json
import re

import pytest

from support.grammars import ROOT
from zwire_codegen.compiler import Loaded, load_source
from zwire_codegen.formatting import format_document
from zwire_codegen.model.json import to_json
from zwire_codegen.model.types import Frame, Frames, Slot, Stack
from zwire_codegen.model.words import slot_in_words, type_in_words
from zwire_codegen.notation.errata import Errata, parse_errata
from zwire_codegen.source import Source

PAGE = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")

FRAME_OF_A_DOCUMENT = """\
```zwire
[protocol]
name = "sample"
[roles]
client = {{ letter = "C", socket = "DEALER" }}
[types]
{types}
```

```dialog
say = C:SAY
```

```abnf
; Say it
SAY  = %x01 {element}
{rules}
```
"""

COMMON = """\
size = OCTET
number-4 = 4OCTET
string = size *VCHAR
longstr = number-4 *VCHAR
""".splitlines()


def loaded(element: str, *rules: str, types: str = "") -> Loaded:
    """A document with one message, which has this element; common rules it needs are added."""
    lines = list(rules)
    for line in reversed(COMMON):
        name = line.split()[0]
        if re.search(rf"(?<![\w-]){name}(?![\w-])", " ".join((element, *lines))):
            lines.append(line)
    text = FRAME_OF_A_DOCUMENT.format(element=element, rules="\n".join(lines), types=types)
    return load_source(Source("sample.md", text))


def said(document: Loaded) -> str:
    """How the last thing in the message is read, in words."""
    assert [problem.text for problem in document.problems] == []
    assert document.protocol is not None
    slot = document.protocol.parts[0].messages[0].slots[-1]
    return _in_words(slot)


def _in_words(slot: Slot) -> str:
    match slot:
        case Frame(fields=[_, field]):
            return type_in_words(field.type)
        case Frame() | Stack() | Frames():
            return slot_in_words(slot)


def small_document() -> Source:
    found = re.search(r"````markdown\n(.*?)````", PAGE, re.DOTALL)
    assert found is not None
    return Source("echo.md", found[1])


def test_the_small_document_of_the_page_compiles_without_a_finding() -> None:
    found = load_source(small_document())
    assert list(found.problems) == []
    assert found.protocol is not None
    assert [message.name for message in found.protocol.parts[0].messages] == ["ASK", "ANSWER"]


def test_the_small_document_of_the_page_stands_in_its_canonical_form() -> None:
    assert format_document(small_document()) == (small_document().text, [])


def test_the_json_on_the_page_about_the_model_is_what_comes_out() -> None:
    page = (ROOT / "docs" / "model.md").read_text(encoding="utf-8")
    shown = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    protocol = load_source(small_document()).protocol
    assert protocol is not None
    (part,) = to_json(protocol)["parts"]
    assert shown == [part["messages"][0], part["conversation"]["dialogs"][0]]


@pytest.mark.parametrize(
    ("rule", "reading"),
    [
        ("mailbox = 2OCTET", "number, 2 octets"),
        ("public-key = 32OCTET", "octets, 32"),
        ("words = size *VCHAR", "text, up to 255 octets"),
        ("blob = number-4 *OCTET", "octets"),
        ("groups = size *string", "list of text, up to 255 octets"),
        ("headers = size *key-value\nkey-value = string", "dictionary of name=value texts"),
        (
            "headers = number-4 *key-value\nkey-value = string longstr",
            "dictionary, name to value",
        ),
        (
            "level = ERROR / WARNING / INFO\nERROR = %x01\nWARNING = %x02\nINFO = %x03",
            "level: ERROR, WARNING, INFO",
        ),
        ("note = *VCHAR", "text, the rest of the frame"),
        ("id = 1*OCTET", "octets, the rest of the frame, at least 1 octet"),
        ("content = FRAME", "one frame"),
        ("content = *FRAME", "all further frames"),
        ("content = 1*FRAME", "all further frames, at least 1"),
        ("status = %x01-FF", "number, 1 octet, from 1"),
    ],
)
def test_an_idiom_is_read_as_the_page_says(rule: str, reading: str) -> None:
    name, *_ = rule.split()
    assert said(loaded(name, *rule.split("\n"))) == reading


def test_an_optional_frame_and_an_optional_stack_are_read_as_the_page_says() -> None:
    assert said(loaded("[content]", "content = FRAME")) == "one frame, may be missing"
    stack = ("stack = *address empty", "address = FRAME", 'empty = ""')
    assert said(loaded("stack", *stack)) == "address frames, then an empty one"
    assert said(loaded("[stack]", *stack)) == "address frames, then an empty one; may be absent"


@pytest.mark.parametrize(
    ("rule", "override", "reading"),
    [
        ("id = 16OCTET", 'id = "uuid"', "UUID, 16 octets"),
        ("port = 2OCTET", 'port = { type = "integer", minimum = 1 }', "number, 2 octets, from 1"),
        ("status = OCTET", '"SAY.status" = "octets"', "octets, 1"),
        ("words = size *OCTET", 'words = "text"', "text, up to 255 octets"),
        ("blob = *VCHAR", 'blob = "octets"', "octets, the rest of the frame"),
        ("tags = size *string", 'tags = "dictionary"', "dictionary of name=value texts"),
        (
            "tags = size *key-value\nkey-value = string",
            'tags = "list"',
            "list of text, up to 255 octets",
        ),
        ("rest = FRAME", 'rest = "frames"', "all further frames, at least 1"),
        (
            "name = *VCHAR",
            'name = { type = "text", minimum = 1, maximum = 8 }',
            "text, the rest of the frame, 1 to 8 octets",
        ),
    ],
)
def test_an_override_is_read_as_the_page_says(rule: str, override: str, reading: str) -> None:
    name, *_ = rule.split()
    assert said(loaded(name, *rule.split("\n"), types=override)) == reading


def test_an_override_that_cannot_be_is_an_error() -> None:
    found = loaded("id", "id = 2OCTET", types='id = "uuid"')
    assert [problem.code for problem in found.problems] == ["ZW414"]


def test_the_errata_of_the_page_are_understood() -> None:
    text = re.search(r"```toml\n(\[document\].*?)```", PAGE, re.DOTALL)
    assert text is not None
    found = parse_errata(Source("errata.toml", text[1]))
    assert isinstance(found, Errata)
    assert (len(found.errata), len(found.supplements), len(found.cells)) == (1, 2, 1)
