"""From the names and values of a specification to those of Python."""

from __future__ import annotations

import builtins
import keyword
import re

from zwire_codegen.reference.shape import field_name

# What generated functions call their own things; a field of that name gets another variable.
_TAKEN = frozenset(dir(builtins)) | {
    "at",
    "frame",
    "frames",
    "item",
    "items",
    "blank",
    "made",
    "message",
    "part",
    "parts",
    "rest",
    "size",
    "start",
    "struct",
    "named",
    "enum",
    "uuid",
}

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
        "True",
        "False",
    }
)


def class_name(name: str) -> str:
    """`PING-OK` as a class: `PingOk`; a mixed name keeps its capitals (`pingOk`: `PingOk`)."""
    words = [word for word in re.split(r"[^0-9A-Za-z]+", name) if word]
    whole = "".join(
        word.capitalize() if word.isupper() or word.islower() else word[0].upper() + word[1:]
        for word in words
    )
    return whole + "_" if whole in _CLASSES_TAKEN else whole


def constant_name(name: str) -> str:
    """`udp-port` as a constant: `UDP_PORT`."""
    return re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_").upper()


def function_name(name: str) -> str:
    """`PING-OK` as a part of a function's name: `ping_ok`."""
    return constant_name(name).lower()


def attribute(name: str) -> str:
    """The attribute of a field: its name in JSON, with `_` behind a word that Python keeps."""
    plain = field_name(name)
    return plain + "_" if keyword.iskeyword(plain) else plain


def variable(name: str) -> str:
    """The local variable for a field."""
    plain = attribute(name)
    return plain + "_value" if plain in _TAKEN else plain


def literal(value: object) -> str:
    """A value as Python writes it, with the quotes that black prefers."""
    if isinstance(value, tuple):
        inner = ", ".join(literal(item) for item in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    text = repr(value)
    if isinstance(value, str | bytes) and '"' not in text:
        start = text.index("'")
        return f'{text[:start]}"{text[start + 1:-1]}"'.replace("\\'", "'")
    return text
