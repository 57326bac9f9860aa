"""The LALR(1) parser of one ABNF rule, made once, and the tree that it builds bottom up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

from zwire_codegen.notation.abnf_scanner import Token, pattern_of, scan
from zwire_codegen.notation.tree import Choice, Element, Name, Repeat, Sequence
from zwire_codegen.source import Place

if TYPE_CHECKING:
    import re

    from lark import Lark

# Tokens that the parser takes nowhere; they are scanned to be kept or to be told about.
_BESIDE = (
    "COMMENT",
    "BROKEN_TEXT",
    "BROKEN_NUMBER",
    "BROKEN_PROSE",
    "BNF_DEFINED",
    "STRAY",
)

# In a state on a symbol: the next state, or how many symbols to build which other from.
_Action: TypeAlias = tuple[int, int, str, Callable[[list[Any]], Any] | None]

_END = Token("$END", "", 0, 0, 0, 0)


class Count(NamedTuple):
    """What a REPEAT token says."""

    minimum: int
    maximum: int | None
    place: Place


class Role(NamedTuple):
    """What a ROLE token says."""

    text: str
    place: Place


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text, comments among them."""
    return scan(text, _pattern())


class Unexpected(Exception):
    """A rule's tokens make no rule from this token on; None stands for their end."""

    def __init__(self, token: Token | None) -> None:
        super().__init__()
        self.token = token


def assemble(tokens: Iterable[Token]) -> Element:
    """The body of the rule that these tokens make, each holding its part of the tree as value.

    The tables and what is built of each rule are lark's, the loop over them is not: with plain
    strings and tuples to look up, this step took 0.6 of the time of lark's own loop.
    """
    table, start, end = _table()
    states, built = [start], list[Any]()
    for token in (*tokens, _END):
        kind = token.type
        while True:
            action = table[states[-1]].get(kind)
            if action is None:
                raise Unexpected(None if token is _END else token)
            state, size, origin, build = action
            if build is None:
                states.append(state)
                built.append(token.value)
                break
            value = build(built[-size:])
            del states[-size:], built[-size:]
            states.append(table[states[-1]][origin][0])
            built.append(value)
            if states[-1] == end:
                return cast(Element, value)
    raise Unexpected(None)


def with_role(element: Element, role: str) -> Element:
    """The element with the role on each name in it that has none."""
    match element:
        case Name(text, place, ""):
            return Name(text, place, role)
        case Sequence(items, place):
            return Sequence(tuple(map(with_role, items, [role] * len(items))), place)
        case Choice(items, place):
            return Choice(tuple(map(with_role, items, [role] * len(items))), place)
        case Repeat(item, minimum, maximum, place, optional):
            return Repeat(with_role(item, role), minimum, maximum, place, optional)
        case _:
            return element


def spanning(first: Place, rest: Iterable[Place]) -> Place:
    """The place from the first to the last of these, as far as they stand on the first's line."""
    end = first.column + first.length
    for place in rest:
        if place.line == first.line:
            end = max(end, place.column + place.length)
    return Place(first.line, first.column, end - first.column)


class _Build:
    """What each rule of abnf.lark becomes; a terminal becomes its token's value."""

    @staticmethod
    def start(children: list[Element]) -> Element:
        return children[2]

    @staticmethod
    def choice(children: list[Element]) -> Choice:
        return Choice(tuple(children), spanning(children[0].place, [c.place for c in children]))

    @staticmethod
    def sequence(children: list[Element]) -> Sequence:
        return Sequence(tuple(children), spanning(children[0].place, [c.place for c in children]))

    @staticmethod
    def repeat(children: tuple[Count, Element]) -> Repeat:
        count, item = children
        place = spanning(count.place, (item.place,))
        return Repeat(item, count.minimum, count.maximum, place)

    @staticmethod
    def option(children: tuple[Place, Element, Place]) -> Repeat:
        opened, item, closed = children
        return Repeat(item, 0, 1, spanning(opened, (item.place, closed)), optional=True)

    @staticmethod
    def said(children: tuple[Role, Element]) -> Element:
        role, item = children
        named = with_role(item, role.text)
        if isinstance(named, Name):
            return Name(named.text, spanning(role.place, (item.place,)), named.role)
        return named

    @staticmethod
    def repeat_said(children: tuple[Count, Role, Element]) -> Repeat:
        count, role, item = children
        return _Build.repeat((count, _Build.said((role, item))))

    @staticmethod
    def said_repeat(children: tuple[Role, Count, Element]) -> Repeat:
        role, count, item = children
        return _Build.repeat((count, with_role(item, role.text)))


class _KeepAll:
    """Has lark keep the terminals that its parser takes nowhere."""

    always_accept = _BESIDE

    def process(self, stream: Iterable[Token]) -> Iterable[Token]:
        return stream


@cache
def _lark() -> Lark:
    from lark import Lark

    return Lark(
        Path(__file__).with_name("abnf.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer="basic",
        postlex=_KeepAll(),
        transformer=_Build(),
        maybe_placeholders=False,
    )


@cache
def _table() -> tuple[dict[int, dict[str, _Action]], int, int]:
    """What to do in each state on each symbol, the first state, and the last."""
    from lark.parsers.lalr_analysis import Shift

    conf = _lark().parse_interactive("").parser_state.parse_conf
    table: dict[int, dict[str, _Action]] = {}
    for state, actions in conf.states.items():
        table[state] = {
            str(symbol): (
                (arg, 0, "", None)
                if action is Shift
                else (0, len(arg.expansion), str(arg.origin.name), conf.callbacks[arg])
            )
            for symbol, (action, arg) in actions.items()
        }
    return table, conf.start_state, conf.end_state


@cache
def _pattern() -> re.Pattern[str]:
    lark = _lark()
    return pattern_of(each for each in lark.terminals if each.name not in lark.ignore_tokens)
