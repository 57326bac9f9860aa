"""Syntax errors in people's words: what was found, what was expected there, and what may mend it."""

from __future__ import annotations

from collections.abc import Sequence

from zwire_codegen.notation.abnf_findings import Findings
from zwire_codegen.notation.abnf_scanner import Token
from zwire_codegen.source import Place

_CLOSED_BY = {"_OPEN": ")", "OPEN_OPTION": "]"}
_OPENED_BY = {"_CLOSE": "(", "CLOSE_OPTION": "["}
_THING = {"_OPEN": "group", "OPEN_OPTION": "option"}
_STRAY_HINTS = {
    "'": 'quote texts with "',
    "{": "group with ( and )",
    "}": "group with ( and )",
    "+": "write 1*element for one or more",
    "?": "write [element] for an option",
    "#": 'write out a list: element *( "," element )',
    "_": "a name begins with a letter",
    "-": "a name begins with a letter",
    ",": "separate elements by blanks only",
    "`": 'quote texts with "',
    "\u00a0": "this is a no-break space: write a blank",
}


def tell_text_before(token: Token, findings: Findings) -> None:
    """There is text before the first rule of a block."""
    text = f"{token.shown} stands before the first rule"
    findings.error(findings.place(token), "ZW101", text, "a rule is a name, =, and its elements")


def tell_mistake(tokens: Sequence[Token], wrong: Token | None, findings: Findings) -> None:
    """The rule of these tokens cannot be understood from `wrong` on; None is the rule's end."""
    read = list(tokens)
    if wrong is not None:
        read = read[: next(n for n, token in enumerate(read) if token is wrong)]
    opened: list[Token] = []
    for token in read:
        if token.type in _CLOSED_BY:
            opened.append(token)
        elif token.type in _OPENED_BY and opened:
            opened.pop()
    place, code, text, hint = _judge(read, opened, wrong, findings)
    findings.error(place, code, text, hint)


def _judge(
    read: Sequence[Token], opened: Sequence[Token], wrong: Token | None, findings: Findings
) -> tuple[Place, str, str, str]:
    """Place, code, text and hint of the mistake."""
    before = read[-1] if read else None
    if wrong is not None:
        place = findings.place(wrong)
        broken = _broken(wrong)
        if broken is not None:
            return place, *broken
        if wrong.type in _OPENED_BY:
            return place, "ZW101", *_closing(wrong, before, opened)
        if wrong.type == "_SLASH" or wrong.type == "_BAR":
            text = f"expected an element before {wrong.shown}"
            return place, "ZW101", text, 'an alternative may be empty as ""'
        if wrong.type == "REPEAT" and before is not None and before.type == "REPEAT":
            text = f"two repeats, {before.shown} and {wrong.shown}, of one element"
            return place, "ZW101", text, "group what is repeated twice: 2(3element)"
        if wrong.type == "DEFINED":
            return place, "ZW101", f'"{wrong}" does not follow a name', "only a rule's name has ="
        return place, "ZW101", f"expected an element, found {wrong.shown}", ""
    name = read[0].shown
    place = findings.place(read[-1])
    if before is None or before.type == "HEAD" or before.type == "DEFINED":
        text = f"the rule {name} has nothing behind ="
        return findings.place(read[0]), "ZW105", text, 'an empty one is written ""'
    if opened and before.type not in ("_SLASH", "_BAR", "REPEAT", "ROLE"):
        mark = opened[-1]
        text = f'the {_THING[mark.type]} that "{mark}" opens has no end'
        return findings.place(mark), "ZW102", text, f'add the missing "{_CLOSED_BY[mark.type]}"'
    text = f"expected an element behind {before.shown}, found the end of the rule {name}"
    return place, "ZW101", text, 'an empty element is written ""'


def _broken(wrong: Token) -> tuple[str, str, str] | None:
    """Code, text and hint about a token that is none of ABNF's."""
    match wrong.type:
        case "BROKEN_TEXT":
            return "ZW102", "the quoted text has no end on its line", 'add the missing "'
        case "BROKEN_PROSE":
            return "ZW102", "the prose value has no end on its line", "add the missing >"
        case "BROKEN_NUMBER":
            hint = (
                "numbers are written %x0D, %d13 or %b1101, with . between several and - in a range"
            )
            return "ZW103", f"{wrong.shown} is no number", hint
        case "BNF_DEFINED":
            return "ZW101", f'"{wrong}" does not define a rule', "write ="
        case "STRAY":
            code_point = (
                ""
                if wrong.text.isascii() and wrong.text.isprintable()
                else f" (U+{ord(wrong.text[0]):04X})"
            )
            text = f"unexpected {wrong.shown}{code_point}"
            return "ZW101", text, _STRAY_HINTS.get(wrong.text[0], "")
    return None


def _closing(wrong: Token, before: Token | None, opened: Sequence[Token]) -> tuple[str, str]:
    """Text and hint about a bracket that closes too early, wrongly, or nothing."""
    if not opened:
        return (
            f'"{wrong}" closes nothing',
            f'remove it, or add the missing "{_OPENED_BY[wrong.type]}"',
        )
    mark = opened[-1]
    if before is mark:
        return f"the {_THING[mark.type]} is empty", 'an empty element is written ""'
    if before is not None and before.type in ("_SLASH", "_BAR", "REPEAT", "ROLE"):
        return (
            f"expected an element between {before.shown} and {wrong.shown}",
            'an empty one is written ""',
        )
    expected = _CLOSED_BY[mark.type]
    return f'"{wrong}" cannot close what "{mark}" opens', f'write "{expected}"'
