"""Dialogs: who says what becomes steps, senders and a conversation."""

from __future__ import annotations

from support.documents import codes_of, compiled, document, message_of, part_of, table
from zwire_codegen.model.types import Choice, Dialog, Part, Repeat, Say, Sequence, Step
from zwire_codegen.notation.abnf import parse
from zwire_codegen.notation.document import Document, PartText, Settings
from zwire_codegen.passes.protocols import build
from zwire_codegen.source import Line, Place, Source

MESSAGES = "".join(
    table(name, f"0 | `%x0{number}` |", "1 | `1*OCTET` | request-id")
    for number, name in enumerate(["REQUEST", "PARTIAL", "FINAL", "READY", "BYE"], 1)
)


def told(dialog: str, settings: str = "") -> Part:
    return part_of(document(dialog=dialog, settings=settings, tables=MESSAGES))


def words(step: Step) -> object:
    """A step without its origins."""
    match step:
        case Say():
            return f"{step.role}:{step.message}"
        case Sequence():
            return [words(item) for item in step.items]
        case Choice():
            return {"one of": [words(item) for item in step.items]}
        case Repeat():
            return (step.minimum, step.maximum, words(step.item))


def the(part: Part, name: str) -> Dialog:
    return next(one for one in part.conversation.dialogs if one.name == name)


ASK = "request = C:REQUEST *B:PARTIAL B:FINAL"


def test_names_with_roles_become_steps() -> None:
    assert words(the(told(ASK), "request").body) == [
        "client:REQUEST",
        (0, None, "broker:PARTIAL"),
        "broker:FINAL",
    ]


def test_alternatives_and_options_become_choices_and_repeats() -> None:
    dialog = "d = C:READY / C:REQUEST [B:FINAL]"
    assert words(the(told(dialog), "d").body) == {
        "one of": ["client:READY", ["client:REQUEST", (0, 1, "broker:FINAL")]]
    }


def test_a_dialog_may_be_written_in_several_rules() -> None:
    part = told("d = ask 1*answer\nask = C:REQUEST\nanswer = B:PARTIAL / B:FINAL")
    assert [dialog.name for dialog in part.conversation.dialogs] == ["d"]
    assert words(the(part, "d").body) == [
        "client:REQUEST",
        (1, None, {"one of": ["broker:PARTIAL", "broker:FINAL"]}),
    ]


def test_an_opening_and_repeated_dialogs_tell_how_dialogs_follow_each_other() -> None:
    part = told("all = hello *traffic\nhello = C:READY\ntraffic = C:REQUEST B:FINAL")
    found = {one.name: (one.opens, one.loops) for one in part.conversation.dialogs}
    assert found == {"hello": (True, True), "traffic": (False, True)}


def test_senders_are_those_who_say_a_message_in_the_order_of_the_roles() -> None:
    text = document(dialog=f"{ASK}\nbye = B:BYE / C:BYE", tables=MESSAGES)
    assert message_of(text, "REQUEST").senders == ("client",)
    assert message_of(text, "PARTIAL").senders == ("broker",)
    assert message_of(text, "BYE").senders == ("client", "broker")


def test_settings_say_who_sends_what_no_dialog_has() -> None:
    text = document(dialog=ASK, tables=MESSAGES, settings='[senders]\nBYE = ["broker"]')
    assert message_of(text, "BYE").senders == ("broker",)


def test_a_message_that_closes_is_anybodys_unless_settings_say_whose() -> None:
    text = document(dialog=ASK, tables=MESSAGES, settings='[conversation]\ncloses = ["BYE"]')
    assert message_of(text, "BYE").senders == ("client", "broker")


def test_without_any_dialog_everybody_may_send_everything() -> None:
    assert message_of(document(tables=MESSAGES), "READY").senders == ("client", "broker")
    assert codes_of(document(tables=MESSAGES)) == []


def test_without_any_roles_there_is_one_peer() -> None:
    loaded = compiled("; Hello\nHELLO = %x01\n", "hello.abnf")
    assert loaded.protocol is not None
    (part,) = loaded.protocol.parts
    assert loaded.protocol.name == "hello"
    assert [role.name for role in part.roles] == ["peer"]
    assert part.messages[0].senders == ("peer",)


def test_settings_tell_opening_closing_and_keys() -> None:
    settings = (
        '[conversation]\nopens = ["hello"]\nonce = ["hello"]\ncloses = ["BYE"]\n'
        'keys = { request = ["request_id"] }'
    )
    part = told(f"hello = C:READY\n{ASK}", settings)
    hello, request = part.conversation.dialogs
    assert (hello.opens, hello.loops, hello.key) == (True, False, ())
    assert (request.opens, request.loops, request.key) == (False, True, ("request-id",))
    assert part.conversation.closes == ("BYE",)


def test_an_opening_done_once_may_use_a_message_that_comes_again() -> None:
    dialog = "hello = C:READY B:READY\nagain = B:READY"
    opens = '[conversation]\nopens = ["hello"]'
    once = opens + '\nonce = ["hello"]'
    assert "ZW505" in codes_of(document(dialog=dialog, settings=opens, tables=MESSAGES))
    assert "ZW505" not in codes_of(document(dialog=dialog, settings=once, tables=MESSAGES))


MIXED = """\
chat     = greeting *traffic
greeting = S:HELLO
traffic  = S:TELL R:TOLD

; Greet
S:HELLO  = header %x01
; Tell something
S:TELL   = header %x02 text
; Told
R:TOLD   = header %x03
header   = %xAA level
level    = LOW / HIGH
LOW      = %x01
HIGH     = %x02
text     = *VCHAR"""


def test_dialog_and_wire_in_one_block_are_told_apart() -> None:
    lines = [Line(text, number) for number, text in enumerate(MIXED.split("\n"), 1)]
    grammar, _ = parse(lines, "mixed.txt", strict=False)
    roles = {"roles": {"sender": {"letter": "S"}, "reader": {"letter": "R"}}}
    text = PartText(Settings(roles, Place(1, 1)), wire=(grammar,))
    none = Settings({}, Place(1, 1))
    protocol, problems = build(Document(Source("mixed.txt", MIXED), "Mixed", none, (text,)))
    assert problems == []
    assert protocol is not None
    (part,) = protocol.parts
    assert [message.name for message in part.messages] == ["HELLO", "TELL", "TOLD"]
    assert [message.senders for message in part.messages] == [
        *(("sender",), ("sender",)),
        ("reader",),
    ]
    assert [dialog.name for dialog in part.conversation.dialogs] == ["greeting", "traffic"]


def test_a_rule_of_messages_only_is_a_dialog_even_without_roles() -> None:
    text = document(
        settings='[roles]\nnode = { letter = "N" }\n[senders]\nLOG = ["node"]',
        abnf="reports = *LOG\n\n; A report\nLOG = level\nlevel = LOW / HIGH\n"
        "LOW = %x01\nHIGH = %x02",
    )
    part = part_of(text)
    assert [message.name for message in part.messages] == ["LOG"]
    assert words(the(part, "reports").body) == (0, None, "node:LOG")
