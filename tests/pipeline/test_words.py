"""The common vocabulary against the generated dialogs: no word that a dialect does not have."""

from __future__ import annotations

from importlib import import_module

import pytest

from zwire.codecs import find_codecs
from zwire_spark.words import WORDS, Words


@pytest.mark.parametrize("words", WORDS, ids=lambda words: words.name)
def test_each_word_is_said_by_somebody(words: Words) -> None:
    dialogs = import_module(f"zwire_protocols.{words.protocol}.{words.part}_dialogs")
    assert set(words.acts) == set(dialogs.COMMANDS)


@pytest.mark.parametrize("words", WORDS, ids=lambda words: words.name)
def test_each_field_is_one_of_a_message(words: Words) -> None:
    (codec,) = find_codecs(words.name)
    known = {slot for kind in codec.messages.values() for slot in kind.__slots__}  # type: ignore[attr-defined]
    named = {*words.key, words.id, words.service} - {""}
    assert named <= known


@pytest.mark.parametrize("words", WORDS, ids=lambda words: words.name)
def test_requests_are_told_apart_as_the_dialogs_do(words: Words) -> None:
    dialogs = import_module(f"zwire_protocols.{words.protocol}.{words.part}_dialogs")
    keys = {key for key in dialogs.COMMANDS.values() if key}
    assert keys <= {words.key}
