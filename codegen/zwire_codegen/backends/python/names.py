"""From the names and values of a specification to those of Python."""

from __future__ import annotations

import builtins
import keyword
import re

from zwire_codegen.reference.shape import field_name

# Modules that all protocols share, beside which their packages stand.
SHARED = ("errors", "layout", "choosing", "reading", "checking", "views")

# What generated functions call their own things; a field of that name gets another variable.
_TAKEN = frozenset(dir(builtins)) | {
    "address",
    "at",
    "blank",
    "end",
    "entry",
    "frame",
    "frames",
    "key",
    "made",
    "message",
    "objection",
    "part",
    "parts",
    "place",
    "refusal",
    "refuse_controls",
    "rest",
    "size",
    "start",
    "unpack",
    "value",
}
# How the variables end that go with the one of a field, and what those with numbers are called.
_DERIVED = re.compile(r".*_(octets|size|items?|value|constant(_\d+)?)\Z|(frame|parts)_\d+\Z")

# What generated modules import or define beside the classes of messages.
_CLASSES_TAKEN = frozenset(
    {
        "Any",
        "Callable",
        "DecodeError",
        "EncodeError",
        "IntEnum",
        "Mapping",
        "Message",
        "None",
        "Sequence",
        "StrEnum",
        "Struct",
        "TypeAlias",
        "TypeError",
        "True",
        "False",
        "UUID",
        "ValueError",
    }
)
_CONSTANTS_TAKEN = frozenset(
    {
        "CLOSES",
        "COMMANDS",
        "DECODERS",
        "DIALOGS",
        "LIMIT",
        "MALFORMED",
        "MESSAGES",
        "OCTET",
        "UNSUITABLE",
        "UUID",
    }
)
# What the annotations of a class are made of, and what every class has already: a field of that
# name would stand in the way.
_NEEDED = frozenset({"bytes", "dict", "int", "mro", "property", "str", "tuple"})


def class_name(name: str) -> str:
    """`PING-OK` as a class: `PingOk`; a mixed name keeps its capitals (`pingOk`: `PingOk`), and a
    number stays apart (`PING-2`: `Ping_2`)."""
    words = [word for word in re.split(r"[^0-9A-Za-z]+", name) if word]
    whole = "".join(
        word.capitalize() if word.isupper() or word.islower() else word[0].upper() + word[1:]
        for word in (f"_{word}" if word[0].isdigit() else word for word in words)
    )
    return whole + "_" if whole in _CLASSES_TAKEN else whole


def upper_name(name: str) -> str:
    """`udp-port` in capitals: `UDP_PORT`."""
    return re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_").upper()


def constant_name(name: str) -> str:
    """`udp-port` as a constant of a module: `UDP_PORT`."""
    plain = upper_name(name)
    return plain + "_" if plain in _CONSTANTS_TAKEN else plain


def function_name(name: str) -> str:
    """`PING-OK` as a part of a function's name: `ping_ok`."""
    return upper_name(name).lower()


def package_name(name: str) -> str:
    """The package of a protocol, which may not hide a module that stands beside it."""
    plain = function_name(name)
    return plain + "_" if plain in (*SHARED, "conversation") else plain


def attribute(name: str) -> str:
    """The attribute of a field: its name in JSON, with `_` behind a word that Python needs."""
    plain = field_name(name)
    return plain + "_" if keyword.iskeyword(plain) or plain in _NEEDED else plain


def variable(name: str) -> str:
    """The local variable for a field."""
    plain = attribute(name)
    return plain + "_value" if plain in _TAKEN or _DERIVED.match(plain) else plain


def literal(value: object) -> str:
    """A value as Python writes it, with the quotes that black prefers."""
    if isinstance(value, tuple):
        inner = ", ".join(literal(item) for item in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    text = repr(value)
    if not isinstance(value, str | bytes) or text.count('"') > text.count("\\'"):
        return text
    start = text.index("'")
    inner = text[start + 1 : -1].replace("\\'", "'").replace('"', '\\"')
    return f'{text[:start]}"{inner}"'
