"""Lowering: every wire rule becomes a shape, those it mentions first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from zwire_codegen.catalogue import problem
from zwire_codegen.model.types import Constant, Enumeration, Origin
from zwire_codegen.notation.tree import (
    Choice,
    Element,
    Name,
    Prose,
    Range,
    Repeat,
    Rule,
    Terminal,
)
from zwire_codegen.notation.tree import Sequence as Chain
from zwire_codegen.passes import idioms
from zwire_codegen.passes.idioms import NoIdiom
from zwire_codegen.passes.names import key
from zwire_codegen.passes.overrides import Override, override
from zwire_codegen.passes.shapes import (
    Broken,
    Envelope,
    Group,
    Many,
    ManyFrames,
    Octet,
    OneFrame,
    Perhaps,
    Piece,
    Run,
    Shape,
    Value,
    span,
    type_of,
)
from zwire_codegen.passes.walk import fold
from zwire_codegen.problems import Problem
from zwire_codegen.source import Place

_MOST_PIECES = 1_000  # fields of one message; more grows without bound from a few rules

_LETTERS = span(0x41, 0x5A) | span(0x61, 0x7A)
_DIGITS = span(0x30, 0x39)
_CORE: dict[str, Shape] = {
    "alpha": Octet(_LETTERS),
    "bit": Octet(span(0x30, 0x31)),
    "char": Octet(span(0x01, 0x7F)),
    "cr": Value(Constant(b"\r")),
    "crlf": Value(Constant(b"\r\n")),
    "ctl": Octet(span(0x00, 0x1F) | span(0x7F, 0x7F)),
    "digit": Octet(_DIGITS),
    "dquote": Value(Constant(b'"')),
    "hexdig": Octet(_DIGITS | span(0x41, 0x46)),
    "htab": Value(Constant(b"\t")),
    "lf": Value(Constant(b"\n")),
    "octet": Octet(span(0x00, 0xFF)),
    "sp": Value(Constant(b" ")),
    "vchar": Octet(span(0x21, 0x7E)),
    "wsp": Octet(span(0x20, 0x20) | span(0x09, 0x09)),
    "frame": OneFrame(),
}


@dataclass(slots=True)
class Lowering:
    """Turns elements into shapes; knows the rules, and collects problems."""

    file: str
    document: str
    rules: Mapping[str, Rule]
    messages: Collection[str]
    overrides: Mapping[str, Override]
    shapes: dict[str, Shape] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def rule(self, name: str) -> None:
        """Lower a rule; what it mentions has been lowered before."""
        rule = self.rules[name]
        shape = self.element(rule.body, alone=name not in self.messages)
        if isinstance(shape, Value) and isinstance(shape.type, Enumeration) and not shape.type.name:
            shape = Value(replace(shape.type, name=rule.name.text))
        wanted = self.overrides.get(name)
        if wanted is not None and not isinstance(shape, Broken):
            shape = self._attempt(wanted.place, partial(override, shape, wanted))
        self.shapes[name] = shape

    def element(self, body: Element, *, alone: bool) -> Shape:
        """The shape of an element; `alone`: a count and its field may be all there is."""
        return fold(body, lambda one, inner: self._combine(one, inner, alone and one is body))

    def pieces(self, body: Element, shape: Shape) -> tuple[Piece, ...]:
        """The shape as pieces, as if it stood in a sequence."""
        return shape.pieces if isinstance(shape, Group) else (self._piece(body, shape),)

    def _combine(self, element: Element, inner: list[Shape], alone: bool) -> Shape:
        if any(isinstance(shape, Broken) for shape in inner):
            return Broken()
        match element:
            case Name():
                return self._named(element)
            case Terminal():
                return Value(Constant(element.octets))
            case Range():
                return Octet(span(element.low, element.high), element.high > 255)
            case Prose():
                return self._attempt(element.place, _no_prose)
            case Repeat():
                return self._attempt(element.place, partial(self._repeat, element, inner[0]))
            case Choice():
                return self._attempt(element.place, partial(self._choice, element, inner))
            case Chain():
                return self._attempt(element.place, partial(self._chain, element, inner, alone))

    def _named(self, element: Name) -> Shape:
        name = key(element.text)
        if name == "lwsp" and name not in self.rules:
            return self._attempt(element.place, _no_white_space)
        # What is in neither was told to be unknown, or to lead back to itself.
        return self.shapes.get(name) or _CORE.get(name, Broken())

    def _attempt(self, place: Place, make: Callable[[], Shape]) -> Shape:
        try:
            return make()
        except NoIdiom as reason:
            self.problems.append(problem(self.file, place, reason.code, reason.text, reason.hint))
            return Broken()

    # -------------------------------------------------------- repeats

    def _repeat(self, element: Repeat, item: Shape) -> Shape:
        low, high = element.minimum, element.maximum
        if high == 0:
            raise NoIdiom("ZW407", "repeated zero times", "leave it out")
        if element.optional:
            return _optional(item)
        if (low, high) == (1, 1):
            return item
        match item:
            case Octet():
                return self._run(element, item)
            case Value(Constant(octets)):
                if low == high:
                    return idioms.repeated_constant(octets, low)
                if len(octets) == 1:
                    return self._run(element, Octet(1 << octets[0]))
                raise NoIdiom("ZW407", "a constant that comes any number of times")
            case Run() if item.fixed and low == high:
                return Run(item.of, item.fixed * low, item.fixed * low)
            case Run() | Value() | Group():
                return Many(item, _mentioned(element), low, high)
            case OneFrame(optional=False) if high is None:
                return ManyFrames(low)
            case OneFrame() | ManyFrames() | Envelope():
                raise NoIdiom("ZW407", "frames repeated within bounds", "write 1*FRAME or *FRAME")
            case _:
                raise NoIdiom("ZW407", "a repeat of something that may be missing or repeats")

    def _run(self, element: Repeat, octet: Octet) -> Shape:
        if not octet.full:
            kind = "text" if octet.text else "octets"
            text = f"read more loosely than written: as any {kind}"
            hint = f"write {'VCHAR' if octet.text else 'OCTET'} if that is meant"
            self.problems.append(problem(self.file, element.place, "ZW422", text, hint))
        return Run(octet, element.minimum, element.maximum)

    # -------------------------------------------------------- alternatives and sequences

    def _choice(self, element: Choice, inner: list[Shape]) -> Shape:
        names = [_mentioned(item) for item in element.items]
        origins = [self._origin(item) for item in element.items]
        return idioms.alternatives(inner, names, origins)

    def _chain(self, element: Chain, inner: list[Shape], alone: bool) -> Shape:
        pieces: list[Piece] = []
        items = element.items
        index = 0
        while index < len(items):
            item, shape = items[index], inner[index]
            index += 1
            if index < len(items):
                pair = self._pair(items, inner, index, alone and len(items) == 2)
                if pair is not None:
                    if len(items) == 2:
                        return pair
                    pieces.append(self._piece(items[index], pair))
                    index += 1
                    continue
            if isinstance(shape, Group):
                pieces.extend(shape.pieces)
            elif (both := self._joined(items, index - 1, pieces, shape)) is not None:
                pieces[-1] = replace(pieces[-1], shape=both)
            else:
                pieces.append(self._piece(item, shape))
            if len(pieces) > _MOST_PIECES:
                raise NoIdiom("ZW407", f"more than {_MOST_PIECES} fields in a row")
        if len(pieces) == 1 and not pieces[0].name:
            return pieces[0].shape
        return Group(tuple(pieces))

    def _joined(
        self, items: Sequence[Element], index: int, pieces: Sequence[Piece], shape: Shape
    ) -> Shape | None:
        """A constant together with the one before it, where both stand there as they are."""
        if index and isinstance(items[index], Terminal) and isinstance(items[index - 1], Terminal):
            return idioms.joined(pieces[-1].shape, shape)
        return None

    def _pair(
        self, items: Sequence[Element], inner: Sequence[Shape], index: int, alone: bool
    ) -> Shape | None:
        """The shape of two neighbours that belong together, the second being at `index`."""
        first, second = inner[index - 1], inner[index]
        if idioms.envelope(first, second):
            return Envelope(required=True)
        if idioms.counts(first, _mentioned(items[index - 1]), second, alone):
            return idioms.counted(first, second)
        return None

    def _piece(self, element: Element, shape: Shape) -> Piece:
        name = _mentioned(element)
        rule = self.rules.get(key(name))
        if rule is None:
            return Piece("", shape, element.place, element.place.line)
        return Piece(name, shape, element.place, rule.place.line, rule.comment)

    def _origin(self, element: Element) -> Origin:
        rule = self.rules.get(key(_mentioned(element)))
        line = rule.place.line if rule else element.place.line
        return Origin(self.document, line, rule.comment if rule else "")


def _mentioned(element: Element) -> str:
    """The name in an element that is one, or a repeat of one."""
    while isinstance(element, Repeat):
        element = element.item
    return element.text if isinstance(element, Name) else ""


def _no_white_space() -> Shape:
    raise NoIdiom("ZW407", "white space over several lines has no place on the wire", "write SP")


def _no_prose() -> Shape:
    raise NoIdiom("ZW407", "a prose value says nothing that can be read", "write an element")


def _optional(item: Shape) -> Shape:
    match item:
        case OneFrame():
            return OneFrame(optional=True)
        case ManyFrames() if item.minimum < 2:
            return ManyFrames(0)
        case Envelope():
            return Envelope(required=False)
        case _ if type_of(item) is not None:
            return Perhaps(item)
        case _:
            raise NoIdiom("ZW407", "only a frame, an address stack or a value can be optional")
