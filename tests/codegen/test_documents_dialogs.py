"""Dialogs as people draw them, and boxes of octets."""

from __future__ import annotations

from zwire_codegen.notation.abnf_writer import write
from zwire_codegen.notation.document import Document
from zwire_codegen.notation.reading import read
from zwire_codegen.problems import Problem
from zwire_codegen.source import Place, Source


def reading(text: str) -> tuple[Document, list[Problem]]:
    return read(Source("spec.md", text))


def dialogs(document: Document) -> list[str]:
    """The rules of all dialogs as text, without the blanks that align them."""
    blocks = [write(block) for part in document.parts for block in part.dialogs]
    return [" ".join(line.split()) for block in blocks for line in block.splitlines() if line]


def wire(document: Document) -> list[str]:
    blocks = [write(block) for part in document.parts for block in part.wire]
    return [line for block in blocks for line in block.splitlines() if "=" in line]


def test_a_labelled_dialog_is_abnf_with_roles() -> None:
    document, problems = reading("```dialog\nrequest = C:REQUEST *B:PARTIAL B:FINAL\n```\n")
    assert dialogs(document) == ["request = C:REQUEST *B:PARTIAL B:FINAL"]
    assert problems == []


def test_steps_below_repeat_begin_again_and_those_before_it_open() -> None:
    document, problems = reading(
        "```\nSynchronous dialog:\n-------\nW: READY\nRepeat:\n    C: REQUEST\n    W: REPLY\n```\n"
    )
    assert dialogs(document) == [
        "synchronous-opening = W:READY",
        "synchronous = C:REQUEST W:REPLY",
    ]
    conversation = document.parts[0].settings.values["conversation"]
    assert conversation == {"opens": ["synchronous-opening"], "once": ["synchronous-opening"]}
    assert problems == []


def test_steps_behind_the_last_repeat_close() -> None:
    document, _ = reading("```\nRepeat:\n  W: PING\n  B: PONG\nB: DISCONNECT\n```\n")
    assert dialogs(document) == ["dialog = W:PING B:PONG", "dialog-closing = B:DISCONNECT"]
    assert document.parts[0].settings.values == {"conversation": {"closes": ["DISCONNECT"]}}


def test_what_settings_say_of_the_conversation_counts_for_more() -> None:
    document, _ = reading(
        "```zwire\n[conversation]\nonce = []\n```\n\n```\nW: READY\nRepeat:\n  C: REQUEST\n```\n"
    )
    conversation = document.parts[0].settings.values["conversation"]
    assert conversation == {"opens": ["dialog-opening"], "once": []}


def test_repeats_nest_by_their_indentation() -> None:
    document, _ = reading(
        "```\nRepeat:\n  C: REQUEST\n  Repeat:\n    B: MORE\n    C: MORE-OK\n  B: [LAST]\n```\n"
    )
    assert dialogs(document) == ["dialog = C:REQUEST *(B:MORE C:MORE-OK) [B:LAST]"]


def test_steps_between_two_repeats_keep_it_one_dialog() -> None:
    document, _ = reading("```\nRepeat:\n  C: ASK\nB: STOP\nRepeat:\n  C: THANKS\n```\n")
    assert dialogs(document) == ["dialog = *C:ASK B:STOP *C:THANKS"]


def test_two_drawings_side_by_side_are_two_dialogs() -> None:
    document, problems = reading(
        "[[code]]\n"
        "    Working dialog:       Beating dialogs:\n"
        "    ---------------       ----------------\n"
        "    W: READY              Repeat:\n"
        "    Repeat:                   W: HEARTBEAT\n"
        "        C: REQUEST        Repeat:\n"
        "        W: REPLY              C: HEARTBEAT\n"
        "[[/code]]\n"
    )
    assert dialogs(document) == [
        "working-opening = W:READY",
        "working = C:REQUEST W:REPLY",
        "beating-1 = W:HEARTBEAT",
        "beating-2 = C:HEARTBEAT",
    ]
    assert document.parts[0].dialogs[0].rules[3].body.place == Place(7, 34, 9)
    assert problems == []


def test_a_drawing_in_a_table_is_unescaped() -> None:
    document, problems = reading(
        "Request dialog:|\n--------|\nRepeat:|\n  B: REQUEST|\n  W: \\*PARTIAL|\n  W: FINAL|\n"
    )
    assert dialogs(document) == ["request = B:REQUEST *W:PARTIAL W:FINAL"]
    assert problems == []


def test_a_step_that_is_none_is_told_with_its_place() -> None:
    document, problems = reading("```\nRepeat:\n  C: REQUEST\n  the broker thinks\nRepeat:\n```\n")
    assert dialogs(document) == ["dialog = C:REQUEST"]
    assert [(p.code, p.place, p.text) for p in problems] == [
        ("ZW315", Place(4, 3, 17), '"the broker thinks" is no step of a dialog'),
        ("ZW315", Place(5, 1, 7), "nothing is repeated here"),
    ]


BOX = """\
The ABC beacon consists of one 22-octet message:

[[code]]
+---+---+---+------+  +------+------+
| A | B | C | %x01 |  | UUID | port |
+---+---+---+------+  +------+------+

       Header               Body
[[/code]]
"""


def test_a_box_of_octets_is_a_rule_named_by_the_words_before_it() -> None:
    document, problems = reading(BOX)
    assert wire(document) == ['BEACON = %s"ABC" %x01 uuid port']
    (rule,) = document.parts[0].wire[0].rules
    assert rule.comment == "The ABC beacon consists of one 22-octet message:"
    assert problems == []


def test_a_box_below_a_heading_is_named_by_it() -> None:
    document, _ = reading("# The small frame\n\n" + BOX.partition("\n")[2])
    assert wire(document)[0].startswith("FRAME = ")


def test_a_cell_that_is_no_octets_is_told() -> None:
    document, problems = reading(BOX.replace("| port |", "| 7bit |"))
    assert wire(document) == ['BEACON = %s"ABC" %x01 uuid']
    assert [(p.code, p.place) for p in problems] == [("ZW313", Place(5, 32, 4))]
