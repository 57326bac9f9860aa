"""Long values written short: a string or list that repeats itself becomes a small object.

`{"repeat": "61", "times": 255}` stands for the string or list, that many times over;
`{"join": [...]}` for its pieces one after the other.
"""

from __future__ import annotations

import re
from typing import Any

PLAIN = 96  # what is no longer than this is written out
MANY = 24  # a list of no more items is written out

_RUN = re.compile(r"(.{1,16}?)\1{11,}", re.DOTALL)  # what repeats itself often enough


def pack(value: Any) -> Any:
    """The value with its long strings and lists written short."""
    if isinstance(value, str):
        return _packed(value) if len(value) > PLAIN else value
    if isinstance(value, list):
        if len(value) > MANY and value.count(value[0]) == len(value):
            return {"repeat": [pack(value[0])], "times": len(value)}
        return [pack(item) for item in value]
    if isinstance(value, dict):
        return {name: pack(item) for name, item in value.items()}
    return value


def unpack(value: Any) -> Any:
    """The inverse of pack."""
    if isinstance(value, list):
        return [unpack(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"repeat", "times"}:
        return unpack(value["repeat"]) * value["times"]
    if value.keys() == {"join"}:
        return "".join(unpack(piece) for piece in value["join"])
    return {name: unpack(item) for name, item in value.items()}


def _packed(text: str) -> Any:
    pieces: list[Any] = []
    at = 0
    for run in _RUN.finditer(text):
        unit = run.group(1)
        if at < run.start():
            pieces.append(text[at : run.start()])
        pieces.append({"repeat": unit, "times": len(run.group()) // len(unit)})
        at = run.end()
    if at < len(text):
        pieces.append(text[at:])
    return pieces[0] if len(pieces) == 1 else {"join": pieces}
