"""`zwire format` gives one canonical form: idempotent, the model and the comments untouched."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zwire_codegen.compiler import load_source
from zwire_codegen.formatting import format_document
from zwire_codegen.source import Source

GRAMMARS = sorted((Path(__file__).parents[2] / "grammars").glob("*.md"))

UNTIDY = """# T

```zwire
[protocol]
name = "t"
title = "T"
version = "1"
summary = "s"
[roles]
peer = { letter = "P", socket = "DEALER" }
```

```dialog
talk    =   P:A
```

```abnf
; Says it.
A   =   %x0a    id ; the first
id = 2OCTET; two octets
```

Text with | a bar stays.

|Frame|Value|
|:--|--:|
|0|`x`|
"""

TIDY = """# T

```zwire
[protocol]
name = "t"
title = "T"
version = "1"
summary = "s"
[roles]
peer = { letter = "P", socket = "DEALER" }
```

```dialog
talk = P:A
```

```abnf
; Says it.
A  = %x0A id  ; the first
id = 2OCTET   ; two octets
```

Text with | a bar stays.

| Frame | Value |
| :---- | ----: |
| 0     | `x`   |
"""


def test_an_untidy_document_becomes_tidy() -> None:
    assert format_document(Source("t.md", UNTIDY)) == (TIDY, [])


def test_a_tidy_document_stays_as_it_is() -> None:
    assert format_document(Source("t.md", TIDY)) == (TIDY, [])


@pytest.mark.parametrize("path", GRAMMARS, ids=lambda path: path.stem)
def test_our_own_grammars_are_formatted(path: Path) -> None:
    source = Source(path.name, path.read_text(encoding="utf-8"))
    assert format_document(source) == (source.text, [])


def test_a_bare_abnf_file_is_one_block() -> None:
    text, problems = format_document(Source("x.abnf", "a   =  b\nb = %x01 ; c\n"))
    assert (text, problems) == ("a = b\nb = %x01  ; c\n", [])


def test_a_block_that_does_not_parse_leaves_the_document_alone() -> None:
    broken = TIDY.replace("id = 2OCTET", "id = (2OCTET")
    text, problems = format_document(Source("t.md", broken))
    assert text == broken
    assert [problem.severity for problem in problems] == ["error"]


def test_other_fences_and_ragged_tables_are_left_alone() -> None:
    text = "```python\na   = 1\n```\n\n| a | b |\n|---|---|\n| 1 |\n\n~~~abnf\na  = b\n~~~\n"
    formatted, _ = format_document(Source("t.md", text))
    assert formatted == text.replace("a  = b", "a = b")


def test_formatting_keeps_the_model() -> None:
    before, after = (load_source(Source("t.md", text)).protocol for text in (UNTIDY, TIDY))
    assert before is not None
    assert after is not None
    assert [m.slots for m in before.parts[0].messages] == [m.slots for m in after.parts[0].messages]


LINES = st.sampled_from(
    [
        "```abnf",
        "```",
        "~~~",
        "a = b",
        "| a | b |",
        "|---|---|",
        "| 1 | 2 |",
        "",
        "  x",
        "; c",
        "a =/ c",
    ]
)


@given(st.lists(LINES, max_size=14))
def test_formatting_twice_is_formatting_once(lines: list[str]) -> None:
    once, problems = format_document(Source("t.md", "\n".join(lines)))
    if not any(problem.severity == "error" for problem in problems):
        assert format_document(Source("t.md", once))[0] == once
