"""By what a document is known: its `Name:` line, and its title."""

from __future__ import annotations

import re

from zwire_codegen.notation import markdown, wikidot
from zwire_codegen.notation.rst import is_run

_NAME = re.compile(r"^[ \t]*(?:[*+-][ \t]+)?Name[ \t]*:[ \t]*(\S+)[ \t]*$", re.MULTILINE)
_LONGEST = 200


def name_line(text: str) -> str:
    """What the line `* Name: rfc.example.org/spec:1/ABC` says, or ""."""
    found = _NAME.search(text)
    return found[1] if found is not None else ""


def title_of(text: str) -> str:
    """The first heading, or the first line where it stands alone; else the name's last piece."""
    words = text[:_LONGEST].split()
    if words and is_run(words[0]) and words[0] in words[1:]:
        # A title with a run above and below it, on lines of their own or not.
        return " ".join(words[1 : words.index(words[0], 1)])
    first, _, rest = text.lstrip().partition("\n")
    second = rest.partition("\n")[0]
    heading = markdown.heading(first) or wikidot.heading(first)
    if heading is not None:
        return markdown.plain(heading)
    if 0 < len(first) <= _LONGEST and (not second.strip() or is_run(second.strip())):
        alone = first.strip()
        if not alone.endswith((".", ":", ";")):
            return markdown.plain(alone)
    return name_line(text).rpartition(":")[2]
