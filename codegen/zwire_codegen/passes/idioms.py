"""Idioms: what ABNF cannot say in so many words, recognised by its form.

ABNF has no way to say "this octet counts those". Documents write `size *VCHAR` and mean it. Each
function here knows one such form and returns the shape it stands for, or the reason why not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from zwire_codegen.model.types import (
    Constant,
    Dictionary,
    Enumeration,
    Integer,
    Listing,
    Member,
    Octets,
    Origin,
    Text,
)
from zwire_codegen.passes.names import in_code, key
from zwire_codegen.passes.shapes import (
    COUNT_WIDTHS,
    INTEGER_WIDTHS,
    Group,
    Many,
    ManyFrames,
    Octet,
    Run,
    Shape,
    Value,
    fixed_octets,
    type_of,
)

_COUNTER = re.compile(r"(size|count|length|len|number)(-?\d+)?\Z")
_ENTRY = "key-value"
_LARGEST_CONSTANT = 65_536


class NoIdiom(Exception):
    """The form has no meaning: the finding's code, what is wrong, and what to do."""

    def __init__(self, code: str, text: str, hint: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.hint = hint


def is_counter(name: str) -> bool:
    """Whether a rule of this name counts what follows it, wherever it stands."""
    return _COUNTER.match(key(name)) is not None


def counts(counter: Shape, name: str, counted: Shape, alone: bool) -> bool:
    """Whether the first of two neighbours is meant to count the second: in a rule of their own
    (`alone`) if it can be a count at all, elsewhere if it has the name of a count."""
    repeated = isinstance(counted, Many) or (
        isinstance(counted, Run) and counted.minimum != counted.maximum
    )
    if not repeated or not fixed_octets(counter):
        return False
    return is_counter(name) or (alone and fixed_octets(counter) in (*COUNT_WIDTHS, 3, 8))


def counted(counter: Shape, item: Shape) -> Shape:
    """Text, octets, list or dictionary behind a count."""
    width = fixed_octets(counter)
    if width not in COUNT_WIDTHS:
        text = f"{width} octets cannot be the count of a field"
        raise NoIdiom("ZW409", text, "a count has 1, 2 or 4 octets")
    match item:
        case Run():
            return Value(_counted_run(width, item))
        case Many():
            return Value(_counted_items(width, item))
        case _:
            raise NoIdiom("ZW409", "nothing is repeated behind the count")


def _counted_run(width: int, run: Run) -> Text | Octets:
    most = int(256**width) - 1
    if max(run.minimum, run.maximum or 0) > most:
        text = f"a count of {width} octet{'s' * (width > 1)} says at most {most}, not {run.maximum}"
        raise NoIdiom("ZW409", text, "widen the count or narrow the field")
    if run.of.text:
        return Text(width, run.minimum, run.maximum)
    return Octets(count=width, minimum=run.minimum, maximum=run.maximum)


def _counted_items(width: int, many: Many) -> Listing | Dictionary:
    if many.minimum or many.maximum is not None:
        text = "a list says its own number of items"
        raise NoIdiom("ZW407", text, "write the repeat without bounds: *item")
    if isinstance(many.item, Group):
        types = [type_of(piece.shape) for piece in many.item.pieces]
        match types:
            case [Text() as name, Text() as value] if name.count and value.count:
                return Dictionary(width, name, value)
        raise NoIdiom("ZW407", "an entry is a text, or two of them: key and value, each counted")
    item = type_of(many.item)
    if isinstance(item, Text) and item.count:
        if key(many.name) == _ENTRY:
            return Dictionary(width, item)
        return Listing(width, item)
    if isinstance(item, Integer) or (isinstance(item, Octets) and (item.count or item.length)):
        return Listing(width, item)
    raise NoIdiom("ZW407", "an item of a list is a number, or says its own length")


def envelope(first: Shape, second: Shape) -> bool:
    """Whether this is `*address empty`: frames up to an empty one."""
    return first == ManyFrames(0) and second == Value(Constant(b""))


def joined(first: Shape, second: Shape) -> Shape | None:
    """Two anonymous constants next to each other as one."""
    if isinstance(first, Value) and isinstance(second, Value):
        a, b = first.type, second.type
        if isinstance(a, Constant) and isinstance(b, Constant) and a.octets and b.octets:
            return Value(Constant(a.octets + b.octets))
    return None


def repeated_constant(octets: bytes, number: int) -> Shape:
    """The same octets several times over."""
    if len(octets) * number > _LARGEST_CONSTANT:
        raise NoIdiom("ZW407", f"a constant of more than {_LARGEST_CONSTANT} octets")
    return Value(Constant(octets * number))


def alternatives(shapes: Sequence[Shape], names: Sequence[str], origins: Sequence[Origin]) -> Shape:
    """An enumeration out of constants, or one set of octets out of several."""
    members: dict[bytes, Member] = {}
    for shape, name, origin in zip(shapes, names, origins, strict=True):
        for member in _members(shape, name, origin):
            if member.octets in members:
                other = members[member.octets].name
                text = f'nothing tells "{member.name}" from "{other}": both are {_shown(member)}'
                raise NoIdiom("ZW408", text, "give each alternative octets of its own")
            members[member.octets] = member
        if not members:
            break
    if len(members) >= len(shapes) and all(_is_constant(shape) for shape in shapes):
        return Value(_enumeration(tuple(members.values())))
    octets = [_octet_of(shape) for shape in shapes]
    bits, wide = 0, False
    for octet in octets:
        if octet is None:
            text = "these alternatives are neither all constants nor all single characters"
            raise NoIdiom("ZW407", text, "write a message for each of them")
        bits, wide = bits | octet.bits, wide or octet.wide
    return Octet(bits, wide)


def _enumeration(members: tuple[Member, ...]) -> Enumeration:
    taken: dict[str, Member] = {}
    for member in members:
        other = taken.setdefault(in_code(member.name), member)
        if other is not member:
            text = f'two members are named "{member.name}"'
            raise NoIdiom("ZW412", text, "name each by a rule of its own")
    lengths = {len(member.octets) for member in members}
    width = lengths.pop() if len(lengths) == 1 else 0
    return Enumeration("", width if width in INTEGER_WIDTHS else 0, members)


def _is_constant(shape: Shape) -> bool:
    return isinstance(shape, Value) and isinstance(shape.type, Constant | Enumeration)


def _members(shape: Shape, name: str, origin: Origin) -> list[Member]:
    if not isinstance(shape, Value):
        return []
    match shape.type:
        case Enumeration(members=members):
            return list(members)
        case Constant(octets):
            return [Member(name or _member_name(octets), octets, origin)]
        case _:
            return []


def _member_name(octets: bytes) -> str:
    text = octets.decode("ascii", "replace")
    plain = text.isascii() and text.replace("-", "").replace("_", "").isalnum()
    return text if plain and text[:1].isalpha() else f"VALUE-{octets.hex().upper()}"


def _shown(member: Member) -> str:
    return "%x" + ".".join(f"{octet:02X}" for octet in member.octets) if member.octets else '""'


def _octet_of(shape: Shape) -> Octet | None:
    match shape:
        case Octet():
            return shape
        case Value(Constant(octets)) if len(octets) == 1:
            return Octet(1 << octets[0])
        case _:
            return None
