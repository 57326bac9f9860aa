"""Lists and dictionaries as SQL: where each item begins and ends, what it is, which one is wrong.

Every item begins where the one before ends, so the places are found one after the other. There are
never more rounds than octets, whatever the count says; and because Spark copies an array to put
something behind it, the places are gathered in short arrays, which are joined at the end.
"""

from __future__ import annotations

from dataclasses import dataclass

from zwire_codegen.backends.spark.sql import (
    apart,
    cases,
    either,
    minus,
    named,
    no_text,
    number,
    piece,
    plus,
    text,
)
from zwire_codegen.model.types import Dictionary, Integer, Listing, Octets, Text

ROUND = 256  # places gathered before they are put aside

# What can be wrong with an item, by the number that stands for it.
FAULTS = {1: "truncated", 2: "empty", 3: "length", 4: "text", 5: "value"}


@dataclass(frozen=True, slots=True)
class _Item:
    """One of the things that a list is made of; a dictionary alternates between two."""

    type: Text | Octets | Integer

    @property
    def count(self) -> int:
        """The width of the size in front of it; 0: it needs none."""
        return 0 if isinstance(self.type, Integer) else self.type.count

    @property
    def least(self) -> int:
        """The fewest octets that it takes."""
        match self.type:
            case Integer(width):
                return width
            case Octets(length) if length:
                return length
            case _:
                return self.count

    def end(self, at: str) -> str:
        """Where it ends; one octet behind the frame where it is cut short."""
        if self.count == 0:
            return f"least({at} + {self.least}, length(f) + 1)"
        size = number("f", at, self.count)
        return f"CAST(least({at} + {self.count} + {size}, length(f) + 1) AS INT)"

    def value(self, octets: str) -> str:
        match self.type:
            case Integer(width):
                return number(octets, "0", width)
            case Text():
                return text(octets)
            case Octets():
                return octets

    def faults(self, value: str, stop: str = "") -> list[tuple[str, str]]:
        """What may be wrong with it, as conditions and numbers; `stop` is where it ends."""
        found = [(f"{stop} > length(f)", "1")] if stop else []
        kind = self.type
        if isinstance(kind, Integer):
            return found + [(f"{value} < {kind.minimum}", "5")] * (kind.minimum > 0)
        if kind.minimum:
            found.append((f"octet_length({value}) = 0", "2"))
        if kind.minimum > 1:
            found.append((f"octet_length({value}) < {kind.minimum}", "3"))
        if kind.maximum is not None:
            found.append((f"octet_length({value}) > {kind.maximum}", "3"))
        if isinstance(kind, Text):
            found.append((no_text(value), "4"))
        return found


def possible_faults(kind: Listing | Dictionary) -> list[int]:
    """The numbers of what can be wrong with an item."""
    known = {int(number) for item in _items(kind) for _, number in item.faults("v", "stop")}
    return sorted(known)


def listed(kind: Listing | Dictionary, frame: str, offset: str) -> str:
    """A struct of the values, where they end, and the first fault with its place."""
    items = _items(kind)
    start = plus(offset, kind.count)
    least = min(item.least for item in items)
    # As many as the count says, or one more than there can be in the octets that are left.
    wanted = number("f", offset, kind.count)
    if len(items) > 1:
        wanted = f"{wanted} * {len(items)}"
    bound = f"CAST(least({wanted}, ({minus('length(f)', start)}) DIV {least} + 1) AS INT)"
    told = (
        f"named_struct('stop', element_at(s, -1), 'values', {_values(items)}, "
        f"'wrong', {_wrong(items)})"
    )
    body = named(_places(items, start), "s", named(_pieces(items), "p", told))
    nothing = (
        f"named_struct('stop', {start}, 'values', CAST(array() AS {list_type(kind)}), 'wrong', "
        "CAST(NULL AS STRUCT<fault: INT, at: INT>))"
    )
    return apart(frame, "f", named(bound, "n", cases([("n > 0", body)], nothing)))


def item_type(kind: Text | Octets | Integer) -> str:
    """The type of an item's value."""
    match kind:
        case Text():
            return "STRING"
        case Octets():
            return "BINARY"
        case Integer(width):
            return "DECIMAL(20, 0)" if width == 8 else "BIGINT"


def list_type(kind: Listing | Dictionary) -> str:
    """The type of a list's or dictionary's value."""
    match kind:
        case Listing():
            return f"ARRAY<{item_type(kind.item)}>"
        case Dictionary(value=None):
            return "ARRAY<STRING>"
        case Dictionary():
            return "ARRAY<STRUCT<key: STRING, value: STRING>>"


def _items(kind: Listing | Dictionary) -> list[_Item]:
    if isinstance(kind, Listing):
        return [_Item(kind.item)]
    return [_Item(kind.key)] + ([_Item(kind.value)] if kind.value is not None else [])


def _by_turn(choices: list[str]) -> str:
    """What holds for the item with the number `i`."""
    if len(set(choices)) == 1:
        return choices[0]
    return cases([("i % 2 = 0", choices[0])], choices[1])


def _places(items: list[_Item], start: str) -> str:
    """Where each of `n` items begins, and where the last one ends."""
    step = _by_turn([item.end("a.at") for item in items])
    several = (
        f"aggregate(sequence(r * {ROUND}, least(r * {ROUND} + {ROUND}, n) - 1), "
        "named_struct('at', element_at(done, -1).at, 'places', CAST(array() AS ARRAY<INT>)), "
        f"(a, i) -> named_struct('at', {step}, 'places', array_append(a.places, a.at)))"
    )
    rounds = (
        f"aggregate(sequence(0, CAST((n - 1) DIV {ROUND} AS INT)), "
        f"array(named_struct('at', CAST({start} AS INT), 'places', CAST(array() AS ARRAY<INT>))), "
        f"(done, r) -> array_append(done, {several}))"
    )
    ends = "array_append(flatten(t.places), element_at(t, -1).at)"
    return named(rounds, "t", ends)


def _pieces(items: list[_Item]) -> str:
    """The items between the places `s`."""
    width = _by_turn([str(item.count) for item in items])
    octets = piece("f", f"s[i] + {width}", f"s[i + 1] - s[i] - {width}")
    return f"transform(sequence(0, size(s) - 2), i -> {items[0].value(octets)})"


def _wrong(items: list[_Item]) -> str:
    """The first of the items `p` that is wrong. Most often none is, and that is quickly seen."""
    fault = _by_turn([cases(item.faults("p[i]", "s[i + 1]")) for item in items])
    found = (
        f"get(filter(transform(sequence(0, size(p) - 1), i -> named_struct('fault', {fault}, "
        "'at', s[i])), j -> j.fault IS NOT NULL), 0)"
    )
    conditions = dict.fromkeys(c for item in items for c, _ in item.faults("v"))
    doubts = ["element_at(s, -1) > length(f)"]
    if conditions:
        doubts.append(f"exists(p, v -> {either(conditions)})")
    return cases([(either(doubts), found)])


def _values(items: list[_Item]) -> str:
    if len(items) == 1:
        return "p"
    pair = "named_struct('key', p[2 * i], 'value', get(p, 2 * i + 1))"
    return f"transform(sequence(0, CAST((size(p) - 1) DIV 2 AS INT)), i -> {pair})"
