"""The model as JSON and back, without loss. Nothing in it belongs to one language.

Every variant carries its kind: `{"kind": "text", "count": 1, …}`. Octets are lower-case
hexadecimal. `origin` is `{"document", "line", "comment"}` wherever something was said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from zwire_codegen.model import types
from zwire_codegen.model.types import Protocol

VERSION = 1

_KINDS: dict[type, str] = {
    types.Constant: "constant",
    types.Integer: "integer",
    types.Text: "text",
    types.Octets: "octets",
    types.Uuid: "uuid",
    types.Enumeration: "enumeration",
    types.Listing: "list",
    types.Dictionary: "dictionary",
    types.Frame: "frame",
    types.Stack: "stack",
    types.Frames: "frames",
    types.Say: "say",
    types.Sequence: "sequence",
    types.Choice: "choice",
    types.Repeat: "repeat",
}
_CLASSES = {kind: one for one, kind in _KINDS.items()}
_HINTS: dict[type, dict[str, Any]] = {}


class NotAModel(ValueError):
    """The JSON does not describe a protocol: where, and what is wrong there."""


def to_json(protocol: Protocol) -> dict[str, Any]:
    """The protocol as plain values: objects, lists, texts, numbers, true, false and null."""
    written = _write(protocol)
    assert isinstance(written, dict)
    return {"model": VERSION, **written}


def from_json(values: Mapping[str, Any]) -> Protocol:
    """The protocol that these plain values describe; raises NotAModel."""
    if not isinstance(values, Mapping) or values.get("model") != VERSION:
        raise NotAModel(f'no model of version {VERSION}: "model" is missing or another')
    rest = {name: value for name, value in values.items() if name != "model"}
    read = _read(Protocol, rest, "protocol")
    assert isinstance(read, Protocol)
    return read


def _write(value: Any) -> Any:
    if is_dataclass(value):
        written = {one.name: _write(getattr(value, one.name)) for one in fields(value)}
        if isinstance(value, types.NamedConstant) and isinstance(value.value, bytes):
            written["value"] = {"octets": value.value.hex()}
        kind = _KINDS.get(type(value))
        return {"kind": kind, **written} if kind else written
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return [_write(item) for item in value]
    return value


def _read(wanted: Any, value: Any, where: str) -> Any:
    if wanted == int | str | bytes:
        return _read_constant(value, where)
    if get_origin(wanted) in (Union, UnionType):
        return _read_union(get_args(wanted), value, where)
    if get_origin(wanted) is tuple:
        if not isinstance(value, list):
            raise NotAModel(f"{where}: a list is wanted")
        item = get_args(wanted)[0]
        return tuple(_read(item, one, f"{where}[{index}]") for index, one in enumerate(value))
    if is_dataclass(wanted) and isinstance(wanted, type):
        return _read_object(wanted, value, where)
    if wanted is bytes:
        return _read_octets(value, where)
    if type(value) is not wanted:
        raise NotAModel(f"{where}: {wanted.__name__} is wanted")
    return value


def _read_object(wanted: type, value: Any, where: str) -> Any:
    if not isinstance(value, Mapping):
        raise NotAModel(f"{where}: an object is wanted")
    kind = _KINDS.get(wanted)
    if value.get("kind") != kind:
        raise NotAModel(f"{where}: kind {kind!r} is wanted")
    if wanted not in _HINTS:
        _HINTS[wanted] = get_type_hints(wanted)
    hints = _HINTS[wanted]
    for name in value:
        if name not in hints and name != "kind":
            raise NotAModel(f"{where}: {name!r} is unknown")
    missing = [name for name in hints if name not in value]
    if missing:
        raise NotAModel(f"{where}: {missing[0]!r} is missing")
    return wanted(
        **{name: _read(hint, value[name], f"{where}.{name}") for name, hint in hints.items()}
    )


def _read_union(wanted: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and type(None) in wanted:
        return None
    simple = [one for one in wanted if not is_dataclass(one) and one is not type(None)]
    if simple:
        return _read(simple[0], value, where)
    kind = value.get("kind") if isinstance(value, Mapping) else None
    found = _CLASSES.get(kind) if isinstance(kind, str) else None
    if found is None or found not in wanted:
        raise NotAModel(f"{where}: {kind!r} is no kind that may stand here")
    return _read_object(found, value, where)


def _read_constant(value: Any, where: str) -> int | str | bytes:
    if isinstance(value, Mapping) and set(value) == {"octets"}:
        return _read_octets(value["octets"], f"{where}.octets")
    if isinstance(value, int | str) and not isinstance(value, bool):
        return value
    raise NotAModel(f"{where}: a number, a text or octets are wanted")


def _read_octets(value: Any, where: str) -> bytes:
    try:
        return bytes.fromhex(value)
    except (TypeError, ValueError):
        raise NotAModel(f"{where}: hexadecimal digits are wanted") from None
