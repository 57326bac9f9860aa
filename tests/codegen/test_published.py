"""The five published documents, read as they stand, say what our own grammars say."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from zwire_codegen.compiler import Loaded, load
from zwire_codegen.model.types import (
    Constant,
    Enumeration,
    Frame,
    Frames,
    Message,
    Origin,
    Part,
    Slot,
    Stack,
)
from zwire_codegen.notation.errata import KNOWN
from zwire_codegen.problems import Severity

SPECS = os.environ.get("ZWIRE_PUBLISHED_SPECS", "")
GRAMMARS = Path(__file__).parents[2] / "grammars"

pytestmark = pytest.mark.skipif(
    not SPECS, reason="ZWIRE_PUBLISHED_SPECS does not say where the published documents are"
)

NOWHERE = Origin("", 0)


@cache
def published(name: str, known_errata: bool = True) -> Loaded:
    (loaded,) = load([Path(SPECS) / name], known_errata=known_errata)
    return loaded


@cache
def ours(name: str) -> Loaded:
    (loaded,) = load([GRAMMARS / name])
    return loaded


def part_of(loaded: Loaded, name: str) -> Part:
    assert loaded.protocol is not None
    (part,) = [part for part in loaded.protocol.parts if part.name == name]
    return part


def shape(message: Message) -> tuple[object, ...]:
    """The message without comments, lines, and the names of its constants."""
    return (
        message.name,
        frozenset(message.senders),
        message.received_only,
        tuple(part for slot in message.slots for part in _slot(slot)),
    )


def _slot(slot: Slot) -> tuple[object, ...]:
    if isinstance(slot, Stack | Frames):
        return (replace(slot, origin=NOWHERE),)
    assert isinstance(slot, Frame)
    found: list[object] = ["frame", slot.optional]
    octets = b""
    for field in slot.fields:
        # Constants next to each other are the same as one.
        if isinstance(field.type, Constant):
            octets += field.type.octets
            continue
        kind: object = field.type
        if isinstance(field.type, Enumeration):
            kind = tuple((member.name, member.octets) for member in field.type.members)
        found += [octets, field.name, kind]
        octets = b""
    return (*found, octets)


@pytest.mark.parametrize(
    ("document", "part", "grammar", "same_part"),
    [
        ("28-reqrep.txt", "req", "reqrep.md", "req"),
        ("28-reqrep.txt", "rep", "reqrep.md", "rep"),
        ("mdpx.txt", "client", "mdpx.md", "client"),
        ("mdpx.txt", "worker", "mdpx.md", "worker"),
        ("20-zre.txt", "messages", "zre.md", "messages"),
        ("20-zre.txt", "beacon", "zre.md", "beacon"),
        ("20-zre.txt", "log", "zrelog.md", "messages"),
        ("emqp.txt", "client", "emqp.md", "client"),
        ("emqp.txt", "worker", "emqp.md", "worker"),
        ("6-ppp.txt", "messages", "ppp.md", "messages"),
    ],
)
def test_every_message_of_a_document_is_that_of_our_grammar(
    document: str, part: str, grammar: str, same_part: str
) -> None:
    theirs = {
        message.name: shape(message) for message in part_of(published(document), part).messages
    }
    own = {message.name: shape(message) for message in part_of(ours(grammar), same_part).messages}
    assert theirs == own


@pytest.mark.parametrize(
    ("document", "parts"),
    [
        ("28-reqrep.txt", {"req": ["exchange"], "rep": ["exchange"]}),
        (
            "mdpx.txt",
            {
                "client": ["request"],
                "worker": [
                    "request-reply-opening",
                    "request-reply",
                    "ping-pong",
                    "ping-pong-closing",
                ],
            },
        ),
        (
            "20-zre.txt",
            {
                "beacon": ["announcement"],
                "messages": ["greeting", "traffic"],
                "log": ["zrelog-protocol"],
            },
        ),
        (
            "emqp.txt",
            {"client": ["request"], "worker": ["heartbeat", "ready", "registration", "request"]},
        ),
        (
            "6-ppp.txt",
            {
                "messages": [
                    "synchronous-opening",
                    "synchronous",
                    "asynchronous-1",
                    "asynchronous-2",
                ]
            },
        ),
    ],
)
def test_every_dialog_of_a_document_is_in_the_model(
    document: str, parts: dict[str, list[str]]
) -> None:
    protocol = published(document).protocol
    assert protocol is not None
    found = {
        part.name: {dialog.name for dialog in part.conversation.dialogs} for part in protocol.parts
    }
    assert found == {name: set(dialogs) for name, dialogs in parts.items()}


@pytest.mark.parametrize(
    ("document", "findings"),
    [
        ("28-reqrep.txt", {"ZW314": 8}),
        ("mdpx.txt", {"ZW307": 8, "ZW314": 5}),
        ("20-zre.txt", {"ZW202": 14, "ZW204": 2, "ZW306": 1, "ZW314": 7, "ZW403": 2}),
        ("emqp.txt", {"ZW307": 1, "ZW314": 9}),
        ("6-ppp.txt", {"ZW314": 7}),
    ],
)
def test_what_is_to_be_said_about_a_document(document: str, findings: dict[str, int]) -> None:
    problems = published(document).problems
    found: dict[str, int] = {}
    for problem in problems:
        found[problem.code] = found.get(problem.code, 0) + 1
    assert found == findings
    assert all(problem.severity is not Severity.ERROR for problem in problems)


def test_rows_of_a_document_without_line_breaks_keep_their_columns() -> None:
    loaded = published("emqp.txt")
    lines = loaded.source.lines
    assert len(lines) == 1
    (mended,) = [problem for problem in loaded.problems if problem.code == "ZW307"]
    start = mended.place.column - 1
    assert lines[0][start : start + mended.place.length] == "READY"


def test_the_errata_of_mdpx_are_needed_where_counts_and_lists_differ(tmp_path: Path) -> None:
    entries = (KNOWN / "mdpx.toml").read_text(encoding="utf-8").split("\n[[")
    kept = [entry for entry in entries if "the count says five" not in entry]
    assert len(entries) - len(kept) == 3
    path = tmp_path / "mdpx.toml"
    path.write_text("\n[[".join(kept), encoding="utf-8")
    (loaded,) = load([Path(SPECS) / "mdpx.txt"], errata=[path], known_errata=False)
    found = [problem for problem in loaded.problems if problem.code == "ZW305"]
    assert [problem.place.line for problem in found] == [118, 127, 136]


def test_a_document_read_without_errata_fails_in_good_order() -> None:
    for name in ("28-reqrep.txt", "mdpx.txt", "20-zre.txt", "emqp.txt", "6-ppp.txt"):
        codes = {problem.code for problem in published(name, known_errata=False).problems}
        assert not codes & {"ZW307", "ZW308", "ZW314"}
