"""`zwire new` gives a document that is clean from the start."""

from __future__ import annotations

import pytest

from zwire_codegen.compiler import load_source
from zwire_codegen.formatting import format_document
from zwire_codegen.source import Source
from zwire_codegen.starter import BadName, starter


@pytest.mark.parametrize("name", ["my-protocol", "x", "a1", "chat_room"])
def test_a_starter_has_no_findings_and_is_formatted(name: str) -> None:
    source = Source(f"{name}.md", starter(name))
    loaded = load_source(source)
    assert list(loaded.problems) == []
    assert loaded.protocol is not None
    assert loaded.protocol.name == name.replace("-", "_")
    assert [message.name for message in loaded.protocol.parts[0].messages] == [
        "ASK", "PIECE", "DONE", "PING", "PONG",
    ]  # fmt: skip
    assert format_document(source) == (source.text, [])


@pytest.mark.parametrize("name", ["", "My", "1a", "a b", "../x", "a--b", "errors", "class_", "-a"])
def test_a_name_that_no_package_can_have_is_refused(name: str) -> None:
    with pytest.raises(BadName, match="is no name for a protocol"):
        starter(name)
