"""Vectors: cases for every message of a protocol as JSON, to test a codec in any language."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from zwire_codegen.backends.vectors.cases import Cases
from zwire_codegen.backends.vectors.packing import pack, unpack
from zwire_codegen.model.types import Part, Protocol

FORMAT = 1

__all__ = ["FORMAT", "pack", "render", "unpack", "vectors"]


def render(protocols: Sequence[Protocol]) -> dict[str, str]:
    """A file of cases for each protocol: `zre.json`."""
    return {f"{protocol.name}.json": _text(vectors(protocol)) for protocol in protocols}


def vectors(protocol: Protocol) -> dict[str, Any]:
    """The cases of a protocol, long values written short."""
    return {
        "format": FORMAT,
        "protocol": protocol.name,
        "version": protocol.version,
        "parts": [_part(part) for part in protocol.parts],
    }


def _part(part: Part) -> dict[str, Any]:
    cases = Cases(part)
    return {
        "part": part.name,
        "datagram": part.datagram,
        "valid": pack(cases.valid()),
        "invalid": pack(cases.invalid()),
        "unencodable": pack(cases.unencodable()),
    }


def _text(value: dict[str, Any]) -> str:
    """JSON with one case a line, so that a change shows as a change of lines."""
    head = {name: item for name, item in value.items() if name != "parts"}
    parts = ",\n".join(_part_text(part) for part in value["parts"])
    return f'{_line(head)[:-1]}, "parts": [\n{parts}\n]}}\n'


def _part_text(part: dict[str, Any]) -> str:
    kinds = ("valid", "invalid", "unencodable")
    head = {name: item for name, item in part.items() if name not in kinds}
    blocks = [_line(head)[:-1]]
    for kind in kinds:
        cases = ",\n".join(_line(case) for case in part[kind])
        blocks.append(f'"{kind}": [\n{cases}\n]' if cases else f'"{kind}": []')
    return ",\n".join(blocks) + "}"


def _line(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text.replace("\x7f", "\\u007f").replace(
        "\x85", "\\u0085"
    )  # some take it for a line's end
