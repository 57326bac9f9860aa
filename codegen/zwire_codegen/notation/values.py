"""What published documents write where our tables have an ABNF element: `0x01 (one byte)`."""

from __future__ import annotations

import re
from dataclasses import dataclass

_HEX = re.compile(r"0[xX]((?:[0-9A-Fa-f]{2})+)\b")
_QUOTED = re.compile(r'"([\x20\x21\x23-\x7e]+)"')
_PLACEHOLDER = re.compile(r"_([A-Za-z][A-Za-z0-9_ -]*)_|<([A-Za-z][A-Za-z0-9_ -]*)>")
_NUMERIC = re.compile(r"%[xdbsi]\S*")
_WORD = re.compile(r"[\x21\x23-\x7e]+")
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")
_TEXTUAL = re.compile(r"\b(?:printable|string|text|characters)\b", re.IGNORECASE)
_OPAQUE = re.compile(r"\b(?:opaque|binary|octets|bytes|uuid|envelope|identity)\b", re.IGNORECASE)
_REMARK = re.compile(r"\s\(([^()]*)\)$")


@dataclass(frozen=True, slots=True)
class Reading:
    """A value in our notation, and the field's name ("" for a constant). It is not `sure` when
    the words do not tell what octets there may be."""

    value: str
    name: str
    sure: bool = True


def read_value(text: str, *, literal: bool) -> Reading:
    """What a value says in prose, in our notation.

    `literal`: it stands in a column of values, where a bare word means itself; else in running
    text, where it describes a field.
    """
    whole = text.strip()
    for pattern, write in ((_HEX, _octets), (_QUOTED, _text)):
        found = pattern.match(whole)
        if found is not None and _ends(whole, found.end()):
            return Reading(write(found[1]), "")
    placeholder = _PLACEHOLDER.fullmatch(whole)
    bare = (placeholder[1] or placeholder[2]) if placeholder is not None else whole
    if bare.split(" ", 1)[0].lower() in ("empty", '""'):
        return Reading('""', "")
    if placeholder is not None:
        return Reading("*OCTET", name_of(bare))
    if _NUMERIC.fullmatch(whole) is not None:
        return Reading(whole, "")
    if literal and _WORD.fullmatch(whole) is not None:
        return Reading(_text(whole), "")
    return _described(whole)


def name_of(text: str) -> str:
    """A name in our notation out of words: `Request id` becomes `request-id`."""
    name = _NOT_IN_NAMES.sub("-", text.lower()).strip("-")
    return name if name[:1].isalpha() else f"field-{name}".rstrip("-")


def _described(text: str) -> Reading:
    remark = _REMARK.search(text[-200:])
    name = name_of(text[: len(text) - len(remark[0])] if remark is not None else text)
    told = remark[1] if remark is not None else ""
    if _TEXTUAL.search(told) is not None:
        return Reading("*VCHAR", name)
    return Reading("*OCTET", name, sure=_OPAQUE.search(told) is not None)


def _ends(text: str, end: int) -> bool:
    """Whether nothing but a remark in parentheses follows."""
    rest = text[end:].strip()
    return not rest or (rest.startswith("(") and rest.endswith(")"))


def _octets(digits: str) -> str:
    pairs = [digits[at : at + 2].upper() for at in range(0, len(digits), 2)]
    return "%x" + ".".join(pairs)


def _text(text: str) -> str:
    return f'%s"{text}"'
