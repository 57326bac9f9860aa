"""HTML and SVG by function calls: whatever is not markup already is escaped, wherever it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import TypeAlias, Union

# Characters that would be invisible, or turn around what is beside them. Lines may end.
_UNSEEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
_EMPTY = frozenset({"meta", "br", "col"})


class Html(str):
    """Text that is markup already; only this module and constants make it."""

    __slots__ = ()


Child: TypeAlias = Union[str, int, "Iterable[Child]", None]


def text(value: str) -> Html:
    """Any text as markup that shows it, and nothing else."""
    return Html(escape(_UNSEEN.sub(_shown, value)))


def el(name: str, /, *children: Child, **attributes: str | int | float | bool | None) -> Html:
    """An element. `class_`, `data_tip` stand for class, data-tip; None and False leave one out."""
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}'
        + ("" if value is True else f'="{text(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    inner = join(children)
    if name in _EMPTY:
        return Html(f"<{name}{told}>")
    return Html(f"<{name}{told}>{inner}</{name}>")


def join(children: Iterable[Child]) -> Html:
    """One after the other; texts are escaped."""
    return Html("".join(_markup(child) for child in children))


def _markup(child: Child) -> str:
    if isinstance(child, Html):
        return child
    if isinstance(child, str):
        return text(child)
    if child is None:
        return ""
    if isinstance(child, int):
        return str(child)
    return join(child)


def _shown(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
