"""Each token of a rule gets its part of the tree, and the tolerances it needs are told."""

from __future__ import annotations

import re
from collections.abc import Callable

from zwire_codegen.notation import abnf_values as values
from zwire_codegen.notation.abnf_findings import Findings
from zwire_codegen.notation.abnf_parser import Count, Role
from zwire_codegen.notation.abnf_scanner import Token, brief
from zwire_codegen.notation.tree import Name, Prose, Range, Terminal
from zwire_codegen.source import Place

_DIGITS = 9  # more of them in a repeat cannot be meant
_COMMENT = re.compile(r";[\t -~]*")


def give_value(token: Token, findings: Findings) -> None:
    """Set the token's value to what the tree needs of it."""
    maker = _MAKERS.get(token.type)
    if maker is not None:
        place = findings.place(token)
        try:
            token.value = maker(token, place, findings)
        except values.NotAValue as error:
            code = "ZW104" if error.reversed_range else "ZW103"
            hint = "swap its bounds" if error.reversed_range else ""
            findings.error(place, code, str(error), hint)
            token.value = Terminal(b"", place, token.text)


def head(token: Token, findings: Findings) -> Name:
    """The name that a rule is defined by; a role in front of it is a tolerance."""
    place = findings.place(token)
    role, colon, text = token.text.rpartition(":")
    text = text.strip()
    if colon:
        hint = f"write {brief(text)} =, and {brief(f'{role}:{text}')} where it is said"
        findings.tolerate(
            place, "ZW202", f'the role "{brief(role)}:" in front of a rule\'s name', hint
        )
    _check_name(text, place, findings)
    return Name(text, place, role)


def check_comment(token: Token, findings: Findings) -> None:
    """Find characters that RFC 5234 allows in no comment."""
    if (
        not (token.text.isascii() and token.text.isprintable())
        and _COMMENT.fullmatch(token.text) is None
    ):
        _tell_odd(token, findings.place(token), "a comment", findings)


def _name(token: Token, place: Place, findings: Findings) -> Name:
    text = token.text
    _check_name(text, place, findings)
    return Name(text, place)


def _check_name(text: str, place: Place, findings: Findings) -> None:
    if "_" in text:
        hint = f"write {brief(text.replace('_', '-'))}"
        findings.tolerate(place, "ZW203", f'"_" in the name "{brief(text)}"', hint)


def _role(token: Token, place: Place, findings: Findings) -> Role:
    text = token.text[:-1]
    if not findings.roles:
        hint = "say who sends what in a dialog, and leave the role out here"
        findings.tolerate(place, "ZW202", f"the role {token.shown} in front of an element", hint)
    return Role(text, place)


def _repeat(token: Token, place: Place, findings: Findings) -> Count:
    low, star, high = token.text.partition("*")
    if len(low) > _DIGITS or len(high) > _DIGITS:
        findings.error(place, "ZW103", "a repeat of a billion times or more", "use a smaller one")
        return Count(0, None, place)
    minimum = int(low or 0)
    maximum = (int(high) if high else None) if star else minimum
    if maximum is not None and maximum < minimum:
        text = f"at least {minimum} but at most {maximum}: nothing can repeat so often"
        findings.error(place, "ZW104", text, f"write {maximum}*{minimum}")
    return Count(minimum, maximum, place)


def _number(token: Token, place: Place, findings: Findings) -> Terminal | Range:
    return values.number(token.text, place)


def _bare_number(token: Token, place: Place, findings: Findings) -> Terminal | Range:
    text = f"{token.shown} does not say the base of its digits"
    findings.tolerate(place, "ZW204", text, f"write {brief(f'%x{token.text[1:]}')}")
    return values.number(token.text, place)


def _quoted_number(token: Token, place: Place, findings: Findings) -> Terminal:
    value = values.quoted_number(token.text, place)
    text = f"{token.shown} is neither a number nor a text"
    findings.tolerate(place, "ZW205", text, f"write {brief(values.canonical(value))}")
    return value


def _quoted_range(token: Token, place: Place, findings: Findings) -> Range:
    value = values.quoted_range(token.text, place)
    text = f"{token.shown}: a range has numbers for bounds"
    findings.tolerate(place, "ZW206", text, f"write {brief(values.canonical(value))}")
    return value


def _text(token: Token, place: Place, findings: Findings) -> Terminal:
    value = values.text(token.text, place)
    if not (token.text.isascii() and token.text.isprintable()):
        _tell_odd(token, place, "a text", findings, f"write {brief(values.canonical(value))}")
    return value


def _prose(token: Token, place: Place, findings: Findings) -> Prose:
    if not (token.text.isascii() and token.text.isprintable()):
        _tell_odd(token, place, "a prose value", findings)
    return Prose(token.text[1:-1], place)


def _bar(token: Token, place: Place, findings: Findings) -> str:
    findings.tolerate(place, "ZW201", '"|" between alternatives', "write /")
    return token.text


def _only_place(token: Token, place: Place, findings: Findings) -> Place:
    return place


def _tell_odd(
    token: Token, place: Place, where: str, findings: Findings, hint: str = "write it in ASCII"
) -> None:
    offset, character = next(
        (n, c)
        for n, c in enumerate(token.text)
        if not " " <= c <= "~" and (c != "\t" or where != "a comment")
    )
    text = f"{where} holds U+{ord(character):04X}, which is not printable ASCII"
    findings.tolerate(Place(place.line, place.column + offset), "ZW209", text, hint)


_MAKERS: dict[str, Callable[[Token, Place, Findings], object]] = {
    "NAME": _name,
    "ROLE": _role,
    "REPEAT": _repeat,
    "TEXT": _text,
    "NUMBER": _number,
    "BARE_NUMBER": _bare_number,
    "QUOTED_NUMBER": _quoted_number,
    "QUOTED_RANGE": _quoted_range,
    "PROSE": _prose,
    "_BAR": _bar,
    "OPEN_OPTION": _only_place,
    "CLOSE_OPTION": _only_place,
}
