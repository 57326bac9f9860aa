"""The tree of ABNF as read: wire rules and dialogs share it, every node knows its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from zwire_codegen.source import Place


@dataclass(frozen=True, slots=True)
class Name:
    """A rule named in an element: `group`, or with the role that says it, `S:HELLO`."""

    text: str
    place: Place
    role: str = ""


@dataclass(frozen=True, slots=True)
class Terminal:
    """Exact octets: `%x01`, `%d13.10`, `%s"PING"`, `"ping"`.

    `caseless` is true for a plain or %i string that holds a letter: RFC 5234 lets such a
    letter be either case. `written` is the element as it stands in the document.
    """

    octets: bytes
    place: Place
    written: str
    caseless: bool = False


@dataclass(frozen=True, slots=True)
class Range:
    """One octet (or character) out of a range: `%x30-39`."""

    low: int
    high: int
    place: Place
    written: str


@dataclass(frozen=True, slots=True)
class Prose:
    """A prose value: `<any text>`."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Sequence:
    """Elements one after the other."""

    items: tuple[Element, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several."""

    items: tuple[Element, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Repeat:
    """`minimum*maximum element`; a maximum of None has no bound. An option is 0*1, `optional`."""

    item: Element
    minimum: int
    maximum: int | None
    place: Place
    optional: bool = False


Element: TypeAlias = Name | Terminal | Range | Prose | Sequence | Choice | Repeat


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with the comments that explain it: lines above it, and behind its lines.

    With more than one entry, `beside[i]` stands beside the i-th alternative (or item) of the
    body, empty where there is none. `apart` are paragraphs of comment further up, set apart by
    empty lines; `spaced` says that an empty line stands above it all.
    """

    name: Name
    body: Element
    place: Place
    above: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    incremental: bool = False
    apart: tuple[tuple[str, ...], ...] = ()
    spaced: bool = False

    @property
    def comment(self) -> str:
        """What the rule's comments say, those beside it before those above, as one text."""
        return " ".join(" ".join(self.beside or self.above).split())


@dataclass(frozen=True, slots=True)
class Grammar:
    """The rules of one block, in their order; `trailing` are comments after the last rule."""

    rules: tuple[Rule, ...]
    trailing: tuple[str, ...] = ()
