"""The core rules of RFC 5234 (appendix B.1), which every grammar may name without defining them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from zwire_codegen.notation.abnf_names import folded
from zwire_codegen.notation.tree import (
    Choice,
    Element,
    Name,
    Range,
    Repeat,
    Rule,
    Sequence,
    Terminal,
)
from zwire_codegen.source import Place

_HERE = Place(0, 0, 0)  # they stand in no document


def _name(text: str) -> Name:
    return Name(text, _HERE)


def _octet(value: int) -> Terminal:
    return Terminal(bytes((value,)), _HERE, f"%x{value:02X}")


def _text(text: str) -> Terminal:
    return Terminal(text.encode("ascii"), _HERE, f'"{text}"', text.isalpha())


def _range(low: int, high: int) -> Range:
    return Range(low, high, _HERE, f"%x{low:02X}-{high:02X}")


def _choice(*items: Element) -> Choice:
    return Choice(items, _HERE)


_BODIES: dict[str, Element] = {
    "ALPHA": _choice(_range(0x41, 0x5A), _range(0x61, 0x7A)),
    "BIT": _choice(_text("0"), _text("1")),
    "CHAR": _range(0x01, 0x7F),
    "CR": _octet(0x0D),
    "CRLF": Sequence((_name("CR"), _name("LF")), _HERE),
    "CTL": _choice(_range(0x00, 0x1F), _octet(0x7F)),
    "DIGIT": _range(0x30, 0x39),
    "DQUOTE": _octet(0x22),
    "HEXDIG": _choice(_name("DIGIT"), *map(_text, "ABCDEF")),
    "HTAB": _octet(0x09),
    "LF": _octet(0x0A),
    "LWSP": Repeat(
        _choice(_name("WSP"), Sequence((_name("CRLF"), _name("WSP")), _HERE)), 0, None, _HERE
    ),
    "OCTET": _range(0x00, 0xFF),
    "SP": _octet(0x20),
    "VCHAR": _range(0x21, 0x7E),
    "WSP": _choice(_name("SP"), _name("HTAB")),
}

CORE_RULES: Mapping[str, Rule] = MappingProxyType(
    {folded(name): Rule(_name(name), body, _HERE) for name, body in _BODIES.items()}
)


def core_rule(name: str) -> Rule | None:
    """The core rule of this name, however its letters are cased; None where there is none."""
    return CORE_RULES.get(folded(name))
