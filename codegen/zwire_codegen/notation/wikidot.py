"""What marks the blocks of wikidot text: `++` headings and `[[code]]`."""

from __future__ import annotations

import re

_HEADING = re.compile(r"\+{1,6}\*?[ \t]+(\S.*)$")
_OPENS = re.compile(r"[ \t]*\[\[code\b([^\]]*)\]\][ \t]*$", re.IGNORECASE)
_CLOSES = re.compile(r"[ \t]*\[\[/code\]\]", re.IGNORECASE)
_TYPE = re.compile(r"type[ \t]*=[ \t]*\"([^\"]*)\"", re.IGNORECASE)


def heading(text: str) -> str | None:
    """The text of a heading `++ …`."""
    found = _HEADING.match(text)
    return found[1].strip() if found is not None else None


def opens_code(text: str) -> str | None:
    """The label of the block that a line `[[code]]` opens, most often none: ""."""
    found = _OPENS.match(text)
    if found is None:
        return None
    label = _TYPE.search(found[1])
    return label[1].lower() if label is not None else ""


def closes_code(text: str) -> bool:
    """Whether a line is `[[/code]]`."""
    return _CLOSES.match(text) is not None
