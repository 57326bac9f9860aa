"""What a node tells its user, for programs: names and plain values, as JSON has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from enum import Enum
from typing import Any

from zwire.zre.events import NodeEvent


def event_told(event: NodeEvent) -> dict[str, Any]:
    """An event for programs."""
    kind = type(event).__name__
    snake = "".join(f"_{one.lower()}" if one.isupper() else one for one in kind).lstrip("_")
    told: dict[str, Any] = {"event": snake}
    for field in fields(event):
        value = getattr(event, field.name)
        if field.name == "content":
            told.update(content_told(value))
        elif isinstance(value, Enum):
            told[field.name] = value.value
        elif isinstance(value, bool | str | dict) or value is None:
            told[field.name] = value
        else:
            told[field.name] = str(value)
    return told


def content_told(content: Sequence[bytes]) -> dict[str, list[Any]]:
    """The content of a message: octets in hex, and beside it as text where it is text."""
    return {"content": [one.hex() for one in content], "text": [_text(one) for one in content]}


def _text(frame: bytes) -> str | None:
    try:
        return frame.decode()
    except UnicodeDecodeError:
        return None
