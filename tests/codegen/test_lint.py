"""Every finding about names, layout, dialogs and style, each with a document that has it."""

from __future__ import annotations

import pytest

from support.documents import ROLES, codes_of, compiled, document, table
from zwire_codegen.catalogue import CODES
from zwire_codegen.problems import Severity

GOOD = "; A greeting\nHELLO = %x01 name\nname = size *VCHAR\nsize = OCTET"
HELLO = "d = C:HELLO"
MDPX = [
    table(name, '0 | `%s"MDXW01"` |', f"1 | `%x0{number}` |")
    for number, name in enumerate(["READY", "PING", "PONG"], 1)
]
SAID = "d = C:READY C:PING B:PONG C:BYE"


def greeting(value: str, **more: str) -> str:
    """A document whose one message has this value, with its rule or rules."""
    return document(abnf=f"; A greeting\nHELLO = %x01 value\n{value}", dialog=HELLO, **more)


CASES: dict[str, list[str]] = {
    "ZW005": ["# Only prose\n\nNothing to see.\n", ""],
    "ZW302": [
        document(abnf=GOOD, dialog=HELLO, settings="[conversaton]\nopens = []"),
        document(abnf=GOOD, dialog=HELLO, settings='[conversation]\nopen = ["d"]'),
        document(abnf=GOOD, dialog=HELLO, settings="[messages.HELLO]\nsent_only = true"),
    ],
    "ZW303": [
        document(abnf=GOOD, dialog=HELLO, settings='[conversation]\nopens = "d"'),
        document(abnf=GOOD, dialog=HELLO, settings="[part]\ndatagram = 1"),
        document(abnf=GOOD, dialog=HELLO, settings="[part]\nname = 3"),
        document(abnf=GOOD, dialog=HELLO, settings="senders = 7"),
    ],
    "ZW310": [
        document(dialog="d = C:M", tables=table("M", "0 | `%x01` |", "1+ | `*VCHAR` | body")),
        document(dialog="d = C:M", tables=table("M", "0 | `%x01` |", "1 | `*FRAME` | body")),
    ],
    "ZW312": [document(dialog="d = C:M", tables=table("M", "0 | `%x01` |", "2 | `FRAME` | body"))],
    "ZW401": [greeting("value = size *VCHAR")],
    "ZW402": [document(abnf=GOOD + "\nspare = OCTET", dialog=HELLO)],
    "ZW403": [document(abnf=GOOD + "\nSize = octet", dialog=HELLO)],
    "ZW404": [document(abnf=GOOD + "\nsize = 2OCTET", dialog=HELLO)],
    "ZW405": [greeting("value =/ OCTET")],
    "ZW406": [
        greeting("value = value OCTET"),
        greeting("value = OCTET [value]"),
        document(abnf=GOOD, dialog="d = C:HELLO [e]\ne = d"),
    ],
    "ZW407": [
        greeting("value = <something>"),
        greeting("value = LWSP"),
        greeting("value = name / OCTET\nname = 2*9VCHAR"),
        greeting("value = *item\nitem = 2OCTET"),
        greeting("value = [OCTET]"),
        greeting("value = 0OCTET"),
        greeting("value = 2*3FRAME"),
        greeting("value = size 1*item\nitem = 2OCTET\nsize = OCTET"),
        greeting("value = %x01-7F"),
        greeting("value = " + " ".join(["pair"] * 600) + "\npair = OCTET OCTET"),
        greeting("value = 99999%x00.01"),
    ],
    "ZW408": [greeting("value = A / B\nA = %x01\nB = %x01"), greeting("value = A / A\nA = %x01")],
    "ZW409": [
        greeting("value = size *VCHAR\nsize = 3OCTET"),
        greeting("value = size *300VCHAR\nsize = OCTET"),
        greeting("value = size *VCHAR\nsize = 8OCTET"),
    ],
    "ZW410": [
        document(abnf="; A\nPING = %x01\n; B\nPONG = %x01", dialog="d = C:PING C:PONG"),
        document(abnf="; A\nASK = 1*FRAME\n; B\nTELL = 2*FRAME", dialog="d = C:ASK C:TELL"),
    ],
    "ZW411": [
        document(dialog=SAID, tables="".join(MDPX) + table("BYE", '0 | `%s"X"` |', "1 | `%x04` |"))
    ],
    "ZW412": [
        document(abnf="; A\nHELLO = %x01 size size\nsize = OCTET", dialog=HELLO),
        greeting("value = a-b / A-B\na-b = %x01").replace("a-b / A-B", '%s"ab" / %s"AB"'),
    ],
    "ZW413": [
        document(abnf=GOOD, dialog=HELLO, tables=table("HELLO", "0 | `%x01` |")),
        document(dialog=HELLO, tables=table("HELLO", "0 | `%x01` |") * 2),
    ],
    "ZW414": [
        document(abnf=GOOD, dialog=HELLO, settings='[types]\nname = "colour"'),
        document(abnf=GOOD, dialog=HELLO, settings='[types]\nname = "uuid"'),
        document(abnf=GOOD, dialog=HELLO, settings='[types]\nnam = "text"'),
        document(abnf=GOOD, dialog=HELLO, settings='[types]\nHELLO.nam = "text"'),
        document(abnf=GOOD, dialog=HELLO, settings='[types]\nHELLO.name = "integer"'),
        document(
            abnf=GOOD, dialog=HELLO, settings='[types]\nname = { type = "text", maximum = 256 }'
        ),
    ],
    "ZW415": [
        document(abnf="; A\nHELLO = rest size\nrest = *OCTET\nsize = OCTET", dialog=HELLO),
        document(abnf="; A\nHELLO = rest size\nrest = *FRAME\nsize = FRAME", dialog=HELLO),
        document(abnf="; A\nHELLO = one size\none = FRAME\nsize = OCTET", dialog=HELLO),
        document(abnf="; A\nHELLO = [one] two\none = FRAME\ntwo = FRAME", dialog=HELLO),
    ],
    "ZW416": [document(abnf=GOOD + "\nOCTET = %x00-FF", dialog=HELLO)],
    "ZW417": [
        document(abnf="; A\nHELLO = %x01 FRAME", dialog=HELLO, settings="[part]\ndatagram = true")
    ],
    "ZW418": [
        document(abnf=GOOD, dialog=HELLO).replace('"sample"', '"36/ZRE"'),
        document(abnf=GOOD, dialog=HELLO, settings='[part]\nname = "Client"'),
        document(
            abnf=GOOD,
            dialog=HELLO,
            settings='[roles]\nclient = { letter = "C" }\ncook = { letter = "C" }',
        ),
        document(abnf=GOOD, dialog=HELLO) + "```zwire\n[part]\n```\n```abnf\nM = %x01\n```\n",
    ],
    "ZW419": [
        document(abnf=GOOD, dialog=HELLO, settings="[constants]\nport = 5.5"),
        document(abnf=GOOD, dialog=HELLO, settings='[constants]\nport = "%xA"'),
        document(abnf=GOOD, dialog=HELLO, settings="[constants]\na-b = 1\na_b = 2"),
    ],
    "ZW420": [greeting("value = Size *VCHAR\nsize = OCTET")],
    "ZW421": [document(abnf="size = OCTET")],
    "ZW422": [greeting("value = size *DIGIT\nsize = OCTET")],
    "ZW423": [
        document(abnf="; A\nHELLO = %x01 OCTET", dialog=HELLO),
        document(dialog=HELLO, tables=table("HELLO", "0 | `*OCTET` |")),
    ],
    "ZW501": [
        document(abnf=GOOD, dialog="d = X:HELLO"),
        document(abnf=GOOD, dialog=HELLO, settings='[senders]\nHELLO = ["clent"]'),
    ],
    "ZW502": [
        document(abnf=GOOD, dialog="d = C:HELLO C:HALLO"),
        document(abnf=GOOD, dialog=HELLO, settings='[conversation]\ncloses = ["BYE"]'),
        document(abnf=GOOD, dialog=HELLO, settings='[senders]\nBYE = ["client"]'),
    ],
    "ZW503": [document(abnf=GOOD, dialog=HELLO, tables=table("BYE", "0 | `%x02` |"))],
    "ZW504": [
        document(
            abnf=GOOD,
            dialog="d = C:HELLO C:BYE C:HELLO",
            settings='[conversation]\ncloses = ["BYE"]',
            tables=table("BYE", "0 | `%x02` |"),
        ),
        document(abnf=GOOD, dialog="d = C:HELLO 0B:HELLO"),
    ],
    "ZW505": [document(abnf=GOOD, dialog="d = C:HELLO B:HELLO\ne = B:HELLO")],
    "ZW506": [document(abnf=GOOD, dialog="d = C:HELLO\ne = 0B:HELLO")],
    "ZW507": [document(abnf=GOOD, dialog=HELLO, settings='[conversation]\nopens = ["e"]')],
    "ZW508": [document(abnf=GOOD, dialog=HELLO, settings='[conversation]\nkeys = { d = ["id"] }')],
    "ZW510": [
        document(abnf=GOOD, dialog="d = HELLO"),
        document(abnf=GOOD, dialog="d = C:HELLO %x01"),
    ],
    "ZW511": [
        document(abnf=GOOD, dialog="d = 9999C:HELLO"),
        document(abnf=GOOD, dialog="d = " + "*(B:HELLO " * 60 + "C:HELLO" + ")" * 60),
        document(abnf=GOOD, dialog="d = *(C:HELLO / B:HELLO) C:HELLO 30(C:HELLO / B:HELLO)"),
    ],
    "ZW512": [document(abnf=GOOD, dialog="d = B:HELLO", settings='[senders]\nHELLO = ["client"]')],
    "ZW601": [document(abnf="; A\nhello = %x01", dialog="d = C:hello")],
    "ZW602": [greeting('value = "YES" / %s"NO"')],
    "ZW603": [document(abnf="HELLO = %x01", dialog=HELLO)],
}


@pytest.mark.parametrize(
    ("code", "text"), [(code, text) for code, texts in CASES.items() for text in texts]
)
def test_a_document_with_the_fault_is_told_so(code: str, text: str) -> None:
    assert code in codes_of(text)


def test_a_document_without_a_fault_is_told_nothing() -> None:
    assert codes_of(document(abnf=GOOD, dialog=HELLO)) == []


def test_every_finding_of_names_dialogs_and_style_has_a_document_here() -> None:
    wanted = {code for code in CODES if code[:3] in ("ZW4", "ZW5", "ZW6")}
    assert wanted - set(CASES) == set()


def test_a_finding_that_is_no_error_leaves_the_model_standing() -> None:
    for code, texts in CASES.items():
        for text in texts:
            loaded = compiled(text)
            errors = [one for one in loaded.problems if one.severity is Severity.ERROR]
            if CODES[code].severity is Severity.ERROR:
                assert errors, code
            assert loaded.failed == bool(errors)
            if errors:
                assert loaded.protocol is None


def test_one_mistake_hides_no_other() -> None:
    text = document(
        abnf="; A\nHELLO = %x01 nam siz\n; B\nBYE = %x01 <prose>",
        dialog="d = C:HELLO X:BYE C:HALLO",
    )
    assert sorted(codes_of(text)) == ["ZW401", "ZW401", "ZW407", "ZW501", "ZW502"]


def test_a_message_that_is_only_understood_may_have_another_header() -> None:
    tables = "".join(MDPX) + table("BYE", '0 | `%s"X"` |', "1 | `%x04` |")
    settings = "[messages.BYE]\nreceived_only = true"
    assert codes_of(document(dialog=SAID, tables=tables, settings=settings)) == []


def test_the_same_octets_from_different_roles_are_no_clash() -> None:
    text = document(abnf="; A\nASK = 1*FRAME\n; B\nTELL = 1*FRAME", dialog="d = C:ASK B:TELL")
    assert codes_of(text) == []


def test_a_declared_number_of_frames_is_held_against_the_rows() -> None:
    listed = "A PING command consists of a multipart message of {} frames:\n\n"
    listed += '* Frame 0: "PP" (two bytes)\n* Frame 1: 0x01 (one byte, representing PING)\n'
    settings = f'```zwire\n[protocol]\nname = "sample"\n{ROLES}```\n\n'
    assert "ZW305" in codes_of(settings + listed.format(3))
    assert "ZW305" not in codes_of(settings + listed.format(2))


def test_a_role_may_be_named_by_its_letter_in_settings() -> None:
    settings = '[senders]\nHELLO = ["C"]'
    loaded = compiled(document(abnf=GOOD, settings=settings))
    assert loaded.protocol is not None
    assert loaded.protocol.parts[0].messages[0].senders == ("client",)
